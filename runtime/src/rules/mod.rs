//! The rules of MCP that no schema states, as checks of one message at a time.
//!
//! [`breaches`] judges params or a result that already fit their type, in any revision. What it finds
//! is for whoever sends the message, or for a log: only a few rules say that a message has to be
//! refused, and keys of `_meta` never are a reason to. [`Force`] tells rules from advice.
//!
//! ```
//! use mcprism::rules::breaches;
//! use mcprism::types::{ProtocolVersion, bridge::Part};
//!
//! let text = r#"{"roots":[{"uri":"file:///home/me"},{"uri":"https://example.com"}]}"#;
//! let found = breaches(ProtocolVersion::V2025_11_25, "roots/list", Part::Result, text);
//! assert_eq!(found.len(), 1);
//! assert_eq!(found[0].to_string(), "/roots/1/uri: a root is a `file://` URI (client/roots)");
//! ```
//!
//! Some rules are about more than one message, or about what a host does. They have fronts of their own:
//! [`tool_name`] for who registers a tool, [`structured_content`] for a result whose tool is known,
//! [`Rising`] for the progress of one request, [`best_model`] for hints about models, and [`meta_key`]
//! for who writes into `_meta`.
//!
//! Not judged is what can't be seen in a message (whether a form asks for secrets, whether a peer
//! declared a capability), and JSON Schemas beyond their outline.

mod completion;
mod elicitation;
mod headers;
mod judge;
mod meta;
mod models;
mod progress;
mod rounds;
mod sampling;
mod table;
mod tasks;
mod tools;
mod uris;
#[cfg(feature = "validate")]
mod validate;
mod walk;

use std::fmt;

use mcprism_types::bridge::Part;
use mcprism_types::{ProtocolVersion, Reader};

use judge::{Judge, Place};
pub use meta::{meta_key, reserved_meta_key};
pub use models::best_model;
pub use progress::{NotRising, Rising};
pub use tools::{structured_content, tool_name};
#[cfg(feature = "validate")]
pub use validate::{Misfit, Schema, output_fits};

/// How many breaches are reported of one message; a hostile one could have any number.
pub const MAX_BREACHES: usize = 32;

/// How much a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Force {
    /// The page requires it.
    Must,
    /// The page advises it. A message that doesn't follow is allowed, and may not work everywhere.
    Should,
}

/// A rule of the protocol that a message breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Where, as a JSON pointer (RFC 6901) into the params or result; for a missing member, where it
    /// should be.
    pub pointer: String,
    /// What should be.
    pub rule: &'static str,
    /// The page that says so, such as `server/tools`, below `docs/specification/<revision>/`.
    pub page: &'static str,
    /// Whether it is a rule or advice.
    pub force: Force,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.pointer, self.rule, self.page)
    }
}

impl std::error::Error for Breach {}

/// Judges one part of a message.
type Check = fn(&mut Judge, &Reader<'_>, &Place<'_>);

/// What is checked of which part of which method, besides what [`walk`] and [`rounds`] check of all.
const CHECKS: &[(Part, &str, Check)] = &[
    (Part::Notification, "notifications/cancelled", tasks::cancelled),
    (Part::Notification, "notifications/prompts/list_changed", meta::subscription),
    (Part::Notification, "notifications/resources/list_changed", meta::subscription),
    (Part::Notification, "notifications/resources/updated", meta::subscription),
    (Part::Notification, "notifications/subscriptions/acknowledged", meta::subscription),
    (Part::Notification, "notifications/tools/list_changed", meta::subscription),
    (Part::Params, "elicitation/create", elicitation::params),
    (Part::Params, "sampling/createMessage", sampling::params),
    (Part::Result, "completion/complete", completion::result),
    (Part::Result, "elicitation/create", tasks::created),
    (Part::Result, "sampling/createMessage", tasks::created),
    (Part::Result, "server/discover", meta::server_extensions),
    (Part::Result, "tasks/result", tasks::payload),
    (Part::Result, "tools/call", tasks::created),
    (Part::Result, "tools/list", tools::result),
];

/// Judges params or a result of `method` in `version`.
///
/// `text` is a whole JSON value that is known to fit its type. Of a text that doesn't, some breaches are
/// found or none. A method that the revision doesn't have breaks no rule. Where the params of a
/// notification are absent, `{}` stands for them.
///
/// At most [`MAX_BREACHES`] are reported, in the order in which they were found.
pub fn breaches(version: ProtocolVersion, method: &str, part: Part, text: &str) -> Vec<Breach> {
    let mut judge = Judge::new(version);
    if version.method(method).is_some() {
        let (reader, top) = (Reader::new(text), Place::TOP);
        walk::message(&mut judge, &reader, &top);
        checks(&mut judge, method, part, &reader, &top);
        match part {
            Part::Result => rounds::result(&mut judge, method, &reader, &top),
            Part::Params | Part::Notification => {}
        }
    }
    judge.breaches()
}

/// The checks that are for this part of this method.
fn checks(judge: &mut Judge, method: &str, part: Part, reader: &Reader<'_>, place: &Place<'_>) {
    for (_, _, check) in CHECKS.iter().filter(|check| (check.0, check.1) == (part, method)) {
        check(judge, reader, place);
    }
}
