//! The passes, in order. Each takes a whole revision, gives a whole revision, and states its promise.

mod alias_params;
mod apply_docs;
mod break_cycles;
mod check_names;
mod collect_methods;
mod find_any;
mod fold_all_of;
mod join_outcomes;
mod keep_opaque;
mod lift_constants;
mod name_idents;
mod name_inline;
mod nest_unions;
mod set_result_type;
mod strip_envelope;
mod tag_unions;
mod tolerate;

pub use collect_methods::UNIONS;
pub use name_idents::kind_variant;

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::Revision;

/// A pass: a whole revision in, a whole revision out.
pub type Pass = fn(Revision, &Decisions) -> Result<Revision>;

/// All passes, in the order in which they run.
pub const PASSES: [(&str, Pass); 17] = [
    ("fold_all_of", fold_all_of::run),
    ("collect_methods", collect_methods::run),
    ("strip_envelope", strip_envelope::run),
    ("alias_params", alias_params::run),
    ("find_any", find_any::run),
    ("keep_opaque", keep_opaque::run),
    ("lift_constants", lift_constants::run),
    ("name_inline", name_inline::run),
    ("check_names", check_names::run),
    ("tolerate", tolerate::run),
    ("set_result_type", set_result_type::run),
    ("join_outcomes", join_outcomes::run),
    ("nest_unions", nest_unions::run),
    ("tag_unions", tag_unions::run),
    ("break_cycles", break_cycles::run),
    ("name_idents", name_idents::run),
    ("apply_docs", apply_docs::run),
];

/// Runs the passes, all of them or up to the one that is named.
///
/// # Errors
/// The first pass that fails, or a name that no pass has.
pub fn run(mut revision: Revision, decisions: &Decisions, last: Option<&str>) -> Result<Revision> {
    if let Some(last) = last
        && last != "lower"
        && !PASSES.iter().any(|(name, _)| *name == last)
    {
        let names: Vec<_> = PASSES.iter().map(|(name, _)| *name).collect();
        return Err(Error::new(
            &revision.version,
            "--after",
            format!("no pass `{last}`"),
            format!("the passes are lower, {}", names.join(", ")),
        ));
    }
    if last == Some("lower") {
        return Ok(revision);
    }
    for (name, pass) in PASSES {
        // The docs need nothing of what tells unions apart, so what they lack is said at once, too.
        let before = (name == "tag_unions").then(|| revision.clone());
        revision = pass(revision, decisions).map_err(|error| {
            let docs = before.and_then(|before| apply_docs::run(before, decisions).err());
            Error::all(std::iter::once(error).chain(docs)).err().unwrap_or_default()
        })?;
        if last == Some(name) {
            break;
        }
    }
    Ok(revision)
}

/// Runs the passes that say what values look like, down to the last type: nothing stays opaque, and
/// nothing is documented.
///
/// # Errors
/// The first pass that fails.
pub fn run_whole(revision: Revision, decisions: &Decisions) -> Result<Revision> {
    let passes = PASSES.iter().filter(|(name, _)| !["keep_opaque", "apply_docs"].contains(name));
    passes.into_iter().try_fold(revision, |revision, (_, pass)| pass(revision, decisions))
}
