//! Who handles what: handlers by method and revision, the nearest one if there is none for a revision.

mod handler;

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mcprism_types::ProtocolVersion;
use mcprism_types::bridge::{Loss, Options};

use crate::error::{Error, Result};
#[cfg(feature = "toolbox")]
pub(crate) use handler::whole_arguments;
pub(crate) use handler::{RawHandler, TypedHandler, TypedListener, refused_params};

/// A handler at work; it brings the text of the result, in the handler's revision.
pub(crate) type Working = Pin<Box<dyn Future<Output = Result<String>> + Send>>;

/// A handler that has begun.
pub(crate) struct Started {
    pub(crate) working: Working,
    /// What the conversion of the params lost.
    pub(crate) losses: Vec<Loss>,
}

/// Handles the requests of one method, as one revision has them.
pub(crate) trait Handle<C>: Send + Sync {
    /// The revision that it is written at; `None` if it takes the text as it is.
    fn version(&self) -> Option<ProtocolVersion>;

    /// Reads the params, which are in the revision `from`, and begins.
    ///
    /// # Errors
    /// If they don't fit, or can't be said in the handler's revision.
    fn start(&self, from: ProtocolVersion, params: Option<&str>, options: &Options, context: C) -> Result<Started>;
}

/// Takes the notifications of one method, as one revision has them.
pub(crate) trait Listen<C>: Send + Sync {
    /// The revision that it is written at.
    fn version(&self) -> ProtocolVersion;

    /// Reads the params, which are in the revision `from`, and begins; the text that it brings means nothing.
    ///
    /// # Errors
    /// If they don't fit, or can't be said in the listener's revision.
    fn start(&self, from: ProtocolVersion, params: Option<&str>, context: C) -> Result<Started>;
}

/// The handlers and listeners that were registered.
pub(crate) struct Router<C> {
    handlers: HashMap<String, Vec<Arc<dyn Handle<C>>>>,
    listeners: HashMap<String, Vec<Arc<dyn Listen<C>>>>,
}

impl<C> Default for Router<C> {
    fn default() -> Self {
        Self { handlers: HashMap::new(), listeners: HashMap::new() }
    }
}

impl<C> Router<C> {
    /// Registers a handler.
    ///
    /// # Errors
    /// If there is one for the method at the same revision.
    pub(crate) fn on(&mut self, method: &str, handler: Arc<dyn Handle<C>>) -> Result<()> {
        let all = self.handlers.entry(method.to_owned()).or_default();
        if all.iter().any(|other| other.version() == handler.version()) {
            let at = handler.version().map_or_else(|| "the raw form".to_owned(), |version| version.to_string());
            return Err(Error::Internal(format!("`{method}` has a handler at {at} already")));
        }
        all.push(handler);
        Ok(())
    }

    /// Registers a listener.
    ///
    /// # Errors
    /// If there is one for the method at the same revision.
    pub(crate) fn listen(&mut self, method: &str, listener: Arc<dyn Listen<C>>) -> Result<()> {
        let all = self.listeners.entry(method.to_owned()).or_default();
        if all.iter().any(|other| other.version() == listener.version()) {
            let at = listener.version();
            return Err(Error::Internal(format!("`{method}` has a listener at {at} already")));
        }
        all.push(listener);
        Ok(())
    }

    /// The handler for a method of a revision: one of that revision, else the nearest.
    pub(crate) fn handler(&self, version: ProtocolVersion, method: &str) -> Option<&Arc<dyn Handle<C>>> {
        nearest(self.handlers.get(method)?, version, |handler| handler.version())
    }

    /// The listener for a method of a revision: one of that revision, else the nearest.
    pub(crate) fn listener(&self, version: ProtocolVersion, method: &str) -> Option<&Arc<dyn Listen<C>>> {
        nearest(self.listeners.get(method)?, version, |listener| Some(listener.version()))
    }

    /// The methods that have a handler in the raw form and that no revision knows in any direction.
    pub(crate) fn vendor_methods(&self) -> impl Iterator<Item = (&str, &Arc<dyn Handle<C>>)> {
        let unknown = |name: &str| ProtocolVersion::ALL.iter().all(|version| version.method(name).is_none());
        let raw = |all: &'_ Vec<Arc<dyn Handle<C>>>| all.iter().position(|handler| handler.version().is_none());
        self.handlers
            .iter()
            .filter(move |(name, _)| unknown(name))
            .filter_map(move |(name, all)| raw(all).map(|at| (name.as_str(), &all[at])))
    }
}

/// Of several, the one whose revision is nearest; of two that are as near, the newer. One without a revision
/// comes last.
fn nearest<T>(all: &[T], version: ProtocolVersion, of: impl Fn(&T) -> Option<ProtocolVersion>) -> Option<&T> {
    let place = |version: ProtocolVersion| ProtocolVersion::ALL.iter().position(|other| *other == version);
    let distance = |other: &T| match of(other) {
        Some(other) => (place(other).unwrap_or(0).abs_diff(place(version).unwrap_or(0)), std::cmp::Reverse(other)),
        None => (usize::MAX, std::cmp::Reverse(version)),
    };
    all.iter().min_by_key(|other| distance(other))
}
