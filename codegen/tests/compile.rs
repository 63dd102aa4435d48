//! Builds the crates of all golden cases with warnings denied, and sends samples through their types.
//!
//! If `MCPRISM_CASES` names a folder with a `cases.jsonl`, the schemas in there are built as well.

mod cases;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use mcprism_codegen::{Decisions, File};
use serde::Deserialize;
use serde_json::Value;

/// A crate to be built, and what goes through it.
struct Built {
    name: String,
    files: Vec<File>,
    samples: Vec<Sample>,
}

/// A value for a type, and what should come of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    /// The name of the type in the schema.
    #[serde(rename = "type")]
    ty: String,
    /// The value, without an envelope.
    #[serde(default, deserialize_with = "present")]
    json: Option<Value>,
    /// Its text instead, where that matters.
    text: Option<String>,
    /// What is written again, if it isn't the same value.
    #[serde(default, deserialize_with = "present")]
    expected: Option<Value>,
    /// The place of the fault, if the value is refused.
    error: Option<String>,
}

/// What the program that has all the crates says of a sample.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Written(String),
    Refused { pointer: String, message: String },
    Missing,
}

/// A member that is there, null included.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

#[test]
fn all_crates_compile_and_read_their_samples() {
    let mut crates = golden();
    crates.extend(collected());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("golden");
    lay_out(&folder, &crates);
    let mut broken = String::new();
    if let Err(errors) = build(&folder) {
        // The samples of the other crates can still be checked.
        crates.retain(|built| !errors.contains(&format!("could not compile `{}`", cases::package(&built.name))));
        lay_out(&folder, &crates);
        build(&folder).unwrap_or_else(|_| panic!("generated code does not compile\n{errors}"));
        broken = format!("generated code does not compile\n{errors}\n");
    }
    let answers = run(&folder, &crates);
    let samples = crates.iter().flat_map(|built| built.samples.iter().map(move |sample| (built, sample)));
    let faults: Vec<String> = samples
        .zip(answers)
        .filter_map(|((built, sample), answer)| {
            let text = sample.text();
            fault(sample, answer).map(|fault| format!("{} {} {text}: {fault}", built.name, sample.ty))
        })
        .collect();
    let passed = broken.is_empty() && faults.is_empty();
    assert!(passed, "{broken}{} samples differ\n{}\n", faults.len(), faults.join("\n"));
}

/// The cases that give Rust. Each has samples.
fn golden() -> Vec<Built> {
    let cases = cases::all().into_iter().filter(|case| case.path("expected.rs").exists());
    cases
        .map(|case| {
            let name = &case.name;
            let files = case.generate().unwrap_or_else(|error| panic!("{name}: {error}")).1;
            let samples = case.text("samples.json").unwrap_or_else(|| panic!("{name} has no samples.json"));
            let samples = serde_json::from_str(&samples).unwrap_or_else(|error| panic!("{name}/samples.json: {error}"));
            Built { name: case.name, files, samples }
        })
        .collect()
}

/// A line of `cases.jsonl`.
#[derive(Deserialize)]
struct Collected {
    id: String,
    input: String,
    input_kind: String,
}

/// A schema in there, with its samples.
#[derive(Deserialize)]
struct Schema {
    samples: Vec<Pair>,
}

/// A value that has to go through a type unchanged.
#[derive(Deserialize)]
struct Pair {
    def: String,
    value: Value,
}

/// The schemas of a folder of collected cases, if there is one.
fn collected() -> Vec<Built> {
    let Some(folder) = std::env::var_os("MCPRISM_CASES").map(PathBuf::from) else {
        eprintln!("MCPRISM_CASES names no folder: only the golden cases are built");
        return Vec::new();
    };
    // A relative path counts from the folder of the workspace.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join("cases.jsonl");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let cases = text.lines().map(|line| serde_json::from_str::<Collected>(line).expect("a line is a case"));
    cases
        .filter(|case| case.input_kind == "schema")
        .map(|case| {
            let id = &case.id;
            let decisions = Decisions::default();
            let schema: Schema = serde_json::from_str(&case.input).unwrap_or_else(|error| panic!("{id}: {error}"));
            let generated = cases::generate(id, case.input.clone(), &decisions);
            let files = generated.unwrap_or_else(|error| panic!("{id}: {error}")).1;
            let samples = schema.samples.into_iter().map(|pair| Sample {
                ty: pair.def,
                json: Some(pair.value),
                text: None,
                expected: None,
                error: None,
            });
            Built { samples: samples.collect(), name: case.id, files }
        })
        .collect()
}

/// Writes a workspace with one program, beside the crates as their users get them.
fn lay_out(folder: &Path, crates: &[Built]) {
    let mut wanted = BTreeSet::new();
    let mut write = |path: PathBuf, content: &str| {
        // What is the same keeps its date, and is not compiled again.
        if std::fs::read_to_string(&path).ok().as_deref() != Some(content) {
            std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
            std::fs::write(&path, content).expect("the file can be written");
        }
        wanted.insert(path);
    };
    let mut dependencies = String::new();
    let mut arms = String::new();
    for built in crates {
        let package = cases::package(&built.name);
        for file in &built.files {
            write(folder.join("crates").join(&package).join(&file.path), &file.content);
        }
        writeln!(dependencies, "{package} = {{ path = \"crates/{package}\", features = [\"by-name\"] }}")
            .expect("a string takes all");
        writeln!(arms, "        {:?} => recode!({}),", built.name, package.replace('-', "_"))
            .expect("a string takes all");
    }
    write(
        folder.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"golden\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [workspace]\nexclude = [\"crates\"]\n\n[dependencies]\nserde_json = \"1\"\n{dependencies}"
        ),
    );
    write(folder.join("src/main.rs"), &PROGRAM.replace("        // arms\n", &arms));
    // The versions are those of our own workspace, so that no registry is asked.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    std::fs::copy(lock, folder.join("Cargo.lock")).expect("Cargo.lock is in the repository");
    remove_others(&folder.join("crates"), &wanted);
}

