//! What the comparison of revisions finds: in small pairs of schemas, and between our own.
//!
//! `MCPRISM_UPDATE_GOLDEN=1 cargo test -p mcprism-codegen --test diff` writes the expected files
//! afresh; what changed is then for the reader of the diff to judge.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use mcprism_codegen::diff::{Change, Class, Difference, Entry, Presence, Renames, What, diff};
use mcprism_codegen::model::{Era, MethodKind, Revision, Sender};
use mcprism_codegen::{DecisionTexts, Decisions, Source, decisions, model};

fn workspace(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn decided(strict: bool) -> Decisions {
    let file = |file: &str| read(&workspace("schema").join(file));
    let texts = DecisionTexts {
        errata: file("errata.toml"),
        methods: file("methods.toml"),
        unions: file("unions.toml"),
        docs: file("docs.toml"),
    };
    Decisions::read(&texts, strict).unwrap_or_else(|error| panic!("{error}"))
}

fn modelled(version: &str, text: String, era: Option<Era>, decisions: &Decisions) -> Revision {
    let source = Source { version: version.to_owned(), text, era };
    model(&source, decisions, None).unwrap_or_else(|error| panic!("{error}")).revision
}

/// Our revisions, the oldest first.
fn ours() -> Vec<Revision> {
    let decisions = decided(true);
    let entries = decisions::revisions(&read(&workspace("schema/revisions.toml"))).expect("revisions.toml is read");
    let revision = |(version, entry): (&String, &decisions::RevisionEntry)| {
        let text = read(&workspace(&format!("schema/{version}/schema.json")));
        modelled(version, text, Some(entry.era), &decisions)
    };
    entries.iter().map(revision).collect()
}

/// The difference of two of ours.
fn between(old: &str, new: &str, renames: &Renames) -> Difference {
    let ours = ours();
    let of = |version: &str| ours.iter().find(|revision| revision.version == version).expect("a revision of ours");
    diff(of(old), of(new), renames)
}

fn entry<'d>(entries: &'d [Entry], name: &str) -> &'d Entry {
    entries.iter().find(|entry| entry.name == name).unwrap_or_else(|| panic!("nothing on {name}"))
}

/// The one change of an entry that is meant.
fn change<'d>(entries: &'d [Entry], name: &str, is_meant: impl Fn(&What) -> bool) -> &'d Change {
    let found: Vec<_> = entry(entries, name).changes.iter().filter(|change| is_meant(&change.what)).collect();
    assert_eq!(found.len(), 1, "{name}: {found:#?}");
    found[0]
}

/// The cases: a folder each, with two schemas and what is to come of them.
fn cases() -> Vec<(String, PathBuf, Difference, Difference)> {
    let folders = std::fs::read_dir(workspace("tests/diffs")).expect("tests/diffs is in the repository");
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.expect("it can be listed").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    let case = |folder: PathBuf| {
        let methods = folder.join("methods.toml");
        let methods = if methods.exists() { read(&methods) } else { String::new() };
        let texts = DecisionTexts { methods, ..DecisionTexts::default() };
        let decisions = Decisions::read(&texts, false).unwrap_or_else(|error| panic!("{error}"));
        let revision = |name: &str| modelled(name, read(&folder.join(format!("{name}.json"))), None, &decisions);
        let renames = folder.join("renames.toml");
        let renames = match renames.exists() {
            true => Renames::read("renames.toml", &read(&renames)).unwrap_or_else(|error| panic!("{error}")),
            false => Renames::default(),
        };
        let (old, new) = (revision("old"), revision("new"));
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (name, folder, diff(&old, &new, &renames), diff(&new, &old, &renames.reversed()))
    };
    folders.into_iter().map(case).collect()
}

