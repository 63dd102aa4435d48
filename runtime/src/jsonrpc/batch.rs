//! What one text can hold: a message, or a batch of them where the revision has batches.

use mcprism_types::{DecodeError, Kind, Reader};

use super::{Fault, Message};

/// What one text held.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming<'a> {
    /// One message.
    Single(Message<'a>),
    /// Several, each of which may be at fault by itself.
    Batch(Vec<Result<Message<'a>, Fault>>),
}

impl<'a> Incoming<'a> {
    /// Reads a text; `batches` says whether the revision has them
    /// ([`ProtocolVersion::batches`](mcprism_types::ProtocolVersion::batches)).
    ///
    /// # Errors
    /// If the text is no message, is a batch where there are none, or is an empty batch.
    ///
    /// Specification: `basic` of 2025-03-26, Batching.
    pub fn parse(text: &'a str, batches: bool) -> Result<Self, Fault> {
        let mut reader = Reader::new(text);
        if !matches!(reader.kind(), Ok(Kind::Array)) {
            return Message::parse(text).map(Self::Single);
        }
        let fault = |error| Fault::envelope(None, false, error);
        let mut texts = Vec::new();
        let read = reader.array(&mut |reader| {
            texts.push(reader.skip()?);
            Ok(())
        });
        read.and_then(|()| reader.finish()).map_err(fault)?;
        match (batches, texts.is_empty()) {
            (false, _) => {
                Err(fault(DecodeError::shape("expected an object, found an array: this revision has no batches")))
            }
            (true, true) => Err(fault(DecodeError::shape("an empty batch"))),
            (true, false) => Ok(Self::Batch(texts.into_iter().map(Message::parse).collect())),
        }
    }
}
