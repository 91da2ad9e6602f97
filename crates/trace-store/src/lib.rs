//! A trace on disk: open it (also while it is being written), recover what is whole, and find
//! calls, objects and writes through indexes that live on disk as well.
//!
//! [`Run`] is what `askance record` made: a command with its JVMs. [`Trace`] is one recorded JVM.
//! A trace may be much larger than memory, so nothing here holds more than the stack of open
//! calls, a bounded buffer, and maps of files. A trace may be cut off or damaged anywhere, so
//! nothing here trusts a byte of it: what can be read is shown, the rest is counted.
//!
//! The store knows bytes, not bytecode: values that only code can explain are left to the crate
//! that replays frames, and class hierarchies come from whoever can read class files.

mod axis;
mod background;
mod call;
mod call_graph;
mod call_index;
mod calls;
mod chains;
mod columns;
mod columns_builder;
mod elements;
mod error;
mod evicted;
mod external_sort;
mod fields;
mod generations;
mod growing;
mod index_folder;
mod indexes;
mod info;
mod known;
mod lazy;
mod map;
mod objects;
mod order;
mod own_events;
mod printed;
mod processes;
mod recorded;
mod residency;
mod run;
mod run_file;
mod scrub;
mod seal;
mod shared_columns;
pub mod sketch;
mod slot;
mod sorted_rows;
mod stream_view;
mod streams;
mod stroll;
mod submissions;
mod symbols;
mod texts;
mod trace;
mod unpacked;
mod walks;
mod writes;

pub use background::let_others_go_first;
pub use call::{Call, CallOutcome};
pub use calls::{CallId, Extent, ExtentEnd, SiblingCalls, ThreadCalls};
pub use chains::{ChangeKind, Observability};
pub use columns::EventCounts;
pub use error::{Result, StoreError};
pub use evicted::Evicted;
pub use fields::{Hierarchy, NoHierarchy};
pub use growing::Growing;
pub use index_folder::remove_unfinished;
pub use info::{Completeness, Info, ThreadInfo};
pub use known::Known;
pub use map::{Map, explain_lost_pages};
pub use objects::{ObjectContent, ObjectDescription};
pub use order::{Segment, WriteOrder};
pub use own_events::{OwnEvent, OwnEvents, OwnPlace};
pub use printed::{LinePart, Printed, PrintedEntries, PrintedEntry, PrintedLine, PrintedPiece};
pub use run::{Jvm, RunFolder};
pub use run_file::{overwrite_run_file, read_run_file, write_run_file, write_whole};
pub use scrub::scrub;
pub use seal::{Damage, damage, seal};
pub use slot::{HistoryEntry, ObjectSlot, SlotValue, Written};
pub use stream_view::{Piece, StreamView, ValueReader};
pub use submissions::{Submission, Submissions};
pub use symbols::{Symbols, TypedMethod};
pub use trace::{
    FindOutsideWrites, History, IndexedWrites, Kin, ObjectState, OutsideFindings, OutsideWrite,
    Trace,
};
pub use writes::IndexedWrite;
