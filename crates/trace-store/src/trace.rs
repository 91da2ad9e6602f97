//! One recorded JVM: its symbols, its streams, and the indexes over them, made when first asked
//! for.
//!
//! Reading takes `&self` and works from several threads. A trace is what was there when it was opened; of a run that
//! goes on [`Growing`](crate::Growing) makes one after the other.
//!
//! What can be asked about state is below: what variables held ([`state`]), every write of one ([`history`]), and what
//! nobody who was recorded wrote ([`outside`]).

mod described;
mod history;
mod indexed_writes;
mod kept;
mod last_writes;
mod outside;
mod state;

use std::fs::File;
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread::{self, ScopedJoinHandle};

use trace_format::files;
use trace_format::symbol::FieldSymbol;
use trace_format::{
    ClassNumber, DecodeError, End, EventPosition, FieldId, Meta, MethodId, ObjectId, Stream,
    ThreadNumber, TraceTime, ValuePosition,
};

use crate::call::{self, Call, CallOutcome};
use crate::call_index::{CallIndex, IndexSource};
use crate::calls::{CallId, ThreadCalls};
use crate::chains::{Chains, Observability, Search};
use crate::error::{IoContext, Result, StoreError};
use crate::fields::{FieldGroups, Hierarchy, NoHierarchy};
use crate::indexes::Indexes;
use crate::lazy::Lazy;
use crate::objects::{ObjectDescription, ObjectIndex};
use crate::own_events::OwnEvents;
use crate::printed::Printed;
use crate::recorded::Recorded;
use crate::residency::Residency;
use crate::stream_view::StreamView;
use crate::streams::Streams;
use crate::submissions::Submissions;
use crate::symbols::Symbols;
use crate::writes::WriteIndex;

pub(crate) use described::Described;
pub use history::History;
pub use indexed_writes::IndexedWrites;
pub use outside::{FindOutsideWrites, Kin, OutsideFindings, OutsideWrite};
pub use state::ObjectState;

use outside::{Outside, OutsideWrites};

pub struct Trace {
    recorded: Recorded,
    hierarchy: Box<dyn Hierarchy + Send + Sync>,
    /// Made when they are first wanted: by then the hierarchy is known.
    fields: OnceLock<FieldGroups>,
    calls: Lazy<Arc<CallIndex>>,
    objects: Lazy<Arc<ObjectIndex>>,
    writes: Lazy<Arc<WriteIndex>>,
    printed: Lazy<Printed>,
    /// Of all classes, one after the other.
    class_files: Lazy<File>,
    chains: Chains,
    outside: Outside,
    /// The last to be dropped: it may hold what is in the others.
    residency: Residency,
}

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trace")
            .field("folder", &self.folder())
            .finish_non_exhaustive()
    }
}

