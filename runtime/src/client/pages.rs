//! Lists that come in pages.

use std::collections::HashSet;
use std::marker::PhantomData;

use mcprism_types::bridge::Part;
use mcprism_types::{Request, Revision};

use super::Client;
use super::call::{CallOptions, next_cursor, read};
use crate::error::{Error, Result};
use crate::session::edit;

/// How many pages a list may have.
const PAGES: usize = 10_000;

/// The pages of a list, one after the other: a stream whose items are taken with [`next`](Self::next).
///
/// A server that sends the same cursor again would never come to an end: that is an error, as are more than
/// 10,000 pages.
///
/// Specification: `server/utilities/pagination`.
#[derive(Debug)]
pub struct Pages<R> {
    client: Client,
    /// The params of the first page.
    params: String,
    next: Next,
    seen: HashSet<String>,
    request: PhantomData<fn() -> R>,
}

#[derive(Debug)]
enum Next {
    First,
    At(String),
    End,
}

impl Client {
    /// The pages of a list such as that of `ListToolsRequest`, from the one that it points at.
    ///
    /// # Errors
    /// If the params can't be encoded.
    pub fn pages<R: Request>(&self, request: R) -> Result<Pages<R>> {
        Ok(Pages {
            client: self.clone(),
            params: request.params().map(serde_json::to_string).transpose()?.unwrap_or_else(|| "{}".to_owned()),
            next: Next::First,
            seen: HashSet::new(),
            request: PhantomData,
        })
    }
}

impl<R: Request> Pages<R> {
    /// The next page; `None` after the last one, and after an error.
    pub async fn next(&mut self) -> Option<Result<R::Result>> {
        let params = match std::mem::replace(&mut self.next, Next::End) {
            Next::First => self.params.clone(),
            Next::At(cursor) => match edit::set(&self.params, &[("cursor", Some(&edit::quoted(&cursor)))]) {
                Ok(params) => params,
                Err(error) => return Some(Err(Error::internal(error))),
            },
            Next::End => return None,
        };
        Some(self.page(&params).await)
    }

    async fn page(&mut self, params: &str) -> Result<R::Result> {
        let (client, at) = (&self.client, R::Revision::VERSION);
        let result = client.text_of(at, R::METHOD, Some(params), CallOptions::default()).await?;
        let next = next_cursor(&result)?;
        let result = client.0.shared.translate(client.version(), at, R::METHOD, Part::Result, Some(&result))?;
        let page = read(R::METHOD, result.as_deref().unwrap_or("{}"))?;
        if let Some(cursor) = next {
            if self.seen.len() >= PAGES {
                return Err(Error::Protocol(format!("{} has more than {PAGES} pages", R::METHOD)));
            }
            if !self.seen.insert(cursor.clone()) {
                let cursor: String = cursor.chars().take(64).collect();
                return Err(Error::Protocol(format!("{} has the cursor `{cursor}` twice", R::METHOD)));
            }
            self.next = Next::At(cursor);
        }
        Ok(page)
    }
}
