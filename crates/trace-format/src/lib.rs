//! What a trace is made of: numbers, values, records, file names and versions, each with its
//! encoder and its decoder. `docs/trace-format.md` has the byte diagrams; the names here are
//! those of that page.
//!
//! The recorder inside the JVM and the readers outside share this crate, so it does no I/O and has
//! few dependencies, and no `unsafe` but for instructions that not every machine has. Decoders take
//! what a file happens to hold, which may be cut off or damaged anywhere: they return errors, never
//! panic, and never allocate more than the input is long, or eight times that where it is packed.

mod build_tools;
pub mod chunk;
mod command_word;
pub mod cursor;
pub mod descriptor;
pub mod elements;
pub mod event;
mod eviction_log;
pub mod files;
pub mod head;
pub mod hybrids;
mod ids;
pub mod json;
pub mod object;
mod old_objects;
mod open_calls;
mod open_tasks;
pub mod packing;
pub mod printed;
mod record_options;
mod run_file;
pub mod secret;
pub mod secret_texts;
mod shapes;
pub mod symbol;
mod value;

pub use build_tools::{is_build_tool, is_part_of_build};
pub use chunk::{ChunkHeader, RegionHeader, Stream};
pub use command_word::CommandWord;
pub use elements::Elements;
pub use event::{Event, FrameShape, OpenFrame, Signatures};
pub use eviction_log::EvictionLog;
pub use head::{Head, ObjectsHead, ThreadHead};
pub use ids::{
    ClassNumber, EventPosition, FieldId, MAX_SYMBOL_NUMBER, MethodId, ObjectId, ObjectPosition,
    ThreadNumber, TraceTime, ValuePosition, restore_position,
};
pub use json::{Detail, End, EndReason, Identity, Libraries, Meta, VersionError, WhenFull};
pub use object::{ObjectEntry, ObjectKind};
pub use old_objects::{HeldObjects, OldObjects};
pub use open_calls::OpenCalls;
pub use open_tasks::{OpenTask, OpenTasks};
pub use printed::{PieceRecord, PrintedContent, PrintedCounts, StandardStream};
pub use record_options::{JdkState, OptionError, RecordOptions};
pub use run_file::RunFile;
pub use shapes::Shapes;
pub use symbol::Symbol;
pub use value::{Kind, Value};

/// Why bytes could not be decoded. Reads as a fragment, after "the trace is damaged: ".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The input ends inside a record. In a trace that is being written this is its end.
    #[error("a record is cut off")]
    CutOff,
    #[error("a file does not begin with its signature")]
    NoSignature,
    #[error("a chunk does not begin with its magic number")]
    NoMagic,
    #[error("stream number {0} is unknown")]
    UnknownStream(u8),
    #[error("event tag {0:#04x} is unknown")]
    UnknownEvent(u8),
    #[error("object entry kind {0} is unknown")]
    UnknownObject(u8),
    #[error("value kind {0} is unknown")]
    UnknownKind(u8),
    #[error("method {0} was never declared")]
    UnknownMethod(u32),
    #[error("field {0} was never declared")]
    UnknownField(u32),
    #[error("a call ends that never began")]
    ExitOutsideCall,
    #[error("a region's size is not a multiple of the page size")]
    RegionSize,
    #[error("a chunk cannot hold as much as it says")]
    ChunkSize,
    #[error("the head of a thread is longer than what it stands for")]
    HeadSize,
    #[error("a name is not modified UTF-8")]
    Text,
}
