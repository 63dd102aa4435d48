//! Model in, files out.

mod bridges;
mod crate_files;
mod declarations;
mod format;
mod messages;
pub mod names;
mod shapes;
mod trees;
mod ways;

pub use bridges::bridge_files;
pub use crate_files::{Identity, crate_files, module};

use crate::error::Result;
use crate::model::Revision;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path below the crate's folder, with `/`.
    pub path: String,
    /// The whole content.
    pub content: String,
}

/// The files of one revision's module.
///
/// # Errors
/// If a shape has no form in Rust.
pub fn revision_files(revision: &Revision, module: &str, source: &str, by_name: bool) -> Result<Vec<File>> {
    let table = module.to_uppercase();
    let file = |name: &str, sentence: &str, code: &str| {
        let content = format::file(&revision.version, sentence, source, code)?;
        Ok(File { path: format!("src/{module}/{name}.rs"), content })
    };
    let mut files = vec![
        file("mod", "", &declarations::module(revision, &table, by_name)?)?,
        file("impls", "How the types of this revision are read and written.", &shapes::impls(revision))?,
        file("constructors", "How the types of this revision are made.", &shapes::constructors(revision))?,
        file(
            "messages",
            "Reads requests, notifications and results of this revision by their method.",
            &messages::messages(revision, module),
        )?,
    ];
    if by_name {
        files.push(file("by_name", "The types of this revision by their names.", &messages::by_name(revision))?);
    }
    Ok(files)
}

/// A string literal in Rust.
fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// Doc attributes, one for each line.
fn docs_attributes(text: &str) -> String {
    text.lines()
        .map(|line| {
            if line.is_empty() { "#[doc = \"\"]\n".to_owned() } else { format!("#[doc = {:?}]\n", format!(" {line}")) }
        })
        .collect()
}

/// Doc attributes of the file itself.
fn inner_docs(text: &str) -> String {
    docs_attributes(text).replace("#[doc", "#![doc")
}