impl Trace {
    /// Opens the folder of a recorded JVM, or of a run, of which the interesting JVM is taken.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::of(Recorded::open(folder.as_ref())?))
    }

    pub(crate) fn of(recorded: Recorded) -> Self {
        let hierarchy = Box::new(NoHierarchy);
        Self {
            fields: OnceLock::new(),
            recorded,
            hierarchy,
            calls: Lazy::default(),
            objects: Lazy::default(),
            writes: Lazy::default(),
            printed: Lazy::default(),
            class_files: Lazy::default(),
            chains: Chains::default(),
            outside: Outside::default(),
            residency: Residency::default(),
        }
    }

    /// With indexes that are made already.
    pub(crate) fn with_indexes(recorded: Recorded, indexes: Indexes) -> Self {
        let mut trace = Self::of(recorded);
        trace.calls.set(indexes.calls);
        trace.objects.set(indexes.objects);
        trace.writes.set(indexes.writes);
        trace
    }

    /// Whether the end of what was recorded is left out.
    pub fn is_beginning(&self) -> bool {
        self.recorded.is_beginning
    }

    pub fn folder(&self) -> &Path {
        &self.recorded.folder
    }

    pub fn meta(&self) -> &Meta {
        &self.recorded.meta
    }

    /// How the JVM ended; `None` if it was killed or is running still.
    pub fn end(&self) -> Option<&End> {
        self.recorded.end.as_ref()
    }

    pub fn symbols(&self) -> &Symbols {
        &self.recorded.symbols
    }

    /// The threads that recorded anything, in order.
    pub fn threads(&self) -> impl Iterator<Item = ThreadNumber> + '_ {
        self.recorded.streams.threads()
    }

    pub fn stream(&self, thread: ThreadNumber, stream: Stream) -> StreamView<'_> {
        self.recorded.streams.view(thread, stream)
    }

    /// The original class file.
    pub fn class_file(&self, class: ClassNumber) -> Result<Option<Vec<u8>>> {
        use std::os::unix::fs::FileExt;
        let Some(symbol) = self.recorded.symbols.class(class) else {
            return Ok(None);
        };
        let path = self.folder().join(files::CLASSES);
        let open = || File::open(&path).during("open", &path);
        let file = self.class_files.get_or_make(open)?;
        let length = file.metadata().during("inspect", &path)?.len();
        let end = symbol.offset.checked_add(u64::from(symbol.length));
        if end.is_none_or(|end| end > length) {
            let error = DecodeError::CutOff;
            return Err(StoreError::Damaged {
                folder: self.folder().to_owned(),
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
        self.recorded.streams.file_bytes()
    }

    /// Lines of the recorder's log: what it could not do.
    pub fn log(&self) -> Vec<String> {
        let bytes = std::fs::read(self.folder().join(files::LOG)).unwrap_or_default();
        String::from_utf8_lossy(&bytes)
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// What the program printed. Of a run that goes on: until where this trace ends.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn printed(&self) -> Result<&Printed> {
        self.printed.get_or_make(|| {
            let ends = match self.may_grow() {
                true => Some(self.ends()?),
                false => None,
            };
            Printed::read(self.folder(), self.meta().format, ends.as_deref())
        })
    }

    fn ends(&self) -> Result<Vec<(ThreadNumber, u64)>> {
        let calls = self.call_index()?;
        let end = |thread| Some((thread, calls.summary(thread)?.end));
        Ok(self.threads().filter_map(end).collect())
    }

    // ---- calls

    /// Makes the call index if there is none, and tells how far it is: bytes done, and in all. The indexes of objects
    /// and writes are then made as well, side by side with it: whoever asks a first question should not wait for them.
    pub fn build_indexes(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        let source = self.recorded.source();
        if let Some(calls) = CallIndex::find(&source) {
            self.calls.get_or_make(|| Ok(Arc::new(calls)))?;
            return Ok(());
        }
        thread::scope(|scope| {
            let objects =
                thread::Builder::new().spawn_scoped(scope, || self.object_index().map(|_| ()));
            self.build_call_index(progress)?;
            self.write_index()?;
            match objects.map(ScopedJoinHandle::join) {
                Ok(Ok(made)) => made,
                Ok(Err(panic)) => resume_unwind(panic),
                // Where there is no room for a thread, whoever needs them makes them.
                Err(_) => Ok(()),
            }
        })
    }

    /// The call index alone.
    pub fn build_call_index(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        self.calls
            .get_or_make(|| CallIndex::open(&self.recorded.source(), progress).map(Arc::new))
            .map(|_| ())
    }

    pub fn calls(&self, thread: ThreadNumber) -> Result<ThreadCalls<'_>> {
        self.call_index()?
            .thread(thread)
            .ok_or(StoreError::NoThread(thread.0))
    }

    /// The calls of every thread, in the order of thread numbers.
    pub fn all_calls(&self) -> Result<impl Iterator<Item = ThreadCalls<'_>>> {
        Ok(self.call_index()?.threads())
    }

    pub fn call(&self, id: CallId) -> Result<Call> {
        let calls = self.calls_with(id)?;
        let axis = &self.call_index()?.axis;
        let events = self.stream(id.thread, Stream::Events);
        call::describe(calls, axis, id.index, events, self.symbols())
            .ok_or(StoreError::NoCall(id.number()))
    }

    /// How a call ended, without the rest of it.
    pub fn outcome(&self, id: CallId) -> Result<CallOutcome> {
        let calls = self.calls_with(id)?;
        let events = self.stream(id.thread, Stream::Events);
        Ok(call::outcome(calls, id.index, events, self.symbols()))
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
        Ok(OwnEvents::new(calls, id.index, events, self.symbols()))
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
        Ok(self.call_index()?.submissions())
    }

    /// Whether more may be recorded.
    pub fn may_grow(&self) -> bool {
        !self.recorded.is_finished()
    }

    /// The first and the last call of the longest chain that holds a call; `None` if it is chained
    /// with none of its siblings. What changes break a chain is for `sight` to say, always the same.
    pub fn chain_around(
        &self,
        id: CallId,
        sight: &dyn Observability,
    ) -> Result<Option<(u32, u32)>> {
        self.calls_with(id)?;
        let search = Search {
            streams: self.streams(),
            symbols: self.symbols(),
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

    /// The time of something that happened right before the event at a position: another thread may have been at work
    /// between the two.
    pub fn time_before(&self, thread: ThreadNumber, position: EventPosition) -> Result<TraceTime> {
        Ok(self.call_index()?.axis.time_before(thread, position))
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
        let index = self.object_index()?;
        let described = index.describe(self.streams(), self.symbols(), object);
        Ok(match described {
            Some(description) if self.recorded.symbols.is_masked(object) => {
                Some(description.masked())
            }
            described => described,
        })
    }

    /// The object id of an object's class, and that class's name.
    pub fn class_of(&self, object: ObjectId) -> Result<Option<(ObjectId, Option<String>)>> {
        let index = self.object_index()?;
        let place = index.place(object);
        let name = |class| index.text(self.streams(), self.symbols(), class);
        Ok(place.map(|place| (place.class, name(place.class))))
    }

    /// When an object was described.
    pub fn time_of_description(&self, description: &ObjectDescription) -> Result<TraceTime> {
        self.time_before(description.thread, description.position)
    }

    pub(crate) fn time_noted(&self, described: &Described<'_>) -> Result<TraceTime> {
        self.time_before(described.thread, described.position)
    }

    /// The text of a string object, or the name of a class object.
    pub fn text(&self, object: ObjectId) -> Result<Option<String>> {
        let index = self.object_index()?;
        Ok(index.text(self.streams(), self.symbols(), object))
    }

    /// Whether some code names this string as a constant: then it is the interned one.
    pub fn is_constant(&self, string: ObjectId) -> Result<bool> {
        Ok(self.object_index()?.is_constant(self.streams(), string))
    }

    /// The length of an array, without looking at its content.
    pub fn array_length(&self, array: ObjectId) -> Result<Option<u32>> {
        Ok(self.object_index()?.array_length(self.streams(), array))
    }

    /// All described objects, by id.
    pub fn objects(&self) -> Result<impl Iterator<Item = ObjectId> + '_> {
        Ok(self.object_index()?.all().map(|place| place.object))
    }

    /// The same from an id on.
    pub fn objects_from(&self, object: ObjectId) -> Result<impl Iterator<Item = ObjectId> + '_> {
        let objects = self.object_index()?.all_from(object);
        Ok(objects.map(|place| place.object))
    }

    /// Objects whose class is exactly this one, by id. Scans the objects.
    pub fn objects_of_class(&self, class: ObjectId) -> Result<impl Iterator<Item = ObjectId> + '_> {
        Ok(self.object_index()?.of_class(class))
    }

    /// The class objects with a name as `Class.getName` gives it (`a.b.C`), one per loader.
    pub fn class_objects_named(&self, name: &str) -> Result<Vec<ObjectId>> {
        let index = self.object_index()?;
        Ok(index.classes_named(self.streams(), self.symbols(), name))
    }

    /// The place of an object among all that are described, in the order of their ids.
    pub fn object_rank(&self, object: ObjectId) -> Result<Option<u64>> {
        Ok(self.object_index()?.rank(object))
    }

    /// The object with such a place; `None` if there is none.
    pub fn object_ranked(&self, rank: u64) -> Result<Option<ObjectId>> {
        Ok(self.object_index()?.ranked(rank))
    }

    // ---- fields

    /// Tells what the class files say about fields, so that all names of one field are one.
    pub fn set_hierarchy(&mut self, hierarchy: impl Hierarchy + Send + Sync + 'static) {
        self.hierarchy = Box::new(hierarchy);
        self.chains.forget();
        self.outside.forget();
        self.fields = OnceLock::new();
    }

    /// The class that declares a field, in internal form, as far as that is known.
    pub(crate) fn declaring_class(&self, field: &FieldSymbol) -> String {
        let (owner, name) = (&field.owner, &field.name);
        let declaring = self
            .hierarchy
            .declaring_class(owner, name, &field.descriptor);
        declaring.unwrap_or_else(|| owner.clone())
    }

    /// The number that stands for all numbers of the same field.
    pub fn resolve_field(&self, field: FieldId) -> FieldId {
        self.field_groups().canonical(field)
    }

    fn field_groups(&self) -> &FieldGroups {
        let make = || FieldGroups::new(self.symbols(), &*self.hierarchy);
        self.fields.get_or_init(make)
    }

    pub(crate) fn field_members(&self, field: FieldId) -> Vec<FieldId> {
        self.field_groups().members(field)
    }

    // ---- indexes

    pub(crate) fn call_index(&self) -> Result<&CallIndex> {
        let open = || CallIndex::open(&self.recorded.source(), &mut |_, _| {}).map(Arc::new);
        Ok(&**self.calls.get_or_make(open)?)
    }

    pub(crate) fn object_index(&self) -> Result<&ObjectIndex> {
        self.looked_up();
        let open = || ObjectIndex::open(&self.recorded.source()).map(Arc::new);
        Ok(&**self.objects.get_or_make(open)?)
    }

    pub(crate) fn write_index(&self) -> Result<&WriteIndex> {
        self.looked_up();
        let calls = self.call_index()?;
        let open = || WriteIndex::open(&self.recorded.source(), calls).map(Arc::new);
        Ok(&**self.writes.get_or_make(open)?)
    }

    /// Tells how to find what was written by nobody who was recorded.
    pub fn set_find_outside(&mut self, finder: Arc<dyn FindOutsideWrites>) {
        self.outside.set_finder(finder);
    }

    /// Tells what was written by nobody who was recorded.
    pub fn set_outside_writes(&mut self, writes: &[OutsideWrite]) -> Result<()> {
        let writes = OutsideWrites::collect(self, writes.iter().copied())?;
        self.outside.tell(writes);
        Ok(())
    }

    pub(crate) fn outside(&self) -> &Outside {
        &self.outside
    }

    pub(crate) fn source(&self) -> IndexSource<'_> {
        self.recorded.source()
    }

    pub(crate) fn streams(&self) -> &Streams {
        &self.recorded.streams
    }

    /// Gives the pages of mapped files that were read back to the system, now and then.
    fn looked_up(&self) {
        if self.residency.is_too_much() {
            let streams = self.streams().maps();
            let calls = self.calls.get().cloned();
            let objects = self.objects.get().cloned();
            let writes = self.writes.get().cloned();
            self.residency.give_back(move || {
                streams.iter().for_each(|map| map.release());
                calls.iter().for_each(|calls| calls.release());
                objects.iter().for_each(|objects| objects.release());
                writes.iter().for_each(|writes| writes.release());
            });
        }
    }

    pub(crate) fn calls_with(&self, id: CallId) -> Result<ThreadCalls<'_>> {
        self.looked_up();
        let calls = self.call_index()?.thread(id.thread);
        calls
            .filter(|calls| calls.contains(id.index))
            .ok_or(StoreError::NoCall(id.number()))
    }
}
