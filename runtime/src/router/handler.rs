//! Handlers of any type behind one interface.

use std::future::Future;
use std::marker::PhantomData;

use mcprism_types::bridge::{Loss, Options, Refused, read_notification, read_params};
use mcprism_types::{Json, Notification, ProtocolVersion, Request, Revision};
use serde::Serialize;

use super::{Handle, Listen, Started, Working};
use crate::error::{Error, Result};
use crate::jsonrpc::{ErrorObject, code};

/// A handler of the request type `R`.
pub(crate) struct TypedHandler<R, F> {
    handler: F,
    request: PhantomData<fn(R)>,
}

impl<R, F> TypedHandler<R, F> {
    pub(crate) fn new(handler: F) -> Self {
        Self { handler, request: PhantomData }
    }
}

impl<C, R, F, T, A> Handle<C> for TypedHandler<R, F>
where
    C: Send + 'static,
    R: Request + 'static,
    F: Fn(R, C) -> T + Send + Sync + 'static,
    T: Future<Output = Result<A>> + Send + 'static,
    A: Into<R::Outcome>,
{
    fn version(&self) -> Option<ProtocolVersion> {
        Some(R::Revision::VERSION)
    }

    fn start(&self, from: ProtocolVersion, params: Option<&str>, options: &Options, context: C) -> Result<Started> {
        let read = read_params::<R>(from, params, options).map_err(refused_params)?;
        whole_arguments(&read.losses)?;
        let answer = (self.handler)(R::of(read.value), context);
        let working = working(async { Ok::<R::Outcome, Error>(answer.await?.into()) });
        Ok(Started { working, losses: read.losses })
    }
}

/// A handler of a method that takes and gives raw JSON.
pub(crate) struct RawHandler<F>(pub(crate) F);

impl<C, F, T> Handle<C> for RawHandler<F>
where
    C: Send + 'static,
    F: Fn(Option<Json>, C) -> T + Send + Sync + 'static,
    T: Future<Output = Result<Json>> + Send + 'static,
{
    fn version(&self) -> Option<ProtocolVersion> {
        None
    }

    fn start(&self, _: ProtocolVersion, params: Option<&str>, _: &Options, context: C) -> Result<Started> {
        let params = params
            .map(Json::parse)
            .transpose()
            .map_err(|error| refused_params(Refused { pointer: error.pointer(), why: error.message().to_owned() }))?;
        Ok(Started { working: working((self.0)(params, context)), losses: Vec::new() })
    }
}

/// A listener to the notification type `N`.
pub(crate) struct TypedListener<N, F> {
    listener: F,
    notification: PhantomData<fn(N)>,
}

impl<N, F> TypedListener<N, F> {
    pub(crate) fn new(listener: F) -> Self {
        Self { listener, notification: PhantomData }
    }
}

impl<C, N, F, T> Listen<C> for TypedListener<N, F>
where
    C: Send + 'static,
    N: Notification + 'static,
    F: Fn(N, C) -> T + Send + Sync + 'static,
    T: Future<Output = ()> + Send + 'static,
{
    fn version(&self) -> ProtocolVersion {
        N::Revision::VERSION
    }

    fn start(&self, from: ProtocolVersion, params: Option<&str>, context: C) -> Result<Started> {
        let read = read_notification::<N>(from, params, &Options::default()).map_err(refused_params)?;
        let done = (self.listener)(N::of(read.value), context);
        let working: Working = Box::pin(async {
            done.await;
            Ok(String::new())
        });
        Ok(Started { working, losses: read.losses })
    }
}

/// The error for params that don't fit, with the place in its data.
pub(crate) fn refused_params(refused: Refused) -> Error {
    let data = serde_json::json!({ "pointer": refused.pointer });
    Error::Rpc(ErrorObject::new(code::INVALID_PARAMS, refused.to_string()).with_data(data))
}

/// A call whose arguments don't fit must not be made without them. A conversion leaves them out as it does with
/// any member that need not be there.
///
/// # Errors
/// If arguments are among what was lost.
pub(crate) fn whole_arguments(losses: &[Loss]) -> Result<()> {
    let place = |loss: &&Loss| loss.pointer == "/arguments" || loss.pointer.starts_with("/arguments/");
    match losses.iter().find(place) {
        Some(loss) => Err(refused_params(Refused { pointer: loss.pointer.clone(), why: loss.why.clone() })),
        None => Ok(()),
    }
}

/// A handler's future, with its result written.
fn working<O: Serialize>(answer: impl Future<Output = Result<O>> + Send + 'static) -> Working {
    Box::pin(async {
        let outcome = answer.await?;
        serde_json::to_string(&outcome).map_err(Error::internal)
    })
}
