//! What a person has to say to what a server asks for.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mcprism_types::JsonObject;

use crate::session::peer::Peer;

/// What a server asks the client for: to have its model write something, or to ask the user something.
#[derive(Clone, Debug)]
pub struct Question {
    /// Who asks, as far as it says; it is not verified.
    pub server: Arc<Peer>,
    /// `sampling/createMessage` or `elicitation/create`.
    pub method: String,
    /// The params, in the words of the server's revision. Show the user what they say; a URL in them is never
    /// opened by this library.
    pub params: JsonObject,
}

/// What the approval comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The handler is called.
    Approve,
    /// The server is told that it was declined.
    Deny,
}

pub(super) type Hook = Arc<dyn Fn(Question) -> Pin<Box<dyn Future<Output = Answer> + Send>> + Send + Sync>;

/// The methods that nobody but a person may let through.
///
/// Specification: `client/sampling`, `client/elicitation`: a human in the loop.
pub(super) const GUARDED: [&str; 2] = ["sampling/createMessage", "elicitation/create"];

/// Denies everything, as long as the author says nothing else.
pub(super) fn deny() -> Hook {
    Arc::new(|_| Box::pin(std::future::ready(Answer::Deny)))
}
