//! `cargo xtask import`: the canonical copy of an official schema, its hash, and what is new in it.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use mcprism_codegen::canonical::canonical;
use mcprism_codegen::decisions::RevisionEntry;
use mcprism_codegen::diff::{Class, Entry, What};
use mcprism_codegen::model::Era;
use serde_json::Value;

use crate::files::{Result, read, write};
use crate::schemas;

/// What to import.
#[derive(Args)]
pub struct Import {
    /// The date that names the revision.
    version: String,
    /// The official schema.json: a path, or an https URL.
    source: String,
    /// How connections begin; by default, legacy where the schema has `initialize`.
    #[arg(long)]
    era: Option<crate::Era>,
    /// Keep upstream's descriptions, for a copy of your own: they become the docs of the types.
    #[arg(long)]
    prose: bool,
    /// The upstream commit that the file is from, to be noted.
    #[arg(long, value_name = "SHA")]
    commit: Option<String>,
}

/// The head of revisions.toml.
const HEAD: &str = "# The revisions: how connections begin, and the official file that each schema was made from.\n\
                    # Written by `cargo xtask import`.\n";

/// Runs the command.
pub fn run(root: &Path, arguments: &Import) -> Result<ExitCode> {
    let version = &arguments.version;
    if !is_date(version) {
        return Err(format!("`{version}` is not a date such as 2026-07-28, which is how revisions are named").into());
    }
    let official = fetch(&arguments.source)?;
    let text = canonical(version, &official, arguments.prose)?;
    let schema: Value = serde_json::from_str(&text)?;
    let definitions = definitions(&schema);
    if definitions.is_empty() {
        return Err(format!("{}: no definitions; is this a schema.json?", arguments.source).into());
    }
    // Whatever isn't read is said before anything is written; unknown keywords are for `generate`.
    mcprism_codegen::document::read(version, &schema, Some(&mut Vec::new()))?;
    let revisions = root.join("schema/revisions.toml");
    let mut entries = match revisions.exists() {
        true => mcprism_codegen::decisions::revisions(&read(&revisions)?)?,
        false => BTreeMap::new(),
    };
    let sha256 = schemas::sha256(official.as_bytes());
    // What was said of the same file before still holds.
    let before = entries.get(version).filter(|entry| entry.sha256 == sha256);
    let commit = arguments.commit.clone().or_else(|| before.map(|entry| entry.commit.clone())).unwrap_or_default();
    let entry = RevisionEntry {
        era: match (arguments.era, before) {
            (Some(crate::Era::Legacy), _) => Era::Legacy,
            (Some(crate::Era::Modern), _) => Era::Modern,
            (None, Some(before)) => before.era,
            (None, None) if methods(&definitions).iter().any(|method| method == "initialize") => Era::Legacy,
            (None, None) => Era::Modern,
        },
        repository: "modelcontextprotocol/modelcontextprotocol".to_owned(),
        commit,
        path: format!("schema/{version}/schema.json"),
        sha256,
        canonical: schemas::sha256(text.as_bytes()),
        prose: arguments.prose,
    };
    eprintln!("{version}: {} definitions, {} era, sha256 {}", definitions.len(), era(&entry), entry.sha256);
    if entry.commit.is_empty() {
        eprintln!("note: no upstream commit is recorded; give one with --commit");
    }
    entries.insert(version.clone(), entry);
    let path = root.join(format!("schema/{version}/schema.json"));
    let changed = write(&path, &text)?;
    write(&revisions, &listed(&entries))?;
    eprintln!("{} schema/{version}/schema.json", if changed { "wrote" } else { "unchanged:" });
    match entries.keys().rev().find(|earlier| *earlier < version) {
        // What can't be compared yet is no reason to refuse it: `generate` says what is wrong.
        Some(earlier) => match summary(root, &entries, earlier, version) {
            Ok(lines) => lines.iter().for_each(|line| eprintln!("{line}")),
            Err(error) => eprintln!("note: not compared with {earlier}: {error}"),
        },
        None => eprintln!("there is no earlier revision to compare with"),
    }
    eprintln!("next: cargo xtask generate");
    Ok(ExitCode::SUCCESS)
}

