//! One recorded JVM: its symbols, its streams, and the indexes over them, made when first asked
//! for.
//!
//! Reading takes `&self` and works from several threads. `refresh` looks for what has been
//! recorded since; everything that was learned before keeps its numbers, except times on the
//! common axis of several threads.

use std::ops::Range;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use trace_format::files::{self, SIGNATURE_SIZE};
use trace_format::{
    ClassNumber, DecodeError, End, EventPosition, FieldId, Meta, MethodId, ObjectId, Stream,
    ThreadNumber, TraceTime, ValuePosition, WhenFull,
};

use crate::call::{self, Call, Outcome};
use crate::call_index::{CallIndex, Source};
use crate::calls::{CallId, Calls};
use crate::chains::{Chains, Search, Sight};
use crate::error::{IoContext, Result, StoreError};
use crate::fields::{FieldGroups, Hierarchy, NoHierarchy};
use crate::index_folder::{Stamp, is_gone};
use crate::lazy::Lazy;
use crate::objects::{ObjectDescription, ObjectIndex};
use crate::outside::{FindOutsideWrites, OutsideWrites};
use crate::own_events::OwnEvents;
use crate::residency::Residency;
use crate::run::{Run, read_meta};
use crate::stream_view::StreamView;
use crate::streams::Streams;
use crate::submissions::Submissions;
use crate::symbols::Symbols;
use crate::writes::WriteIndex;

