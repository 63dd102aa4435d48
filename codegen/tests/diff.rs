//! What changed from one revision to another: small pairs word by word, and facts about our own revisions.
//!
//! `MCPRISM_UPDATE_GOLDEN=1 cargo test -p mcprism-codegen --test diff` writes the expected files afresh;
//! what changed is then for the reader of the diff to judge.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mcprism_codegen::bridge::Rules;
use mcprism_codegen::decisions::revisions;
use mcprism_codegen::diff::{Change, Class, Diff, Kind, Renames, diff};
use mcprism_codegen::model::Revision;
use mcprism_codegen::{DecisionTexts, Decisions, Source, whole};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pairs of small schemas, which the bridges have, too.
fn cases() -> Vec<PathBuf> {
    let folder = root().join("tests/bridge-rules");
    let entries = fs::read_dir(folder).expect("the folder of cases is there");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    cases.retain(|path| path.is_dir());
    cases.sort();
    cases
}

fn small(case: &Path) -> [Revision; 2] {
    ["old", "new"].map(|name| {
        let decisions = Decisions::read(&DecisionTexts::default(), false).expect("nothing is decided");
        let text = read(&case.join(format!("{name}.json")));
        whole(&Source { version: name.to_owned(), text, era: None }, &decisions).expect("each case has a model")
    })
}

fn small_renames(case: &Path) -> Renames {
    Rules::read("old..new", &read(&case.join("rules.toml"))).map(|rules| Renames::of(&rules)).unwrap_or_default()
}

/// Our own revisions, oldest first.
fn ours() -> Vec<Revision> {
    let schema = root().join("schema");
    let file = |name: &str| read(&schema.join(name));
    let texts = DecisionTexts {
        errata: file("errata.toml"),
        methods: file("methods.toml"),
        unions: file("unions.toml"),
        docs: file("docs.toml"),
    };
    let decisions = Decisions::read(&texts, true).expect("our decisions are well formed");
    let entries = revisions(&file("revisions.toml")).expect("our revisions are well formed");
    let source = |version: &String, era| Source {
        version: version.clone(),
        text: file(&format!("{version}/schema.json")),
        era: Some(era),
    };
    entries.iter().map(|(version, entry)| whole(&source(version, entry.era), &decisions).expect("a model")).collect()
}

fn our_renames(older: &Revision, newer: &Revision) -> Renames {
    let pair = format!("{}..{}", older.version, newer.version);
    let text = read(&root().join(format!("schema/bridges/{pair}.toml")));
    Renames::of(&Rules::read(&pair, &text).expect("our rules are well formed"))
}

fn changes(found: &Diff) -> impl Iterator<Item = &Change> {
    let types = found.types.iter().flat_map(|ty| &ty.changes);
    found.facts.iter().chain(found.methods.iter().flat_map(|method| &method.changes)).chain(types)
}

/// The change of a member of a type.
fn member<'d>(found: &'d Diff, ty: &str, member: &str) -> Option<&'d Change> {
    let ty = found.types.iter().find(|diff| diff.name == ty)?;
    ty.changes.iter().find(|change| change.at == member)
}

fn method<'d>(found: &'d Diff, name: &str) -> Vec<&'d Change> {
    let method = found.methods.iter().find(|method| method.name == name);
    method.map(|method| method.changes.iter().collect()).unwrap_or_default()
}

