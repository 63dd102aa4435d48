//! Holds conversions between revisions to what was promised, with the schemas as the judge.
//!
//! [`corpus`] makes valid texts for every part of every method. [`run`] converts one of them. What
//! came out is held against the schema of the target ([`revision`]), against what went in
//! ([`differences`], [`accounts`]), and against what other revisions call by name ([`shapes`]).

pub mod accounts;
pub mod checks;
pub mod corpus;
pub mod differences;
pub mod examples;
pub mod extra;
pub mod planting;
pub mod report;
pub mod revision;
pub mod run;
pub mod shapes;
pub mod silent;
