//! The files of a sketched run.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use trace_format::chunk::{REGION_ALIGNMENT, REGION_HEADER_SIZE};
use trace_format::files;
use trace_format::{RegionHeader, RunFile, Stream, ThreadNumber};

use super::{Pending, Sketch};

impl Sketch {
    /// Makes chunks of everything that the thread has recorded so far.
    pub fn flush(&mut self, thread: ThreadNumber) -> &mut Self {
        for stream in Stream::ALL {
            self.flush_stream(thread, stream);
        }
        self
    }

    /// Writes a run's folder with this JVM in it; returns the JVM's folder.
    pub fn write_run(&self, folder: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        let run = RunFile {
            command: vec!["java".into(), "Main".into()],
            ..RunFile::default()
        };
        fs::write(folder.join(files::RUN), run.to_json())?;
        let jvm = folder.join(files::jvm_folder(self.meta.pid));
        self.write(&jvm)?;
        Ok(jvm)
    }

    /// Writes the JVM's folder. Called again after more has been added, it leaves what a
    /// recorder would have left by then; files only grow.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join(files::META), self.meta.to_json())?;
        put(&folder.join(files::SYMBOLS), &self.symbols)?;
        put(&folder.join(files::CLASSES), &self.classes)?;
        put(&folder.join(files::CHUNKS), &self.chunks)?;
        fs::write(folder.join(files::TAILS), self.tails())?;
        if let Some(end) = &self.end {
            fs::write(folder.join(files::END), end.to_json())?;
        }
        Ok(())
    }

    fn tails(&self) -> Vec<u8> {
        let mut tails = Vec::new();
        for (number, thread) in self.threads.iter().enumerate() {
            for stream in Stream::ALL {
                let Pending {
                    base,
                    stamp,
                    ref bytes,
                } = thread.streams[stream.index()];
                // One byte more than the content: a zero ends it.
                let pages = (REGION_HEADER_SIZE + bytes.len() + 1).div_ceil(REGION_ALIGNMENT);
                let capacity = RegionHeader::capacity_of(pages as u32);
                let thread = ThreadNumber(number as u32);
                let in_use = self.end.is_none();
                let header = RegionHeader {
                    stream,
                    in_use,
                    thread,
                    capacity,
                    base,
                    stamp,
                    cut: None,
                };
                tails.extend(header.encode());
                tails.extend(bytes);
                tails.resize(tails.len().next_multiple_of(REGION_ALIGNMENT), 0);
            }
        }
        tails
    }
}

/// Writes over what is there, so that a map of the file stays good.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    file.write_all_at(bytes, 0)
}
