//! The tests of time travel, as one program.

mod breakpoints;
mod common;
mod evaluation;
mod steps;
