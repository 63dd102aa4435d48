//! The few things that only a human can decide, read from TOML.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::model::{Era, Sender, When};

/// All decisions, with a note of which have been used.
#[derive(Debug, Default)]
pub struct Decisions {
    /// `errata.toml`
    pub errata: Errata,
    /// `methods.toml`
    pub methods: Methods,
    /// `unions.toml`
    pub unions: Unions,
    /// `docs.toml`
    pub docs: Docs,
    /// Whether a gap in the decisions is an error (our own revisions) or a warning (any other schema).
    pub strict: bool,
    used: RefCell<BTreeSet<(String, String)>>,
}

/// The texts of the files of decisions.
#[derive(Clone, Debug, Default)]
pub struct DecisionTexts {
    /// `errata.toml`
    pub errata: String,
    /// `methods.toml`
    pub methods: String,
    /// `unions.toml`
    pub unions: String,
    /// `docs.toml`
    pub docs: String,
}

/// Where a JSON Schema is known to be wrong, or the world known to differ from it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errata {
    /// Corrections of a schema.
    #[serde(default)]
    pub erratum: Vec<Erratum>,
    /// What is read although the schema refuses it.
    #[serde(default)]
    pub tolerance: Vec<Tolerance>,
}

/// One correction of a schema.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// The revisions that it is for.
    pub revisions: Vec<String>,
    /// Revisions that have the same at the same place, but rightly.
    #[serde(default)]
    pub not_in: Vec<String>,
    /// The place, counted from the table of definitions.
    pub pointer: String,
    /// What stands there.
    pub old: Value,
    /// What should stand there.
    pub new: Value,
    /// Why.
    pub reason: String,
    /// Where to read more.
    pub link: String,
}

/// A member that may be absent although it is required.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tolerance {
    /// `Type.member`; absent, it reads as empty.
    pub member: String,
    /// The revisions that it is for.
    pub revisions: Vec<String>,
    /// Revisions that have the member, but where its absence is refused.
    #[serde(default)]
    pub not_in: Vec<String>,
    /// Why.
    pub reason: String,
    /// Where to read more.
    pub link: String,
}

/// What neither schema nor name says of a method.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Methods {
    /// Results that can't be derived from a name.
    #[serde(default)]
    pub result: Vec<MethodType>,
    /// Types that may come in place of the result.
    #[serde(default)]
    pub alternative: Vec<MethodType>,
    /// What has to have been declared.
    #[serde(default)]
    pub capability: Vec<CapabilityRule>,
    /// Methods before which nothing has to be declared.
    #[serde(default)]
    pub free: Vec<Free>,
}

/// Methods before which nothing has to be declared.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Free {
    /// Their names on the wire.
    pub methods: Vec<String>,
    /// Why.
    pub reason: String,
}

/// A type that belongs to a method.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodType {
    /// The method's name on the wire.
    pub method: String,
    /// The type's name.
    #[serde(rename = "type")]
    pub ty: String,
    /// The revisions that it is for; all that have the method if absent.
    pub revisions: Option<Vec<String>>,
}

/// A capability that has to have been declared before a method may be used.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CapabilityRule {
    /// The method's name on the wire.
    pub method: String,
    /// The rule is for messages of this side.
    pub sender: Sender,
    /// The side that has to have declared it.
    pub declared_by: Sender,
    /// The way to it in the capabilities.
    pub path: String,
    /// The revisions that it is for; all that have the method if absent.
    pub revisions: Option<Vec<String>>,
    /// A condition on the params.
    pub when: Option<When>,
    /// The specification page that says so.
    pub page: String,
}

/// How to tell apart what the schema can't, and what to call what it doesn't name.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unions {
    /// Names for shapes that the schema leaves without one, by `Type.member`.
    #[serde(default)]
    pub name: BTreeMap<String, String>,
    /// Orders in which overlapping arms are tried.
    #[serde(default)]
    pub precedence: Vec<Precedence>,
    /// Unions that are kept as JSON until somebody asks for an arm.
    #[serde(default)]
    pub raw: Vec<Raw>,
    /// Members that hold JSON of somebody else's making.
    #[serde(default)]
    pub opaque: Vec<Opaque>,
    /// Results that are kept raw where something is missing that another arm doesn't need.
    #[serde(default)]
    pub incomplete: Vec<Incomplete>,
    /// The literals of `resultType`: each with the types that have it; the first is the usual one.
    #[serde(default)]
    pub result_type: Vec<ResultType>,
}

/// An order in which overlapping arms are tried.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Precedence {
    /// The arms; an earlier one wins.
    pub order: Vec<String>,
    /// Why.
    pub reason: String,
}

/// A union that is kept as JSON.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    /// Its name.
    #[serde(rename = "type")]
    pub ty: String,
    /// Why.
    pub reason: String,
}

/// A member that holds JSON of somebody else's making.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opaque {
    /// `Type.member`
    pub member: String,
    /// Why.
    pub reason: String,
}

/// A result that is kept raw, among alternatives, where it lacks one of its members.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Incomplete {
    /// The type's name.
    #[serde(rename = "type")]
    pub ty: String,
    /// The members.
    pub members: Vec<String>,
    /// Why.
    pub reason: String,
}

/// A literal of `resultType`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultType {
    /// The literal.
    pub literal: String,
    /// The types that have it; empty for all others.
    #[serde(default)]
    pub types: Vec<String>,
}

/// One line for each type and method, and for members whose name doesn't say it all.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Docs {
    /// By the type's name.
    #[serde(default)]
    pub types: BTreeMap<String, String>,
    /// By the method's name on the wire.
    #[serde(default)]
    pub methods: BTreeMap<String, String>,
    /// By `Type.member`, or `*.member` for every type.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
}

