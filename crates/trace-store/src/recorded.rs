//! What a JVM left in its folder so far, without any index.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use trace_format::files::{self, SIGNATURE_SIZE};
use trace_format::{DecodeError, End, Meta, WhenFull};

use crate::call_index::IndexSource;
use crate::error::{IoContext, Result, StoreError};
use crate::index_folder::Stamp;
use crate::processes::is_gone;
use crate::run::{RunFolder, read_meta};
use crate::streams::Streams;
use crate::symbols::Symbols;

#[derive(Debug, Clone)]
pub(crate) struct Recorded {
    pub(crate) folder: PathBuf,
    pub(crate) meta: Meta,
    pub(crate) end: Option<End>,
    pub(crate) symbols: Arc<Symbols>,
    pub(crate) streams: Streams,
    /// The stamp that would have been taken next before the streams were looked at; 0 if that is not known.
    pub(crate) clock: u64,
    /// The end of what was recorded is left out.
    pub(crate) is_beginning: bool,
}

impl Recorded {
    /// In the folder of a JVM, or of a run, of which the interesting JVM is taken.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        if folder.is_dir() && folder.join(files::META).exists() {
            Self::open_jvm(folder)
        } else {
            Self::open_jvm(&RunFolder::open(folder)?.interesting().folder)
        }
    }

    fn open_jvm(folder: &Path) -> Result<Self> {
        let meta = read_meta(folder)?;
        check_signature(folder, files::CHUNKS, files::CHUNKS_SIGNATURE)?;
        check_signature(folder, files::SYMBOLS, files::SYMBOLS_SIGNATURE)?;
        if meta.when_full != WhenFull::Stop && is_being_recorded(folder)? {
            return Err(StoreError::Moving(folder.to_owned()));
        }
        let mut recorded = Self {
            folder: folder.to_owned(),
            meta,
            end: None,
            symbols: Arc::default(),
            streams: Streams::default(),
            clock: 0,
            is_beginning: false,
        };
        recorded.look()?;
        Ok(recorded)
    }

    /// Picks up what is new.
    pub(crate) fn look(&mut self) -> Result<()> {
        // In this order: streams refer to symbols that were written before them, and what stands
        // in `end.json` was written after everything.
        self.end = std::fs::read(self.folder.join(files::END))
            .ok()
            .and_then(|json| End::parse(&json));
        self.clock = std::fs::read(self.folder.join(files::CLOCK))
            .ok()
            .and_then(|bytes| Some(u64::from_le_bytes(*bytes.first_chunk()?)))
            .unwrap_or(0);
        self.streams.refresh(&self.folder)?;
        let path = self.folder.join(files::SYMBOLS);
        let length = std::fs::metadata(&path).map_or(0, |symbols| symbols.len());
        if length <= self.symbols.read {
            return Ok(());
        }
        let bytes = std::fs::read(&path).during("read", &path)?;
        let symbols = Arc::make_mut(&mut self.symbols);
        symbols.read = symbols.read.max(SIGNATURE_SIZE as u64);
        symbols.read(&bytes);
        Ok(())
    }

    /// Whether there will be no more.
    pub(crate) fn is_finished(&self) -> bool {
        !self.is_beginning && self.has_ended()
    }

    /// Whether the recorder is gone.
    pub(crate) fn has_ended(&self) -> bool {
        self.end.is_some() || is_gone(self.meta.pid)
    }

    pub(crate) fn source(&self) -> IndexSource<'_> {
        IndexSource {
            folder: &self.folder,
            streams: &self.streams,
            symbols: &self.symbols,
            stamp: Stamp::new(self.streams.stamp(), self.symbols.read),
            finished: self.is_finished(),
        }
    }
}

/// Whether the recorder still gives up what is oldest. It holds a lock as long as its JVM lives.
fn is_being_recorded(folder: &Path) -> Result<bool> {
    if folder.join(files::END).exists() {
        return Ok(false);
    }
    let path = folder.join(files::CHUNKS);
    let file = std::fs::File::open(&path).during("open", &path)?;
    let locked = flock(&file, FlockOperation::NonBlockingLockShared);
    Ok(locked == Err(Errno::WOULDBLOCK))
}

/// A file that is there must begin as it should; a JVM that ran no recorded code left none.
fn check_signature(folder: &Path, name: &str, signature: [u8; SIGNATURE_SIZE]) -> Result<()> {
    use std::io::Read;
    let path = folder.join(name);
    let mut file = match std::fs::File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).during("open", &path),
    };
    let mut bytes = Vec::new();
    file.by_ref()
        .take(SIGNATURE_SIZE as u64)
        .read_to_end(&mut bytes)
        .during("read", &path)?;
    if bytes.is_empty() || bytes == signature {
        return Ok(());
    }
    let error = DecodeError::NoSignature;
    Err(StoreError::Damaged {
        folder: folder.to_owned(),
        error,
    })
}
