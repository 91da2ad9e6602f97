//! Giving up the oldest part of a trace, so that recording goes on within a size.
//!
//! When there is no room for the next chunk, the oldest chunks are read once more: those of events
//! tell which calls are open where the kept part begins, those of objects are taken over into a file
//! of their own, since an object is described before it is used. There they stay until they take too much; then the
//! oldest are given up, too, but for the few that are always needed. Then the file `head` is replaced by one
//! that stands for all that came before, and only then is the storage freed, by a hole in `chunks` and in `objects`.
//! Offsets and positions stay what they were. Whenever the JVM is killed, the head that is there and
//! the chunks that it speaks of make a whole trace.
//!
//! So that what is used is described in what is kept, the program's objects are described again when they are used
//! in another span of the recording than that of their last description ([`ObjectNumbers`]). A span is shorter than
//! what is kept of the descriptions.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use rustix::fs::{FallocateFlags, FlockOperation, fallocate, flock};
use trace_format::chunk::CHUNK_HEADER_SIZE;
use trace_format::files::{self, SIGNATURE_SIZE};
use trace_format::{
    ChunkHeader, DecodeError, EvictionLog, HeldObjects, ObjectPosition, OldObjects, Shapes, Stream,
    Symbol, ThreadNumber,
};

use crate::files::TraceFiles;
use crate::object_numbers::{FIRST_OBJECT, ObjectNumbers};

/// Storage is freed in whole blocks of a file system.
const BLOCK: u64 = 4096;
/// Of the size that is allowed, this part is given up at once: the head is written anew each time.
const BATCHES: u64 = 8;
/// What cannot be given up may take this part of the size.
const LASTING: u64 = 2;
/// When the descriptions of objects from before the kept part take the first of these parts of the size, they are given
/// up until they take the second.
const MOST_OBJECTS: u64 = 4;
const FEWER_OBJECTS: u64 = 8;
/// After so large a part of the size objects are described again when they are used.
const SPANS: u64 = 16;

#[derive(Debug)]
pub(crate) struct Ring {
    files: Arc<TraceFiles>,
    objects: File,
    numbers: Arc<ObjectNumbers>,
    /// The sizes of events, as far as `symbols` has been read.
    shapes: Shapes,
    symbols: File,
    symbols_read: u64,
    /// What the user allows.
    largest: u64,
    /// Offset in `chunks` of the first chunk that is kept.
    begin: u64,
    /// The end of `chunks` at which the next span begins.
    span_end: u64,
    /// Offset in `objects` of the first chunk that is kept.
    objects_begin: u64,
    objects_length: u64,
    head_length: u64,
    given_up: EvictionLog,
    old_objects: OldObjects,
}

/// What came of the attempt to make room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    Made,
    /// The oldest chunk is being written.
    Later,
    Never,
}

/// Why the oldest part cannot be given up.
#[derive(Debug, thiserror::Error)]
enum RingError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("what was recorded cannot be read again: {0}")]
    Unreadable(#[from] DecodeError),
}

impl Ring {
    /// `None`, with a sentence in the log, where the file system cannot free a part of a file.
    pub(crate) fn new(
        files: &Arc<TraceFiles>,
        symbols: File,
        numbers: &Arc<ObjectNumbers>,
        largest: u64,
    ) -> io::Result<Option<Self>> {
        if let Err(error) = punch(&files.chunks, BLOCK, BLOCK) {
            files.log(&format!(
                "recording will stop at --max-trace: the file system cannot free the oldest part of a trace ({error})"
            ));
            return Ok(None);
        }
        // Readers must not look at what is given up under their eyes. Where files cannot be locked, they might.
        let _ = flock(&files.chunks, FlockOperation::NonBlockingLockExclusive);
        let objects = files.create(files::OBJECTS)?;
        objects.write_all_at(&files::CHUNKS_SIGNATURE, 0)?;
        numbers.describe_again();
        Ok(Some(Ring {
            files: Arc::clone(files),
            objects,
            numbers: Arc::clone(numbers),
            shapes: Shapes::default(),
            symbols,
            symbols_read: SIGNATURE_SIZE as u64,
            largest,
            begin: SIGNATURE_SIZE as u64,
            span_end: largest / SPANS,
            objects_begin: SIGNATURE_SIZE as u64,
            objects_length: SIGNATURE_SIZE as u64,
            head_length: 0,
            given_up: EvictionLog::default(),
            old_objects: OldObjects::default(),
        }))
    }

