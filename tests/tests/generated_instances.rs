//! Every valid instance comes back equal; every single fault is refused at its place.

use std::collections::BTreeMap;

use mcprism_tests::instances::equality::equal;
use mcprism_tests::instances::faults::faults;
use mcprism_tests::instances::generate::instances;
use mcprism_tests::instances::rules::Rules;
use mcprism_tests::instances::tolerance::{Tolerance, tolerated};
use mcprism_tests::roundtrip::recode;
use mcprism_tests::schemas::rules;
use mcprism_types::ProtocolVersion;
use serde_json::Value;

fn names(rules: &Rules) -> Vec<String> {
    rules.definitions().map(str::to_owned).collect()
}

fn report(what: &str, failures: &BTreeMap<String, Vec<String>>) {
    let shown: Vec<String> =
        failures.iter().map(|(name, all)| format!("{name} ({} times): {}", all.len(), all[0])).collect();
    assert!(shown.is_empty(), "{what}:\n{}", shown.join("\n"));
}

fn valid_instances(version: ProtocolVersion) {
    let rules = rules(version.as_str());
    let mut failures: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut count = 0;
    for name in names(&rules) {
        for instance in instances(&rules, &name, 1) {
            count += 1;
            let text = instance.to_string();
            let failure = match recode(version, &name, &text) {
                Ok(again) => match equal(&serde_json::from_str::<Value>(&again).expect("we write JSON"), &instance) {
                    true => continue,
                    false => format!("{text} came back as {again}"),
                },
                Err(error) => format!("{error}: {text}"),
            };
            failures.entry(name.clone()).or_default().push(failure);
        }
    }
    println!("{version}: {count} valid instances");
    report("valid instances that did not come back equal", &failures);
}

fn faulty_instances(version: ProtocolVersion) {
    let rules = rules(version.as_str());
    let mut accepted: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut misplaced: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut refused = 0;
    let mut leniently: BTreeMap<Tolerance, usize> = BTreeMap::new();
    for name in names(&rules) {
        let all = instances(&rules, &name, 1);
        // The first three hold least, everything, and everything with unknown members.
        // Among alternatives, a result of a kind that the revision doesn't know is kept raw.
        let alternatives =
            ["CallTool", "GetPrompt", "ReadResource"].iter().any(|stem| name == format!("{stem}ResultResponse"));
        let known = |instance: &&Value| {
            !alternatives || matches!(instance["result"]["resultType"].as_str(), Some("complete" | "input_required"))
        };
        let chosen = all.iter().take(3).chain(all.iter().skip(3).step_by(7)).filter(known);
        for fault in chosen.flat_map(|instance| faults(&rules, &name, instance)) {
            let text = fault.instance.to_string();
            let lenient = tolerated(&rules, &fault);
            match (recode(version, &name, &text), lenient) {
                (_, Some(tolerance)) => *leniently.entry(tolerance).or_default() += 1,
                (Ok(_), None) => accepted.entry(name.clone()).or_default().push(format!("{}: {text}", fault.what)),
                (Err(error), None) if fault.pointers.contains(&error.pointer()) => refused += 1,
                (Err(error), None) => {
                    misplaced
                        .entry(name.clone())
                        .or_default()
                        .push(format!("{}: said {error}, expected {:?}: {text}", fault.what, fault.pointers));
                }
            }
        }
    }
    println!("{version}: {refused} faults refused at their place; tolerated {leniently:?}");
    assert!(refused > 1000);
    report("faults that were accepted", &accepted);
    report("faults that were refused at another place", &misplaced);
}

/// Tests of their own run side by side; this list has to be whole.
macro_rules! each_revision {
    ($($name:ident $version:ident),*) => {
        #[test]
        fn each_revision_is_tested() {
            assert_eq!(ProtocolVersion::ALL, [$(ProtocolVersion::$version),*]);
        }

        $(
        mod $name {
            use super::*;

            #[test]
            fn valid() {
                valid_instances(ProtocolVersion::$version);
            }

            #[test]
            fn faulty() {
                faulty_instances(ProtocolVersion::$version);
            }
        }
        )*
    };
}

each_revision!(
    v2024_11_05 V2024_11_05,
    v2025_03_26 V2025_03_26,
    v2025_06_18 V2025_06_18,
    v2025_11_25 V2025_11_25,
    v2026_07_28 V2026_07_28
);
