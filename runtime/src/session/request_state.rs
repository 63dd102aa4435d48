//! What a server has the client bring back: the answers so far, sealed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use mcprism_types::{Decode, Decoded, Json, Map, Reader, Slot};
use serde_json::Value;

/// The beginning of every state that this runtime has made: others are of the author's own.
const MARK: &str = "mcprism1.";

/// Seals states, so that only who has the key can make or change one.
///
/// Specification: `basic/patterns/mrtr` of 2026-07-28, Server Requirements.
#[derive(Clone)]
pub struct Seal {
    key: [u8; 32],
    /// How many bytes a state may have.
    limit: usize,
}

/// What a state says.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What the request is about: see [`digest`].
    pub request: String,
    /// For whom the state is, where the transport knows.
    pub principal: Option<String>,
    /// Until when it holds, in seconds since 1970.
    pub expires: u64,
    /// The questions that were asked last, by key, each as a digest of what was asked.
    pub asked: Map<String>,
    /// The answers of earlier rounds, by key.
    pub answers: Map,
}

/// Why a state isn't taken. It is all the same to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// It was not made with this key, or was changed.
    Forged,
    /// It belongs to another request.
    OtherRequest,
    /// It belongs to somebody else.
    OtherPrincipal,
    /// Its time has passed.
    Expired,
}

/// A state would be larger than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// How many bytes it would have.
    pub size: usize,
    /// How many it may have.
    pub limit: usize,
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seal").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl Seal {
    /// A seal with this key, for states of at most `limit` bytes. Processes with the same key take each other's
    /// states.
    pub fn new(key: &[u8], limit: usize) -> Self {
        Self { key: hmac_sha256::HMAC::mac(b"mcprism request state", key), limit }
    }

    /// Whether a state claims to be one of this runtime's.
    pub fn claims(state: &str) -> bool {
        state.starts_with(MARK)
    }

    /// The text of a state.
    ///
    /// # Errors
    /// If it would be too large.
    pub fn close(&self, state: &State) -> Result<String, TooLarge> {
        let payload = BASE64.encode(state.written());
        let tag = BASE64.encode(self.tag(&payload));
        let text = format!("{MARK}{payload}.{tag}");
        match text.len() > self.limit {
            true => Err(TooLarge { size: text.len(), limit: self.limit }),
            false => Ok(text),
        }
    }

    /// Reads a state that came back with a request, at `now`, in seconds since 1970.
    ///
    /// # Errors
    /// Why it isn't taken.
    pub fn open(&self, text: &str, request: &str, principal: Option<&str>, now: u64) -> Result<State, Rejected> {
        if text.len() > self.limit {
            return Err(Rejected::Forged);
        }
        let (payload, tag) = text.strip_prefix(MARK).and_then(|rest| rest.rsplit_once('.')).ok_or(Rejected::Forged)?;
        let tag: [u8; 32] = BASE64.decode(tag).ok().and_then(|tag| tag.try_into().ok()).ok_or(Rejected::Forged)?;
        // Compared in constant time.
        if !hmac_sha256::HMAC::verify(payload.as_bytes(), self.key, &tag) {
            return Err(Rejected::Forged);
        }
        let state = BASE64.decode(payload).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let state: State = state.and_then(|text| mcprism_types::decode(&text).ok()).ok_or(Rejected::Forged)?;
        if state.request != request {
            return Err(Rejected::OtherRequest);
        }
        if state.principal.as_deref() != principal {
            return Err(Rejected::OtherPrincipal);
        }
        if state.expires <= now {
            return Err(Rejected::Expired);
        }
        Ok(state)
    }

    fn tag(&self, payload: &str) -> [u8; 32] {
        hmac_sha256::HMAC::mac(payload.as_bytes(), self.key)
    }
}

/// What a request is about: its method and params, without what differs from one attempt to the next.
pub fn digest(method: &str, params: Option<&str>) -> String {
    let mut params: Value = params.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null);
    if let Value::Object(members) = &mut params {
        for name in ["_meta", "inputResponses", "requestState"] {
            members.remove(name);
        }
    }
    // The names of a `Value` come out sorted.
    BASE64.encode(hmac_sha256::Hash::hash(format!("{method}\n{params}").as_bytes()))
}

impl State {
    fn written(&self) -> String {
        serde_json::json!({
            "r": self.request,
            "p": self.principal,
            "e": self.expires,
            "q": self.asked,
            "a": self.answers,
        })
        .to_string()
    }
}

impl Decode for State {
    fn decode(reader: &mut Reader<'_>) -> Decoded<Self> {
        let (mut request, mut principal, mut expires) = (Slot::Absent, Slot::Absent, Slot::Absent);
        let (mut asked, mut answers) = (Map::new(), Map::new());
        reader.object(&mut |reader, name| match name {
            "r" => request.read(reader, Decode::decode),
            "p" => principal.read_optional(reader, Decode::decode),
            "e" => expires.read(reader, Decode::decode),
            "q" => reader.object(&mut |reader, key| {
                asked.insert(key, String::decode(reader)?);
                Ok(())
            }),
            "a" => reader.object(&mut |reader, key| {
                answers.insert(key, Json::decode(reader)?);
                Ok(())
            }),
            _ => reader.skip().map(drop),
        })?;
        Ok(Self {
            request: request.required("r")?,
            principal: principal.optional(),
            expires: expires.required("e")?,
            asked,
            answers,
        })
    }
}
