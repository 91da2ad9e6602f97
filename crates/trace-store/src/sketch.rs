//! Traces without a JVM, for tests: a program's run is sketched event by event and written as a
//! folder that holds, byte for byte, what the recorder would have left there.
//!
//! ```
//! use trace_format::{Value, symbol::ACC_STATIC};
//! use trace_store::{Trace, sketch::Sketch};
//!
//! let mut sketch = Sketch::new();
//! let main = sketch.thread("main");
//! let class = sketch.class("Main");
//! let twice = sketch.method(class, ACC_STATIC, "twice", "(I)I");
//! sketch.enter(main, twice, &[Value::Int(21)]).exit(main, Some(Value::Int(42)));
//! # let folder = tempfile::tempdir()?;
//! let jvm = sketch.write_run(folder.path())?;
//! assert_eq!(Trace::open(jvm)?.roots()?.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use trace_format::chunk::{REGION_ALIGNMENT, REGION_HEADER_SIZE, encode_chunk};
use trace_format::event::{Event, Range, Target, Write};
use trace_format::files;
use trace_format::json::VERSION;
use trace_format::modified_utf8;
use trace_format::object::{CODER_LATIN1, CODER_UTF16, FieldValues, java_hash};
use trace_format::symbol::{ClassSymbol, FieldSymbol, Level, MethodSymbol, ThreadSymbol};
use trace_format::{
    ChunkHeader, ClassNumber, Detail, End, EndReason, FieldId, Identity, Meta, MethodId,
    ObjectEntry, ObjectId, ObjectKind, RegionHeader, Run, Stream, Symbol, ThreadNumber, Value,
};

/// Payload bytes after which a stream's content becomes a chunk.
const CHUNK_SIZE: usize = 4096;

/// A run in the making. Methods that add an event return the sketch, to be chained.
#[derive(Debug)]
pub struct Sketch {
    meta: Meta,
    end: Option<End>,
    chunk_size: usize,
    symbols: Vec<u8>,
    classes: Vec<u8>,
    chunks: Vec<u8>,
    class_count: u32,
    method_count: u32,
    field_count: u32,
    next_object: u32,
    clock: u64,
    threads: Vec<Thread>,
    class_objects: HashMap<String, ObjectId>,
}

#[derive(Debug, Default)]
struct Thread {
    depth: u32,
    streams: [Pending; 3],
}

/// What is not in a chunk yet.
#[derive(Debug, Default)]
struct Pending {
    base: u64,
    stamp: u64,
    bytes: Vec<u8>,
}

impl Default for Sketch {
    fn default() -> Self {
        Self::new()
    }
}

impl Sketch {
    pub fn new() -> Self {
        Self {
            meta: Meta {
                format: VERSION,
                pid: 0,
                jvm: "0".into(),
                jvm_name: "a sketch".into(),
                detail: Detail::Full,
                identity: Identity::Map,
                started_ms: 0,
                java_command: "Main".into(),
            },
            end: None,
            chunk_size: CHUNK_SIZE,
            symbols: files::SYMBOLS_SIGNATURE.to_vec(),
            classes: Vec::new(),
            chunks: files::CHUNKS_SIGNATURE.to_vec(),
            class_count: 0,
            method_count: 0,
            field_count: 0,
            next_object: 1,
            clock: 0,
            threads: Vec::new(),
            class_objects: HashMap::new(),
        }
    }

    /// Bytes after which a stream's content becomes a chunk.
    pub fn chunk_size(&mut self, bytes: usize) -> &mut Self {
        self.chunk_size = bytes.max(1);
        self
    }

    /// `meta.json`, to be changed before it is written.
    pub fn meta(&mut self) -> &mut Meta {
        &mut self.meta
    }

    /// The JVM has ended: all content goes to chunks.
    pub fn end(&mut self, reason: EndReason) -> &mut Self {
        for thread in 0..self.threads.len() {
            self.flush(ThreadNumber(thread as u32));
        }
        self.end = Some(End {
            ended_ms: 0,
            reason,
        });
        self
    }

    // ---- symbols

