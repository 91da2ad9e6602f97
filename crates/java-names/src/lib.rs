//! Java's names: as class files spell them, as people write them in patterns, and as they read them.

pub mod descriptor;
pub mod glob;
pub mod modified_utf8;
pub mod names;
pub mod wildcard;