/// What `revisions.toml` says of our revisions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevisionEntry {
    /// How connections begin.
    pub era: Era,
    /// The public repository that the schema comes from.
    pub repository: String,
    /// The commit, if it is known.
    #[serde(default)]
    pub commit: String,
    /// The path in that repository.
    pub path: String,
    /// The SHA-256 of the official file, in hexadecimal.
    pub sha256: String,
    /// The SHA-256 of the canonical copy: a change by hand is noticed.
    pub canonical: String,
    /// Whether the canonical file keeps upstream's prose.
    #[serde(default)]
    pub prose: bool,
}

/// Reads `revisions.toml`.
///
/// # Errors
/// If it isn't TOML of that form.
pub fn revisions(text: &str) -> Result<BTreeMap<String, RevisionEntry>> {
    toml("revisions.toml", text)
}

impl Decisions {
    /// Reads the files of decisions.
    ///
    /// # Errors
    /// If one isn't TOML of its form; the message has the line.
    pub fn read(texts: &DecisionTexts, strict: bool) -> Result<Self> {
        Ok(Self {
            errata: toml("errata.toml", &texts.errata)?,
            methods: toml("methods.toml", &texts.methods)?,
            unions: toml("unions.toml", &texts.unions)?,
            docs: toml("docs.toml", &texts.docs)?,
            strict,
            used: RefCell::default(),
        })
    }

    /// Notes that a decision was used.
    pub fn mark(&self, file: &str, key: impl Into<String>) {
        self.used.borrow_mut().insert((file.to_owned(), key.into()));
    }

    /// Whether a rule for these revisions concerns this one. For a schema that isn't ours every rule does.
    pub fn concerns(&self, revisions: Option<&[String]>, version: &str) -> bool {
        !self.strict || revisions.is_none_or(|revisions| revisions.iter().any(|revision| revision == version))
    }

    /// Refuses decisions that no revision used: they are about something that is gone.
    ///
    /// # Errors
    /// One fault for each.
    pub fn unused(&self, versions: &[&str]) -> Result<()> {
        let mut keys: Vec<(&str, String)> = Vec::new();
        for erratum in &self.errata.erratum {
            keys.extend(erratum.revisions.iter().map(|revision| ("errata.toml", erratum.key(revision))));
        }
        for tolerance in &self.errata.tolerance {
            keys.extend(
                tolerance.revisions.iter().map(|revision| ("errata.toml", format!("{revision} {}", tolerance.member))),
            );
        }
        let each = |revisions: &Option<Vec<String>>, key: String| match revisions {
            Some(revisions) => revisions.iter().map(|revision| format!("{revision} {key}")).collect(),
            None => vec![key],
        };
        for rule in &self.methods.result {
            keys.extend(each(&rule.revisions, rule.key("result")).into_iter().map(|key| ("methods.toml", key)));
        }
        for rule in &self.methods.alternative {
            keys.extend(each(&rule.revisions, rule.key("alternative")).into_iter().map(|key| ("methods.toml", key)));
        }
        for rule in &self.methods.capability {
            keys.extend(each(&rule.revisions, rule.key()).into_iter().map(|key| ("methods.toml", key)));
        }
        let free = self.methods.free.iter().flat_map(|free| &free.methods);
        keys.extend(free.map(|method| ("methods.toml", format!("free {method}"))));
        keys.extend(self.unions.name.keys().map(|key| ("unions.toml", format!("name {key}"))));
        keys.extend(self.unions.precedence.iter().map(|rule| ("unions.toml", rule.key())));
        keys.extend(self.unions.incomplete.iter().map(|rule| ("unions.toml", format!("incomplete {}", rule.ty))));
        keys.extend(self.unions.raw.iter().map(|raw| ("unions.toml", format!("raw {}", raw.ty))));
        keys.extend(self.unions.opaque.iter().map(|opaque| ("unions.toml", format!("opaque {}", opaque.member))));
        keys.extend(self.docs.types.keys().map(|key| ("docs.toml", format!("types.{key}"))));
        keys.extend(self.docs.methods.keys().map(|key| ("docs.toml", format!("methods.{key}"))));
        keys.extend(self.docs.fields.keys().map(|key| ("docs.toml", format!("fields.{key}"))));
        let used = self.used.borrow();
        Error::all(keys.into_iter().filter(|(file, key)| !used.contains(&((*file).to_owned(), key.clone()))).map(
            |(file, key)| {
                let message = format!("applies to none of {}", versions.join(", "));
                Error::new(file, key, message, "remove it, or correct its key")
            },
        ))
    }
}

impl Erratum {
    /// What tells it apart from others, for one revision.
    pub fn key(&self, revision: &str) -> String {
        format!("{revision} {}", self.pointer)
    }
}

impl MethodType {
    /// What tells it apart from others.
    pub fn key(&self, table: &str) -> String {
        format!("{table} {} {}", self.method, self.ty)
    }
}

impl CapabilityRule {
    /// What tells it apart from others.
    pub fn key(&self) -> String {
        let when = self.when.as_ref().map_or_else(String::new, |when| {
            format!(" when {}={}", when.member, when.equals.as_deref().unwrap_or("*"))
        });
        format!("capability {} {:?} {}{when}", self.method, self.sender, self.path)
    }
}

impl Precedence {
    /// What tells it apart from others.
    pub fn key(&self) -> String {
        format!("precedence {}", self.order.join(" > "))
    }
}

fn toml<T: DeserializeOwned>(file: &str, text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        Error::new(format!("schema/{file}"), "#", format!("not as expected: {}", error.to_string().trim_end()), "")
    })
}
