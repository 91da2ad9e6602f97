//! Answers without a person.
//!
//! What is remembered from earlier sessions ([`memory`]) comes first, then a [`reference`] version of the
//! program, then what [`passing`] tests showed, then a [`command`] of the user's. Each answer
//! carries its source, and a person can overrule it.

pub mod agreement;
mod behaviour;
pub mod canonical;
pub mod changed_lines;
pub mod command;
mod counterpart;
pub mod memory;
pub mod passing;
pub mod reference;
pub mod sweep;