/// Removes what an earlier run left.
fn remove_others(folder: &Path, wanted: &BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        match path.is_dir() {
            true if wanted.iter().any(|file| file.starts_with(&path)) => remove_others(&path, wanted),
            true => std::fs::remove_dir_all(&path).expect("the folder can be removed"),
            false if wanted.contains(&path) => {}
            false => std::fs::remove_file(&path).expect("the file can be removed"),
        }
    }
}

/// The program: one line for each sample in, one line out.
const PROGRAM: &str = r#"//! Reads samples as types that are chosen by name, and writes them again.

use serde_json::{Value, json};

macro_rules! recode {
    ($crate_name:ident) => {
        |name, text| {
            let mut types = $crate_name::ProtocolVersion::ALL[0].types().iter();
            let Some(ty) = types.find(|ty| ty.name == name) else { return json!("missing") };
            match (ty.recode)(text) {
                Ok(text) => json!({ "written": text }),
                Err(error) => json!({ "refused": { "pointer": error.pointer(), "message": error.message() } }),
            }
        }
    };
}

fn main() {
    let questions = std::fs::read_to_string(std::env::args().nth(1).expect("a file")).expect("can be read");
    for line in questions.lines() {
        let [crate_name, ty, text]: [String; 3] = serde_json::from_str(line).expect("a question");
        println!("{}", recoder(&crate_name)(&ty, &text));
    }
}

fn recoder(crate_name: &str) -> fn(&str, &str) -> Value {
    match crate_name {
        // arms
        _ => |_, _| json!("missing"),
    }
}
"#;

/// Builds the program and the crates; what the compiler says if it can't.
fn build(folder: &Path) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--offline", "--keep-going", "--quiet"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env("RUSTFLAGS", "-D warnings")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .expect("cargo can be started");
    match built.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&built.stderr).into_owned()),
    }
}

/// Asks the program all samples.
fn run(folder: &Path, crates: &[Built]) -> Vec<Answer> {
    let questions: String = crates
        .iter()
        .flat_map(|built| built.samples.iter().map(|sample| (&built.name, &sample.ty, sample.text())))
        .map(|question| serde_json::to_string(&question).expect("strings can be written") + "\n")
        .collect();
    std::fs::write(folder.join("questions.jsonl"), questions).expect("the file can be written");
    let program = folder.join("target/debug").join(format!("golden{}", std::env::consts::EXE_SUFFIX));
    let ran =
        Command::new(program).arg("questions.jsonl").current_dir(folder).output().expect("the program can be started");
    assert!(ran.status.success(), "the program failed\n{}", String::from_utf8_lossy(&ran.stderr));
    let answers = String::from_utf8(ran.stdout).expect("answers are text");
    answers.lines().map(|line| serde_json::from_str(line).expect("an answer")).collect()
}

impl Sample {
    fn text(&self) -> String {
        match (&self.json, &self.text) {
            (Some(json), None) => json.to_string(),
            (None, Some(text)) => text.clone(),
            _ => panic!("a sample of {} needs either `json` or `text`", self.ty),
        }
    }
}

/// What is wrong with an answer; nothing if it is as expected.
fn fault(sample: &Sample, answer: Answer) -> Option<String> {
    match (answer, &sample.error) {
        (Answer::Missing, _) => Some("there is no such type".to_owned()),
        (Answer::Written(text), Some(pointer)) => Some(format!("expected to be refused at `{pointer}`, found {text}")),
        (Answer::Refused { pointer, .. }, Some(expected)) if pointer == *expected => None,
        (Answer::Refused { pointer, message }, expected) => {
            let wanted = expected.as_ref().map_or_else(String::new, |expected| format!("expected at `{expected}`, "));
            Some(format!("{wanted}refused at `{pointer}`: {message}"))
        }
        (Answer::Written(text), None) => {
            let given: Value = serde_json::from_str(&sample.text()).ok()?;
            let expected = sample.expected.as_ref().unwrap_or(&given);
            match serde_json::from_str::<Value>(&text) {
                Ok(found) if same(&found, expected) => None,
                _ => Some(format!("expected {expected}, found {text}")),
            }
        }
    }
}

/// Whether two values are equal, numbers by value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (whole(a), whole(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a.as_f64() == b.as_f64(),
        },
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

fn whole(number: &serde_json::Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

#[test]
fn numbers_are_equal_by_value() {
    let equal = |a: &str, b: &str| same(&serde_json::from_str(a).unwrap(), &serde_json::from_str(b).unwrap());
    assert!(equal(r#"{"a":[1,2.5]}"#, r#"{"a":[1.0,2.50]}"#));
    assert!(!equal("9007199254740993", "9007199254740992"));
    assert!(!equal("18446744073709551615", "18446744073709551614"));
    assert!(!equal("[1]", "[1,1]"));
    assert!(!equal(r#"{"a":1}"#, r#"{"b":1}"#));
}