    /// A class whose class file is empty.
    pub fn class(&mut self, name: &str) -> ClassNumber {
        self.class_with_file(name, &[])
    }

    pub fn class_with_file(&mut self, name: &str, file: &[u8]) -> ClassNumber {
        let class = ClassNumber(self.class_count);
        self.class_count += 1;
        self.symbol(Symbol::Class(ClassSymbol {
            class,
            offset: self.classes.len() as u64,
            length: file.len() as u32,
            level: Level::Full,
            name: name.into(),
            loader: "app".into(),
        }));
        self.classes.extend(file);
        class
    }

    pub fn method(
        &mut self,
        class: ClassNumber,
        access: u16,
        name: &str,
        descriptor: &str,
    ) -> MethodId {
        let method = MethodId(self.method_count);
        self.method_count += 1;
        self.symbol(Symbol::Method(MethodSymbol {
            method,
            class,
            index: method.0 as u16,
            access,
            level: Level::Full,
            name: name.into(),
            descriptor: descriptor.into(),
        }));
        method
    }

    pub fn field(&mut self, owner: &str, name: &str, descriptor: &str, is_static: bool) -> FieldId {
        let field = FieldId(self.field_count);
        self.field_count += 1;
        self.symbol(Symbol::Field(FieldSymbol {
            field,
            is_static,
            owner: owner.into(),
            name: name.into(),
            descriptor: descriptor.into(),
        }));
        field
    }

    pub fn thread(&mut self, name: &str) -> ThreadNumber {
        let thread = ThreadNumber(self.threads.len() as u32);
        self.threads.push(Thread::default());
        let java_id = u64::from(thread.0) + 1;
        self.symbol(Symbol::Thread(ThreadSymbol {
            thread,
            java_id,
            name: name.into(),
        }));
        thread
    }

    pub fn symbol(&mut self, symbol: Symbol) -> &mut Self {
        symbol.encode(&mut self.symbols);
        self
    }

    // ---- events

    /// `values`: `this`, unless the method is static or a constructor, then the arguments.
    pub fn enter(&mut self, thread: ThreadNumber, method: MethodId, values: &[Value]) -> &mut Self {
        let mut arguments = Vec::new();
        values.iter().for_each(|value| value.encode(&mut arguments));
        let vpos = self.vpos(thread);
        self.of(thread).depth += 1;
        self.event(
            thread,
            Event::Enter {
                method,
                vpos,
                arguments: &arguments,
            },
        )
    }

    pub fn exit(&mut self, thread: ThreadNumber, value: Option<Value>) -> &mut Self {
        let vpos = self.vpos(thread);
        self.of(thread).depth -= 1;
        self.event(thread, Event::Exit { vpos, value })
    }

    /// The innermost call ends by an exception.
    pub fn throw(&mut self, thread: ThreadNumber, exception: ObjectId) -> &mut Self {
        let depth = self.depth(thread);
        self.throw_at(thread, depth, exception)
    }

    /// The call at a depth ends by an exception; those inside it are lost.
    pub fn throw_at(&mut self, thread: ThreadNumber, depth: u32, exception: ObjectId) -> &mut Self {
        let vpos = self.vpos(thread);
        if (1..=self.depth(thread)).contains(&depth) {
            self.of(thread).depth = depth - 1;
        }
        self.event(
            thread,
            Event::Throw {
                depth,
                vpos,
                exception,
            },
        )
    }

    /// The call at a depth handles an exception; those inside it are lost.
    pub fn catch_at(
        &mut self,
        thread: ThreadNumber,
        depth: u32,
        exception: ObjectId,
        handler: u16,
    ) -> &mut Self {
        let vpos = self.vpos(thread);
        let open = self.of(thread);
        open.depth = open.depth.min(depth);
        self.event(
            thread,
            Event::Catch {
                depth,
                vpos,
                exception,
                handler,
            },
        )
    }

    pub fn this(&mut self, thread: ThreadNumber, object: ObjectId) -> &mut Self {
        self.event(thread, Event::This { object })
    }

