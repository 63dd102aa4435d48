//! What no single crate can show: conformance, corpora, revisions side by side.

pub mod instances;
pub mod roundtrip;
pub mod schemas;
