//! `cargo xtask generate`: the crate in generated/, or one for a schema that isn't ours.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use mcprism_codegen::{File, Identity, Modelled, Source, files, model, module};

use crate::files::{Difference, Result, compare, read, sync, write};
use crate::schemas;

/// What to generate.
#[derive(Args)]
#[command(
    override_usage = "cargo xtask generate [--check] [VERSION]...\n       cargo xtask generate --schema <FILE> --out <DIR> [--name <CRATE>]"
)]
pub struct Generate {
    /// The revisions whose files to write or check; all if there are none.
    versions: Vec<String>,
    /// Write nothing; list what is stale, missing or stray, and exit with 1 if anything is.
    #[arg(long, conflicts_with = "schema")]
    check: bool,
    /// Make a stand-alone crate from this schema instead.
    #[arg(long, value_name = "FILE", requires = "out", conflicts_with = "versions")]
    schema: Option<PathBuf>,
    /// The folder of that crate.
    #[arg(long, value_name = "DIR", requires = "schema")]
    out: Option<PathBuf>,
    /// The name of that crate; the name of the file if absent.
    #[arg(long, value_name = "CRATE", requires = "schema")]
    name: Option<String>,
}

/// Runs the command.
pub fn run(root: &Path, arguments: &Generate) -> Result<ExitCode> {
    match (&arguments.schema, &arguments.out) {
        (Some(schema), Some(out)) => stand_alone(root, schema, out, arguments.name.as_deref()),
        _ => ours(root, arguments),
    }
}

/// The version and the Rust version in the workspace's manifest.
fn identity() -> Identity {
    Identity {
        name: "mcprism-types".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rust_version: env!("CARGO_PKG_RUST_VERSION").to_owned(),
        ours: true,
    }
}

fn ours(root: &Path, arguments: &Generate) -> Result<ExitCode> {
    let start = Instant::now();
    let entries = schemas::entries(root)?;
    if let Some(unknown) = arguments.versions.iter().find(|version| !entries.contains_key(*version)) {
        let known: Vec<&str> = entries.keys().map(String::as_str).collect();
        return Err(format!("no revision {unknown} in schema/revisions.toml; there are {}", known.join(", ")).into());
    }
    eprintln!("generating {} revisions", entries.len());
    let decisions = schemas::decisions(root, true)?;
    let sources = schemas::sources(root, &entries)?;
    let models = schemas::models(&sources, &decisions)?;
    let revisions: Vec<_> = models.iter().map(|modelled| modelled.revision.clone()).collect();
    let mut files = files(&identity(), &revisions)?;
    files.extend(schemas::bridges(root, &sources, &decisions, &revisions)?);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let folder = root.join("generated");
    let readme = readme(root, &models)?;
    // What is left out are the files of the other revisions; what revisions share is always written.
    let others: Vec<String> = revisions
        .iter()
        .map(|revision| &revision.version)
        .filter(|version| !arguments.versions.is_empty() && !arguments.versions.contains(version))
        .map(|version| format!("src/{}/", module(version)))
        .collect();
    let wanted = |path: &str| !others.iter().any(|folder| path.starts_with(folder));
    if arguments.check {
        let mut difference = compare(&folder, &files)?;
        if read(&root.join("README.md"))? != readme {
            difference.stale.push(root.join("README.md"));
        }
        for paths in [&mut difference.stale, &mut difference.missing, &mut difference.stray] {
            paths.retain(|path| wanted(&relative(&folder, path)));
        }
        return Ok(report(root, &difference));
    }
    let touched = match others.is_empty() {
        true => sync(&folder, &files)?,
        false => {
            let chosen = files.iter().filter(|file| wanted(&file.path));
            chosen
                .map(|file| Ok(usize::from(write(&folder.join(&file.path), &file.content)?)))
                .sum::<Result<usize>>()?
        }
    } + usize::from(write(&root.join("README.md"), &readme)?);
    table(&models, &files);
    eprintln!(
        "{touched} of {} files changed (README.md included), in {:.1} s",
        files.len() + 1,
        start.elapsed().as_secs_f64()
    );
    Ok(ExitCode::SUCCESS)
}

