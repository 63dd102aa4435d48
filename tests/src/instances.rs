//! Makes JSON values that an official schema accepts, and single faults of them that it refuses.
//!
//! The schema is both the source and the judge: [`rules::Rules`] reads it into a small model from
//! which values are made, and asks the `jsonschema` crate about every one of them. Nothing depends
//! on hashing, time or the machine; the same schema and seed give the same values.

pub mod equality;
pub mod fault;
pub mod faults;
pub mod generate;
pub mod rules;
pub mod tolerance;

mod accept;
mod build;
mod compile;
mod ledger;
mod merge;
mod model;
mod place;
mod plan;
mod random;
mod reading;
mod samples;
mod touch;

#[cfg(test)]
mod census;
