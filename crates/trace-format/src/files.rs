//! Names of the files and folders of a trace, and the signatures with which they begin.

/// In the run's folder: the command and how it ended.
pub const RUN: &str = "run.json";
/// In the run's folder: what the program printed, where it ran in the background.
pub const OUTPUT: &str = "output.txt";
/// In the run's folder: files with this prefix have the answers that were given about one of its JVMs each.
pub const ANSWERS_PREFIX: &str = "session-";
/// A folder with the recordings of references that the run was compared with, each as a trace of its own.
pub const REFERENCES: &str = "references";
/// In the run's folder: a call tree that comes from elsewhere.
pub const IMPORTED: &str = "imported";
/// Each recorded JVM has a folder with this prefix, then its process id.
pub const JVM_PREFIX: &str = "jvm-";

pub const META: &str = "meta.json";
pub const END: &str = "end.json";
pub const SYMBOLS: &str = "symbols";
pub const CLASSES: &str = "classes";
pub const CHUNKS: &str = "chunks";
pub const TAILS: &str = "tails";
/// The stamp that is taken next.
pub const CLOCK: &str = "clock";
/// What the program printed, if it did.
pub const PRINTED: &str = "printed";
pub const LOG: &str = "log";
/// What the others are known by, since their JVM is gone.
pub const SEAL: &str = "seal.json";
/// Only where the oldest part of the streams was given up: what stands for it.
pub const HEAD: &str = "head";
/// Only there: the chunks of the objects streams that were in that part.
pub const OBJECTS: &str = "objects";
/// Made by readers; deleting it costs only the time to make it again.
pub const INDEX: &str = "index";

/// `chunks`, `objects`, `symbols` and `head` begin with eight bytes, the last of which is the major version.
pub const SIGNATURE_SIZE: usize = 8;
pub const CHUNKS_SIGNATURE: [u8; SIGNATURE_SIZE] = *b"ASKANCE\x06";
pub const SYMBOLS_SIGNATURE: [u8; SIGNATURE_SIZE] = *b"ASKSYMB\x06";
pub const HEAD_SIGNATURE: [u8; SIGNATURE_SIZE] = *b"ASKHEAD\x06";

/// The name of a JVM's folder inside the run's.
pub fn jvm_folder(process_id: u32) -> String {
    format!("{JVM_PREFIX}{process_id}")
}

/// The name of the file with the answers about one of a run's JVMs, or about an imported tree, which is number 0.
pub fn answers(number: u32) -> String {
    format!("{ANSWERS_PREFIX}{number}.json")
}
