//! Askance: records a run of a Java program, asks about single calls, and names the call that is
//! to blame.
//!
//! This crate is the product around the engine. [`launch`] gets a program recorded, [`source`]
//! turns a trace into the execution tree and the questions of `debug_engine`, [`oracle`] answers
//! questions without a person, [`questioning`] is a session with its settings, [`dialogue`] asks a
//! person with it, [`web`] does so in a browser, [`mcp`] asks a program, [`config`] is what a project
//! sets once, [`project`] which folder and packages that is, and [`cli`] ties them to commands. Only `cli` and `dialogue` write to the screen.

pub mod cli;
pub mod config;
pub mod dialogue;
pub mod interrupt;
pub mod junit;
pub mod launch;
pub mod mcp;
pub mod oracle;
pub mod project;
pub mod questioning;
pub mod source;
mod stable_hash;
pub mod tui;
pub mod web;