    /// What the trace takes on disk if its chunks end there.
    pub(crate) fn held(&self, end: u64) -> u64 {
        end - self.begin + self.objects_held() + self.head_length
    }

    fn objects_held(&self) -> u64 {
        self.objects_length - self.objects_begin
    }

    /// To be told where the chunks end.
    pub(crate) fn has_grown(&mut self, end: u64) {
        if end >= self.span_end {
            self.numbers.begin_span();
            self.span_end = end + self.largest / SPANS;
        }
    }

    pub(crate) fn thread_ended(&mut self, thread: ThreadNumber, ends: [u64; 3], stamp: u64) {
        let [events, values, objects] = ends;
        self.given_up.thread_ended(thread, events, values, stamp);
        self.old_objects
            .thread_ended(thread, ObjectPosition(objects));
    }

    /// Gives up the oldest chunks: at least so many bytes of them if they are there.
    pub(crate) fn make_room(&mut self, chunks: &File, end: u64, lacking: u64) -> io::Result<Room> {
        if self.begin == end {
            return Ok(Room::Never);
        }
        if self.head_length > self.largest / LASTING {
            self.files.log(
                "the open calls and the classes, which --when-full ring keeps, take more than half of --max-trace; a larger one records more",
            );
            return Ok(Room::Never);
        }
        let wanted = lacking.max(self.largest / BATCHES);
        match self.begin_later(chunks, (self.begin + wanted).min(end)) {
            Ok(room) => Ok(room),
            Err(RingError::Io(error)) => Err(error),
            Err(error) => {
                self.files.log(&format!("--when-full ring: {error}"));
                Ok(Room::Never)
            }
        }
    }

    fn begin_later(&mut self, chunks: &File, until: u64) -> Result<Room, RingError> {
        let begin = self.give_up(chunks, until)?;
        if begin == self.begin {
            return Ok(Room::Later);
        }
        self.free(chunks, begin)?;
        Ok(Room::Made)
    }

    /// Reads the oldest chunks up to an offset, or to one that is being written. Returns where the rest begins.
    fn give_up(&mut self, chunks: &File, until: u64) -> Result<u64, RingError> {
        self.read_symbols()?;
        let mut at = self.begin;
        let (mut chunk, mut events) = (Vec::new(), Vec::new());
        while at < until {
            let header = header_at(chunks, at)?;
            if !header.complete {
                break;
            }
            let stride = header.stride();
            // The file may end before the padding of its last chunk.
            let length = CHUNK_HEADER_SIZE + header.stored() as usize;
            chunk.resize(length, 0);
            match header.stream {
                Stream::Values => self.given_up.add(&header, &[], &self.shapes)?,
                Stream::Events => {
                    chunks.read_exact_at(&mut chunk, at)?;
                    events.clear();
                    header
                        .unpack(&chunk[CHUNK_HEADER_SIZE..], &mut events)
                        .ok_or(DecodeError::ChunkSize)?;
                    self.given_up.add(&header, &events, &self.shapes)?;
                }
                Stream::Objects => {
                    chunks.read_exact_at(&mut chunk, at)?;
                    self.objects.write_all_at(&chunk, self.objects_length)?;
                    self.objects_length += stride;
                }
            }
            at += stride;
        }
        Ok(at)
    }

    /// From here on the trace begins at an offset.
    fn free(&mut self, chunks: &File, begin: u64) -> Result<(), RingError> {
        let mut head = self.given_up.head(begin, self.objects_length);
        let mut objects_begin = self.objects_begin;
        if self.objects_held() > self.largest / MOST_OBJECTS {
            let held = HeldObjects::of(&head, FIRST_OBJECT);
            objects_begin = self.give_up_objects(held)?;
        }
        head.objects_from = objects_begin;
        head.objects = self.old_objects.heads();
        let head = head.encode();
        self.files.write_whole(files::HEAD, &head)?;
        self.head_length = head.len() as u64;
        free_between(chunks, self.begin, begin)?;
        free_between(&self.objects, self.objects_begin, objects_begin)?;
        self.begin = begin;
        self.objects_begin = objects_begin;
        Ok(())
    }

