//! The tests of the recorder, as one program: what they share is compiled and linked once.

mod balance;
mod bulk;
mod common;
mod company;
mod ending;
mod heap;
mod identity;
mod old_classes;
mod output;
mod ring;
mod settings;
mod tasks;
mod transparency;
mod verify;