    /// The next stamp.
    pub fn sync(&mut self, thread: ThreadNumber) -> &mut Self {
        self.clock += 1;
        let stamp = self.clock;
        self.event(thread, Event::Sync { stamp })
    }

    pub fn put_field(
        &mut self,
        thread: ThreadNumber,
        object: ObjectId,
        field: FieldId,
        value: Value,
    ) -> &mut Self {
        self.write_event(
            thread,
            Target::Field {
                field,
                object,
                value,
            },
        )
    }

    pub fn put_static(&mut self, thread: ThreadNumber, field: FieldId, value: Value) -> &mut Self {
        self.write_event(thread, Target::Static { field, value })
    }

    pub fn store(
        &mut self,
        thread: ThreadNumber,
        array: ObjectId,
        index: u32,
        value: Value,
    ) -> &mut Self {
        self.write_event(
            thread,
            Target::Element {
                array,
                index,
                value,
            },
        )
    }

    /// A bulk write; `values` must not be empty.
    pub fn store_range(
        &mut self,
        thread: ThreadNumber,
        array: ObjectId,
        start: u32,
        values: &[Value],
    ) -> &mut Self {
        let mut bytes = Vec::new();
        values.iter().for_each(|value| value.encode(&mut bytes));
        let (kind, count) = (values[0].kind(), values.len() as u32);
        let range = Range {
            array,
            start,
            count,
            kind,
            bytes: &bytes,
        };
        self.write_event(thread, Target::Range(range))
    }

    pub fn event(&mut self, thread: ThreadNumber, event: Event<'_>) -> &mut Self {
        let mut bytes = Vec::new();
        event.encode(&mut bytes);
        self.append(thread, Stream::Events, &bytes)
    }

    /// A value that a frame consumed.
    pub fn value(&mut self, thread: ThreadNumber, value: Value) -> &mut Self {
        let mut bytes = Vec::new();
        value.encode(&mut bytes);
        self.append(thread, Stream::Values, &bytes)
    }

    /// How many calls are open.
    pub fn depth(&self, thread: ThreadNumber) -> u32 {
        self.threads[thread.0 as usize].depth
    }

    /// The position of the thread's next event.
    pub fn position(&self, thread: ThreadNumber) -> u64 {
        let events = &self.threads[thread.0 as usize].streams[Stream::Events.index()];
        events.base + events.bytes.len() as u64
    }

    // ---- objects

    /// The class object with a name as `Class.getName` gives it, described once.
    pub fn class_object(&mut self, thread: ThreadNumber, name: &str) -> ObjectId {
        if let Some(&object) = self.class_objects.get(name) {
            return object;
        }
        let object = self.new_id();
        self.class_objects.insert(name.into(), object);
        let class = self.class_object(thread, "java.lang.Class");
        let mut bytes = Vec::new();
        modified_utf8::encode(name, &mut bytes);
        let kind = ObjectKind::Class {
            loader: ObjectId::NULL,
            name: &bytes,
        };
        self.describe(thread, object, class, kind);
        object
    }

    pub fn object(&mut self, thread: ThreadNumber, class: &str) -> ObjectId {
        self.described(thread, class, ObjectKind::Object)
    }

    pub fn string(&mut self, thread: ThreadNumber, text: &str) -> ObjectId {
        let units: Vec<u16> = text.encode_utf16().collect();
        let latin1 = units.iter().all(|&unit| unit < 256);
        let (coder, bytes) = if latin1 {
            (CODER_LATIN1, units.iter().map(|&unit| unit as u8).collect())
        } else {
            (
                CODER_UTF16,
                units
                    .iter()
                    .flat_map(|unit| unit.to_le_bytes())
                    .collect::<Vec<_>>(),
            )
        };
        let (length, hash) = (units.len() as u32, java_hash(text));
        let kind = ObjectKind::String {
            coder,
            length,
            bytes: &bytes,
            hash,
        };
        self.described(thread, "java.lang.String", kind)
    }

    pub fn new_array(&mut self, thread: ThreadNumber, class: &str, length: u32) -> ObjectId {
        self.described(thread, class, ObjectKind::NewArray { length })
    }

