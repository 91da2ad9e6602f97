//! Measures Askance: what recording costs, how fast and how truly calls replay, how many questions it
//! takes to find a bug, and what large runs cost, on programs that do real work.
//!
//! The recorder is run as a user runs it, by its command line, so that a measurement holds for
//! what is shipped. Nothing here prints; the program `bench` does.

pub mod array_bench;
mod bytecode_mutation;
pub mod conversation_bench;
pub mod cpu_time;
pub mod document;
pub mod editor_bench;
pub mod hybrid_bench;
pub mod keep_up_bench;
pub mod live_bench;
pub mod machine;
mod peak_memory;
mod probe_process;
pub mod question_bench;
pub mod reading_bench;
pub mod record_bench;
pub mod recorder;
mod recording;
pub mod reference_bench;
pub mod regression_bench;
pub mod regressions;
pub mod replay_bench;
pub mod ring_bench;
pub mod side_by_side;
pub mod size_bench;
pub mod strategy_bench;
pub mod verify_bench;
