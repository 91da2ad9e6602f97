//! Askance: records a run of a Java program, asks about single calls, and names the call that is
//! to blame.
//!
//! This crate is where people meet it: [`cli`] has the commands, [`dialogue`] asks a person in a terminal,
//! [`tui`] on a whole screen of one, [`web`] in a browser. Programs and editors come by way of a crate for
//! each protocol. What is said is worked out in the crates below: `launch` gets a program recorded,
//! `java-model` says what a trace means, `inquiry` holds the sessions and their oracles. Only `cli`,
//! `dialogue` and `tui` write to the screen.

mod caller;
pub mod cli;
pub mod config;
pub mod dialogue;
pub mod tui;
pub mod web;
