//! Why a call tree from elsewhere is no tree.

use std::io;
use std::path::PathBuf;

/// Why a file cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{} cannot be read: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("the tree cannot be written to {}: {source}", .path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("{} holds no call", .0.display())]
    Empty(PathBuf),
    #[error("line {line} of {} is not JSON: {why}", .file.display())]
    NotJson {
        file: PathBuf,
        line: u64,
        why: String,
    },
    #[error("line {line} of {} is not a call: {why}", .file.display())]
    NotACall {
        file: PathBuf,
        line: u64,
        why: String,
    },
    #[error("line {line} of {} names call {parent} as its parent, which does not come before it", .file.display())]
    UnknownParent {
        file: PathBuf,
        line: u64,
        parent: u64,
    },
    #[error("line {line} of {} is not in preorder: its parent, call {parent}, ended with another call's line before it", .file.display())]
    NotPreorder {
        file: PathBuf,
        line: u64,
        parent: u64,
    },
    #[error("line {line} of {} has the number {id} again, which line {first} has", .file.display())]
    DuplicateId {
        file: PathBuf,
        line: u64,
        id: u64,
        first: u64,
    },
    #[error("interrupted; nothing was imported")]
    Interrupted,
    #[error("{} holds more calls than can be numbered", .0.display())]
    TooMany(PathBuf),
}
