//! Takes stock of what is made for every definition of the five released revisions.

use super::accept::accepts;
use super::fault::Fault;
use super::faults::faults;
use super::generate::{Generated, generated, instances};
use super::model::Shape;
use super::rules::Rules;
use super::tolerance::{Tolerance, tolerated};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

fn load(revision: &str) -> Rules {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema");
    let path = folder.join(revision).join("schema.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Rules::new(serde_json::from_str(&text).expect("a schema is JSON"))
}

#[test]
fn every_definition_has_instances() {
    println!("{:12}{:44}{:>6}{:>9}{:>9}", "revision", "definition", "valid", "rejected", "bytes");
    for revision in REVISIONS {
        let rules = load(revision);
        let (mut valid, mut rejected) = (0, 0);
        for name in rules.definitions() {
            let made = generated(&rules, name, 1);
            let bytes: usize = made.valid.iter().map(|value| value.to_string().len()).sum();
            let (good, bad) = (made.valid.len(), made.rejected.len());
            println!("{revision:12}{name:44}{good:6}{bad:9}{bytes:9}");
            assert!(good > 0, "{revision} {name} has no instance");
            assert!(good <= 150, "{revision} {name} has {good} instances");
            assert!(bad * 20 < good + bad, "{revision} {name}: {:?}", made.rejected);
            assert!(bytes < 500_000, "{revision} {name} has {bytes} bytes of instances");
            valid += good;
            rejected += bad;
        }
        println!("{revision:12}{:44}{valid:6}{rejected:9}", "all");
    }
}

#[test]
fn what_a_definition_offers_is_taken_up() {
    for revision in REVISIONS {
        let rules = load(revision);
        for name in rules.definitions() {
            let made = instances(&rules, name, 1);
            match rules.model().shape(rules.node(name)) {
                Shape::Object(object) => {
                    let all: BTreeSet<&str> = object.members.iter().map(|member| member.name.as_str()).collect();
                    let required = object.members.iter().filter(|member| member.required);
                    let required: BTreeSet<&str> = required.map(|member| member.name.as_str()).collect();
                    for member in all.difference(&required) {
                        let mut only = required.clone();
                        only.insert(member);
                        let mut without = all.clone();
                        without.remove(member);
                        for names in [only, without] {
                            assert!(
                                made.iter().any(|value| names_of(value) == names),
                                "{revision} {name} has no instance with just {names:?}"
                            );
                        }
                    }
                }
                Shape::Enum(values) => assert!(values.iter().all(|value| made.contains(value))),
                Shape::Union(_) => {
                    for arm in rules.model().arms(rules.node(name)) {
                        let taken = made.iter().any(|value| accepts(rules.model(), arm, value));
                        assert!(taken, "{revision} {name} has an arm without an instance");
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn model_and_judge_agree() {
    for revision in REVISIONS {
        let rules = load(revision);
        for name in rules.definitions() {
            let node = rules.node(name);
            let made = instances(&rules, name, 2);
            for value in &made {
                assert!(accepts(rules.model(), node, value), "{revision} {name}: {value}");
            }
            let found = made.iter().take(2).flat_map(|value| faults(&rules, name, value));
            // Neighbouring faults are much alike; one in five takes a fifth of the time.
            for fault in found.step_by(5) {
                let Fault { instance, what, pointers, .. } = fault;
                assert!(!accepts(rules.model(), node, &instance), "{revision} {name}: {what}");
                // A pointer may end where something was, but its parent is always there.
                for pointer in pointers {
                    let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                    assert!(instance.pointer(parent).is_some(), "{revision} {name}: {pointer}");
                }
            }
        }
    }
}

#[test]
fn the_seed_decides_everything() {
    let rules = load("2025-11-25");
    let make = |seed| generated(&rules, "CreateMessageRequest", seed).valid;
    assert_eq!(make(7), make(7));
    assert_ne!(make(7), make(8));
}

#[test]
fn what_nothing_satisfies_yields_nothing() {
    // So does a draft of 2025-11-14, where a result is all of several closed objects.
    let rules = Rules::new(json!({"$defs": {"Result": {"allOf": [
        {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": false},
        {"type": "object", "properties": {}, "additionalProperties": false},
    ]}}}));
    let Generated { valid, rejected } = generated(&rules, "Result", 1);
    assert!(valid.is_empty() && rejected.is_empty());
}

#[test]
fn faults_of_a_tool_call_result() {
    let content = json!([{"type": "text", "text": "ok", "annotations": {"priority": 1}}]);
    let result = json!({"content": content, "isError": false});
    let rules = load("2025-11-25");
    let found = faults(&rules, "CallToolResult", &result);
    let check = |what: &str, pointers: &[&str], tolerance: Option<Tolerance>| {
        let fault = found.iter().find(|fault| fault.what == what).unwrap_or_else(|| panic!("no fault is {what}"));
        assert_eq!(fault.pointers, pointers, "{what}");
        assert_eq!(tolerated(&rules, fault), tolerance, "{what}");
    };
    check("the whole lost \"content\"", &[""], Some(Tolerance::AbsentContent));
    check("/content became null", &["/content"], None);
    check("/isError became null", &["/isError"], Some(Tolerance::NullForOptional));
    check("/content/0 lost \"text\"", &["/content/0"], None);
    check("/content/0/text became null", &["/content/0/text"], None);
    check("/content/0 lost \"type\"", &["/content/0"], None);
    check("/content/0/annotations/priority became 2", &["/content/0/annotations/priority"], None);
    check(
        "/content/0/type became \"mcprism-unknown\"",
        &["/content/0/type", "/content/0"],
        Some(Tolerance::UnknownTag),
    );
    let known =
        found.iter().filter(|fault| fault.instance.pointer("/content/0/type").and_then(Value::as_str) == Some("image"));
    for fault in known {
        assert_eq!(tolerated(&rules, fault), None, "{}", fault.what);
    }
}

#[test]
fn content_is_not_optional_in_the_modern_era() {
    let result = json!({"content": [], "resultType": "complete"});
    let rules = load("2026-07-28");
    let found = faults(&rules, "CallToolResult", &result);
    let fault = found.iter().find(|fault| fault.instance.get("content").is_none());
    assert_eq!(tolerated(&rules, fault.expect("content can be dropped")), None);
}

#[test]
fn inside_lazy_json_only_the_outer_kind_counts() {
    let tool = json!({"name": "t", "inputSchema": {"type": "object", "required": ["a"]}});
    for revision in REVISIONS {
        let rules = load(revision);
        for fault in faults(&rules, "Tool", &tool) {
            let lazy = tolerated(&rules, &fault) == Some(Tolerance::InsideLazyJson);
            let inside = fault.what.starts_with("/inputSchema/") || fault.what.starts_with("/inputSchema lost");
            assert_eq!(lazy, inside, "{revision}: {}", fault.what);
        }
    }
}

#[test]
fn strings_of_enums_and_bounds_of_lists() {
    let rules = load("2026-07-28");
    let role = faults(&rules, "Role", &json!("user"));
    let unknown = role.iter().find(|fault| fault.instance.is_string());
    assert_eq!(unknown.and_then(|fault| tolerated(&rules, fault)), Some(Tolerance::UnknownEnumString));
    let result = json!({"completion": {"values": ["a"]}, "resultType": "complete"});
    let found = faults(&rules, "CompleteResult", &result);
    let long = found.iter().find(|fault| {
        let values = fault.instance.pointer("/completion/values").and_then(Value::as_array);
        values.is_some_and(|values| values.len() == 101)
    });
    assert_eq!(long.expect("101 values are too many").pointers, ["/completion/values"]);
}

fn names_of(value: &Value) -> BTreeSet<&str> {
    let members = value.as_object().into_iter().flatten();
    members.map(|(name, _)| name.as_str()).collect()
}
