//! How many questions the strategies need on recorded programs, as the papers have measured it.
//!
//! [`balancing`] is Table 1 of *Balanced Execution Trees*: what balancing saves, over all places where
//! the bug may be, with [`optimum`] beside it. [`comparison`] has all strategies side by side. [`mutants`] is Table 1
//! of *JHyde*: programs with known mistakes in them; `guidance` and [`tested`] tell what hints save there.

pub mod balancing;
pub mod comparison;
mod guidance;
pub mod mutants;
pub mod mutation;
pub mod optimum;
pub mod tested;
mod truth;

pub use crate::recorder::{Recorded, Recorder};
