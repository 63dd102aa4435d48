//! Writes a difference as text and as Markdown.

use mcprism_codegen::diff::{Change, Class, Difference, Entry, What, sender};

/// In how many types a change has to be found to be told of once for all of them.
const SEVERAL: usize = 3;

/// For the terminal.
pub fn text(difference: &Difference) -> String {
    if difference.is_empty() {
        return "no differences\n".to_owned();
    }
    let mut text = format!("{} → {}\n\n", difference.old, difference.new);
    for (class, count) in counts(difference) {
        text.push_str(&format!("{count:>5}  {class}\n"));
    }
    let tell = |text: &mut String, change: &Change| {
        text.push_str(&format!("  {}  [{}]\n", change.what.describe(&str::to_owned), change.class));
        for (side, meaning) in meanings(change) {
            text.push_str(&format!("      {side}: {meaning}\n"));
        }
    };
    if !difference.facts.is_empty() {
        text.push_str("\nTHE REVISION\n\n");
        difference.facts.iter().for_each(|change| tell(&mut text, change));
    }
    for Section { title, shared, entries } in sections(difference) {
        text.push_str(&format!("\n{}\n", title.to_uppercase()));
        for (names, changes) in shared {
            text.push_str(&format!("\n{} types\n", names.len()));
            changes.into_iter().for_each(|change| tell(&mut text, change));
            text.push_str(&format!("  in: {}\n", names.join(", ")));
        }
        for (entry, changes) in entries {
            let by = entry.sent_by.map_or_else(String::new, |by| format!(", sent by {}", sender(by)));
            text.push_str(&format!("\n{}{by}\n", entry.name));
            changes.into_iter().for_each(|change| tell(&mut text, change));
            if !entry.types.is_empty() {
                text.push_str(&format!("  with it: {}\n", entry.types.join(", ")));
            }
        }
    }
    text
}

/// For a page.
pub fn markdown(difference: &Difference) -> String {
    let mut page = format!("# From {} to {}\n", escaped(&difference.old), escaped(&difference.new));
    if difference.is_empty() {
        return page + "\nThere are no differences.\n";
    }
    page.push_str("\n| class | changes |\n|---|---:|\n");
    for (class, count) in counts(difference) {
        page.push_str(&format!("| {class} | {count} |\n"));
    }
    let tell = |page: &mut String, change: &Change| {
        page.push_str(&format!("- **{}**: {}\n", change.class, change.what.describe(&code)));
        for (side, meaning) in meanings(change) {
            page.push_str(&format!("  - {side}: {meaning}\n"));
        }
    };
    let names = |names: &mut dyn Iterator<Item = &str>| names.map(code).collect::<Vec<_>>().join(", ");
    if !difference.facts.is_empty() {
        page.push_str("\n## The revision\n\n");
        difference.facts.iter().for_each(|change| tell(&mut page, change));
    }
    for Section { title, shared, entries } in sections(difference) {
        page.push_str(&format!("\n## {title}\n"));
        for (types, changes) in shared {
            page.push_str(&format!("\n### {} types\n\n", types.len()));
            page.push_str(&format!("{}.\n\n", names(&mut types.into_iter())));
            changes.into_iter().for_each(|change| tell(&mut page, change));
        }
        for (entry, changes) in entries {
            page.push_str(&format!("\n### {}\n\n", code(&entry.name)));
            if let Some(by) = entry.sent_by {
                page.push_str(&format!("Sent by {}.\n\n", sender(by)));
            }
            changes.into_iter().for_each(|change| tell(&mut page, change));
            if !entry.types.is_empty() {
                page.push_str(&format!("- with it: {}\n", names(&mut entry.types.iter().map(String::as_str))));
            }
        }
    }
    page
}

/// How many changes there are of each class, the heaviest first.
fn counts(difference: &Difference) -> impl Iterator<Item = (Class, usize)> {
    let count = |class| difference.counts.get(&class).copied().unwrap_or_default();
    Class::ALL.into_iter().map(move |class| (class, count(class)))
}

/// A part of the document.
struct Section<'d> {
    title: &'static str,
    /// Several types, and what is told of once for all of them.
    shared: Vec<(Vec<&'d str>, Vec<&'d Change>)>,
    /// What is told of each method or type.
    entries: Vec<(&'d Entry, Vec<&'d Change>)>,
}

/// The parts that are not empty: methods, types, and what only the schema has.
fn sections(difference: &Difference) -> impl Iterator<Item = Section<'_>> {
    let (carried, others) = difference.types.iter().partition(|entry| entry.sent_by.is_some());
    let parts: [(&str, Vec<&Entry>, bool); 3] = [
        ("Methods", difference.methods.iter().collect(), false),
        ("Types", carried, true),
        ("Types that no message has", others, true),
    ];
    let sections = parts.map(|(title, entries, are_types)| Section::of(title, entries, are_types));
    sections.into_iter().filter(|section| !section.entries.is_empty() || !section.shared.is_empty())
}

