//! Turns the official MCP schemas into Rust: strings in, files out.
//!
//! The way of a schema: [`canonical`] takes its prose off, [`errata`] correct it, [`document`] reads
//! it, [`lower`] makes a model of it, [`passes`] refine that, [`emit`] writes Rust; between neighbours,
//! [`bridge`] finds what a conversion needs. Nothing here touches a disk, a clock or a network.

pub mod bridge;
pub mod canonical;
pub mod decisions;
pub mod diff;
pub mod document;
pub mod emit;
pub mod errata;
pub mod error;
pub mod lower;
pub mod model;
pub mod passes;
mod typify;

use serde_json::Value;

pub use decisions::{DecisionTexts, Decisions};
pub use emit::{File, Identity, bridge_files, module};
pub use error::{Error, Result};
use model::{Era, Revision};

/// Where a schema comes from: its name, its text, and its era if it is ours.
#[derive(Clone, Debug)]
pub struct Source {
    /// The date of the revision, or the name of the draft.
    pub version: String,
    /// The text of the schema.
    pub text: String,
    /// How connections begin; `None` for a schema that isn't ours.
    pub era: Option<Era>,
}

/// A model, and what was done to get it.
#[derive(Clone, Debug)]
pub struct Modelled {
    /// The model.
    pub revision: Revision,
    /// How many errata were applied.
    pub errata: usize,
}

/// The model of a schema as conversions need it: with every type that the schema has, those of opaque
/// members, too, and with the `_meta` that all params have.
///
/// # Errors
/// As [`model()`].
pub fn whole(source: &Source, decisions: &Decisions) -> Result<Revision> {
    let revision = read(source, decisions)?.revision;
    Ok(bridge::with_base_meta(passes::run_whole(revision, decisions)?))
}

/// Makes the model of a schema, after all passes or after the one that is named.
///
/// # Errors
/// Whatever in the schema has no counterpart, and whatever a human has to decide.
pub fn model(source: &Source, decisions: &Decisions, after: Option<&str>) -> Result<Modelled> {
    let Modelled { revision, errata } = read(source, decisions)?;
    Ok(Modelled { revision: passes::run(revision, decisions, after)?, errata })
}

/// Reads a schema, up to the first pass.
fn read(source: &Source, decisions: &Decisions) -> Result<Modelled> {
    let mut schema: Value = canonical::parse(&source.version, &source.text)?;
    let errata = errata::apply(&source.version, &mut schema, decisions)?;
    let mut warnings = Vec::new();
    let loose = match decisions.strict {
        true => None,
        false => Some(&mut warnings),
    };
    let document = document::read(&source.version, &schema, loose)?;
    let mut revision = lower::lower(&document)?;
    revision.era = source.era;
    revision.warnings = warnings;
    Ok(Modelled { revision, errata })
}

/// The files of a generated crate.
///
/// # Errors
/// If a shape has no form in Rust.
pub fn files(identity: &Identity, revisions: &[Revision]) -> Result<Vec<File>> {
    let source = |revision: &Revision| match identity.ours {
        true => format!("schema/{}/schema.json", revision.version),
        false => format!("the schema {}", revision.version),
    };
    let all = if identity.ours { "schema/" } else { "a schema" };
    let mut files = emit::crate_files(identity, revisions, all)?;
    for revision in revisions {
        files.extend(emit::revision_files(revision, &module(&revision.version), &source(revision), true)?);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The files of the conversions between our revisions, oldest first: `wholes` as [`whole`] makes
/// them, `revisions` as [`model()`] does, and the rules of each pair of neighbours.
///
/// # Errors
/// Each difference that nothing explains, and each rule that explains none.
pub fn bridges(wholes: &[Revision], revisions: &[Revision], rules: &[bridge::Rules]) -> Result<Vec<File>> {
    let known = bridge::known(wholes, rules);
    let side = |at: usize| bridge::Side { whole: &wholes[at], emitted: &revisions[at] };
    let mut plans = Vec::new();
    let mut errors = Vec::new();
    for (at, rules) in rules.iter().enumerate() {
        match bridge::plan(side(at), side(at + 1), rules, &known) {
            Ok(plan) => plans.push((rules, plan)),
            Err(error) => errors.push(error),
        }
    }
    Error::all(errors)?;
    emit::bridge_files(wholes, &known, &plans)
}

/// The unions that list methods.
fn method_unions() -> impl Iterator<Item = &'static str> {
    passes::UNIONS.iter().map(|(name, _, _)| *name)
}
