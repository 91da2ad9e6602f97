//! Asking about a recorded run, whoever answers and wherever it shows: sessions with their settings and what they
//! remember, the interpreter of everything that can be said to one, the oracles that answer before a person is asked,
//! call trees from elsewhere, the tests that answers become, and the words for all of it.
//!
//! Nothing here knows a screen, a key or an address.

pub mod blame;
pub mod contradictions;
pub mod experimented;
pub mod imported;
pub mod junit;
pub mod oracle;
pub mod questioning;
pub mod suspects;
pub mod words;

pub use questioning::{
    BELIEF, CoverageWanted, Opening, Questioning, RANGES, chosen_transformations, command,
    explained, finding, inside, memory, opening, reply, shown,
};
