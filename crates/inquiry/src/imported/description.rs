//! What `tree.json` says: how the files beside it are to be read.

use serde::{Deserialize, Serialize};

use super::routines;

pub(super) const VERSION: u32 = 2;
/// Trees of this version are still read.
const OLDEST_VERSION: u32 = 1;

/// The content of `tree.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Description {
    pub(super) version: u32,
    /// The file that it came from, for whoever looks at it later.
    pub(super) from: String,
    pub(super) nodes: u32,
    pub(super) routines: u32,
    /// How many bytes an entry of the column `routines` has.
    #[serde(default = "widest")]
    pub(super) routine_bytes: usize,
    /// The number of the first call, if each call has one more than the one before it.
    #[serde(default)]
    pub(super) first_id: Option<u64>,
    #[serde(default = "yes")]
    pub(super) has_texts: bool,
}

impl Description {
    pub(super) fn is_known(&self) -> bool {
        (OLDEST_VERSION..=VERSION).contains(&self.version)
    }
}

/// What holds for the first version, which did not say.
fn widest() -> usize {
    routines::WIDEST
}

fn yes() -> bool {
    true
}
