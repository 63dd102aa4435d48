//! What no single crate can show: conformance, corpora, revisions side by side.

pub mod bridging;
pub mod client_conversation;
pub mod client_judge;
pub mod conversation;
pub mod desk;
pub mod instances;
pub mod judge;
pub mod roundtrip;
pub mod schemas;
pub mod translate;
pub mod visitor;

/// The examples of the README are tests, too.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// So are those of the guides.
#[cfg(doctest)]
#[doc = include_str!("../../docs/old-and-new-clients.md")]
#[doc = include_str!("../../docs/from-rmcp.md")]
struct Guides;
