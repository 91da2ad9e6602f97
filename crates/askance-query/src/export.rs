//! Recorded runs for other tools: their tables as Parquet, their calls as a timeline or a flame graph.

pub mod chrome;
pub mod collapsed;
pub mod parquet;
pub mod sqlite;
