//! The recorder that is loaded into a JVM.
//!
//! A JVMTI agent: it rewrites classes as they are loaded (`instrument`), so that they call the small Java
//! classes of `java-runtime/` (`java_side`), which write events into memory that this crate maps from the
//! trace's files (`streams`). What it must never do is break the program that it is loaded into:
//! every entry from the JVM is wrapped, every failure ends in an unrecorded class and a
//! sentence in the trace's log, and nothing here is on the path of a single event.
//!
//! Without recording anything it can also give a JVM other bytes for chosen classes (`hybrids`).
//!
//! It knows the trace's format and class files; it knows nothing of the tool that reads traces.

mod children;
mod chunk_file;
mod files;
mod filter;
mod following;
mod hooks;
mod hybrids;
mod instrument;
mod java_side;
mod natives;
mod object_numbers;
mod other_agents;
mod own_code;
mod printed;
mod recording;
mod reserve;
mod ring;
mod streams;
mod symbols;
mod vm;
mod vm_flags;

pub use instrument::instrument_class;
pub use symbols::SymbolTable;
