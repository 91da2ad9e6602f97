//! A run: one recorded command with all the JVMs that it started.

use std::path::{Path, PathBuf};

use trace_format::{Meta, RunFile, Stream, files};

use crate::error::{IoContext, Result, StoreError};
use crate::run_file::read_run_file;
use crate::streams::Streams;

/// The folder that `askance record` made, or one JVM's folder in it.
#[derive(Debug)]
pub struct RunFolder {
    pub folder: PathBuf,
    /// `None` if it is missing or not readable; the JVMs can be read all the same.
    pub file: Option<RunFile>,
    /// By process id; never empty.
    pub jvms: Vec<Jvm>,
}

/// A recorded JVM, before it is opened.
#[derive(Debug)]
pub struct Jvm {
    pub folder: PathBuf,
    pub meta: Meta,
    /// Bytes of all events streams: more calls make more of them.
    pub event_bytes: u64,
}

impl RunFolder {
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        if !folder.exists() {
            return Err(StoreError::Missing(folder.to_owned()));
        }
        if !folder.is_dir() {
            let reason = "it is a file, not a folder";
            return Err(StoreError::NotATrace {
                folder: folder.to_owned(),
                reason,
            });
        }
        if folder.join(files::META).exists() {
            let jvms = vec![Jvm::open(folder)?];
            let run = folder.parent().and_then(read_run_file);
            return Ok(Self {
                folder: folder.to_owned(),
                file: run,
                jvms,
            });
        }
        let file = read_run_file(folder);
        let (jvms, first_error) = find_jvms(folder)?;
        match (jvms.is_empty(), first_error) {
            (false, _) => Ok(Self {
                folder: folder.to_owned(),
                file,
                jvms,
            }),
            (true, Some(error)) => Err(error),
            (true, None) if file.is_some() || is_empty(folder) => {
                Err(StoreError::Empty(folder.to_owned()))
            }
            (true, None) => {
                let reason = "it has neither run.json nor a folder of a recorded JVM";
                Err(StoreError::NotATrace {
                    folder: folder.to_owned(),
                    reason,
                })
            }
        }
    }

    /// The JVM that is meant when none is named: the one that recorded most, among those that
    /// are not build tools if there are such.
    pub fn interesting(&self) -> &Jvm {
        let rank = |jvm: &&Jvm| (jvm.event_bytes > 0 && !jvm.is_build_tool(), jvm.event_bytes);
        // `jvms` is never empty, and the first of equals is as good as another.
        self.jvms.iter().max_by_key(rank).unwrap_or(&self.jvms[0])
    }
}

impl Jvm {
    fn open(folder: &Path) -> Result<Self> {
        let meta = read_meta(folder)?;
        let mut streams = Streams::default();
        streams.refresh(folder)?;
        let event_bytes = streams
            .threads()
            .map(|thread| {
                let events = streams.view(thread, Stream::Events);
                events.length() - events.begin()
            })
            .sum();
        Ok(Self {
            folder: folder.to_owned(),
            meta,
            event_bytes,
        })
    }

    pub fn is_build_tool(&self) -> bool {
        trace_format::is_build_tool(&self.meta.java_command)
    }
}

pub(crate) fn read_meta(folder: &Path) -> Result<Meta> {
    let path = folder.join(files::META);
    if !folder.exists() {
        return Err(StoreError::Missing(folder.to_owned()));
    }
    let json = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let reason = "it has no meta.json";
            return Err(StoreError::NotATrace {
                folder: folder.to_owned(),
                reason,
            });
        }
        read => read.during("read", &path)?,
    };
    Meta::parse(&json).map_err(|error| StoreError::Version {
        folder: folder.to_owned(),
        error,
    })
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// The JVMs that can be read, and why the first of the others cannot.
fn find_jvms(folder: &Path) -> Result<(Vec<Jvm>, Option<StoreError>)> {
    let mut jvms = Vec::new();
    let mut first_error = None;
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder).during("list", folder)? {
        let entry = entry.during("list", folder)?;
        let is_jvm = entry
            .file_name()
            .to_str()
            .is_some_and(|n| n.starts_with(files::JVM_PREFIX));
        if is_jvm && entry.path().is_dir() {
            folders.push(entry.path());
        }
    }
    folders.sort();
    for folder in folders {
        match Jvm::open(&folder) {
            Ok(jvm) => jvms.push(jvm),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    jvms.sort_by_key(|jvm| jvm.meta.pid);
    Ok((jvms, first_error))
}
