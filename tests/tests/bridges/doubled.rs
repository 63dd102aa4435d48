//! A member that stands twice is refused where it does, unless nobody reads it.

use mcprism_tests::bridging::accounts::holds;
use mcprism_tests::bridging::corpus::corpus;
use mcprism_tests::bridging::report::Report;
use mcprism_tests::bridging::revision::{pairs, revision};
use mcprism_tests::bridging::shapes::seen;
use mcprism_types::bridge::Translated;
use serde_json::Value;

use super::robust::{SILENT, ask, plain, shared};

/// The text with a member of the object at that pointer twice, the object in it, and the member's name.
fn doubled(json: &Value, pointer: &str) -> Option<(String, String, String)> {
    let mut copy = json.clone();
    let members = copy.pointer_mut(pointer)?.as_object_mut()?;
    let (name, value) = members.iter().next().map(|(name, value)| (name.clone(), value.clone()))?;
    members.insert("doubled".to_owned(), Value::Null);
    let again = format!("{}:{value}", Value::from(name.clone()));
    let mend = |json: &Value| json.to_string().replace("\"doubled\":null", &again);
    Some((mend(&copy), mend(copy.pointer(pointer)?), name))
}

/// Whether an object is in what was written, letter by letter.
fn copied(translated: &Translated<'_>, object: &str) -> bool {
    translated.json.as_deref().is_some_and(|json| json.contains(object))
}

/// Whether nothing of what stood at a place is left: it is in a loss, or was the session's.
fn taken_off(translated: &Translated<'_>, pointer: &str) -> bool {
    translated.losses.iter().any(|loss| holds(&loss.pointer, pointer))
        || SILENT.iter().any(|name| pointer.contains(name))
}

#[test]
fn a_member_that_stands_twice_is_refused_where_it_does() {
    let mut report = Report::default();
    let (mut count, mut refusals) = (0, 0);
    for pair in pairs() {
        for place in shared(pair.0, pair.1) {
            // The second instance has everything.
            for instance in corpus(pair.0, place).iter().flatten().take(2) {
                for object in seen(revision(pair.0), place, instance) {
                    let Some((text, twice, name)) = doubled(instance, &object.pointer) else { continue };
                    if !object.named.contains(&name) {
                        continue;
                    }
                    count += 1;
                    match ask(pair, place, Some(&text), &plain()) {
                        Err(refused) if holds(&object.pointer, &refused.pointer) => refusals += 1,
                        // What can't be said at all is refused before anybody looks inside.
                        Err(_) if ask(pair, place, Some(&instance.to_string()), &plain()).is_err() => {}
                        // Where both agree nobody has read it, and what is taken off or reported isn't read.
                        Ok(translated) if copied(&translated, &twice) || taken_off(&translated, &object.pointer) => {}
                        other => {
                            let what = format!("{pair:?} {place:?} {:?}\n    {text}\n    {other:?}", object.pointer);
                            report.add(format!("{name} twice, {} {:?}", place.method, place.part), what);
                        }
                    }
                }
            }
        }
    }
    assert!(count > 1000 && refusals > count / 2, "{refusals} of {count}");
    report.check();
}
