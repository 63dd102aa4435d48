//! Tasks, which are in 2025-11-25 only: how they begin, whose result it is, and how they are not cancelled.
//!
//! Pages: `basic/utilities/tasks` and `basic/utilities/cancellation`.

use mcprism_types::Reader;

use super::judge::{Judge, Place, member, string};
use super::table::{CANCELLED, TASK_RELATED, TASK_WORKING};

const RELATED: &str = "io.modelcontextprotocol/related-task";

/// Judges a result that may be a new task. One with all that the method's own result needs isn't.
pub(super) fn created(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    if ["content", "action"].iter().any(|name| member(reader, name).is_some()) {
        return;
    }
    let status = member(reader, "task").and_then(|task| string(&task, "status"));
    if status.is_some_and(|status| status != "working") {
        judge.breaks(&TASK_WORKING, &place.name("task").name("status"));
    }
}

/// Judges what `tasks/result` results in: nothing else in it says which task it was.
pub(super) fn payload(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    let related = member(reader, "_meta").and_then(|meta| member(&meta, RELATED));
    if related.and_then(|related| string(&related, "taskId")).is_none() {
        judge.breaks(&TASK_RELATED, &place.name("_meta").name(RELATED));
    }
}

/// Judges a cancellation: without the id it could only be meant for a task, which has its own way.
pub(super) fn cancelled(judge: &mut Judge, reader: &Reader<'_>, place: &Place<'_>) {
    if member(reader, "requestId").is_none() {
        judge.breaks(&CANCELLED, &place.name("requestId"));
    }
}
