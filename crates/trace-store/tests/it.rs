//! The tests of the store, as one program: what they share is compiled and linked once.

mod chains;
mod common;
mod damage;
mod evicted;
mod far;
mod many_threads;
mod model;
mod packed;
mod unfinished_chunk;
