//! The tests of class files, as one program: what they share is compiled and linked once.

mod behaviour;
mod common;
mod flow;
mod pairing;
mod roundtrip;
mod verify;
