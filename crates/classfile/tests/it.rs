//! The tests of class files, as one program: what they share is compiled and linked once.

mod behaviour;
mod common;
mod flow;
mod graft;
mod pairing;
mod roundtrip;
mod verify;
