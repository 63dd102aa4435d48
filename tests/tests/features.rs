//! Every set of revisions compiles without a warning: each alone, every pair, all, none; so does every set of the
//! runtime's features that makes a difference.

use std::process::Command;

use mcprism_tests::schemas::root;
use mcprism_types::ProtocolVersion;

#[test]
#[ignore = "compiles the types many times; `cargo xtask check` runs it"]
fn every_set_of_features_compiles() {
    let features: Vec<String> =
        ProtocolVersion::ALL.iter().map(|version| format!("v{}", version.as_str().replace('-', "_"))).collect();
    let mut sets = vec![
        String::new(),
        features.join(","),
        format!("{},by-name,bridges", features.join(",")),
        "by-name".to_owned(),
        "bridges".to_owned(),
    ];
    for (at, feature) in features.iter().enumerate() {
        sets.push(feature.clone());
        sets.push(format!("{feature},by-name"));
        sets.push(format!("{feature},bridges"));
        sets.extend(features[at + 1..].iter().map(|other| format!("{feature},{other}")));
    }
    let runtime = [
        "",
        "client",
        "server",
        "toolbox",
        "process",
        "validate",
        "client,server",
        "client,v2025_11_25",
        "client,v2025_11_25,validate",
        "server,v2024_11_05",
        "toolbox,validate",
        "client,v2026_07_28",
    ];
    let sets = sets.iter().map(|set| ("mcprism-types", set.as_str()));
    let sets: Vec<(&str, &str)> = sets.chain(runtime.map(|set| ("mcprism", set))).collect();
    let mut failures = Vec::new();
    for (package, set) in &sets {
        println!("{package}: {set}");
        let output = Command::new(env!("CARGO"))
            .args(["check", "--quiet", "--package", package, "--no-default-features", "--features", set])
            .env("RUSTFLAGS", "-D warnings")
            .env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/features"))
            .current_dir(root())
            .output()
            .expect("cargo runs");
        if !output.status.success() {
            failures.push(format!("{package}: {set}:\n{}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    println!("{} of {} sets compile", sets.len() - failures.len(), sets.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
