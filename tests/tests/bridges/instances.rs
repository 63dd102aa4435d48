//! Valid instances of every revision, converted to every other.

use std::collections::BTreeMap;

use mcprism_tests::bridging::checks::{Counts, answered, found_again, returns, table};
use mcprism_tests::bridging::corpus::corpus;
use mcprism_tests::bridging::report::Report;
use mcprism_tests::bridging::revision::{Place, revision};
use mcprism_tests::bridging::run::{Question, options};
use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::{Members, Part, Policy};

/// Whether two revisions have this part of a method, of the same types by name.
fn shared(from: ProtocolVersion, to: ProtocolVersion, place: Place) -> bool {
    let (Some(from), Some(to)) = (from.method(place.method), to.method(place.method)) else { return false };
    from.result == to.result
}

/// Valid stays valid, nothing is lost in silence, nothing is reported without need, and nothing leaks.
pub(super) fn stays_valid(from: ProtocolVersion) {
    let mut report = Report::default();
    let mut counts = BTreeMap::new();
    let plain = options(Members::Strict, Policy::Substitute);
    let others = [
        options(Members::Strict, Policy::Drop),
        options(Members::Keep, Policy::Substitute),
        options(Members::Keep, Policy::Drop),
    ];
    let strict = options(Members::Strict, Policy::Refuse);
    for to in ProtocolVersion::ALL.iter().copied().filter(|to| *to != from) {
        for place in revision(from).places() {
            let mut here = Counts::default();
            for (index, instance) in corpus(from, place).iter().enumerate() {
                let question = Question { from, to, place, input: instance.as_ref(), options: &plain };
                let answer = question.ask();
                here.count(&answer);
                answered(&question, &answer, &mut report);
                let question = Question { options: &strict, ..question };
                let refusing = question.ask();
                answered(&question, &refusing, &mut report);
                let lossless = answer.as_ref().is_ok_and(|outcome| outcome.losses.is_empty());
                if refusing.is_ok() != lossless {
                    let kind =
                        format!("refuse and substitute disagree, {from} -> {to} {} {:?}", place.method, place.part);
                    report.add(kind, format!("{question}\n    refuse {refusing:?}\n    substitute {answer:?}"));
                }
                for options in others.iter().filter(|_| index % 2 == 0) {
                    let question = Question { options, ..question };
                    answered(&question, &question.ask(), &mut report);
                }
            }
            match to.method(place.method) {
                None if here.converted > 0 => {
                    report.add(format!("{to} has no {}", place.method), format!("{from} {here:?}"));
                }
                Some(_) if shared(from, to, place) && here.converted == 0 => {
                    report.add(format!("always refused, {from} -> {to} {} {:?}", place.method, place.part), "nothing");
                }
                _ => {}
            }
            let sum = counts.entry((from, to)).or_insert_with(Counts::default);
            *sum = sum.plus(here);
        }
    }
    println!("{}", table(&counts));
    report.check();
}

/// What goes up without a loss comes back as it was.
pub(super) fn comes_back(from: ProtocolVersion) {
    let mut report = Report::default();
    let (strict, keep) = (options(Members::Strict, Policy::Substitute), options(Members::Keep, Policy::Substitute));
    for to in ProtocolVersion::ALL.iter().copied().filter(|to| *to > from) {
        let (mut strictly, mut kept, mut all) = (0, 0, 0);
        for place in revision(from).places() {
            for instance in corpus(from, place) {
                all += 1;
                for (options, count) in [(&strict, &mut strictly), (&keep, &mut kept)] {
                    let question = Question { from, to, place, input: instance.as_ref(), options };
                    if let Ok(outcome) = question.ask() {
                        *count += usize::from(returns(&question, &outcome, &mut report));
                    }
                }
            }
        }
        println!("{from} -> {to} -> {from}: {all} instances, {strictly} without a loss, {kept} in keep mode");
        if strictly * 10 < all || kept < strictly {
            report.add("too few go up without a loss", format!("{from} -> {to}: {strictly} and {kept} of {all}"));
        }
    }
    report.check();
}

/// What goes down without a loss is found again on the way up, in keep mode with what was kept.
pub(super) fn is_found_again(from: ProtocolVersion) {
    let mut report = Report::default();
    let (strict, keep) = (options(Members::Strict, Policy::Substitute), options(Members::Keep, Policy::Substitute));
    for to in ProtocolVersion::ALL.iter().copied().filter(|to| *to < from) {
        let (mut strictly, mut kept, mut all) = (0, 0, 0);
        for place in revision(from).places() {
            for instance in corpus(from, place) {
                all += 1;
                for (options, count) in [(&strict, &mut strictly), (&keep, &mut kept)] {
                    let question = Question { from, to, place, input: instance.as_ref(), options };
                    if let Ok(outcome) = question.ask() {
                        *count += usize::from(found_again(&question, &outcome, &mut report));
                    }
                }
            }
        }
        println!("{from} -> {to} -> {from}: {all} instances, {strictly} without a loss, {kept} in keep mode");
        if kept < strictly {
            report.add("keep loses more", format!("{from} -> {to}: {strictly} and {kept} of {all}"));
        }
    }
    report.check();
}

#[test]
fn the_corpus_has_every_part_of_every_method() {
    let mut count = 0;
    for version in ProtocolVersion::ALL {
        for place in revision(*version).places() {
            let made = corpus(*version, place);
            // A message whose params may be absent has an instance without them.
            let method = version.method(place.method).unwrap();
            let absent = place.part != Part::Result && !method.params_required;
            assert!(!made.is_empty(), "{version} {place:?}");
            assert_eq!(made.iter().any(Option::is_none), absent, "{version} {place:?}");
            count += made.len();
        }
    }
    println!("{count} instances");
}