#[test]
fn each_pair_of_schemas_differs_as_expected() {
    let update = std::env::var_os("MCPRISM_UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let cases = cases();
    assert!(!cases.is_empty(), "no cases");
    let mut faults = Vec::new();
    for (name, folder, there, _) in &cases {
        let found = serde_json::to_string_pretty(there).expect("it is plain data") + "\n";
        let path = folder.join("expected.json");
        if update {
            std::fs::write(&path, found).expect("the folder of a case can be written");
        } else if read(&path) != found {
            faults.push(format!("{name}: found\n{found}"));
        }
    }
    let advice = "if that is right: MCPRISM_UPDATE_GOLDEN=1 cargo test -p mcprism-codegen --test diff";
    assert!(faults.is_empty(), "{}\n\n{advice}\n", faults.join("\n\n"));
}

#[test]
fn the_cases_have_each_kind_of_change_and_each_class() {
    let differences: Vec<Difference> = cases().into_iter().flat_map(|(_, _, there, back)| [there, back]).collect();
    let all = || differences.iter().flat_map(Difference::changes);
    let classes: BTreeSet<Class> = all().map(|change| change.class).collect();
    assert_eq!(classes, Class::ALL.into());
    let kind = |change: &Change| serde_json::to_value(&change.what).expect("it is plain data")["what"].to_string();
    let mut kinds: BTreeSet<String> = all().map(kind).collect();
    // A schema alone says nothing of eras; our own revisions have that.
    kinds.insert("\"era\"".to_owned());
    assert_eq!(kinds.len(), 30, "{kinds:#?}");
}

#[test]
fn the_way_back_has_the_same_changes_the_other_way_round() {
    for (name, _, there, back) in cases() {
        assert_mirrored(&name, &there, &back);
    }
    let ours = ours();
    for old in &ours {
        for new in &ours {
            let renames = Renames::default();
            let name = format!("{}..{}", old.version, new.version);
            assert_mirrored(&name, &diff(old, new, &renames), &diff(new, old, &renames));
        }
    }
}

fn assert_mirrored(name: &str, there: &Difference, back: &Difference) {
    // A renamed type stands under its new name, which is another one on the way back.
    let name_of = |entry: &Entry| {
        let is_renamed = entry.changes.iter().any(|change| matches!(change.what, What::TypeRenamed { .. }));
        if is_renamed { String::new() } else { entry.name.clone() }
    };
    let changes = |difference: &Difference, turn: bool| -> BTreeMap<String, usize> {
        let entries = difference.methods.iter().chain(&difference.types);
        let named = entries.flat_map(|entry| entry.changes.iter().map(move |change| (name_of(entry), change)));
        let facts = difference.facts.iter().map(|change| (String::new(), change));
        let mut all = BTreeMap::new();
        for (name, change) in facts.chain(named) {
            let what = match if turn { turned(&change.what) } else { change.what.clone() } {
                What::TypeRenamed { .. } => "renamed".to_owned(),
                what => format!("{what:?}"),
            };
            *all.entry(format!("{name} {what}")).or_default() += 1;
        }
        all
    };
    assert_eq!(changes(there, false), changes(back, true), "{name}");
    let types = |difference: &Difference| -> BTreeMap<String, Vec<String>> {
        difference.methods.iter().map(|entry| (entry.name.clone(), entry.types.clone())).collect()
    };
    assert_eq!(types(there), types(back), "{name}");
}

/// The same change, seen from the other revision.
fn turned(what: &What) -> What {
    let what = what.clone();
    match what {
        What::Era { old, new } => What::Era { old: new, new: old },
        What::Batches { allowed } => What::Batches { allowed: !allowed },
        What::ErrorsWithoutId { allowed } => What::ErrorsWithoutId { allowed: !allowed },
        What::MethodAdded { travels } => What::MethodRemoved { travels },
        What::MethodRemoved { travels } => What::MethodAdded { travels },
        What::Sender { old, new } => What::Sender { old: new, new: old },
        What::Travels { old, new } => What::Travels { old: new, new: old },
        What::ParamsPresence { required } => What::ParamsPresence { required: !required },
        What::Params { old, new } => What::Params { old: new, new: old },
        What::Result { old, new } => What::Result { old: new, new: old },
        What::AlternativeAdded { ty } => What::AlternativeRemoved { ty },
        What::AlternativeRemoved { ty } => What::AlternativeAdded { ty },
        What::CapabilityAdded { capability } => What::CapabilityRemoved { capability },
        What::CapabilityRemoved { capability } => What::CapabilityAdded { capability },
        What::TypeAdded { ty } => What::TypeRemoved { ty },
        What::TypeRemoved { ty } => What::TypeAdded { ty },
        What::TypeRenamed { old } => What::TypeRenamed { old },
        What::Type { old, new } => What::Type { old: new, new: old },
        What::MemberAdded { member, ty, required } => What::MemberRemoved { member, ty, required },
        What::MemberRemoved { member, ty, required } => What::MemberAdded { member, ty, required },
        What::MemberType { member, old, new } => What::MemberType { member, old: new, new: old },
        What::MemberPresence { member, old, new } => What::MemberPresence { member, old: new, new: old },
        What::ValueAdded { value } => What::ValueRemoved { value },
        What::ValueRemoved { value } => What::ValueAdded { value },
        What::ArmAdded { ty } => What::ArmRemoved { ty },
        What::ArmRemoved { ty } => What::ArmAdded { ty },
        What::ArmType { old, new } => What::ArmType { old: new, new: old },
        What::Closed => What::Opened,
        What::Opened => What::Closed,
        What::OtherMembers { old, new } => What::OtherMembers { old: new, new: old },
    }
}

#[test]
fn a_revision_does_not_differ_from_itself() {
    for revision in ours() {
        let difference = diff(&revision, &revision, &Renames::default());
        assert!(difference.is_empty(), "{}: {difference:#?}", revision.version);
        assert!(difference.counts.values().all(|count| *count == 0));
    }
}

#[test]
fn an_empty_sentence_is_for_a_side_that_has_nothing_to_do_with_it() {
    for (old, new) in [("2025-03-26", "2025-06-18"), ("2025-11-25", "2026-07-28")] {
        let difference = between(old, new, &Renames::default());
        for entry in difference.types.iter().filter(|entry| entry.sent_by.is_some()) {
            for change in &entry.changes {
                let is_name =
                    matches!(change.what, What::TypeAdded { .. } | What::TypeRemoved { .. } | What::TypeRenamed { .. });
                assert_eq!(change.server.is_empty(), is_name, "{}: {change:?}", entry.name);
                assert_eq!(change.client.is_empty(), is_name, "{}: {change:?}", entry.name);
            }
        }
        for entry in difference.types.iter().filter(|entry| entry.sent_by.is_none()) {
            assert!(entry.changes.iter().all(|change| change.server.is_empty() && change.client.is_empty()));
        }
    }
}

#[test]
fn from_2025_03_26_to_2025_06_18() {
    let renamed = [("ResourceReference", "ResourceTemplateReference"), ("Gone", "Tool")];
    let renames = Renames(renamed.map(|(old, new)| (old.to_owned(), new.to_owned())).into());
    let difference = between("2025-03-26", "2025-06-18", &renames);
    let elicitation = entry(&difference.methods, "elicitation/create");
    assert_eq!(elicitation.sent_by, Some(Sender::Server));
    assert_eq!(elicitation.changes[0].what, What::MethodAdded { travels: MethodKind::Request });
    assert_eq!(elicitation.changes[0].class, Class::Additive);
    for name in ["ElicitRequest", "ElicitRequestParams", "ElicitResult"] {
        assert!(elicitation.types.iter().any(|ty| ty == name), "{name}");
        assert!(!difference.types.iter().any(|entry| entry.name == name), "{name}");
    }
    // The same members under another name: no more than that is said, there or where it is used.
    let reference = entry(&difference.types, "ResourceTemplateReference");
    assert_eq!(reference.changes.len(), 1);
    assert_eq!(reference.changes[0].what, What::TypeRenamed { old: "ResourceReference".to_owned() });
    assert!(!difference.types.iter().any(|entry| entry.name == "ResourceReference"));
    let structured = change(&difference.types, "CallToolResult", |_| true);
    let (member, ty) = ("structuredContent".to_owned(), "object".to_owned());
    assert_eq!(structured.what, What::MemberAdded { member, ty, required: false });
    assert_eq!(structured.class, Class::Additive);
    assert_eq!(structured.server, "A server may send it.");
    assert_eq!(structured.client, "A client that doesn't know it passes over it.");
    assert_eq!(difference.facts[0].what, What::Batches { allowed: false });
    assert_eq!(difference.facts[0].class, Class::BreakingOnEncode);
}

#[test]
fn from_2025_06_18_to_2025_11_25() {
    let difference = between("2025-06-18", "2025-11-25", &Renames::default());
    let is_id = |what: &What| matches!(what, What::MemberPresence { member, .. } if member == "requestId");
    let id = change(&difference.types, "CancelledNotificationParams", is_id);
    assert_eq!(id.class, Class::BreakingOnDecode);
    let (old, new) = (Presence { required: true, nullable: false }, Presence { required: false, nullable: false });
    assert_eq!(id.what, What::MemberPresence { member: "requestId".to_owned(), old, new });
    assert_eq!(id.server, "A server that insists on it refuses messages without it.");
}

#[test]
fn from_2025_11_25_to_2026_07_28() {
    let difference = between("2025-11-25", "2026-07-28", &Renames::default());
    assert!(matches!(difference.facts[0].what, What::Era { old: Era::Legacy, new: Era::Modern }));
    let initialize = change(&difference.methods, "initialize", |_| true);
    assert_eq!(initialize.what, What::MethodRemoved { travels: MethodKind::Request });
    assert_eq!(initialize.class, Class::BreakingOnEncode);
    assert_eq!(initialize.client, "A client that still sends it gets an error.");
    let discover = change(&difference.methods, "server/discover", |_| true);
    assert_eq!(discover.what, What::MethodAdded { travels: MethodKind::Request });
    let is_meta =
        |what: &What| matches!(what, What::MemberPresence { member, new, .. } if member == "_meta" && new.required);
    let meta = change(&difference.types, "CallToolRequestParams", is_meta);
    assert_eq!(meta.class, Class::BreakingOnEncode);
    assert_eq!(meta.client, "A client that leaves it out is refused.");
    let is_result_type =
        |what: &What| matches!(what, What::MemberAdded { member, required: true, .. } if member == "resultType");
    let result_type = change(&difference.types, "CallToolResult", is_result_type);
    assert_eq!(result_type.class, Class::BreakingOnEncode);
    assert_eq!(result_type.server, "A server that leaves it out is refused.");
    // What went with a member of a type that stays did not go with a method.
    assert!(!entry(&difference.methods, "initialize").types.iter().any(|name| name == "ClientCapabilitiesTasks"));
    assert!(difference.types.iter().any(|entry| entry.name == "ClientCapabilitiesTasks"));
}

#[test]
fn a_type_that_only_got_an_alias_has_not_changed() {
    let difference = between("2025-11-25", "2026-07-28", &Renames::default());
    // Their `_meta`, an object, is called MetaObject now.
    for name in ["AudioContent", "TextContent", "ImageContent", "EmbeddedResource", "Prompt", "Resource", "Root"] {
        assert!(!difference.types.iter().any(|entry| entry.name == name), "{name}");
    }
}

#[test]
fn a_draft_can_be_compared() {
    let ours = ours();
    let text = read(&workspace("schema/2026-07-28/schema.json"));
    let draft = modelled("draft", text, None, &decided(false));
    let newest = ours.last().expect("there are revisions");
    let difference = diff(newest, &draft, &Renames::default());
    assert!(difference.types.is_empty(), "{:#?}", difference.types);
    assert!(difference.facts.is_empty(), "{:#?}", difference.facts);
}