impl<'d> Section<'d> {
    /// A section in which the same change of several types is told of once.
    fn of(title: &'static str, entries: Vec<&'d Entry>, are_types: bool) -> Self {
        let mut found: Vec<(&Change, Vec<&str>)> = Vec::new();
        for entry in entries.iter().filter(|_| are_types) {
            for change in entry.changes.iter().filter(|change| !is_name(&change.what)) {
                match found.iter_mut().find(|(other, _)| *other == change) {
                    Some((_, names)) => names.push(&entry.name),
                    None => found.push((change, vec![&entry.name])),
                }
            }
        }
        found.retain(|(_, names)| names.len() >= SEVERAL);
        let own = |entry: &'d Entry| {
            let changes = entry.changes.iter().filter(|change| !found.iter().any(|(other, _)| other == change));
            (entry, changes.collect::<Vec<_>>())
        };
        let entries = entries.into_iter().map(own).filter(|(_, changes)| !changes.is_empty()).collect();
        let mut shared: Vec<(Vec<&str>, Vec<&Change>)> = Vec::new();
        for (change, names) in found {
            match shared.iter_mut().find(|(others, _)| *others == names) {
                Some((_, changes)) => changes.push(change),
                None => shared.push((names, vec![change])),
            }
        }
        Self { title, shared, entries }
    }
}

/// Whether it is about a type as a whole, which has a place of its own.
fn is_name(what: &What) -> bool {
    matches!(what, What::TypeAdded { .. } | What::TypeRemoved { .. } | What::TypeRenamed { .. })
}

fn meanings(change: &Change) -> impl Iterator<Item = (&'static str, &str)> {
    let sides = [("server", change.server.as_str()), ("client", change.client.as_str())];
    sides.into_iter().filter(|(_, meaning)| !meaning.is_empty())
}

/// Text as code: fenced with more backticks than stand in a row inside, so that all else stays as it is.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let gap = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{gap}{text}{gap}{fence}")
}

/// Text outside of code.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.replace(['\n', '\r'], " ").chars() {
        if matches!(letter, '\\' | '`' | '*' | '_' | '|' | '<' | '>' | '[' | ']' | '#' | '&') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use mcprism_codegen::model::Sender;

    use super::*;

    /// Three types with a new member, of which one has lost another.
    fn difference() -> Difference {
        let member = |what: What, class: Class| Change {
            what,
            class,
            server: "A server may send it.".to_owned(),
            client: String::new(),
        };
        let added = What::MemberAdded { member: "a".to_owned(), ty: "string | null".to_owned(), required: false };
        let removed = What::MemberRemoved { member: "b".to_owned(), ty: "any".to_owned(), required: true };
        let types = ["One", "Three", "Two"].map(|name| {
            let mut changes = vec![member(added.clone(), Class::Additive)];
            if name == "Two" {
                changes.push(member(removed.clone(), Class::BreakingOnDecode));
            }
            Entry { name: name.to_owned(), sent_by: Some(Sender::Server), changes, types: Vec::new() }
        });
        Difference {
            old: "1".to_owned(),
            new: "2_x".to_owned(),
            counts: [(Class::Additive, 3), (Class::BreakingOnDecode, 1)].into(),
            facts: Vec::new(),
            methods: Vec::new(),
            types: types.into(),
        }
    }

    #[test]
    fn what_several_types_share_is_told_of_once() {
        let expected = "1 → 2_x\n\n    0  breaking on encode\n    1  breaking on decode\n    0  tightening\n    0  loosening\n    3  additive\n\n\
             TYPES\n\n\
             3 types\n  new optional member a: string | null  [additive]\n      server: A server may send it.\n  in: One, Three, Two\n\n\
             Two, sent by the server\n  required member b is gone: any  [breaking on decode]\n      server: A server may send it.\n";
        assert_eq!(text(&difference()), expected);
    }

    #[test]
    fn a_page_has_headings_and_lists() {
        let page = markdown(&difference());
        for line in [
            "# From 1 to 2\\_x",
            "| breaking on decode | 1 |",
            "## Types",
            "### 3 types",
            "`One`, `Three`, `Two`.",
            "- **additive**: new optional member `a`: `string | null`",
            "  - server: A server may send it.",
            "### `Two`",
            "Sent by the server.",
        ] {
            assert!(page.lines().any(|other| other == line), "no line {line} in\n{page}");
        }
    }

    #[test]
    fn code_is_fenced_with_more_backticks_than_it_has() {
        assert_eq!(code("string | null"), "`string | null`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a``"), "``` `a`` ```");
        assert_eq!(code("a\nb"), "`a b`");
    }

    #[test]
    fn what_means_something_to_markdown_is_escaped() {
        assert_eq!(escaped("2025-11-25"), "2025-11-25");
        assert_eq!(escaped("my_draft|`x`"), "my\\_draft\\|\\`x\\`");
    }
}
