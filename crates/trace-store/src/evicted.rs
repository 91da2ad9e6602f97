//! What is left of the oldest part of a trace that kept within its size.

use std::path::Path;

use trace_format::{Head, files};

use crate::error::{IoContext, Result, StoreError};

/// How much of a trace was given up to keep its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evicted {
    pub bytes: u64,
    /// Calls that began and ended before what is kept.
    pub calls: u64,
}

impl Evicted {
    pub(crate) fn of(head: &Head) -> Self {
        Self {
            bytes: head
                .chunks_from
                .saturating_sub(head.objects_length.saturating_sub(head.objects_from)),
            calls: head.lost_calls,
        }
    }
}

/// What stands for the part that was given up; `None` if there is none.
pub(crate) fn read_head(folder: &Path) -> Result<Option<Head>> {
    let path = folder.join(files::HEAD);
    let bytes = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read.during("read", &path)?,
    };
    let head = Head::decode(&bytes).map_err(|error| StoreError::Damaged {
        folder: folder.to_owned(),
        error,
    })?;
    Ok(Some(head))
}
