//! The tests of this crate, as one program.

#![expect(clippy::unwrap_used, reason = "tests")]

mod common;
mod damage;
mod documentation;
mod exported;
mod exports;
mod linear_scan;
mod mistakes;
mod random_sql;
mod till;
mod writes;
