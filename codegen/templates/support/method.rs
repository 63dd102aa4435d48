//! What a revision says about its methods, as data and as traits.

use serde::Serialize;

use crate::ProtocolVersion;
use crate::decode::Decode;
use crate::error::Decoded;

/// Who may send a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sender {
    /// Only the client.
    Client,
    /// Only the server.
    Server,
    /// Either side.
    Both,
}

impl Sender {
    /// Whether `side` may send it; asked of [`Both`](Self::Both), whether both may.
    pub fn includes(self, side: Self) -> bool {
        self == Self::Both || self == side
    }
}

/// How a method travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MethodKind {
    /// As a JSON-RPC request, which is answered.
    Request,
    /// As a JSON-RPC notification, which is not.
    Notification,
    /// Inside an `InputRequiredResult`; the answer comes with the retry.
    InputRequest,
}

/// One method of one revision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// The name on the wire, such as `tools/call`.
    pub name: &'static str,
    /// How it travels.
    pub kind: MethodKind,
    /// Who may send it.
    pub sender: Sender,
    /// The type of its `params`.
    pub params: &'static str,
    /// Whether `params` has to be there.
    pub params_required: bool,
    /// The type of its result; `None` for a notification.
    pub result: Option<&'static str>,
    /// Types that may come in place of the result.
    pub alternatives: &'static [&'static str],
    /// What must have been declared before it may be sent; empty if nothing must.
    pub capabilities: &'static [Capability],
}

/// A capability that has to be declared before a method may be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capability {
    /// The rule is for messages of this side.
    pub sender: Sender,
    /// The side that has to have declared it.
    pub declared_by: Sender,
    /// The way to it in `ClientCapabilities` or `ServerCapabilities`, such as `resources.subscribe`.
    pub path: &'static str,
    /// The rule only holds for params like this; `None` if it always holds.
    pub when: Option<When>,
}

/// A condition on the params of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct When {
    /// The member of `params` that decides.
    pub member: &'static str,
    /// The string that it has to be; `None` if any value will do.
    pub equals: Option<&'static str>,
    /// Whether the condition also holds if the member is absent.
    pub absent: bool,
}

/// A protocol revision, as a type.
pub trait Revision {
    /// Its name and facts.
    const VERSION: ProtocolVersion;
}

/// A request type: ties a wire name to types.
pub trait Request: Sized {
    /// The revision that it belongs to.
    type Revision: Revision;
    /// The type of `params`.
    type Params: Decode + Serialize;
    /// The type of the usual result.
    type Result: Decode + Serialize;
    /// Everything that may come as the result: [`Result`](Self::Result) itself where there are no
    /// alternatives.
    type Outcome: Decode + Serialize;
    /// The name on the wire.
    const METHOD: &'static str;

    /// Reads the request from the text of its `params`.
    ///
    /// # Errors
    /// If they don't fit, or are absent though required; the place counts from `params`.
    fn from_params(params: Option<&str>) -> Decoded<Self>;

    /// The request with these params.
    fn of(params: Self::Params) -> Self;

    /// The params, to be written.
    fn params(&self) -> Option<&Self::Params>;
}

/// A notification type: ties a wire name to types.
pub trait Notification: Sized {
    /// The revision that it belongs to.
    type Revision: Revision;
    /// The type of `params`.
    type Params: Decode + Serialize;
    /// The name on the wire.
    const METHOD: &'static str;

    /// Reads the notification from the text of its `params`.
    ///
    /// # Errors
    /// If they don't fit, or are absent though required; the place counts from `params`.
    fn from_params(params: Option<&str>) -> Decoded<Self>;

    /// The notification with these params.
    fn of(params: Self::Params) -> Self;

    /// The params, to be written.
    fn params(&self) -> Option<&Self::Params>;
}

/// Reads params that have to be there.
pub(crate) fn required_params<T: Decode>(params: Option<&str>) -> Decoded<T> {
    params.map_or_else(|| Err(crate::DecodeError::shape("missing `params`")), crate::decode)
}

/// Reads params that may be absent; null reads as absent.
pub(crate) fn optional_params<T: Decode>(params: Option<&str>) -> Decoded<Option<T>> {
    params.map_or(Ok(None), crate::decode)
}
