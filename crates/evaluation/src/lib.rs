//! Measures Askance: what recording costs, on programs that do real work.
//!
//! The recorder is run as a user runs it, by its command line, so that a measurement holds for
//! what is shipped. Nothing here prints; `xtask` does.

pub mod cpu_time;
pub mod record_bench;
pub mod workloads;