    /// Reads the oldest descriptions for what is needed of them. Returns where the rest begins.
    fn give_up_objects(&mut self, mut held: HeldObjects) -> Result<u64, RingError> {
        self.old_objects.retain(&mut held);
        let fewer = self.largest / FEWER_OBJECTS;
        let mut at = self.objects_begin;
        let mut payload = Vec::new();
        while self.objects_length - at > fewer {
            let header = header_at(&self.objects, at)?;
            payload.resize(header.stored() as usize, 0);
            self.objects
                .read_exact_at(&mut payload, at + CHUNK_HEADER_SIZE as u64)?;
            self.old_objects.add(&header, &payload, &mut held);
            at += header.stride();
        }
        Ok(at)
    }

    /// A symbol is in the file before its number is in a stream.
    fn read_symbols(&mut self) -> Result<(), RingError> {
        let length = self.symbols.metadata()?.len();
        let mut bytes = vec![0; (length - self.symbols_read) as usize];
        self.symbols.read_exact_at(&mut bytes, self.symbols_read)?;
        let mut rest = &bytes[..];
        // What is cut off is being written.
        while let Ok(Some((symbol, length))) = Symbol::decode(rest) {
            self.shapes.add(&symbol, usize::MAX);
            self.symbols_read += length as u64;
            rest = &rest[length..];
        }
        Ok(())
    }
}

fn header_at(file: &File, at: u64) -> Result<ChunkHeader, RingError> {
    let mut header = [0; CHUNK_HEADER_SIZE];
    file.read_exact_at(&mut header, at)?;
    Ok(ChunkHeader::decode(&header)?)
}

/// Frees the storage of what was given up last. A block that was half given up before is freed now; the signature
/// stays.
fn free_between(file: &File, before: u64, begin: u64) -> io::Result<()> {
    let from = (before / BLOCK * BLOCK).max(SIGNATURE_SIZE as u64);
    if before == begin {
        return Ok(());
    }
    punch(file, from, begin - from)
}

fn punch(file: &File, at: u64, length: u64) -> io::Result<()> {
    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    Ok(fallocate(file, flags, at, length)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk_file::ChunkFile;

    const LARGEST: u64 = 1 << 20;

    /// Of a file that is open for reading only no part can be freed, as on file systems without holes.
    #[test]
    fn where_nothing_can_be_freed_recording_stops_at_the_size() {
        let run = tempfile::tempdir().unwrap();
        let (mut files, symbols, _) = TraceFiles::begin(run.path(), 1).unwrap();
        let folder = run.path().join("jvm-1");
        let path = folder.join(files::CHUNKS);
        let chunks = std::mem::replace(&mut files.chunks, File::open(&path).unwrap());
        let numbers = Arc::new(ObjectNumbers::new());
        let ring = Ring::new(&Arc::new(files), symbols, &numbers, LARGEST).unwrap();
        assert!(ring.is_none());
        assert!(!folder.join(files::OBJECTS).exists());
        assert_eq!(
            numbers.span_addresses().bits,
            0,
            "nothing is described again"
        );
        let log = std::fs::read_to_string(folder.join(files::LOG)).unwrap();
        assert!(
            log.starts_with("recording will stop at --max-trace: "),
            "{log}"
        );
        assert_eq!(log.lines().count(), 1, "{log}");

        let file = ChunkFile::new(chunks, Some(LARGEST), ring);
        let payload = vec![0x08; 100_000];
        let mut base = 0;
        let mut append = || {
            let header = ChunkHeader {
                stream: Stream::Events,
                complete: false,
                thread: ThreadNumber(0),
                length: payload.len() as u32,
                base,
                stamp: 0,
                packed: None,
            };
            base += payload.len() as u64;
            file.append(&header, &payload).unwrap()
        };
        let written = std::iter::repeat_with(&mut append).take_while(|&fits| fits);
        assert_eq!(written.count(), 10);
        assert!(path.metadata().unwrap().len() <= LARGEST);
        assert!(!append(), "it stays full");
    }
}
