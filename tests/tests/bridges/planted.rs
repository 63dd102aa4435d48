//! Members that nobody's schema names, and members that only another revision's does.

use mcprism_tests::bridging::accounts::holds;
use mcprism_tests::bridging::checks::answered;
use mcprism_tests::bridging::corpus::corpus;
use mcprism_tests::bridging::planting::{Planted, fitting, foreign, vendor};
use mcprism_tests::bridging::report::Report;
use mcprism_tests::bridging::revision::{Place, revision};
use mcprism_tests::bridging::run::{Outcome, Question, options};
use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::{Members, Options, Policy, Refused};
use serde_json::Value;

/// Every so many instances are planted; neighbours are much alike.
const STEP: usize = 4;

fn plain(members: Members) -> Options {
    options(members, Policy::Substitute)
}

/// The instances of a place that the target takes as they are.
fn taken<'a>(
    from: ProtocolVersion,
    to: ProtocolVersion,
    place: Place,
    options: &'a Options,
) -> impl Iterator<Item = &'static Value> + 'a {
    // The first three hold least, everything, and everything with unknown members.
    let all = corpus(from, place).iter().flatten();
    let chosen = all.clone().take(3).chain(all.skip(3).step_by(STEP));
    chosen.filter(move |instance| Question { from, to, place, input: Some(instance), options }.ask().is_ok())
}

pub(super) fn vendor_members_survive(from: ProtocolVersion) {
    let mut report = Report::default();
    let (mut count, mut survived) = (0, 0);
    for options in [plain(Members::Strict), plain(Members::Keep)] {
        for to in ProtocolVersion::ALL.iter().copied().filter(|to| *to != from) {
            for place in revision(from).places() {
                for instance in taken(from, to, place, &options) {
                    let Some((input, planted)) = vendor(from, place, instance) else { continue };
                    let question = Question { from, to, place, input: Some(&input), options: &options };
                    let answer = question.ask();
                    answered(&question, &answer, &mut report);
                    let kind = format!("{from} -> {to} {} {:?}", place.method, place.part);
                    let outcome = match answer {
                        Ok(outcome) => outcome,
                        Err(refused) => {
                            report.add(
                                format!("refused for a vendor's member, {kind}"),
                                format!("{question}\n    {refused}"),
                            );
                            continue;
                        }
                    };
                    let text = outcome.text.as_deref().unwrap_or_default();
                    for member in &planted {
                        count += 1;
                        if text.contains(&member.marker) {
                            survived += 1;
                        } else if !member.may_be_gone(&outcome.losses) {
                            let what = format!("{question}{outcome}\n    gone   {}", member.pointer);
                            report.add(format!("a vendor's member is gone, {kind}"), what);
                        }
                    }
                }
            }
        }
    }
    println!("{from}: {survived} of {count} members of a vendor survive");
    report.check();
    assert!(survived * 2 > count);
}

/// A member that misfits, or that the target doesn't name: dropped, and reported where it stood.
fn dropped(question: &Question<'_>, answer: &Result<Outcome, Refused>, member: &Planted) -> Result<(), String> {
    let outcome = answer.as_ref().map_err(|refused| format!("is refused: {refused}"))?;
    let reported = outcome.losses.iter().any(|loss| holds(&loss.pointer, &member.pointer));
    let inside = outcome.json.as_ref().and_then(|json| json.pointer(&member.pointer));
    match (reported, inside == Some(&member.value)) {
        (true, false) => Ok(()),
        (false, true) => Err("passes".to_owned()),
        (false, false) => Err("is lost in silence".to_owned()),
        (true, true) => Err(format!("is reported, and stays in {}", question.to)),
    }
}