/// A path below the generated crate, with `/` on every system.
fn relative(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn report(root: &Path, difference: &Difference) -> ExitCode {
    let lists = [("stale", &difference.stale), ("missing", &difference.missing), ("stray", &difference.stray)];
    for (what, paths) in lists {
        for path in paths {
            eprintln!("{what}: {}", path.strip_prefix(root).unwrap_or(path).display());
        }
    }
    match difference.is_empty() {
        true => {
            eprintln!("generated/ and README.md are up to date");
            ExitCode::SUCCESS
        }
        false => {
            eprintln!("run `cargo xtask generate` and commit what it writes");
            ExitCode::FAILURE
        }
    }
}

/// The rows of the table: revision, era, types, methods, errata, lines.
fn rows(models: &[Modelled], files: &[File]) -> Vec<[String; 6]> {
    models
        .iter()
        .map(|Modelled { revision, errata }| {
            let folder = format!("src/{}/", module(&revision.version));
            let lines: usize = files
                .iter()
                .filter(|file| file.path.starts_with(&folder))
                .map(|file| file.content.lines().count())
                .sum();
            [
                revision.version.clone(),
                revision.era.map_or_else(String::new, |era| format!("{era:?}").to_lowercase()),
                revision.definitions.len().to_string(),
                revision.methods.len().to_string(),
                errata.to_string(),
                lines.to_string(),
            ]
        })
        .collect()
}

fn table(models: &[Modelled], files: &[File]) {
    let rows = rows(models, files);
    let width = rows.iter().map(|row| row[0].len()).max().unwrap_or(0).max("revision".len());
    eprintln!("{:<width$}  {:<7} {:>6} {:>8} {:>7} {:>7}", "revision", "era", "types", "methods", "errata", "lines");
    for [revision, era, types, methods, errata, lines] in rows {
        eprintln!("{revision:<width$}  {era:<7} {types:>6} {methods:>8} {errata:>7} {lines:>7}");
    }
}

/// README.md with its table of revisions brought up to date.
fn readme(root: &Path, models: &[Modelled]) -> Result<String> {
    const BEGIN: &str = "<!-- revisions: written by `cargo xtask generate` -->\n";
    const END: &str = "<!-- end of revisions -->";
    let text = read(&root.join("README.md"))?;
    let (Some(begin), Some(end)) = (text.find(BEGIN), text.find(END)) else {
        return Err(format!(
            "README.md: the lines `{}` and `{END}` are gone; put them around the table of revisions",
            BEGIN.trim_end()
        )
        .into());
    };
    let mut table = "| revision | era | types | methods | errata |\n|---|---|---|---|---|\n".to_owned();
    for [revision, era, types, methods, errata, _] in rows(models, &[]) {
        table.push_str(&format!("| [{revision}](https://modelcontextprotocol.io/specification/{revision}) | {era} | {types} | {methods} | {errata} |\n"));
    }
    Ok(format!("{}{table}{}", &text[..begin + BEGIN.len()], &text[end..]))
}

fn stand_alone(root: &Path, schema: &Path, out: &Path, name: Option<&str>) -> Result<ExitCode> {
    let stem = schema.file_stem().and_then(|stem| stem.to_str()).unwrap_or("schema").to_owned();
    let name = name.map_or_else(|| stem.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"), str::to_owned);
    if name.is_empty()
        || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_')
        || !name.starts_with(|first: char| first.is_ascii_alphabetic())
    {
        return Err(format!("`{name}` can't be the name of a crate; choose one with --name").into());
    }
    const NOT_A_NAME: [&str; 6] = ["alloc", "core", "serde", "serde_json", "std", "test"];
    if NOT_A_NAME.contains(&name.as_str()) {
        return Err(format!("`{name}` is the name of another crate; choose one with --name").into());
    }
    let ours = root.join("generated").canonicalize().ok();
    if ours.is_some() && out.canonicalize().ok() == ours {
        return Err(format!("{} holds the types of our own revisions; choose another --out", out.display()).into());
    }
    eprintln!("generating {name} from {}", schema.display());
    let decisions = schemas::decisions(root, false)?;
    let source = Source { version: stem, text: read(schema)?, era: None };
    let modelled = model(&source, &decisions, None)?;
    for warning in &modelled.revision.warnings {
        eprintln!("warning: {warning}");
    }
    let identity = Identity { name, ours: false, ..identity() };
    let models = [modelled];
    let files = files(&identity, &[models[0].revision.clone()])?;
    let generated = |text: &str| {
        ["// @generated by cargo xtask", "# @generated by cargo xtask"].iter().any(|head| text.starts_with(head))
    };
    for path in files.iter().map(|file| out.join(&file.path)).filter(|path| path.exists()) {
        if !generated(&read(&path)?) {
            return Err(format!(
                "{} was not generated, and would be overwritten; choose another --out",
                path.display()
            )
            .into());
        }
    }
    for file in &files {
        write(&out.join(&file.path), &file.content)?;
    }
    // What an earlier run left there and this one doesn't write.
    for stray in compare(out, &files)?.stray {
        match read(&stray).is_ok_and(|text| generated(&text)) {
            true => std::fs::remove_file(&stray).map_err(|error| format!("{}: {error}", stray.display()))?,
            false => eprintln!("warning: {} is not a generated file", stray.display()),
        }
    }
    table(&models, &files);
    eprintln!("wrote {} files to {}", files.len(), out.display());
    Ok(ExitCode::SUCCESS)
}
