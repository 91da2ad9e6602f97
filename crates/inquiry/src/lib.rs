//! Asking about a recorded run, whoever answers and wherever it shows: sessions with their settings and what they
//! remember, the oracles that answer before a person is asked, call trees from elsewhere, and the words for all of it.
//!
//! Nothing here knows a screen, a key or an address.

pub mod blame;
pub mod contradictions;
pub mod imported;
pub mod inside;
pub mod memory;
pub mod opening;
pub mod oracle;
pub mod questioning;
mod repeated;
pub mod wanted;
pub mod words;

pub use opening::{CoverageWanted, Opening};
pub use questioning::{Questioning, RANGES};