/// One that fits: stays, and in strict mode it is reported that it means something now.
fn meant(question: &Question<'_>, answer: &Result<Outcome, Refused>, member: &Planted) -> Result<(), String> {
    let outcome = answer.as_ref().map_err(|refused| format!("is refused: {refused}"))?;
    let text = outcome.text.as_deref().unwrap_or_default();
    let mut above = outcome.losses.iter().filter(|loss| holds(&loss.pointer, &member.parent));
    if above.next().is_some() {
        return Ok(());
    }
    let reported = outcome.losses.iter().find(|loss| loss.pointer == member.pointer);
    match (reported, question.options.members) {
        _ if !text.contains(&member.marker) => Err("is gone".to_owned()),
        (Some(loss), Members::Strict) if loss.why.contains("meaning") => Ok(()),
        (None, Members::Keep) => Ok(()),
        (Some(loss), _) => Err(format!("is reported: {}", loss.why)),
        (None, _) => Err("is not reported".to_owned()),
    }
}

pub(super) fn foreign_members(from: ProtocolVersion) {
    let mut report = Report::default();
    let (strict, keep) = (plain(Members::Strict), plain(Members::Keep));
    let (mut misfits, mut fits) = (0, 0);
    for to in ProtocolVersion::ALL.iter().copied().filter(|to| *to != from) {
        for place in revision(from).places() {
            let mut tried: Vec<String> = Vec::new();
            for instance in taken(from, to, place, &strict) {
                for (input, member) in foreign(from, to, place, instance) {
                    // Once for each kind of place is enough.
                    let kind: String = member.pointer.chars().filter(|letter| !letter.is_ascii_digit()).collect();
                    if tried.contains(&kind) {
                        continue;
                    }
                    tried.push(kind);
                    misfits += 1;
                    let question = Question { from, to, place, input: Some(&input), options: &strict };
                    let answer = question.ask();
                    answered(&question, &answer, &mut report);
                    if let Err(wrong) = dropped(&question, &answer, &member) {
                        let kind =
                            format!("a misfit, {from} -> {to} {} {:?} {}", place.method, place.part, member.pointer);
                        report.add(kind, format!("{question}\n    {answer:?}\n    fault  {wrong}"));
                    }
                }
                for (input, member) in fitting(from, to, place, instance) {
                    let kind = format!("fits {}", member.pointer.replace(|letter: char| letter.is_ascii_digit(), ""));
                    if tried.contains(&kind) {
                        continue;
                    }
                    tried.push(kind);
                    for options in [&strict, &keep] {
                        fits += 1;
                        let question = Question { from, to, place, input: Some(&input), options };
                        let answer = question.ask();
                        answered(&question, &answer, &mut report);
                        if let Err(wrong) = meant(&question, &answer, &member) {
                            let kind =
                                format!("a fit, {from} -> {to} {} {:?} {}", place.method, place.part, member.pointer);
                            report.add(kind, format!("{question}\n    {answer:?}\n    fault  {wrong}"));
                        }
                    }
                }
            }
        }
    }
    println!("{from}: {misfits} members that misfit, {fits} that fit");
    report.check();
    assert!(misfits > 0);
}

/// What is dropped in keep mode is dropped in strict mode, too.
pub(super) fn keeps_more(from: ProtocolVersion) {
    let mut report = Report::default();
    let (strict, keep) = (plain(Members::Strict), plain(Members::Keep));
    for to in ProtocolVersion::ALL.iter().copied().filter(|to| *to != from) {
        for place in revision(from).places() {
            for instance in taken(from, to, place, &strict) {
                let question = Question { from, to, place, input: Some(instance), options: &strict };
                let Ok(strictly) = question.ask() else { continue };
                let question = Question { options: &keep, ..question };
                let kind = format!("{from} -> {to} {} {:?}", place.method, place.part);
                match question.ask() {
                    Err(refused) => report.add(format!("keep refuses, {kind}"), format!("{question}\n    {refused}")),
                    Ok(kept) => {
                        let known = |pointer: &str| strictly.losses.iter().any(|loss| holds(&loss.pointer, pointer));
                        for loss in kept.losses.iter().filter(|loss| !known(&loss.pointer)) {
                            let what = format!("{question}{kept}\n    strict{strictly}\n    fault  {}", loss.pointer);
                            report.add(format!("keep loses more, {kind}"), what);
                        }
                    }
                }
            }
        }
    }
    report.check();
}
