//! Java's names: as people write them in patterns, and as they read them.

pub mod glob;
pub mod names;
