//! SQL over recorded runs, and what can be made of them for other tools.
//!
//! DataFusion plans and runs the queries; the tables are read from the mapped columns and indexes of traces as they are
//! needed, so that nothing is imported or copied. It is an executable of its own because what it is made of is larger
//! than all the rest of Askance: whoever never asks by SQL neither builds nor loads it.
//!
//! A query can read the tables and nothing else. It cannot change anything, and names no files.

pub mod column;
pub mod command_line;
mod counted;
pub mod database;
mod explanation;
pub mod export;
pub mod exported_runs;
mod exported_scan;
pub mod exported_table;
mod failure;
mod found_calls;
pub mod functions;
mod method_table;
mod opening;
pub mod place;
pub mod printing;
pub mod provider;
pub mod reader;
mod rows;
mod scan;
pub mod schema;
mod selection;
mod statement;
pub mod tables;
mod value;
pub mod views;
mod walk;

pub use failure::QueryFailure;
