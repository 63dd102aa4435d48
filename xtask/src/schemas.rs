//! What schema/ holds: the revisions and the decisions about them.

use std::collections::BTreeMap;
use std::path::Path;

use mcprism_codegen::bridge::Rules;
use mcprism_codegen::decisions::{RevisionEntry, revisions};
use mcprism_codegen::model::Revision;
use mcprism_codegen::{DecisionTexts, Decisions, File, Modelled, Source, model, whole};
use sha2::{Digest, Sha256};

use crate::files::{Result, read};

/// The revisions in revisions.toml, oldest first.
pub fn entries(root: &Path) -> Result<BTreeMap<String, RevisionEntry>> {
    let entries = revisions(&read(&root.join("schema/revisions.toml"))?)?;
    let schema = root.join("schema");
    for folder in names(&schema)?.into_iter().filter(|name| schema.join(name).is_dir()) {
        // schema/bridges/ is about two revisions at a time.
        if folder != "bridges" && !entries.contains_key(&folder) {
            let advice = format!("import it again (`cargo xtask import {folder} …`), or remove the folder");
            return Err(format!("schema/{folder}/ has no entry in schema/revisions.toml; {advice}").into());
        }
    }
    Ok(entries)
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
    let path = format!("schema/{version}/schema.json");
    let text = read(&root.join(&path))?;
    if sha256(text.as_bytes()) != entry.canonical {
        return Err(format!("{path} is not what was imported; import it again, and correct it with an erratum").into());
    }
    Ok(Source { version: version.to_owned(), text, era: Some(entry.era) })
}

/// The sources of our revisions, oldest first.
pub fn sources(root: &Path, entries: &BTreeMap<String, RevisionEntry>) -> Result<Vec<Source>> {
    entries.iter().map(|(version, entry)| source(root, version, entry)).collect()
}

/// The model of one of our revisions, or of the schema at a path; what was read loosely is printed.
pub fn chosen(root: &Path, version: &str, after: Option<&str>) -> Result<Modelled> {
    let entries = entries(root)?;
    let path = Path::new(version);
    let (source, strict) = match entries.get(version) {
        Some(entry) => (source(root, version, entry)?, true),
        None if path.is_file() => {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("schema").to_owned();
            (Source { version: stem, text: read(path)?, era: None }, false)
        }
        None => {
            let known: Vec<&str> = entries.keys().map(String::as_str).collect();
            return Err(format!("{version} is neither a revision ({}) nor a file", known.join(", ")).into());
        }
    };
    let modelled = model(&source, &decisions(root, strict)?, after)?;
    for warning in &modelled.revision.warnings {
        eprintln!("warning: {warning}");
    }
    Ok(modelled)
}

/// The model of one of our revisions, made as if it weren't: what is yet to be decided is passed over.
pub fn loosely(root: &Path, version: &str, entry: &RevisionEntry) -> Result<Modelled> {
    Ok(model(&source(root, version, entry)?, &decisions(root, false)?, None)?)
}

/// The models of all our revisions, with every decision used.
pub fn models(sources: &[Source], decisions: &Decisions) -> Result<Vec<Modelled>> {
    let mut models = Vec::new();
    let mut errors = Vec::new();
    for source in sources {
        match model(source, decisions, None) {
            Ok(modelled) => models.push(modelled),
            Err(error) => errors.push(error),
        }
    }
    mcprism_codegen::Error::all(errors)?;
    let versions: Vec<&str> = sources.iter().map(|source| source.version.as_str()).collect();
    decisions.unused(&versions)?;
    Ok(models)
}

/// The files of the conversions between our revisions, which are the models of the sources.
pub fn bridges(root: &Path, sources: &[Source], decisions: &Decisions, revisions: &[Revision]) -> Result<Vec<File>> {
    let mut wholes = Vec::new();
    for source in sources {
        wholes.push(whole(source, decisions)?);
    }
    let pairs: Vec<String> =
        sources.windows(2).map(|pair| format!("{}..{}", pair[0].version, pair[1].version)).collect();
    let folder = root.join("schema").join("bridges");
    let files = if folder.is_dir() { names(&folder)? } else { Vec::new() };
    for name in files {
        if name.strip_suffix(".toml").is_none_or(|pair| !pairs.iter().any(|known| known == pair)) {
            return Err(
                format!("schema/bridges/{name} is for no pair of neighbours; there are {}", pairs.join(", ")).into()
            );
        }
    }
    let mut rules = Vec::new();
    for pair in &pairs {
        let path = folder.join(format!("{pair}.toml"));
        // Without a file there are no rules, and what it has to say comes as errors.
        let text = if path.is_file() { read(&path)? } else { String::new() };
        rules.push(Rules::read(pair, &text)?);
    }
    Ok(mcprism_codegen::bridges(&wholes, revisions, &rules)?)
}

/// The names of what a folder holds, sorted.
fn names(folder: &Path) -> Result<Vec<String>> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        names.push(entry.map_err(fail)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// A SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
