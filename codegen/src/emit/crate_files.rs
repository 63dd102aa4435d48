//! The files of the generated crate that don't belong to one revision.

use askama::Template;

use super::{File, docs_attributes, format, inner_docs, literal};
use crate::error::Result;
use crate::model::{Era, MethodKind, Revision, Sender, Type};

/// What the generated crate is called, and for whom.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The name of the package.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The Rust version that it needs.
    pub rust_version: String,
    /// Whether it is ours, or somebody's for a schema of their own.
    pub ours: bool,
}

/// The hand-written parts, which are the same in every generated crate.
const SUPPORT: [(&str, &str); 11] = [
    ("by_name", include_str!("../../templates/support/by_name.rs")),
    ("decode", include_str!("../../templates/support/decode.rs")),
    ("error", include_str!("../../templates/support/error.rs")),
    ("json", include_str!("../../templates/support/json.rs")),
    ("map", include_str!("../../templates/support/map.rs")),
    ("method", include_str!("../../templates/support/method.rs")),
    ("number", include_str!("../../templates/support/number.rs")),
    ("raw", include_str!("../../templates/support/raw.rs")),
    ("reader", include_str!("../../templates/support/reader.rs")),
    ("scan", include_str!("../../templates/support/scan.rs")),
    ("README", include_str!("../../templates/README.md")),
];

#[derive(Template)]
#[template(path = "lib.rs.askama", escape = "none")]
struct Library<'a> {
    docs: String,
    ours: bool,
    by_name: bool,
    revisions: &'a [RevisionView],
}

#[derive(Template)]
#[template(path = "protocol.rs.askama", escape = "none")]
struct Protocol<'a> {
    revisions: &'a [RevisionView],
    latest: String,
    example: String,
    by_name: bool,
}

#[derive(Template)]
#[template(path = "methods.rs.askama", escape = "none")]
struct Methods<'a> {
    imports: String,
    revisions: &'a [RevisionView],
}

#[derive(Template)]
#[template(path = "Cargo.toml.askama", escape = "none")]
struct Manifest<'a> {
    name: &'a str,
    description: String,
    version: &'a str,
    rust_version: &'a str,
    ours: bool,
    default: String,
    revisions: &'a [RevisionView],
}

struct RevisionView {
    docs: String,
    version: String,
    variant: String,
    module: String,
    table: String,
    feature: String,
    feature_name: String,
    era: &'static str,
    batches: bool,
    errors_without_id: bool,
    methods: Vec<MethodRow>,
}

struct MethodRow {
    name: String,
    kind: &'static str,
    sender: &'static str,
    params: String,
    required: bool,
    result: String,
    alternatives: String,
    capabilities: Vec<CapabilityRow>,
}

struct CapabilityRow {
    sender: &'static str,
    declared_by: &'static str,
    path: String,
    when: String,
}

/// The module of a revision: `v2025_11_25`, or the name of a draft as an identifier.
pub fn module(version: &str) -> String {
    let name: String = version
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' })
        .collect();
    match name.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("v{name}"),
        false if syn::parse_str::<syn::Ident>(&name).is_ok() && !OWN_MODULES.contains(&name.as_str()) => name,
        false => format!("schema_{name}"),
    }
}

/// Modules that every generated crate has, and the feature that Cargo gives a meaning.
const OWN_MODULES: [&str; 14] = [
    "by_name", "decode", "default", "error", "json", "map", "method", "methods", "number", "protocol", "raw", "reader",
    "scan", "lib",
];

/// The variant of `ProtocolVersion` that belongs to a module.
pub(super) fn variant(module: &str) -> String {
    match module.strip_prefix('v').filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit())) {
        Some(date) => format!("V{date}"),
        None => heck::ToUpperCamelCase::to_upper_camel_case(module),
    }
}

