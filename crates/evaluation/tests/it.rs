//! The tests of the benchmarks, as one program: what they share is compiled and linked once.

mod record_bench;
mod regressions;
mod workloads;
