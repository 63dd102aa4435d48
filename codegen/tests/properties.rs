//! What is true of everything that is generated from our own schemas.

use std::path::{Path, PathBuf};

use mcprism_codegen::{DecisionTexts, Decisions, File, Identity, Source, decisions, files, model};

/// Words that no generated file may have, and why.
const UNWANTED: [(&str, &str); 3] = [
    ("untagged", "serde's way of telling arms apart decodes wrongly, slowly, and with useless messages"),
    ("(flatten", "serde's way of keeping unknown members buffers, and breaks raw JSON"),
    ("unwrap(", "generated code doesn't panic"),
];

fn schema(file: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The crate of all our revisions.
fn generated() -> Vec<File> {
    let texts = DecisionTexts {
        errata: schema("errata.toml"),
        methods: schema("methods.toml"),
        unions: schema("unions.toml"),
        docs: schema("docs.toml"),
    };
    let decisions = Decisions::read(&texts, true).unwrap_or_else(|error| panic!("{error}"));
    let entries = decisions::revisions(&schema("revisions.toml")).unwrap_or_else(|error| panic!("{error}"));
    let revisions: Vec<_> = entries
        .iter()
        .map(|(version, entry)| {
            let text = schema(&format!("{version}/schema.json"));
            let source = Source { version: version.clone(), text, era: Some(entry.era) };
            model(&source, &decisions, None).unwrap_or_else(|error| panic!("{error}")).revision
        })
        .collect();
    assert_eq!(revisions.len(), 5);
    let identity = Identity {
        name: "mcprism-types".to_owned(),
        version: "0.1.0".to_owned(),
        rust_version: "1.95".to_owned(),
        ours: true,
    };
    files(&identity, &revisions).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_same_input_gives_the_same_bytes_and_nothing_unwanted() {
    let first = generated();
    for (a, b) in first.iter().zip(&generated()) {
        assert!(a == b, "{} differs from one run to the next", a.path);
    }
    let paths: Vec<&str> = first.iter().map(|file| file.path.as_str()).collect();
    assert!(paths.is_sorted(), "the files are not in order");
    let faults: Vec<String> = first
        .iter()
        .flat_map(|file| {
            let lines = file.content.lines().enumerate().filter(|_| file.path.ends_with(".rs"));
            lines.flat_map(move |(at, line)| {
                let code = line.split("//").next().unwrap_or_default();
                let unwanted = UNWANTED.iter().filter(move |(word, _)| code.contains(word));
                unwanted.map(move |(word, why)| format!("{}:{}: `{word}`: {why}", file.path, at + 1))
            })
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
