//! Answers without a person.
//!
//! What is remembered from earlier sessions ([`memory`]) comes first, then a [`reference`] version of the
//! program, then a [`property`] that is to hold, then what [`passing`] tests showed, then a [`command`] of the
//! user's. Each answer carries its source, and a person can overrule it.

mod behaviour;
pub mod canonical;
mod changed_lines;
pub mod command;
mod comparison;
mod lockstep;
pub mod memory;
mod method_pair;
mod outside;
pub mod passing;
mod patience;
pub mod property;
pub mod reference;
pub mod sweep;
mod versions;
