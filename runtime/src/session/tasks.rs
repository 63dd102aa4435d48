//! Requests that run as tasks: their states, and how long they are kept.

use serde_json::{Value, json};

use crate::jsonrpc::ErrorObject;
use crate::sorted::Sorted;

/// How long a task is kept if nobody says, in milliseconds: an hour.
const DEFAULT_TTL: u64 = 3_600_000;

/// How long a task is kept at most, in milliseconds: a day.
const MAX_TTL: u64 = 86_400_000;

/// How often to ask for the state of a task, in milliseconds.
const POLL: u64 = 1_000;

/// How many tasks a page of the list has.
const PAGE: usize = 100;

/// The tasks of one session.
///
/// Times are in milliseconds since 1970. Specification: `basic/utilities/tasks` of 2025-11-25.
#[derive(Debug)]
pub struct Tasks {
    tasks: Sorted<Entry>,
    /// How many there may be.
    limit: usize,
}

#[derive(Debug)]
struct Entry {
    task: Task,
    outcome: Option<Outcome>,
}

/// What a task came to: the text of the result, or an error.
pub type Outcome = Result<String, ErrorObject>;

/// The state of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It runs.
    Working,
    /// It waits for an answer of the requestor's.
    InputRequired,
    /// It has a result.
    Completed,
    /// It has an error, or a result that says so.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl Status {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::InputRequired => "input_required",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The status of this name.
    pub fn of(name: &str) -> Option<Self> {
        [Self::Working, Self::InputRequired, Self::Completed, Self::Failed, Self::Cancelled]
            .into_iter()
            .find(|status| status.as_str() == name)
    }

    /// Whether nothing follows it.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// A task, as it is told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub id: String,
    /// Its state.
    pub status: Status,
    /// A word on the state.
    pub message: Option<String>,
    /// When it was made.
    pub created: u64,
    /// When its state last changed.
    pub updated: u64,
    /// How long after it was made it may be forgotten.
    pub ttl: u64,
}

/// Why nothing is done about a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There is none of this name.
    Unknown,
    /// It is finished already.
    Finished(Status),
    /// There are as many as there may be.
    TooMany,
    /// The cursor is none of ours.
    Cursor,
}

impl Tasks {
    /// No tasks, of at most `limit`.
    pub fn new(limit: usize) -> Self {
        Self { tasks: Sorted::default(), limit }
    }

    /// Makes a task of this name, which works.
    ///
    /// # Errors
    /// If there are too many, or there is one of this name.
    pub fn create(&mut self, id: String, ttl: Option<u64>, now: u64) -> Result<Task, Refused> {
        self.forget(now);
        if self.tasks.len() >= self.limit || self.tasks.contains(&id) {
            return Err(Refused::TooMany);
        }
        let ttl = ttl.unwrap_or(DEFAULT_TTL).min(MAX_TTL);
        let task = Task { id: id.clone(), status: Status::Working, message: None, created: now, updated: now, ttl };
        self.tasks.insert(id, Entry { task: task.clone(), outcome: None });
        Ok(task)
    }

    /// A task.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn get(&mut self, id: &str, now: u64) -> Result<Task, Refused> {
        self.forget(now);
        self.tasks.get(id).map(|entry| entry.task.clone()).ok_or(Refused::Unknown)
    }

    /// What a task came to; `None` as long as it has not.
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn outcome(&mut self, id: &str, now: u64) -> Result<Option<Outcome>, Refused> {
        self.forget(now);
        self.tasks.get(id).map(|entry| entry.outcome.clone()).ok_or(Refused::Unknown)
    }

    /// A page of the tasks, and where the next one begins.
    ///
    /// # Errors
    /// If the cursor is none of ours.
    pub fn list(&mut self, cursor: Option<&str>, now: u64) -> Result<(Vec<Task>, Option<String>), Refused> {
        self.forget(now);
        let from = match cursor {
            None => "",
            Some(cursor) => cursor.strip_prefix("from:").ok_or(Refused::Cursor)?,
        };
        let rest = self.tasks.from(from);
        let page: Vec<Task> = rest.iter().take(PAGE).map(|(_, entry)| entry.task.clone()).collect();
        Ok((page, rest.get(PAGE).map(|(id, _)| format!("from:{id}"))))
    }

    /// Moves a task that isn't finished to `Working` or `InputRequired`; gives it back if that changed it.
    pub fn moves(&mut self, id: &str, status: Status, now: u64) -> Option<Task> {
        let task = &mut self.tasks.get_mut(id)?.task;
        if task.status.is_terminal() || status.is_terminal() || task.status == status {
            return None;
        }
        (task.status, task.updated) = (status, now);
        Some(task.clone())
    }

    /// Finishes a task; one that was cancelled stays so.
    pub fn finish(&mut self, id: &str, failed: bool, outcome: Outcome, now: u64) -> Option<Task> {
        let entry = self.tasks.get_mut(id)?;
        if entry.task.status.is_terminal() {
            return None;
        }
        entry.task.status = if failed || outcome.is_err() { Status::Failed } else { Status::Completed };
        entry.task.message = outcome.as_ref().err().map(|error| error.message.clone());
        entry.task.updated = now;
        entry.outcome = Some(outcome);
        Some(entry.task.clone())
    }

    /// Cancels a task.
    ///
    /// # Errors
    /// If there is none of this name, or it is finished.
    pub fn cancel(&mut self, id: &str, outcome: ErrorObject, now: u64) -> Result<Task, Refused> {
        self.forget(now);
        let entry = self.tasks.get_mut(id).ok_or(Refused::Unknown)?;
        if entry.task.status.is_terminal() {
            return Err(Refused::Finished(entry.task.status));
        }
        (entry.task.status, entry.task.updated) = (Status::Cancelled, now);
        entry.outcome = Some(Err(outcome));
        Ok(entry.task.clone())
    }

    /// Forgets finished tasks whose time has passed. One that still works is kept: who made it waits for it.
    fn forget(&mut self, now: u64) {
        self.tasks.retain(|_, entry| {
            let end = entry.task.created.saturating_add(entry.task.ttl);
            now < end || !entry.task.status.is_terminal()
        });
    }
}

impl Task {
    /// The task as `Task` of the schema.
    pub fn written(&self) -> Value {
        let mut task = json!({
            "taskId": self.id,
            "status": self.status.as_str(),
            "createdAt": timestamp(self.created),
            "lastUpdatedAt": timestamp(self.updated),
            "ttl": self.ttl,
            "pollInterval": POLL,
        });
        if let Some(message) = &self.message {
            task["statusMessage"] = message.as_str().into();
        }
        task
    }
}

/// A time as RFC 3339 has it, in UTC.
pub fn timestamp(millis: u64) -> String {
    let (seconds, millis) = (millis / 1000, millis % 1000);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days are counted from the first of March of the year 0, so that a leap day is the last of its year.
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}
