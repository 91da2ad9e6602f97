//! What the file says about the calls beside the tree, as JSON. Where it says nothing about any of them,
//! there are no files.

use std::path::{Path, PathBuf};

use trace_store::Map;

use super::columns::Column;
use super::{ImportError, file, slice};

/// The texts of an imported tree, and where each begins.
pub(super) struct Texts {
    pub(super) texts: Map,
    pub(super) starts: Map,
}

impl Texts {
    /// Empty, if nothing was said about a call.
    pub(super) fn get(&self, index: usize) -> &[u8] {
        slice(&self.texts, self.starts.u64s(), index, 0).unwrap_or_default()
    }

    /// Whether there is one for so many calls.
    pub(super) fn has(&self, nodes: usize) -> bool {
        self.starts.u64s().len() == nodes + 1
    }

    pub(super) fn bytes(&self) -> usize {
        self.texts.bytes().len() + self.starts.bytes().len()
    }
}

/// The texts as an import writes them.
pub(super) struct TextWriter {
    folder: PathBuf,
    calls: u64,
    /// From the first text on.
    columns: Option<Columns>,
}

struct Columns {
    texts: Column,
    starts: Column,
    bytes: u64,
}

impl TextWriter {
    pub(super) fn new(folder: &Path) -> Self {
        TextWriter {
            folder: folder.to_owned(),
            calls: 0,
            columns: None,
        }
    }

    /// Takes what was said about the next call.
    pub(super) fn put(&mut self, text: &str) -> Result<(), ImportError> {
        if self.columns.is_none() && !text.is_empty() {
            let mut starts = Column::create(&self.folder, file::TEXTS_AT)?;
            for _ in 0..self.calls {
                starts.put(&0u64.to_le_bytes())?;
            }
            self.columns = Some(Columns {
                texts: Column::create(&self.folder, file::TEXTS)?,
                starts,
                bytes: 0,
            });
        }
        self.calls += 1;
        let Some(columns) = &mut self.columns else {
            return Ok(());
        };
        columns.starts.put(&columns.bytes.to_le_bytes())?;
        columns.bytes += text.len() as u64;
        columns.texts.put(text.as_bytes())
    }

    /// Gives whether there are any.
    pub(super) fn finish(&mut self) -> Result<bool, ImportError> {
        let Some(columns) = &mut self.columns else {
            return Ok(false);
        };
        columns.starts.put(&columns.bytes.to_le_bytes())?;
        columns.starts.flush()?;
        columns.texts.flush()?;
        Ok(true)
    }
}
