//! What schema/ holds: the revisions and the decisions about them.

use std::collections::BTreeMap;
use std::path::Path;

use mcprism_codegen::decisions::{RevisionEntry, revisions};
use mcprism_codegen::{DecisionTexts, Decisions, Modelled, Source, model};
use sha2::{Digest, Sha256};

use crate::files::{Result, read};

/// The revisions in revisions.toml, oldest first.
pub fn entries(root: &Path) -> Result<BTreeMap<String, RevisionEntry>> {
    Ok(revisions(&read(&root.join("schema/revisions.toml"))?)?)
}

/// The decisions.
pub fn decisions(root: &Path, strict: bool) -> Result<Decisions> {
    let file = |name: &str| read(&root.join("schema").join(name));
    let texts = DecisionTexts {
        errata: file("errata.toml")?,
        methods: file("methods.toml")?,
        unions: file("unions.toml")?,
        docs: file("docs.toml")?,
    };
    Ok(Decisions::read(&texts, strict)?)
}

/// The source of one of our revisions.
pub fn source(root: &Path, version: &str, entry: &RevisionEntry) -> Result<Source> {
    let text = read(&root.join(format!("schema/{version}/schema.json")))?;
    Ok(Source { version: version.to_owned(), text, era: Some(entry.era) })
}

/// The models of all our revisions, with every decision used.
pub fn models(root: &Path) -> Result<Vec<Modelled>> {
    let entries = entries(root)?;
    let decisions = decisions(root, true)?;
    let mut models = Vec::new();
    let mut errors = Vec::new();
    for (version, entry) in &entries {
        match model(&source(root, version, entry)?, &decisions, None) {
            Ok(modelled) => models.push(modelled),
            Err(error) => errors.push(error),
        }
    }
    mcprism_codegen::Error::all(errors)?;
    let versions: Vec<&str> = entries.keys().map(String::as_str).collect();
    decisions.unused(&versions)?;
    Ok(models)
}

/// A SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
