//! What the generator makes of small schemas, word by word.
//!
//! `MCPRISM_UPDATE_GOLDEN=1 cargo test -p mcprism-codegen --test golden` writes the expected files
//! afresh; what changed is then for the reader of the diff to judge.

mod cases;

use std::fmt::Write;

use cases::Case;
use mcprism_codegen::File;

/// The files of a revision's module that are compared.
const COMPARED: [&str; 4] = ["mod.rs", "impls.rs", "constructors.rs", "messages.rs"];

#[test]
fn each_schema_gives_what_is_expected() {
    let update = std::env::var_os("MCPRISM_UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let cases = cases::all();
    assert!(!cases.is_empty(), "no golden cases");
    let mut faults = Vec::new();
    for case in &cases {
        let (file, other, found) = match case.generate() {
            Ok((revision, files)) => ("expected.rs", "expected.err", text(&revision.warnings, &files)),
            Err(error) => ("expected.err", "expected.rs", format!("{error}\n")),
        };
        if update {
            write(case, file, other, &found);
        } else if let Some(fault) = compare(case, file, other, &found) {
            faults.push(format!("{}: {fault}", case.name));
        }
    }
    let advice = "if that is right: MCPRISM_UPDATE_GOLDEN=1 cargo test -p mcprism-codegen --test golden";
    assert!(
        faults.is_empty(),
        "{} of {} cases differ\n\n{}\n\n{advice}\n",
        faults.len(),
        cases.len(),
        faults.join("\n\n")
    );
}

/// The warnings, then each compared file under its path.
fn text(warnings: &[String], files: &[File]) -> String {
    let mut text = String::new();
    for warning in warnings {
        for line in warning.lines() {
            writeln!(text, "// warning: {line}").expect("a string takes all");
        }
    }
    for name in COMPARED {
        let of_module = |path: &str| path.split('/').count() == 3 && path.ends_with(&format!("/{name}"));
        for file in files.iter().filter(|file| of_module(&file.path)) {
            let gap = if text.is_empty() { "" } else { "\n" };
            write!(text, "{gap}// {}\n\n{}", file.path, file.content).expect("a string takes all");
        }
    }
    text
}

fn write(case: &Case, file: &str, other: &str, found: &str) {
    if case.text(file).as_deref() != Some(found) {
        std::fs::write(case.path(file), found).expect("the folder of a case can be written");
    }
    if case.path(other).exists() {
        std::fs::remove_file(case.path(other)).expect("the folder of a case can be written");
    }
}

fn compare(case: &Case, file: &str, other: &str, found: &str) -> Option<String> {
    match (case.text(file), case.text(other)) {
        (Some(_), Some(_)) => Some(format!("both {file} and {other}")),
        (Some(expected), None) => difference(file, &expected, found),
        (None, Some(_)) if file == "expected.err" => Some(format!("expected Rust, found the error\n{found}")),
        (None, Some(expected)) => Some(format!("no error, but {other} has\n{expected}")),
        (None, None) => Some("neither expected.rs nor expected.err".to_owned()),
    }
}

/// The first line that differs, with the lines around it; nothing if none does.
fn difference(file: &str, expected: &str, found: &str) -> Option<String> {
    if expected == found {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.split('\n').collect(), found.split('\n').collect());
    let at = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let mut text = format!("{file} differs at line {}", at + 1);
    let mut show = |mark: &str, lines: &[&str], from: usize, to: usize| {
        for line in &lines[from.min(lines.len())..to.min(lines.len())] {
            write!(text, "\n  {mark} {line}").expect("a string takes all");
        }
    };
    show(" ", &old, at.saturating_sub(4), at);
    show("-", &old, at, at + 4);
    show("+", &new, at, at + 4);
    Some(text)
}

#[test]
fn a_difference_is_shown_with_its_surroundings() {
    assert_eq!(difference("f", "a\nb\n", "a\nb\n"), None);
    assert_eq!(difference("f", "a\nb\nc", "a\nx").unwrap(), "f differs at line 2\n    a\n  - b\n  - c\n  + x");
    assert_eq!(difference("f", "a", "a\n").unwrap(), "f differs at line 2\n    a\n  + ");
}
