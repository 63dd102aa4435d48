//! The golden cases: a folder each, with a schema and what has to come of it.

use std::path::{Path, PathBuf};

use mcprism_codegen::model::Revision;
use mcprism_codegen::{DecisionTexts, Decisions, File, Identity, Result, Source};

/// One case.
pub struct Case {
    /// The name of its folder.
    pub name: String,
    folder: PathBuf,
}

/// All cases, sorted by name.
pub fn all() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let entries = std::fs::read_dir(&folder).expect("tests/golden is in the repository");
    let mut cases: Vec<Case> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.is_dir())
        .map(|folder| Case { name: stem(&folder), folder })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

impl Case {
    /// The path of one of its files.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// The text of one of its files, if it has that.
    pub fn text(&self, file: &str) -> Option<String> {
        let path = self.path(file);
        path.exists().then(|| std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}")))
    }

    /// What the generator makes of it: a model, and the files of a crate.
    pub fn generate(&self) -> Result<(Revision, Vec<File>)> {
        let decision = |file| self.text(file).unwrap_or_default();
        let texts = DecisionTexts {
            errata: decision("errata.toml"),
            methods: decision("methods.toml"),
            unions: decision("unions.toml"),
            docs: decision("docs.toml"),
        };
        let decisions = Decisions::read(&texts, self.path("strict").exists())?;
        let schema = self.text("schema.json").unwrap_or_else(|| panic!("{} has no schema.json", self.name));
        generate(&self.name, schema, &decisions)
    }
}

/// What the generator makes of a schema that isn't ours.
pub fn generate(name: &str, schema: String, decisions: &Decisions) -> Result<(Revision, Vec<File>)> {
    let source = Source { version: name.to_owned(), text: schema, era: None };
    let revision = mcprism_codegen::model(&source, decisions, None)?.revision;
    let identity =
        Identity { name: package(name), version: "0.0.0".to_owned(), rust_version: "1.95".to_owned(), ours: false };
    let files = mcprism_codegen::files(&identity, std::slice::from_ref(&revision))?;
    Ok((revision, files))
}

/// The package that is generated for a case.
pub fn package(name: &str) -> String {
    format!("golden-{}", name.to_lowercase().replace('_', "-"))
}

fn stem(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