#[test]
fn each_pair_gives_what_is_expected() {
    let update = std::env::var_os("MCPRISM_UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let mut faults = Vec::new();
    let cases = cases();
    assert!(cases.len() > 20, "only {} cases", cases.len());
    for case in &cases {
        let [old, new] = small(case);
        let found = serde_json::to_string_pretty(&diff(&old, &new, &small_renames(case))).expect("it is data") + "\n";
        let path = case.join("diff.json");
        if update {
            fs::write(&path, &found).expect("the folder of a case can be written");
        } else if fs::read_to_string(&path).ok().as_ref() != Some(&found) {
            faults.push(format!("{}:\n{found}", case.display()));
        }
    }
    assert!(faults.is_empty(), "{} of {} cases differ\n\n{}", faults.len(), cases.len(), faults.join("\n\n"));
}

#[test]
fn every_kind_of_change_has_a_case() {
    let mut found = BTreeSet::new();
    let ours = ours();
    for pair in ours.windows(2) {
        let renames = our_renames(&pair[0], &pair[1]);
        found.extend(changes(&diff(&pair[0], &pair[1], &renames)).map(|change| change.kind));
        found.extend(changes(&diff(&pair[1], &pair[0], &Renames::default())).map(|change| change.kind));
    }
    for case in cases() {
        let [old, new] = small(&case);
        for (a, b) in [(&old, &new), (&new, &old)] {
            found.extend(changes(&diff(a, b, &small_renames(&case))).map(|change| change.kind));
        }
    }
    let missing: Vec<Kind> = Kind::all().filter(|kind| !found.contains(kind)).collect();
    // A result that is another type has not happened; nor have any of these been left out otherwise.
    assert_eq!(missing, [Kind::ResultChanged]);
}

#[test]
fn a_revision_does_not_differ_from_itself() {
    for revision in ours() {
        let found = diff(&revision, &revision, &Renames::default());
        assert!(found.is_empty(), "{}: {found:?}", revision.version);
        assert!(found.counts.values().all(|count| *count == 0));
    }
}

#[test]
fn what_comes_one_way_goes_the_other() {
    let ours = ours();
    for (at, older) in ours.iter().enumerate() {
        for newer in &ours[at + 1..] {
            let (up, down) = (diff(older, newer, &Renames::default()), diff(newer, older, &Renames::default()));
            let pick = |found: &Diff, kinds: &[Kind]| -> BTreeSet<(String, String)> {
                let types = found.types.iter().map(|ty| (&ty.name, &ty.changes));
                let methods = found.methods.iter().map(|method| (&method.name, &method.changes));
                let all =
                    types.chain(methods).flat_map(|(name, changes)| changes.iter().map(move |change| (name, change)));
                all.filter(|(_, change)| kinds.contains(&change.kind))
                    .map(|(name, change)| (name.clone(), change.at.clone()))
                    .collect()
            };
            let pairs: [(&[Kind], &[Kind]); 6] = [
                (&[Kind::MethodAdded], &[Kind::MethodRemoved]),
                (&[Kind::TypeAdded], &[Kind::TypeRemoved]),
                (
                    &[Kind::OptionalMemberAdded, Kind::RequiredMemberAdded],
                    &[Kind::OptionalMemberRemoved, Kind::RequiredMemberRemoved],
                ),
                (&[Kind::MemberRequired], &[Kind::MemberOptional]),
                (&[Kind::VariantAdded], &[Kind::VariantRemoved]),
                (&[Kind::SenderAdded], &[Kind::SenderRemoved]),
            ];
            for (forth, back) in pairs {
                assert_eq!(pick(&up, forth), pick(&down, back), "{} and {}", older.version, newer.version);
                assert_eq!(pick(&down, forth), pick(&up, back), "{} and {}", older.version, newer.version);
            }
        }
    }
}

#[test]
fn what_is_known_of_our_revisions_is_found() {
    let ours = ours();
    let [second, third, fourth, fifth] = [1, 2, 3, 4].map(|at| &ours[at]);

    let found = diff(second, third, &our_renames(second, third));
    assert_eq!(method(&found, "elicitation/create")[0].kind, Kind::MethodAdded);
    assert!(found.methods[0].types.contains(&"ElicitResult".to_owned()));
    let reference = found.types.iter().find(|ty| ty.name == "ResourceTemplateReference").expect("it was renamed");
    assert_eq!(reference.was.as_deref(), Some("ResourceReference"));
    assert_eq!(reference.changes.len(), 1);
    let structured = member(&found, "CallToolResult", "structuredContent").expect("it is new");
    assert_eq!((structured.class, structured.kind), (Class::Additive, Kind::OptionalMemberAdded));
    assert_eq!((structured.server.as_str(), structured.client.as_str()), ("May send it.", "May find it."));
    assert_eq!(
        member(&found, "ContentBlock", "ResourceLink").map(|change| change.class),
        Some(Class::BreakingOnDecode)
    );
    assert_eq!(found.facts.iter().map(|fact| fact.at.as_str()).collect::<Vec<_>>(), ["batches"]);

    let found = diff(third, fourth, &our_renames(third, fourth));
    let cancelled = member(&found, "CancelledNotificationParams", "requestId").expect("it became optional");
    assert_eq!((cancelled.class, cancelled.kind), (Class::BreakingOnDecode, Kind::MemberOptional));
    // The base type of all requests has had it all along.
    assert!(member(&found, "CallToolRequestParams", "_meta").is_none());
    let task: Vec<Kind> = method(&found, "tools/call").iter().map(|change| change.kind).collect();
    assert_eq!(task, [Kind::AlternativeAdded, Kind::CapabilityAdded]);

    let found = diff(fourth, fifth, &our_renames(fourth, fifth));
    assert_eq!(method(&found, "initialize")[0].class, Class::BreakingOnEncode);
    assert_eq!(method(&found, "server/discover")[0].class, Class::Additive);
    let meta = member(&found, "CallToolRequestParams", "_meta").expect("it is required");
    assert_eq!((meta.kind, meta.class), (Kind::MemberRequired, Class::BreakingOnEncode));
    let result_type = member(&found, "CallToolResult", "resultType").expect("it is new");
    assert_eq!(result_type.kind, Kind::RequiredMemberAdded);
    assert_eq!(result_type.server, "Has to send it.");
    // Another name for any object is no change.
    assert!(member(&found, "Tool", "_meta").is_none());
    assert!(!found.types.iter().any(|ty| ty.name == "TextContent"), "nothing in it changed but an alias");
}
