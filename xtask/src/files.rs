//! Reads and writes files; every error says which.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use mcprism_codegen::File;

/// The outcome of a command.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Reads a text.
pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Writes a text, and the folders above it, unless the same is there already. Says whether it wrote.
pub fn write(path: &Path, text: &str) -> Result<bool> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(false);
    }
    let fail = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(fail)?;
    }
    fs::write(path, text).map_err(fail)?;
    Ok(true)
}

/// How a folder differs from what it should hold.
#[derive(Debug, Default)]
pub struct Difference {
    /// Files whose content differs.
    pub stale: Vec<PathBuf>,
    /// Files that aren't there.
    pub missing: Vec<PathBuf>,
    /// Files that nothing generates.
    pub stray: Vec<PathBuf>,
}

impl Difference {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.stale.is_empty() && self.missing.is_empty() && self.stray.is_empty()
    }
}

/// Compares a folder with the files that it should hold.
pub fn compare(folder: &Path, files: &[File]) -> Result<Difference> {
    let mut found = BTreeMap::new();
    if folder.exists() {
        walk(folder, true, &mut found)?;
    }
    let mut difference = Difference::default();
    for file in files {
        let path = folder.join(&file.path);
        match found.remove(&path) {
            None => difference.missing.push(path),
            Some(()) if fs::read(&path).is_ok_and(|old| old == file.content.as_bytes()) => {}
            Some(()) => difference.stale.push(path),
        }
    }
    difference.stray = found.into_keys().collect();
    Ok(difference)
}

/// Writes files and removes stray ones; returns how many it touched.
pub fn sync(folder: &Path, files: &[File]) -> Result<usize> {
    let difference = compare(folder, files)?;
    let mut touched = difference.stray.len();
    for stray in &difference.stray {
        fs::remove_file(stray).map_err(|error| format!("{}: {error}", stray.display()))?;
    }
    for file in files {
        touched += usize::from(write(&folder.join(&file.path), &file.content)?);
    }
    Ok(touched)
}

fn walk(folder: &Path, top: bool, found: &mut BTreeMap<PathBuf, ()>) -> Result<()> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let path = entry.path();
        // What cargo leaves there is not ours to judge.
        if top && matches!(entry.file_name().to_str(), Some("target" | "Cargo.lock")) {
            continue;
        }
        match entry.file_type().map_err(fail)?.is_dir() {
            true => walk(&path, false, found)?,
            false => drop(found.insert(path, ())),
        }
    }
    Ok(())
}
