//! Every example comes back as it was, or as the file beside it says.

use std::fs;
use std::path::{Path, PathBuf};

use mcprism_tests::instances::equality::equal;
use mcprism_tests::roundtrip::recode;
use mcprism_tests::schemas::{folder, root};
use mcprism_types::ProtocolVersion;
use serde_json::Value;

/// The folders or files in a folder, sorted.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    entries
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap()
}

/// Reads each example below `folder/<Type>/` and writes it again; returns how many there are.
fn check(version: ProtocolVersion, folder: &Path, faults: &mut Vec<String>) -> usize {
    let mut count = 0;
    for ty in entries(folder) {
        for file in
            entries(&ty).into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"))
        {
            count += 1;
            let text = fs::read_to_string(&file).unwrap();
            let beside = file.with_extension("expected");
            let expected = if beside.exists() { fs::read_to_string(beside).unwrap() } else { text.clone() };
            let expected: Value = serde_json::from_str(&expected).unwrap();
            match recode(version, name(&ty), &text) {
                Ok(again) if equal(&serde_json::from_str(&again).unwrap(), &expected) => {}
                Ok(again) => faults.push(format!("{version} {}/{}: came back as {again}", name(&ty), name(&file))),
                Err(error) => faults.push(format!("{version} {}/{}: {error}", name(&ty), name(&file))),
            }
        }
    }
    count
}

#[test]
fn authored_examples() {
    let mut faults = Vec::new();
    for version in ProtocolVersion::ALL {
        let folder = root().join(format!("tests/examples/{version}"));
        if !folder.is_dir() {
            faults.push(format!("{version}: there are no examples in tests/examples/{version}/<Type>/"));
            continue;
        }
        let count = check(*version, &folder, &mut faults);
        println!("{version}: {count} examples");
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Each method, result and content kind of each revision has an example.
#[test]
fn authored_examples_are_complete() {
    let mut missing = Vec::new();
    for version in ProtocolVersion::ALL {
        let folder = root().join(format!("tests/examples/{version}"));
        let mut wanted: Vec<String> = Vec::new();
        for method in version.methods() {
            wanted.push(method.params.trim_end_matches("Params").to_owned());
            wanted.extend(method.result.into_iter().chain(method.alternatives.iter().copied()).map(str::to_owned));
        }
        wanted.extend(
            version
                .types()
                .iter()
                .map(|ty| ty.name)
                .filter(|name| name.ends_with("Content") || name.ends_with("ResourceContents"))
                .filter(|name| !name.starts_with("SamplingMessage") && !name.starts_with("ElicitResult"))
                .map(str::to_owned),
        );
        missing.extend(wanted.into_iter().filter(|ty| !folder.join(ty).is_dir()).map(|ty| format!("{version} {ty}")));
    }
    assert!(missing.is_empty(), "no example of {}", missing.join(", "));
}

#[test]
fn official_examples() {
    let Some(schemas) = folder("MCPRISM_SCHEMAS") else { return };
    let mut faults = Vec::new();
    let count = check(ProtocolVersion::V2026_07_28, &schemas.join("2026-07-28/examples"), &mut faults);
    println!("{} of {count} official examples came back equal", count - faults.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(count, 129, "the official examples are not all there");
}
