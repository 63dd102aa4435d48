//! Writes a difference as text and as Markdown.

use mcprism_codegen::diff::{Change, Class, Difference, Entry, sender};

/// For the terminal.
pub fn text(difference: &Difference) -> String {
    if difference.is_empty() {
        return "no differences\n".to_owned();
    }
    let mut text = format!("{} → {}\n\n", difference.old, difference.new);
    for (class, count) in counts(difference) {
        text.push_str(&format!("{count:>5}  {class}\n"));
    }
    let list = |text: &mut String, changes: &[Change]| {
        for change in changes {
            text.push_str(&format!("  {}  [{}]\n", change.what.describe(&str::to_owned), change.class));
            for (side, meaning) in meanings(change) {
                text.push_str(&format!("      {side}: {meaning}\n"));
            }
        }
    };
    if !difference.facts.is_empty() {
        text.push_str("\nTHE REVISION\n\n");
        list(&mut text, &difference.facts);
    }
    for (title, entries) in groups(difference) {
        text.push_str(&format!("\n{}\n", title.to_uppercase()));
        for entry in entries {
            let by = entry.sent_by.map_or_else(String::new, |by| format!(", sent by {}", sender(by)));
            text.push_str(&format!("\n{}{by}\n", entry.name));
            list(&mut text, &entry.changes);
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
    let list = |page: &mut String, changes: &[Change]| {
        for change in changes {
            page.push_str(&format!("- **{}**: {}\n", change.class, change.what.describe(&code)));
            for (side, meaning) in meanings(change) {
                page.push_str(&format!("  - {side}: {meaning}\n"));
            }
        }
    };
    if !difference.facts.is_empty() {
        page.push_str("\n## The revision\n\n");
        list(&mut page, &difference.facts);
    }
    for (title, entries) in groups(difference) {
        page.push_str(&format!("\n## {title}\n"));
        for entry in entries {
            page.push_str(&format!("\n### {}\n\n", code(&entry.name)));
            if let Some(by) = entry.sent_by {
                page.push_str(&format!("Sent by {}.\n\n", sender(by)));
            }
            list(&mut page, &entry.changes);
            if !entry.types.is_empty() {
                let types: Vec<String> = entry.types.iter().map(|name| code(name)).collect();
                page.push_str(&format!("- with it: {}\n", types.join(", ")));
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

/// The parts that have entries: methods, types, and what only the schema has.
fn groups(difference: &Difference) -> impl Iterator<Item = (&'static str, Vec<&Entry>)> {
    let (carried, others) = difference.types.iter().partition(|entry| entry.sent_by.is_some());
    let parts =
        [("Methods", difference.methods.iter().collect()), ("Types", carried), ("Types that no message has", others)];
    parts.into_iter().filter(|(_, entries): &(_, Vec<&Entry>)| !entries.is_empty())
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
