//! `cargo xtask import`: the canonical copy of an official schema, its hash, and what is new in it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use mcprism_codegen::canonical::canonical;
use mcprism_codegen::decisions::RevisionEntry;
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
        Some(earlier) => {
            let before: Value = serde_json::from_str(&read(&root.join(format!("schema/{earlier}/schema.json")))?)?;
            summary(earlier, &self::definitions(&before), &definitions);
        }
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

/// The same schema without what only the choice of draft makes different.
fn comparable(definition: &Value) -> String {
    definition.to_string().replace("#/definitions/", "#/$defs/")
}

fn summary(earlier: &str, before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>) {
    let (old, new) = (methods(before), methods(after));
    let list = |what: &str, names: Vec<&String>| {
        if names.is_empty() {
            return;
        }
        eprintln!("  {what} ({}):", names.len());
        let mut line = String::new();
        for name in names {
            if line.len() + name.len() > 90 {
                eprintln!("   {line}");
                line.clear();
            }
            line.push_str(&format!(" {name}"));
        }
        eprintln!("   {line}");
    };
    eprintln!("against {earlier}:");
    list("new methods", new.iter().filter(|method| !old.contains(method)).collect());
    list("gone methods", old.iter().filter(|method| !new.contains(method)).collect());
    list("new types", after.keys().filter(|name| !before.contains_key(*name)).collect());
    list("gone types", before.keys().filter(|name| !after.contains_key(*name)).collect());
    let changed = |name: &&String| before.get(*name).is_some_and(|old| comparable(old) != comparable(&after[*name]));
    list("changed types", after.keys().filter(changed).collect());
}
