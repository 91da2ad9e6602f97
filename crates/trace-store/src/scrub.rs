//! Overwrites what was noted of secrets before they were known to be secrets.
//!
//! The recorder masks an object as soon as it is held under a secret's name. If it was described before, its
//! number is in `symbols`; here its descriptions lose their content, in place and without any change of size.

use std::collections::HashSet;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use trace_format::chunk::{CHUNK_HEADER_SIZE, REGION_HEADER_SIZE};
use trace_format::files::{self, SIGNATURE_SIZE};
use trace_format::object::{self, ObjectKind};
use trace_format::{
    ChunkHeader, Head, ObjectEntry, ObjectId, RegionHeader, Stream, Symbol, ThreadNumber,
};

use crate::elements;
use crate::error::{IoContext as _, Result};
use crate::evicted::read_head;
use crate::streams::Streams;
use crate::symbols::Symbols;

/// Overwrites the secrets of one recorded JVM, which must have ended. Returns the texts that it found: class files
/// and command lines may hold them, too.
pub fn scrub(jvm: &Path) -> Result<Vec<String>> {
    let path = jvm.join(files::SYMBOLS);
    let symbols = std::fs::read(&path).during("read", &path)?;
    let secrets = masked_objects(&symbols);
    if secrets.is_empty() {
        return Ok(Vec::new());
    }
    let mut streams = Streams::default();
    streams.refresh(jvm)?;
    let mut scrubbing = Scrubbing {
        secrets,
        streams,
        texts: Vec::new(),
    };
    let head = scrubbing.head(jvm)?.unwrap_or_default();
    let begin = |from: u64| from.max(SIGNATURE_SIZE as u64);
    let files = [
        (files::OBJECTS, begin(head.objects_from), chunk as Stretches),
        (files::CHUNKS, begin(head.chunks_from), chunk),
        (files::TAILS, 0, region),
    ];
    // A text may stand in the description of another: all are read before any of them is overwritten.
    let mut overwritten = Vec::new();
    for (name, start, decode) in files {
        let path = jvm.join(name);
        let entries = scrubbing.file(&path, start, decode)?;
        overwritten.push((path, entries));
    }
    for (path, entries) in overwritten {
        overwrite(&path, entries)?;
    }
    Ok(scrubbing.texts)
}

fn overwrite(path: &Path, entries: Vec<Overwritten>) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let file = File::options().write(true).open(path);
    let file = file.during("open", path)?;
    for (at, entry) in entries {
        file.write_all_at(&entry, at).during("write", path)?;
    }
    Ok(())
}

fn masked_objects(symbols: &[u8]) -> HashSet<ObjectId> {
    let mut masked = HashSet::new();
    let mut rest = symbols.get(SIGNATURE_SIZE..).unwrap_or_default();
    while let Ok(Some((symbol, length))) = Symbol::decode(rest) {
        if let Symbol::Masked { object } = symbol {
            masked.insert(object);
        }
        rest = &rest[length..];
    }
    masked
}

/// Where a description stands, and what is to be written over it.
type Overwritten = (u64, Vec<u8>);

/// Reads the header of a stretch.
type Stretches = fn(&[u8]) -> Option<Stretch>;

/// A stretch of a file that belongs to one stream.
struct Stretch {
    stream: Stream,
    thread: ThreadNumber,
    header: usize,
    payload: u32,
    stride: u64,
}

fn chunk(bytes: &[u8]) -> Option<Stretch> {
    let header = ChunkHeader::decode(bytes).ok()?;
    Some(Stretch {
        stream: header.stream,
        thread: header.thread,
        header: CHUNK_HEADER_SIZE,
        payload: header.stored(),
        stride: header.stride(),
    })
}

fn region(bytes: &[u8]) -> Option<Stretch> {
    let header = RegionHeader::decode(bytes).ok()?;
    Some(Stretch {
        stream: header.stream,
        thread: header.thread,
        header: REGION_HEADER_SIZE,
        payload: header.capacity,
        stride: header.stride(),
    })
}

struct Scrubbing {
    secrets: HashSet<ObjectId>,
    streams: Streams,
    texts: Vec<String>,
}

impl Scrubbing {
    /// What stands for descriptions that were given up may name secrets, too; no text leads there.
    fn head(&mut self, jvm: &Path) -> Result<Option<Head>> {
        let Some(mut head) = read_head(jvm)? else {
            return Ok(None);
        };
        let mut is_changed = false;
        for objects in &mut head.objects {
            for (at, entry) in self.overwritten(objects.thread, &objects.entries) {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                objects.entries[at..][..entry.len()].copy_from_slice(&entry);
                is_changed = true;
            }
        }
        if is_changed {
            let path = jvm.join(files::HEAD);
            std::fs::write(&path, head.encode()).during("write", &path)?;
        }
        Ok(Some(head))
    }

    fn file(&mut self, path: &Path, start: u64, decode: Stretches) -> Result<Vec<Overwritten>> {
        let file = match File::open(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            opened => opened.during("open", path)?,
        };
        let length = file.metadata().during("read", path)?.len();
        let mut found = Vec::new();
        let mut at = start;
        while at < length {
            let mut header = [0; REGION_HEADER_SIZE];
            let there = header
                .len()
                .min(usize::try_from(length - at).unwrap_or(usize::MAX));
            file.read_exact_at(&mut header[..there], at)
                .during("read", path)?;
            let Some(stretch) = decode(&header[..there]) else {
                break;
            };
            let payload = at + stretch.header as u64;
            if stretch.stream == Stream::Objects && payload < length {
                let there = u64::from(stretch.payload).min(length - payload);
                let mut bytes = vec![0; usize::try_from(there).unwrap_or(0)];
                file.read_exact_at(&mut bytes, payload)
                    .during("read", path)?;
                let entries = self.overwritten(stretch.thread, &bytes);
                found.extend(
                    entries
                        .into_iter()
                        .map(|(offset, entry)| (payload + offset, entry)),
                );
            }
            at += stretch.stride;
        }
        Ok(found)
    }

    /// What is to be written over the descriptions of secrets, and where. The same content may stand in a region
    /// and in the chunk that was made of it.
    fn overwritten(&mut self, thread: ThreadNumber, payload: &[u8]) -> Vec<Overwritten> {
        let mut entries = Vec::new();
        let mut at = 0;
        while let Some(rest) = payload.get(at..)
            && let Ok(Some((entry, length))) = object::decode(rest)
        {
            if self.secrets.contains(&entry.object)
                && let Some(kind) = entry.kind.masked()
            {
                self.note(thread, &entry.kind);
                let mut bytes = Vec::with_capacity(length);
                ObjectEntry { kind, ..entry }.encode(&mut bytes);
                entries.push((at as u64, bytes));
            }
            at += length;
        }
        entries
    }

    fn note(&mut self, thread: ThreadNumber, secret: &ObjectKind<'_>) {
        // Nothing that it may stand in counts as a secret here.
        let symbols = Symbols::default();
        if let ObjectKind::String { .. } = secret
            && let Some(text) = elements::text(&self.streams, &symbols, thread, secret)
            && !self.texts.contains(&text)
        {
            self.texts.push(text);
        }
    }
}
