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
        for (change, names) in shared {
            text.push_str(&format!("\n{} types\n", names.len()));
            tell(&mut text, change);
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
        for (change, types) in shared {
            page.push_str(&format!("\n### {} types\n\n", types.len()));
            page.push_str(&format!("{}.\n\n", names(&mut types.into_iter())));
            tell(&mut page, change);
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
    /// What is told of once, and the types that it is about.
    shared: Vec<(&'d Change, Vec<&'d str>)>,
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
        let mut shared: Vec<(&Change, Vec<&str>)> = Vec::new();
        for entry in entries.iter().filter(|_| are_types) {
            for change in entry.changes.iter().filter(|change| !is_name(&change.what)) {
                match shared.iter_mut().find(|(other, _)| *other == change) {
                    Some((_, names)) => names.push(&entry.name),
                    None => shared.push((change, vec![&entry.name])),
                }
            }
        }
        shared.retain(|(_, names)| names.len() >= SEVERAL);
        let own = |entry: &'d Entry| {
            let changes = entry.changes.iter().filter(|change| !shared.iter().any(|(other, _)| other == change));
            (entry, changes.collect::<Vec<_>>())
        };
        let entries = entries.into_iter().map(own).filter(|(_, changes)| !changes.is_empty()).collect();
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
    use super::*;

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
