//! The tests of the format, as one program: what they share is compiled and linked once.

mod chunk_packing;
mod damaged_events;
mod laws;
mod packing;
