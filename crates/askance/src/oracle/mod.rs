//! Answers without a person.
//!
//! A [`reference`] version of the program is asked first, then a [`command`] of the user's. Each answer
//! carries its source, and a person can overrule it.

pub mod agreement;
pub mod canonical;
pub mod changed_lines;
pub mod command;
mod counterpart;
pub mod reference;
pub mod sweep;
