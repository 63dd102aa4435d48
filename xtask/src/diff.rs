//! `cargo xtask diff`: what changed from one revision to another, as a document.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use mcprism_codegen::bridge::Rules;
use mcprism_codegen::diff::{Change, Class, Diff, Renames, diff};
use mcprism_codegen::whole;

use crate::files::{Result, read, write};
use crate::schemas;

/// What to compare.
#[derive(Args)]
pub struct Compare {
    /// One of our revisions, or the path of a schema that isn't ours.
    old: String,
    /// The same, for what it is compared with.
    new: String,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write it to this file instead of printing it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// How to print a difference.
#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For a terminal.
    Text,
    /// For a change log or a page.
    Markdown,
    /// For a program.
    Json,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the document is what was asked for")]
pub fn run(root: &Path, arguments: &Compare) -> Result<ExitCode> {
    let mut wholes = Vec::new();
    for version in [&arguments.old, &arguments.new] {
        let (source, strict) = schemas::named(root, version)?;
        let decisions = schemas::decisions(root, strict)?;
        let revision = whole(&source, &decisions)?;
        for warning in &revision.warnings {
            eprintln!("warning: {}: {warning}", source.version);
        }
        wholes.push(revision);
    }
    let renames = renames(root, &wholes[0].version, &wholes[1].version)?;
    let found = diff(&wholes[0], &wholes[1], &renames);
    let document = match arguments.format {
        Format::Text => text(&found),
        Format::Markdown => markdown(&found),
        Format::Json => serde_json::to_string_pretty(&found)? + "\n",
    };
    match &arguments.out {
        Some(path) => {
            write(path, &document)?;
            eprintln!("wrote {}", path.display());
        }
        None => print!("{document}"),
    }
    Ok(ExitCode::SUCCESS)
}

/// The renames between two revisions: of each pair of neighbours on the way. A type that was renamed twice
/// is the same type.
fn renames(root: &Path, old: &str, new: &str) -> Result<Renames> {
    let versions: Vec<String> = schemas::entries(root)?.into_keys().collect();
    let mut all = Renames::default();
    for pair in versions.windows(2).filter(|pair| pair[0].as_str() >= old && pair[1].as_str() <= new) {
        let name = format!("{}..{}", pair[0], pair[1]);
        let path = root.join("schema/bridges").join(format!("{name}.toml"));
        if path.is_file() {
            all = all.then(&Renames::of(&Rules::read(&name, &read(&path)?)?));
        }
    }
    Ok(all)
}

/// The counts, in words.
fn counts(found: &Diff) -> String {
    let counts = Class::ALL.iter().map(|class| format!("{} {class}", found.counts.get(class).unwrap_or(&0)));
    counts.collect::<Vec<_>>().join(", ")
}

fn text(found: &Diff) -> String {
    let mut out = format!("{} -> {}\n", found.older, found.newer);
    if found.is_empty() {
        out.push_str("no differences\n");
        return out;
    }
    let mut line = |indent: usize, text: &str| {
        let _ = writeln!(out, "{:indent$}{text}", "");
    };
    line(0, &counts(found));
    let changes = |line: &mut dyn FnMut(usize, &str), changes: &[Change]| {
        for change in changes {
            let at = if change.at.is_empty() { String::new() } else { format!("{}: ", change.at) };
            line(4, &format!("[{}] {at}{}", change.class, change.what));
            for (side, means) in [("server", &change.server), ("client", &change.client)] {
                if !means.is_empty() {
                    line(8, &format!("{side}: {means}"));
                }
            }
        }
    };
    if !found.facts.is_empty() {
        line(0, "\nthe revision");
        changes(&mut line, &found.facts);
    }
    if !found.methods.is_empty() {
        line(0, "\nmethods");
    }
    for method in &found.methods {
        line(2, &method.name);
        changes(&mut line, &method.changes);
        if !method.types.is_empty() {
            line(8, &format!("its types: {}", method.types.join(", ")));
        }
    }
    if !found.types.is_empty() {
        line(0, "\ntypes");
    }
    for ty in &found.types {
        line(2, &ty.name);
        changes(&mut line, &ty.changes);
    }
    out
}

fn markdown(found: &Diff) -> String {
    let mut out = format!("# From {} to {}\n\n", found.older, found.newer);
    if found.is_empty() {
        out.push_str("No differences.\n");
        return out;
    }
    let _ = writeln!(out, "{}.\n", counts(found));
    out.push_str("A change is classed for an implementation of the older revision that meets a peer of the newer: *breaking on\nencode*, what it writes is not accepted; *breaking on decode*, what the peer writes can't be read.\n");
    if !found.facts.is_empty() {
        out.push_str("\n## The revision\n\n");
        table(&mut out, &found.facts);
    }
    if !found.methods.is_empty() {
        out.push_str("\n## Methods\n");
    }
    for method in &found.methods {
        let _ = writeln!(out, "\n### `{}`\n", method.name);
        table(&mut out, &method.changes);
        if !method.types.is_empty() {
            let types: Vec<String> = method.types.iter().map(|ty| format!("`{ty}`")).collect();
            let _ = writeln!(out, "\nIts types: {}.", types.join(", "));
        }
    }
    if !found.types.is_empty() {
        out.push_str("\n## Types\n");
    }
    for ty in &found.types {
        let _ = writeln!(out, "\n### `{}`\n", ty.name);
        table(&mut out, &ty.changes);
    }
    out
}

fn table(out: &mut String, changes: &[Change]) {
    out.push_str("| what | change | class | for a server | for a client |\n|---|---|---|---|---|\n");
    let cell = |text: &str| text.replace('|', "\\|");
    for change in changes {
        let at = if change.at.is_empty() { String::new() } else { format!("`{}`", cell(&change.at)) };
        let _ = writeln!(
            out,
            "| {at} | {} | {} | {} | {} |",
            cell(&change.what),
            change.class,
            cell(&change.server),
            cell(&change.client)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::root;

    fn between(old: &str, new: &str) -> Diff {
        let wholes = [old, new].map(|version| {
            let (source, strict) = schemas::named(&root(), version).unwrap();
            whole(&source, &schemas::decisions(&root(), strict).unwrap()).unwrap()
        });
        diff(&wholes[0], &wholes[1], &renames(&root(), old, new).unwrap())
    }

    #[test]
    fn a_text_has_methods_before_types() {
        let found = text(&between("2025-03-26", "2025-06-18"));
        assert!(found.starts_with("2025-03-26 -> 2025-06-18\n1 breaking on encode, 1 breaking on decode, "), "{found}");
        let at = |part: &str| found.find(part).unwrap_or_else(|| panic!("no {part:?} in {found}"));
        assert!(at("\nmethods\n  elicitation/create\n    [additive] new") < at("\ntypes\n"));
        assert!(found.contains("  ResourceTemplateReference\n    [loosening] was `ResourceReference`"));
    }

    #[test]
    fn a_page_has_a_table_for_each_method_and_type() {
        let found = markdown(&between("2025-11-25", "2026-07-28"));
        assert!(found.contains("\n### `ping`\n\n| what | change |"));
        for line in found.lines().filter(|line| line.starts_with('|')) {
            assert_eq!(line.replace("\\|", "").matches('|').count(), 6, "{line}");
        }
    }

    #[test]
    fn the_same_has_no_differences() {
        let same = between("2026-07-28", "2026-07-28");
        assert_eq!(text(&same), "2026-07-28 -> 2026-07-28\nno differences\n");
        assert!(markdown(&same).ends_with("No differences.\n"));
    }

    #[test]
    fn a_type_that_was_renamed_twice_is_the_same() {
        let found = between("2025-06-18", "2026-07-28");
        let meta = found.types.iter().find(|ty| ty.name == "RequestMetaObject").unwrap();
        assert_eq!(meta.was.as_deref(), Some("RequestParamsMeta"));
    }

    #[test]
    fn what_is_neither_a_revision_nor_a_file_is_an_error() {
        let error = schemas::named(&root(), "2020-02-02").unwrap_err().to_string();
        assert!(error.starts_with("2020-02-02 is neither a revision (2024-11-05, "), "{error}");
    }
}
