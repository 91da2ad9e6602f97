//! Answers without a person.
//!
//! So far there is one oracle that looks at the recorded program: a [`reference`] version of it.
//! Each answer carries its source, and a person can overrule it.

pub mod agreement;
pub mod canonical;
pub mod reference;
pub mod sweep;
