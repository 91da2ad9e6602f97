//! Fuzz targets: what is done with bytes that nobody vouches for.
//!
//! A class file comes from whoever wrote the program, a trace from a disk that may have lost a part of it, a
//! request from whatever else runs on the machine. Each target takes any bytes at all and must come back from
//! them without a panic, within a second, and without taking memory that the input does not justify.
//!
//! A target is a plain function, so that two drivers can share it: libFuzzer, which follows coverage and needs a
//! nightly compiler (`fuzz/`), and [`driver`], which only mutates what it is given and runs everywhere.

pub mod driver;
pub mod mutation;
mod recorded;
mod targets;

pub use targets::{FuzzTarget, TARGETS, named, run};
