//! What the generator makes of two small revisions and the rules between them: the ways, or what a
//! human still has to decide.
//!
//! `MCPRISM_UPDATE_GOLDEN=1 cargo test -p mcprism-codegen --test bridges` writes the expected files
//! afresh; what changed is then for the reader of the diff to judge.

use std::fs;
use std::path::{Path, PathBuf};

use mcprism_codegen::bridge::Rules;
use mcprism_codegen::{DecisionTexts, Decisions, Result, Source, bridges, model, whole};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/bridge-rules")
}

/// The generated ways and shapes of the older revision, or the errors.
fn generate(case: &Path) -> String {
    let read = |name: &str| fs::read_to_string(case.join(name)).expect("each case has its files");
    let result = || -> Result<String> {
        let decisions = Decisions::read(&DecisionTexts::default(), false)?;
        let source = |version: &str, file: &str| Source { version: version.to_owned(), text: read(file), era: None };
        let sources = [source("2001-01-01", "old.json"), source("2002-02-02", "new.json")];
        let mut wholes = Vec::new();
        let mut revisions = Vec::new();
        for source in &sources {
            wholes.push(whole(source, &decisions)?);
            revisions.push(model(source, &decisions, None)?.revision);
        }
        let rules = Rules::read("2001-01-01..2002-02-02", &read("rules.toml"))?;
        let files = bridges(&wholes, &revisions, &[rules])?;
        let text = |name: &str| {
            let path = format!("src/bridge/{name}.rs");
            let file = files.iter().find(|file| file.path == path).expect("the module has this file");
            format!("// {path}\n\n{}", file.content)
        };
        Ok([text("known"), text("v2001_01_01"), text("ways")].join("\n"))
    };
    result().unwrap_or_else(|error| error.faults().iter().map(|fault| format!("error: {fault}\n")).collect())
}

#[test]
fn each_pair_gives_what_is_expected() {
    let update = std::env::var_os("MCPRISM_UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let mut cases: Vec<PathBuf> = fs::read_dir(folder())
        .expect("the folder of cases is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    assert!(cases.len() > 20, "only {} cases", cases.len());
    let mut faults = Vec::new();
    for case in &cases {
        let found = generate(case);
        let path = case.join("expected.txt");
        if update {
            fs::write(&path, &found).expect("the folder of a case can be written");
        } else if fs::read_to_string(&path).ok().as_ref() != Some(&found) {
            faults.push(format!("{}:\n{found}", case.display()));
        }
    }
    assert!(faults.is_empty(), "{} of {} cases differ\n\n{}", faults.len(), cases.len(), faults.join("\n\n"));
}

#[test]
fn every_kind_of_rule_has_a_case() {
    let texts: String = fs::read_dir(folder())
        .expect("the folder of cases is there")
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("rules.toml")).ok())
        .collect();
    for kind in ["rename", "method", "default", "session", "require", "carry", "cut", "substitute", "refuse", "text"] {
        assert!(texts.contains(&format!("[[{kind}]]")), "no case has a rule `{kind}`");
    }
}