pub struct Trace {
    folder: PathBuf,
    meta: Meta,
    end: Option<End>,
    symbols: Symbols,
    streams: Streams,
    hierarchy: Box<dyn Hierarchy + Send + Sync>,
    fields: FieldGroups,
    calls: Lazy<CallIndex>,
    objects: Lazy<ObjectIndex>,
    writes: Lazy<WriteIndex>,
    chains: Chains,
    outside: Lazy<OutsideWrites>,
    find_outside: Option<FindOutsideWrites>,
    residency: Residency,
    /// The end of what was recorded is left out.
    is_beginning: bool,
}

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trace")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl Trace {
    /// Opens the folder of a recorded JVM, or of a run, of which the interesting JVM is taken.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        if folder.is_dir() && folder.join(files::META).exists() {
            Self::open_jvm(folder)
        } else {
            Self::open_jvm(&Run::open(folder)?.interesting().folder)
        }
    }

    fn open_jvm(folder: &Path) -> Result<Self> {
        let meta = read_meta(folder)?;
        check_signature(folder, files::CHUNKS, files::CHUNKS_SIGNATURE)?;
        check_signature(folder, files::SYMBOLS, files::SYMBOLS_SIGNATURE)?;
        if meta.when_full != WhenFull::Stop && is_being_recorded(folder)? {
            return Err(StoreError::Moving(folder.to_owned()));
        }
        let mut trace = Self {
            folder: folder.to_owned(),
            meta,
            end: None,
            symbols: Symbols::default(),
            streams: Streams::default(),
            hierarchy: Box::new(NoHierarchy),
            fields: FieldGroups::default(),
            calls: Lazy::default(),
            objects: Lazy::default(),
            writes: Lazy::default(),
            chains: Chains::default(),
            outside: Lazy::default(),
            find_outside: None,
            residency: Residency::default(),
            is_beginning: false,
        };
        trace.look()?;
        Ok(trace)
    }

    /// Leaves out what lies behind about so many bytes of what is recorded by now: a beginning can be indexed
    /// and asked about long before all of it. To be called before anything else is asked of the trace, which
    /// is not to be refreshed afterwards. Of a run with several threads nothing is left out.
    pub fn keep_beginning(&mut self, bytes: u64) {
        self.is_beginning = self.streams.keep_beginning(bytes);
    }

    /// Whether the end of what was recorded is left out.
    pub fn is_beginning(&self) -> bool {
        self.is_beginning
    }

    /// Picks up what has been recorded since the trace was opened or last refreshed. Returns
    /// whether there was anything new.
    pub fn refresh(&mut self) -> Result<bool> {
        let before = self.stamp();
        self.look()?;
        if self.stamp() == before {
            return Ok(false);
        }
        self.objects.take();
        self.writes.take();
        self.chains.forget();
        self.outside.take();
        if let Some(index) = self.calls.take() {
            let index = index.refresh(&self.source())?;
            self.calls.set(index);
        }
        Ok(true)
    }

    fn look(&mut self) -> Result<()> {
        // In this order: streams refer to symbols that were written before them, and what stands
        // in `end.json` was written after everything.
        self.end = std::fs::read(self.folder.join(files::END))
            .ok()
            .and_then(|j| End::parse(&j));
        self.streams.refresh(&self.folder)?;
        let path = self.folder.join(files::SYMBOLS);
        match std::fs::read(&path) {
            Ok(bytes) => {
                self.symbols.read = self.symbols.read.max(SIGNATURE_SIZE as u64);
                self.symbols.read(&bytes);
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).during("read", &path),
        }
        self.fields = FieldGroups::new(&self.symbols, &*self.hierarchy);
        Ok(())
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// How the JVM ended; `None` if it was killed or is running still.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The threads that recorded anything, in order.
    pub fn threads(&self) -> impl Iterator<Item = ThreadNumber> + '_ {
        self.streams.threads()
    }

    pub fn stream(&self, thread: ThreadNumber, stream: Stream) -> StreamView<'_> {
        self.streams.view(thread, stream)
    }

    /// The original class file.
    pub fn class_file(&self, class: ClassNumber) -> Result<Option<Vec<u8>>> {
        use std::os::unix::fs::FileExt;
        let Some(symbol) = self.symbols.class(class) else {
            return Ok(None);
        };
        let path = self.folder.join(files::CLASSES);
        let file = std::fs::File::open(&path).during("open", &path)?;
        let length = file.metadata().during("inspect", &path)?.len();
        let end = symbol.offset.checked_add(u64::from(symbol.length));
        if end.is_none_or(|end| end > length) {
            let error = DecodeError::CutOff;
            return Err(StoreError::Damaged {
                folder: self.folder.clone(),
                error,
            });
        }
        let mut bytes = vec![0; symbol.length as usize];
        file.read_exact_at(&mut bytes, symbol.offset)
            .during("read", &path)?;
        Ok(Some(bytes))
    }

    /// What the recorded streams take on disk.
    pub fn file_bytes(&self) -> u64 {
        self.streams.file_bytes()
    }

    /// Lines of the recorder's log: what it could not do.
    pub fn log(&self) -> Vec<String> {
        let bytes = std::fs::read(self.folder.join(files::LOG)).unwrap_or_default();
        String::from_utf8_lossy(&bytes)
            .lines()
            .map(str::to_owned)
            .collect()
    }

    // ---- calls

    /// Makes the call index if there is none, and tells how far it is: bytes done, and in all.
    pub fn build_call_index(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        self.calls
            .get_or_make(|| CallIndex::open(&self.source(), progress))
            .map(|_| ())
    }

    pub fn calls(&self, thread: ThreadNumber) -> Result<Calls<'_>> {
        self.call_index()?
            .thread(thread)
            .ok_or(StoreError::NoThread(thread.0))
    }

    /// The calls of every thread, in the order of thread numbers.
    pub fn all_calls(&self) -> Result<impl Iterator<Item = Calls<'_>>> {
        Ok(self.call_index()?.threads())
    }

    pub fn call(&self, id: CallId) -> Result<Call> {
        let calls = self.calls_with(id)?;
        let axis = &self.call_index()?.axis;
        let events = self.stream(id.thread, Stream::Events);
        call::describe(calls, axis, id.index, events, &self.symbols)
            .ok_or(StoreError::NoCall(id.number()))
    }

    /// How a call ended, without the rest of it.
    pub fn outcome(&self, id: CallId) -> Result<Outcome> {
        let calls = self.calls_with(id)?;
        let events = self.stream(id.thread, Stream::Events);
        Ok(call::outcome(calls, id.index, events, &self.symbols))
    }

    /// The range of the values stream that the call and its descendants consumed.
    pub fn values_of(&self, id: CallId) -> Result<Range<ValuePosition>> {
        let calls = self.calls_with(id)?;
        let values = self.stream(id.thread, Stream::Values);
        Ok(call::values(calls, id.index, values))
    }

    /// The events of a call with its children in place, their events left out.
    pub fn own_events(&self, id: CallId) -> Result<OwnEvents<'_>> {
        let calls = self.calls_with(id)?;
        let events = self.stream(id.thread, Stream::Events);
        Ok(OwnEvents::new(calls, id.index, events, &self.symbols))
    }

    /// The calls without a caller, of all threads.
    pub fn roots(&self) -> Result<Vec<CallId>> {
        let mut roots = Vec::new();
        for calls in self.call_index()?.threads() {
            roots.extend(
                calls
                    .roots()
                    .map(|index| CallId::new(calls.thread(), index)),
            );
        }
        Ok(roots)
    }

    pub fn children(&self, id: CallId) -> Result<impl Iterator<Item = CallId> + '_> {
        let children = self.calls_with(id)?.children(id.index);
        Ok(children.map(move |index| CallId::new(id.thread, index)))
    }

    /// All calls of a method, thread by thread.
    pub fn calls_of_method(&self, method: MethodId) -> Result<impl Iterator<Item = CallId> + '_> {
        Ok(self.call_index()?.threads().flat_map(move |calls| {
            let thread = calls.thread();
            calls
                .of_method(method)
                .map(move |index| CallId::new(thread, index))
        }))
    }

    /// What threads handed over to each other. Takes memory for each task.
    pub fn submissions(&self) -> Result<Submissions> {
        self.call_index()?.submissions()
    }

    /// Whether more may be recorded.
    pub fn may_grow(&self) -> bool {
        !self.source().finished
    }

    /// The first and the last call of the longest chain that holds a call; `None` if it is chained
    /// with none of its siblings. What changes break a chain is for `sight` to say, always the same.
    pub fn chain_around(&self, id: CallId, sight: &dyn Sight) -> Result<Option<(u32, u32)>> {
        self.calls_with(id)?;
        let search = Search {
            streams: &self.streams,
            symbols: &self.symbols,
            calls: self.call_index()?,
            resolve: &|field| self.resolve_field(field),
            sight,
        };
        Ok(self.chains.around(&search, id))
    }

    /// The innermost call that contains a position of a thread.
    pub fn call_of(&self, thread: ThreadNumber, position: EventPosition) -> Result<Option<CallId>> {
        let found = self.calls(thread)?.at(position);
        Ok(found.map(|index| CallId::new(thread, index)))
    }

    // ---- time

    pub fn time(&self, thread: ThreadNumber, position: EventPosition) -> Result<TraceTime> {
        Ok(self.call_index()?.axis.time(thread, position))
    }

    /// The thread and position that a time stands for.
    pub fn position(&self, time: TraceTime) -> Result<(ThreadNumber, EventPosition)> {
        self.looked_up();
        Ok(self.call_index()?.axis.position(time))
    }

    /// After everything that was recorded.
    pub fn end_time(&self) -> Result<TraceTime> {
        Ok(self.call_index()?.axis.end())
    }

    // ---- objects

    pub fn object(&self, object: ObjectId) -> Result<Option<ObjectDescription>> {
        let described = self.object_index()?.describe(&self.streams, object);
        Ok(match described {
            Some(description) if self.symbols.is_masked(object) => Some(description.masked()),
            described => described,
        })
    }

    /// The object id of an object's class, and that class's name.
    pub fn class_of(&self, object: ObjectId) -> Result<Option<(ObjectId, Option<String>)>> {
        let index = self.object_index()?;
        let place = index.place(object);
        Ok(place.map(|place| (place.class, index.text(&self.streams, place.class))))
    }

    /// When an object was described.
    pub fn time_of_description(&self, description: &ObjectDescription) -> Result<TraceTime> {
        let axis = &self.call_index()?.axis;
        Ok(axis.time_before(description.thread, description.position))
    }

    /// The text of a string object, or the name of a class object.
    pub fn text(&self, object: ObjectId) -> Result<Option<String>> {
        Ok(self.object_index()?.text(&self.streams, object))
    }

    /// Whether some code names this string as a constant: then it is the interned one.
    pub fn is_constant(&self, string: ObjectId) -> Result<bool> {
        Ok(self.object_index()?.is_constant(&self.streams, string))
    }

    /// The length of an array, without looking at its content.
    pub fn array_length(&self, array: ObjectId) -> Result<Option<u32>> {
        Ok(self.object_index()?.array_length(&self.streams, array))
    }

    /// All described objects, by id.
    pub fn objects(&self) -> Result<impl Iterator<Item = ObjectId> + '_> {
        Ok(self.object_index()?.all().map(|place| place.object))
    }

    /// Objects whose class is exactly this one, by id. Scans the objects.
    pub fn objects_of_class(&self, class: ObjectId) -> Result<impl Iterator<Item = ObjectId> + '_> {
        Ok(self.object_index()?.of_class(class))
    }

    /// The class objects with a name as `Class.getName` gives it (`a.b.C`), one per loader.
    pub fn class_objects_named(&self, name: &str) -> Result<Vec<ObjectId>> {
        Ok(self.object_index()?.classes_named(&self.streams, name))
    }

    // ---- fields

    /// Tells what the class files say about fields, so that all names of one field are one.
    pub fn set_hierarchy(&mut self, hierarchy: impl Hierarchy + Send + Sync + 'static) {
        self.hierarchy = Box::new(hierarchy);
        self.chains.forget();
        self.fields = FieldGroups::new(&self.symbols, &*self.hierarchy);
    }

    /// The number that stands for all numbers of the same field.
    pub fn resolve_field(&self, field: FieldId) -> FieldId {
        self.fields.canonical(field)
    }

    pub(crate) fn field_members(&self, field: FieldId) -> Vec<FieldId> {
        self.fields.members(field)
    }

    // ---- indexes

    pub(crate) fn call_index(&self) -> Result<&CallIndex> {
        self.calls
            .get_or_make(|| CallIndex::open(&self.source(), &mut |_, _| {}))
    }

    pub(crate) fn object_index(&self) -> Result<&ObjectIndex> {
        self.looked_up();
        self.objects
            .get_or_make(|| ObjectIndex::open(&self.source()))
    }

    pub(crate) fn write_index(&self) -> Result<&WriteIndex> {
        self.looked_up();
        let calls = self.call_index()?;
        self.writes
            .get_or_make(|| WriteIndex::open(&self.source(), calls))
    }

    /// Tells how to find what was written by nobody who was recorded.
    pub fn set_find_outside(&mut self, find: FindOutsideWrites) {
        self.find_outside = Some(find);
        self.outside.take();
    }

    pub(crate) fn outside_writes(&self) -> Result<&OutsideWrites> {
        self.outside.get_or_make(|| match self.find_outside {
            Some(find) => OutsideWrites::open(self, &self.source(), find),
            None => Ok(OutsideWrites::default()),
        })
    }

    pub(crate) fn streams(&self) -> &Streams {
        &self.streams
    }

    /// Gives the pages of mapped files that were read back to the system. This happens by itself
    /// as calls and objects are looked up; scans over whole columns may want to do it after.
    pub fn release_pages(&self) {
        self.streams.release();
        if let Some(calls) = self.calls.get() {
            calls.release();
        }
        if let Some(objects) = self.objects.get() {
            objects.release();
        }
        if let Some(writes) = self.writes.get() {
            writes.release();
        }
    }

    fn looked_up(&self) {
        if self.residency.is_too_much() {
            self.release_pages();
        }
    }

    pub(crate) fn calls_with(&self, id: CallId) -> Result<Calls<'_>> {
        self.looked_up();
        let calls = self.call_index()?.thread(id.thread);
        calls
            .filter(|calls| calls.contains(id.index))
            .ok_or(StoreError::NoCall(id.number()))
    }

    fn stamp(&self) -> Stamp {
        Stamp::new(self.streams.stamp(), self.symbols.read)
    }

    fn source(&self) -> Source<'_> {
        Source {
            folder: &self.folder,
            streams: &self.streams,
            symbols: &self.symbols,
            stamp: self.stamp(),
            finished: !self.is_beginning && (self.end.is_some() || is_gone(self.meta.pid)),
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