fn is_date(version: &str) -> bool {
    version.len() == 10
        && version.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

fn fetch(source: &str) -> Result<String> {
    match source.split_once("://") {
        None => read(Path::new(source)),
        Some(("https", _)) => download(source),
        Some((scheme, _)) => Err(format!("{scheme} is not read; give a path or an https URL").into()),
    }
}

#[cfg(feature = "url")]
fn download(url: &str) -> Result<String> {
    eprintln!("fetching {url}");
    let fail = |error: ureq::Error| format!("{url}: {error}");
    Ok(ureq::get(url).call().map_err(fail)?.body_mut().read_to_string().map_err(fail)?)
}

#[cfg(not(feature = "url"))]
fn download(url: &str) -> Result<String> {
    Err(format!("{url}: built without the feature `url`; download the file and give its path").into())
}

fn listed(entries: &BTreeMap<String, RevisionEntry>) -> String {
    let mut text = HEAD.to_owned();
    for (version, entry) in entries {
        text.push_str(&format!("\n[{version}]\nera = \"{}\"\nrepository = {:?}\n", era(entry), entry.repository));
        text.push_str(&format!(
            "commit = {:?}\npath = {:?}\nsha256 = {:?}\ncanonical = {:?}\n",
            entry.commit, entry.path, entry.sha256, entry.canonical
        ));
        if entry.prose {
            text.push_str("prose = true\n");
        }
    }
    text
}

fn era(entry: &RevisionEntry) -> &'static str {
    match entry.era {
        Era::Legacy => "legacy",
        Era::Modern => "modern",
    }
}

fn definitions(schema: &Value) -> BTreeMap<String, Value> {
    let table = schema.get("$defs").or_else(|| schema.get("definitions")).and_then(Value::as_object);
    table.into_iter().flatten().map(|(name, definition)| (name.clone(), definition.clone())).collect()
}

/// The `method` literals.
fn methods(definitions: &BTreeMap<String, Value>) -> Vec<String> {
    let literal =
        |definition: &Value| definition.pointer("/properties/method/const").and_then(Value::as_str).map(str::to_owned);
    let mut methods: Vec<_> = definitions.values().filter_map(literal).collect();
    methods.sort();
    methods.dedup();
    methods
}

/// What is new, in a few lines; `cargo xtask diff` has the rest.
fn summary(
    root: &Path,
    entries: &BTreeMap<String, RevisionEntry>,
    earlier: &str,
    version: &str,
) -> Result<Vec<String>> {
    let revision =
        |version: &str| Ok::<_, Box<dyn Error>>(schemas::loosely(root, version, &entries[version])?.revision);
    let difference = crate::diff::compared(root, &revision(earlier)?, &revision(version)?)?;
    let counts = Class::ALL.map(|class| {
        let count = difference.counts.get(&class).copied().unwrap_or_default();
        format!("{count} {class}")
    });
    let mut lines = vec![format!("against {earlier}: {}", counts.join(", "))];
    let methods = |title: &str, is_meant: fn(&What) -> bool| {
        let has = |entry: &&Entry| entry.changes.iter().any(|change| is_meant(&change.what));
        let names: Vec<&str> = difference.methods.iter().filter(has).map(|entry| entry.name.as_str()).collect();
        let lines = names.chunks(4).map(|names| format!("    {}", names.join(" ")));
        let head = (!names.is_empty()).then(|| format!("  {title} ({}):", names.len()));
        head.into_iter().chain(lines).collect::<Vec<_>>()
    };
    lines.extend(methods("new methods", |what| matches!(what, What::MethodAdded { .. })));
    lines.extend(methods("gone methods", |what| matches!(what, What::MethodRemoved { .. })));
    lines.push(format!("each change, and what it means: cargo xtask diff {earlier} {version}"));
    Ok(lines)
}
