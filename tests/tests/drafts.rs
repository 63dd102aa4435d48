//! Crates generated from drafts of the schema compile, and their types bring instances back equal.
//!
//! `MCPRISM_HISTORY` points at a folder of drafts. A sample of them is compiled, or all of them with
//! `MCPRISM_ALL_DRAFTS` set.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mcprism_codegen::{DecisionTexts, Decisions, Identity, Source, files, model};
use mcprism_tests::instances::equality::equal;
use mcprism_tests::instances::generate::instances;
use mcprism_tests::instances::rules::Rules;
use mcprism_tests::schemas::{folder, loose_rules, root};
use serde_json::{Value, json};

/// How many drafts are compiled unless all are asked for.
const SAMPLE: usize = 7;

fn drafts() -> Option<Vec<PathBuf>> {
    let mut drafts: Vec<_> =
        fs::read_dir(folder("MCPRISM_HISTORY")?).unwrap().map(|entry| entry.unwrap().path()).collect();
    drafts.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    drafts.sort();
    Some(drafts)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// Generates a stand-alone crate, as `cargo xtask generate --schema` does.
fn generate(draft: &Path) -> Result<Vec<mcprism_codegen::File>, mcprism_codegen::Error> {
    let file = |name: &str| fs::read_to_string(root().join("schema").join(name)).unwrap();
    let texts = DecisionTexts {
        errata: file("errata.toml"),
        methods: file("methods.toml"),
        unions: file("unions.toml"),
        docs: file("docs.toml"),
    };
    let decisions = Decisions::read(&texts, false)?;
    let source = Source { version: stem(draft), text: fs::read_to_string(draft).unwrap(), era: None };
    let modelled = model(&source, &decisions, None)?;
    let identity =
        Identity { name: stem(draft), version: "0.1.0".to_owned(), rust_version: "1.95".to_owned(), ours: false };
    files(&identity, &[modelled.revision])
}

#[test]
fn every_draft_generates() {
    let Some(drafts) = drafts() else { return };
    let failures: Vec<_> =
        drafts.iter().filter_map(|draft| Some(format!("{}: {}", stem(draft), generate(draft).err()?))).collect();
    println!("{} of {} drafts generate", drafts.len() - failures.len(), drafts.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(drafts.len() >= 44, "only {} drafts", drafts.len());
}

/// Takes an instance out of its envelope, as the types have it.
fn body(form: &str, mut instance: Value) -> Value {
    match form {
        "Result" => instance["result"].take(),
        "Error" => instance["error"].take(),
        "Plain" => instance,
        _ => {
            if let Some(members) = instance.as_object_mut() {
                members.remove("jsonrpc");
                members.remove("id");
            }
            instance
        }
    }
}

#[test]
fn drafts_compile_and_bring_instances_back() {
    let Some(all) = drafts() else { return };
    let chosen: Vec<PathBuf> = match std::env::var_os("MCPRISM_ALL_DRAFTS") {
        Some(_) => all,
        None => {
            let step = (all.len() / SAMPLE).max(1);
            all.iter().step_by(step).cloned().collect()
        }
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drafts");
    let _ = fs::remove_dir_all(&folder);
    write_workspace(&folder, &chosen);
    let probe = build(&folder);

    let mut questions = Vec::new();
    for (at, draft) in chosen.iter().enumerate() {
        let rules = rules(draft);
        let names: Vec<String> = rules.definitions().map(str::to_owned).collect();
        for name in names {
            // Every fifth: this is about many schemas, not about each of their corners.
            let all = instances(&rules, &name, 1).into_iter().step_by(5);
            let chosen = all.filter(|instance| !contradicts(&rules, &name, instance));
            questions.extend(chosen.map(|instance| (at, name.clone(), instance)));
        }
    }
    let answers = ask(&probe, &questions);
    assert_eq!(answers.len(), questions.len());
    let mut failures = Vec::new();
    let (mut equal_ones, mut enveloped) = (0, 0);
    for ((at, name, instance), answer) in questions.into_iter().zip(answers) {
        if answer["form"] == "None" {
            enveloped += 1;
            continue;
        }
        let expected = body(answer["form"].as_str().unwrap_or_default(), instance);
        match answer["json"].as_str().map(|text| serde_json::from_str::<Value>(text).unwrap()) {
            Some(again) if equal(&again, &expected) => equal_ones += 1,
            _ => failures.push(format!("{} {name}: {answer} for {expected}", stem(&chosen[at]))),
        }
    }
    println!(
        "{} drafts compiled; {equal_ones} instances came back equal, {enveloped} are only an envelope, {} failed",
        chosen.len(),
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures[..failures.len().min(20)].join("\n"));
    assert!(equal_ones > 1000);
}

/// A response that calls its result complete, though it isn't that result, is only valid as another
/// arm, which is open: such a one is refused by the arm that it names.
fn contradicts(rules: &Rules, name: &str, instance: &Value) -> bool {
    let Some(result) = name.strip_suffix("Response").filter(|result| rules.definitions().any(|name| name == *result))
    else {
        return false;
    };
    instance["result"]["resultType"] == "complete" && !rules.validator(result).is_valid(&instance["result"])
}

fn rules(draft: &Path) -> Rules {
    loose_rules(serde_json::from_str(&fs::read_to_string(draft).unwrap()).unwrap())
}

/// A workspace of the drafts' crates and a program that uses them all.
fn write_workspace(folder: &Path, drafts: &[PathBuf]) {
    let write = |path: PathBuf, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let mut dependencies = String::new();
    let mut arms = String::new();
    let mut members = String::new();
    for (at, draft) in drafts.iter().enumerate() {
        let name = stem(draft);
        for file in generate(draft).unwrap() {
            // A member can't be a workspace of its own.
            let content =
                if file.path == "Cargo.toml" { file.content.replace("[workspace]", "") } else { file.content };
            write(folder.join(&name).join(&file.path), &content);
        }
        dependencies.push_str(&format!("{name} = {{ path = \"../{name}\", features = [\"by-name\"] }}\n"));
        arms.push_str(&format!("{at} => ask!({}),\n", name.replace('-', "_")));
        members.push_str(&format!("\"{name}\", "));
    }
    write(folder.join("Cargo.toml"), &format!("[workspace]\nresolver = \"3\"\nmembers = [{members}\"probe\"]\n"));
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let manifest = format!(
        "[package]\nname = \"probe\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nserde_json = \"1\"\n{dependencies}"
    );
    write(folder.join("probe/Cargo.toml"), &manifest);
    write(folder.join("probe/src/main.rs"), &include_str!("drafts/probe.rs").replace("/* arms */", &arms));
}

/// Compiles it, with warnings denied, and returns the program.
fn build(folder: &Path) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("drafts-target");
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--package", "probe", "--offline"])
        .env("RUSTFLAGS", "-D warnings")
        .env("CARGO_TARGET_DIR", &target)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("debug").join(format!("probe{}", std::env::consts::EXE_SUFFIX))
}

fn ask(probe: &Path, questions: &[(usize, String, Value)]) -> Vec<Value> {
    let mut child = Command::new(probe).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines: String = questions
        .iter()
        .map(|(at, name, instance)| format!("{}\n", json!({"draft": at, "type": name, "json": instance})))
        .collect();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
