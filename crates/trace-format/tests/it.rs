//! The tests of the format, as one program: what they share is compiled and linked once.

mod damaged_events;
mod laws;
mod packing;
