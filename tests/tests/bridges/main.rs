//! What conversions between revisions promise, held against the official schemas.

mod cases;
mod doubled;
mod examples;
mod instances;
mod lines;
mod planted;
mod robust;
mod typed;