    /// An array seen with its content; `values` must not be empty.
    pub fn array(&mut self, thread: ThreadNumber, class: &str, values: &[Value]) -> ObjectId {
        let mut bytes = Vec::new();
        values.iter().for_each(|value| value.encode(&mut bytes));
        let (kind, length) = (values[0].kind(), values.len() as u32);
        self.described(
            thread,
            class,
            ObjectKind::Array {
                kind,
                length,
                bytes: &bytes,
            },
        )
    }

    pub fn boxed(&mut self, thread: ThreadNumber, class: &str, value: Value) -> ObjectId {
        self.described(thread, class, ObjectKind::Box { value })
    }

    pub fn enum_constant(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        ordinal: u32,
        name: &str,
    ) -> ObjectId {
        let name = self.string(thread, name);
        self.described(thread, class, ObjectKind::Enum { ordinal, name })
    }

    /// An object seen with the content of its fields.
    pub fn fields(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        fields: &[(FieldId, Value)],
    ) -> ObjectId {
        let bytes = FieldValues::encode(fields);
        let fields = FieldValues::new(fields.len() as u16, &bytes);
        self.described(thread, class, ObjectKind::Fields(fields))
    }

    pub fn throwable(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        message: Option<&str>,
    ) -> ObjectId {
        let message = message.map_or(ObjectId::NULL, |text| self.string(thread, text));
        self.described(thread, class, ObjectKind::Throwable { message })
    }

    /// A number that no object has yet.
    pub fn new_id(&mut self) -> ObjectId {
        self.next_object += 1;
        ObjectId(self.next_object - 1)
    }

    pub fn described(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        kind: ObjectKind<'_>,
    ) -> ObjectId {
        let class = self.class_object(thread, class);
        let object = self.new_id();
        self.describe(thread, object, class, kind);
        object
    }

    pub fn describe(
        &mut self,
        thread: ThreadNumber,
        object: ObjectId,
        class: ObjectId,
        kind: ObjectKind<'_>,
    ) -> &mut Self {
        let epos = self.position(thread) as u32;
        let mut bytes = Vec::new();
        ObjectEntry {
            object,
            class,
            epos,
            kind,
        }
        .encode(&mut bytes);
        self.append(thread, Stream::Objects, &bytes)
    }

    // ---- files

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
        let run = Run {
            command: vec!["java".into(), "Main".into()],
            ..Run::default()
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
                };
                tails.extend(header.encode());
                tails.extend(bytes);
                tails.resize(tails.len().next_multiple_of(REGION_ALIGNMENT), 0);
            }
        }
        tails
    }

    fn of(&mut self, thread: ThreadNumber) -> &mut Thread {
        &mut self.threads[thread.0 as usize]
    }

    fn vpos(&self, thread: ThreadNumber) -> u32 {
        let values = &self.threads[thread.0 as usize].streams[Stream::Values.index()];
        (values.base + values.bytes.len() as u64) as u32
    }

    fn write_event(&mut self, thread: ThreadNumber, target: Target<'_>) -> &mut Self {
        self.event(
            thread,
            Event::Write(Write {
                target,
                by_library: false,
            }),
        )
    }

    fn append(&mut self, thread: ThreadNumber, stream: Stream, bytes: &[u8]) -> &mut Self {
        let pending = &self.of(thread).streams[stream.index()];
        if !pending.bytes.is_empty() && pending.bytes.len() + bytes.len() > self.chunk_size {
            self.flush_stream(thread, stream);
        }
        self.of(thread).streams[stream.index()].bytes.extend(bytes);
        self
    }

    fn flush_stream(&mut self, thread: ThreadNumber, stream: Stream) {
        let clock = self.clock;
        let pending = &mut self.threads[thread.0 as usize].streams[stream.index()];
        if pending.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut pending.bytes);
        let Pending { base, stamp, .. } = *pending;
        pending.base += bytes.len() as u64;
        pending.stamp = clock;
        let length = bytes.len() as u32;
        let header = ChunkHeader {
            stream,
            complete: true,
            thread,
            length,
            base,
            stamp,
        };
        encode_chunk(&header, &bytes, &mut self.chunks);
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
