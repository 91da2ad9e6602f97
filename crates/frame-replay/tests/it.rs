//! The tests of replay, as one program: what they share is compiled and linked once.

mod by_kin;
mod common;
mod corners;
mod cut;
mod differential;
mod examples;
mod generator;
mod large_arrays;
mod libraries;
mod locked;
mod untaken;
mod walking;
