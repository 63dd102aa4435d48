//! Sampling: tool uses and their results in the messages, and values that are deprecated.
//!
//! Page: `client/sampling`. Tools are part of it since 2025-11-25. Since then `thisServer` and `allServers`
//! are deprecated too, in favour of no `includeContext` at all; they are for clients that declare
//! `sampling.context`, which a message alone doesn't show, so that this is advice. Before, they mean what
//! they say.

use std::collections::BTreeSet;

use mcprism_types::{Kind, Reader};

use super::judge::{Judge, Place, items, member, string};
use super::table::{INCLUDE_CONTEXT, ONLY_RESULTS, RESULT_ASKED, USE_ANSWERED};
use super::tools;

/// Judges the params of `sampling/createMessage`.
pub(super) fn params(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    if let Some(list) = member(reader, "messages") {
        messages(judge, &list, &place.name("messages"));
    }
    if matches!(string(reader, "includeContext").as_deref(), Some("thisServer" | "allServers")) {
        judge.breaks(&INCLUDE_CONTEXT, &place.name("includeContext"));
    }
    // These are for this one request, so they share no names with those of a server.
    if let (true, Some(list)) = (judge.has(&USE_ANSWERED), member(reader, "tools")) {
        let place = place.name("tools");
        items(&list, &mut |index, tool| tools::definition(judge, tool, &place.item(index)));
    }
}

/// What matters of a message.
#[derive(Default)]
struct Message {
    is_user: bool,
    /// The index of each block, if it stands in a list, and the id.
    uses: Vec<(Option<usize>, String)>,
    results: Vec<(Option<usize>, String)>,
    has_others: bool,
}

fn messages(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    if !judge.has(&USE_ANSWERED) {
        return;
    }
    let mut asked = BTreeSet::new();
    // The message before, if it is an assistant's.
    let mut before: Option<(usize, Message)> = None;
    items(reader, &mut |index, reader| {
        let message = message(reader);
        if let Some((asking, before)) = before.take() {
            let answers = message.is_user.then_some(&message);
            unanswered(judge, &before, answers, &place.item(asking));
        }
        let here = place.item(index);
        let content = here.name("content");
        if message.is_user && !message.results.is_empty() && message.has_others {
            judge.breaks(&ONLY_RESULTS, &content);
        }
        for (block, id) in &message.results {
            if !asked.contains(id) {
                at_block(&content, *block, &mut |place| judge.breaks(&RESULT_ASKED, place));
            }
        }
        if !message.is_user {
            asked.extend(message.uses.iter().map(|(_, id)| id.clone()));
            before = Some((index, message));
        }
    });
    if let Some((asking, before)) = before {
        unanswered(judge, &before, None, &place.item(asking));
    }
}

/// Judges the tool uses of a message by the one after it.
fn unanswered(judge: &mut Judge, message: &Message, answers: Option<&Message>, place: &Place<'_>) {
    let answered: BTreeSet<&str> =
        answers.iter().flat_map(|message| &message.results).map(|(_, id)| id.as_str()).collect();
    let content = place.name("content");
    for (block, id) in &message.uses {
        if !answered.contains(id.as_str()) {
            at_block(&content, *block, &mut |place| judge.breaks(&USE_ANSWERED, place));
        }
    }
}

/// The place of a block: an item of the content, or the content itself.
fn at_block(content: &Place<'_>, block: Option<usize>, found: &mut dyn FnMut(&Place<'_>)) {
    match block {
        Some(index) => found(&content.item(index)),
        None => found(content),
    }
}

fn message(reader: &Reader<'_>) -> Message {
    let mut message = Message { is_user: string(reader, "role").as_deref() == Some("user"), ..Message::default() };
    if let Some(mut content) = member(reader, "content") {
        match content.kind() {
            Ok(Kind::Array) => items(&content, &mut |index, block| message.take(Some(index), block)),
            _ => message.take(None, &content),
        }
    }
    message
}

impl Message {
    /// Notes a block.
    fn take(&mut self, index: Option<usize>, block: &Reader<'_>) {
        match string(block, "type").as_deref() {
            Some("tool_use") => {
                self.uses.push((index, string(block, "id").unwrap_or_default()));
                self.has_others = true;
            }
            Some("tool_result") => self.results.push((index, string(block, "toolUseId").unwrap_or_default())),
            _ => self.has_others = true,
        }
    }
}