/// The files of the crate beside its revisions.
///
/// # Errors
/// If a template gives something else than Rust.
pub fn crate_files(identity: &Identity, revisions: &[Revision], source: &str) -> Result<Vec<File>> {
    let views: Vec<RevisionView> = revisions.iter().map(view).collect();
    let versions: Vec<&str> = revisions.iter().map(|revision| revision.version.as_str()).collect();
    let rust = |name: &str, sentence: &str, code: String| {
        let content = format::file("crate", sentence, source, &code)?;
        Ok(File { path: format!("src/{name}.rs"), content })
    };
    let by_name = true;
    let latest = views.last();
    let mut files = vec![
        rust(
            "lib",
            "",
            Library {
                docs: inner_docs(&crate_docs(identity, &views)),
                ours: identity.ours,
                by_name,
                revisions: &views,
            }
            .render()
            .expect("a template writes to a string"),
        )?,
        rust(
            "protocol",
            "The revisions, and what is true of each.",
            Protocol {
                latest: latest.map(|view| view.variant.clone()).unwrap_or_default(),
                example: versions.last().copied().unwrap_or_default().to_owned(),
                revisions: &views,
                by_name,
            }
            .render()
            .expect("a template writes to a string"),
        )?,
        rust(
            "methods",
            "The methods of each revision.",
            Methods { imports: method_imports(&views), revisions: &views }
                .render()
                .expect("a template writes to a string"),
        )?,
    ];
    let manifest = Manifest {
        name: &identity.name,
        description: match identity.ours {
            true => format!(
                "Exact MCP types for {}, side by side: generated from the official schemas.",
                versions.join(", ")
            ),
            false => format!("Types generated from the schema {}.", versions.join(", ")),
        },
        version: &identity.version,
        rust_version: &identity.rust_version,
        ours: identity.ours,
        default: views.iter().map(|view| view.feature.clone()).collect::<Vec<_>>().join(", "),
        revisions: &views,
    };
    let manifest = format!(
        "# @generated by cargo xtask generate. Do not edit.\n{}\n",
        manifest.render().expect("a template writes to a string").trim_end()
    );
    files.push(File { path: "Cargo.toml".to_owned(), content: manifest });
    for (name, content) in SUPPORT {
        files.push(match name {
            "README" => File { path: "README.md".to_owned(), content: content.replace("{{name}}", &identity.name) },
            name => format::support(name, content),
        });
    }
    files.retain(|file| identity.ours || file.path != "README.md");
    Ok(files)
}

/// The types that the tables name.
fn method_imports(views: &[RevisionView]) -> String {
    let rows = || views.iter().flat_map(|view| &view.methods);
    let mut imports = vec!["Method"];
    if rows().next().is_some() {
        imports.extend(["MethodKind", "Sender"]);
    }
    if rows().any(|row| !row.capabilities.is_empty()) {
        imports.push("Capability");
    }
    if rows().any(|row| row.capabilities.iter().any(|capability| capability.when != "None")) {
        imports.push("When");
    }
    imports.sort_unstable();
    imports.join(", ")
}

fn crate_docs(identity: &Identity, views: &[RevisionView]) -> String {
    if !identity.ours {
        return format!(
            "Types generated from the schema {}.",
            views.iter().map(|view| view.version.as_str()).collect::<Vec<_>>().join(", ")
        );
    }
    let mut table = String::new();
    for view in views {
        table.push_str(&format!(
            "| {} | {} | `{}` | {} |\n",
            view.version.trim_matches('"'),
            view.era.to_lowercase(),
            view.module,
            view.methods.len()
        ));
    }
    include_str!("../../templates/crate_docs.md").replace("{{table}}\n", &table)
}

fn view(revision: &Revision) -> RevisionView {
    let module = module(&revision.version);
    let feature_name = module.clone();
    let era = match revision.era {
        Some(Era::Modern) => "Modern",
        Some(Era::Legacy) => "Legacy",
        // A schema with `initialize` has the handshake.
        None if revision.methods.iter().any(|method| method.name == "initialize") => "Legacy",
        None => "Modern",
    };
    RevisionView {
        docs: docs_attributes(&format!("`{}`", revision.version)),
        version: literal(&revision.version),
        variant: variant(&module),
        table: module.to_uppercase(),
        feature: literal(&feature_name),
        feature_name,
        module,
        era,
        batches: revision.batches,
        errors_without_id: revision.errors_without_id,
        methods: revision.methods.iter().map(row).collect(),
    }
}

fn row(method: &crate::model::Method) -> MethodRow {
    MethodRow {
        name: literal(&method.name),
        kind: match method.kind {
            MethodKind::Request => "Request",
            MethodKind::Notification => "Notification",
            MethodKind::InputRequest => "InputRequest",
        },
        sender: sender(method.sender),
        params: literal(match &method.params {
            Type::Named(name) => name,
            _ => "",
        }),
        required: method.params_required,
        result: format!("{:?}", method.result),
        alternatives: format!("{:?}", method.alternatives),
        capabilities: method
            .capabilities
            .iter()
            .map(|capability| CapabilityRow {
                sender: sender(capability.sender),
                declared_by: sender(capability.declared_by),
                path: literal(&capability.path),
                when: match &capability.when {
                    None => "None".to_owned(),
                    Some(when) => format!(
                        "Some(When {{ member: {:?}, equals: {:?}, absent: {} }})",
                        when.member, when.equals, when.absent
                    ),
                },
            })
            .collect(),
    }
}

fn sender(sender: Sender) -> &'static str {
    match sender {
        Sender::Client => "Client",
        Sender::Server => "Server",
        Sender::Both => "Both",
    }
}
