//! Where the schemas and the errata are that instances are judged by.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::instances::rules::Rules;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// A folder that an environment variable points at, if it does; says so otherwise.
pub fn folder(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: {variable} does not point at a folder");
    }
    folder
}

#[derive(Deserialize)]
struct Errata {
    erratum: Vec<Erratum>,
}

#[derive(Deserialize)]
struct Erratum {
    revisions: Vec<String>,
    pointer: String,
    old: Value,
    new: Value,
}

/// The rules of a revision: the schema as it was imported, with the errata applied by other code
/// than the generator's.
pub fn rules(revision: &str) -> Rules {
    let schema = std::fs::read_to_string(root().join(format!("schema/{revision}/schema.json")))
        .expect("schema/ is in the repository");
    let schema: Value = serde_json::from_str(&schema).expect("it is JSON");
    corrected(schema, |erratum| erratum.revisions.iter().any(|other| other == revision))
}

/// The rules of a schema that isn't ours, with those errata that fit.
pub fn loose_rules(schema: Value) -> Rules {
    let before = schema.clone();
    let keyword = keyword(&schema);
    corrected(schema, |erratum| before.pointer(&format!("/{keyword}/{}", erratum.pointer)) == Some(&erratum.old))
}

fn keyword(schema: &Value) -> &'static str {
    if schema.get("$defs").is_some() { "$defs" } else { "definitions" }
}

fn corrected(schema: Value, fits: impl Fn(&Erratum) -> bool) -> Rules {
    let errata = std::fs::read_to_string(root().join("schema/errata.toml")).expect("schema/ is in the repository");
    let errata: Errata = toml::from_str(&errata).expect("it is TOML");
    let keyword = keyword(&schema);
    let here = errata.erratum.into_iter().filter(fits);
    let replacements: Vec<_> = here.map(|erratum| (format!("/{keyword}/{}", erratum.pointer), erratum.new)).collect();
    Rules::with_replacements(schema, &replacements)
}
