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

mod folder;
mod objects;

use std::collections::{HashMap, HashSet};

use trace_format::chunk::encode_chunk;
use trace_format::elements::{ElementsContent, Packer, StreamPlace};
use trace_format::event::{
    Event, MOST_VALUES_AT_ENTER, MOST_VALUES_AT_EXIT, Range, Write, WriteTarget,
};
use trace_format::files::{CHUNKS_SIGNATURE, SYMBOLS_SIGNATURE};
use trace_format::json::VERSION;
use trace_format::packing::ChunkPacker;
use trace_format::symbol::{ClassSymbol, FieldSymbol, Level, MethodSymbol, ThreadSymbol};
use trace_format::{
    ChunkHeader, ClassNumber, Detail, Elements, End, EndReason, FieldId, Identity, Libraries, Meta,
    MethodId, ObjectId, Stream, Symbol, ThreadNumber, Value, WhenFull,
};

/// Payload bytes after which a stream's content becomes a chunk.
const CHUNK_SIZE: usize = 4096;

/// A run in the making. Methods that add an event return the sketch, to be chained.
#[derive(Debug, Clone)]
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
    /// Methods that are entered with `this`.
    with_this: HashSet<MethodId>,
}

#[derive(Debug, Clone, Default)]
struct Thread {
    /// `this` of the open calls.
    open: Vec<ObjectId>,
    /// Where the values were when an event last told.
    marked: u64,
    streams: [Pending; 3],
    packer: Packer,
}

/// What is not in a chunk yet.
#[derive(Debug, Clone, Default)]
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
                when_full: WhenFull::Stop,
                libraries: Libraries::Full,
            },
            end: None,
            chunk_size: CHUNK_SIZE,
            symbols: SYMBOLS_SIGNATURE.to_vec(),
            classes: Vec::new(),
            chunks: CHUNKS_SIGNATURE.to_vec(),
            class_count: 0,
            method_count: 0,
            field_count: 0,
            next_object: 1,
            clock: 0,
            threads: Vec::new(),
            class_objects: HashMap::new(),
            with_this: HashSet::new(),
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
        let symbol = MethodSymbol {
            method,
            class,
            index: method.0 as u16,
            access,
            level: Level::Full,
            name: name.into(),
            descriptor: descriptor.into(),
        };
        if symbol.enters_with_this() {
            self.with_this.insert(method);
        }
        self.symbol(Symbol::Method(symbol));
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
        let values = self.values_since_mark(thread, MOST_VALUES_AT_ENTER);
        self.event(
            thread,
            Event::Enter {
                method,
                values,
                arguments: &arguments,
            },
        );
        let this = match arguments.first_chunk() {
            Some(&bytes) if self.with_this.contains(&method) => ObjectId(u32::from_le_bytes(bytes)),
            _ => ObjectId::NULL,
        };
        self.of(thread).open.push(this);
        self
    }

    pub fn exit(&mut self, thread: ThreadNumber, value: Option<Value>) -> &mut Self {
        let values = self.values_since_mark(thread, MOST_VALUES_AT_EXIT);
        self.event(thread, Event::Exit { values, value });
        self.of(thread).open.pop();
        self
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
            self.of(thread).open.truncate(depth as usize - 1);
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
        self.of(thread).open.truncate(depth as usize);
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
        if let Some(this) = self.of(thread).open.last_mut() {
            *this = object;
        }
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
            WriteTarget::Field {
                field,
                object,
                value,
            },
        )
    }

    pub fn put_static(&mut self, thread: ThreadNumber, field: FieldId, value: Value) -> &mut Self {
        self.write_event(thread, WriteTarget::Static { field, value })
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
            WriteTarget::Element {
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
        let elements = Elements {
            kind: values[0].kind(),
            count: values.len() as u32,
            content: ElementsContent::Plain(&bytes),
        };
        self.range(thread, array, start, elements)
    }

    /// The same, packed.
    pub fn store_packed(
        &mut self,
        thread: ThreadNumber,
        array: ObjectId,
        start: u32,
        values: &[Value],
    ) -> &mut Self {
        let (kind, count) = (values[0].kind(), values.len() as u32);
        let of = |content| Elements {
            kind,
            count,
            content,
        };
        let mut header = Vec::new();
        let elements = of(ElementsContent::Packed(&[]));
        let target = WriteTarget::Range(Range {
            array,
            start,
            elements,
        });
        let write = Write {
            target,
            by_library: false,
        };
        write.encode(ObjectId::NULL, &mut header);
        let place = |position| StreamPlace::Events(position + header.len() as u64);
        let packed = self.pack(thread, Stream::Events, values, place);
        self.range(thread, array, start, of(ElementsContent::Packed(&packed)))
    }

    fn range(
        &mut self,
        thread: ThreadNumber,
        array: ObjectId,
        start: u32,
        elements: Elements<'_>,
    ) -> &mut Self {
        let range = Range {
            array,
            start,
            elements,
        };
        self.write_event(thread, WriteTarget::Range(range))
    }

    /// Packs values for the next record of a stream; `place` tells where they go if it begins at a position.
    fn pack(
        &mut self,
        thread: ThreadNumber,
        stream: Stream,
        values: &[Value],
        place: impl FnOnce(u64) -> StreamPlace,
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        values.iter().for_each(|value| value.encode(&mut bytes));
        let gives_up = self.meta.when_full == WhenFull::Ring;
        let Thread {
            packer, streams, ..
        } = self.of(thread);
        if gives_up {
            // What it would lead to may not be there any more.
            packer.forget();
        }
        let Pending {
            base,
            bytes: pending,
            ..
        } = &streams[stream.index()];
        let site = place(base + pending.len() as u64);
        let mut packed = Vec::new();
        packer.pack(&bytes, values[0].kind().size(), site, &mut packed);
        packed
    }

    pub fn event(&mut self, thread: ThreadNumber, event: Event<'_>) -> &mut Self {
        let mut bytes = Vec::new();
        let this = self.of(thread).open.last().copied().unwrap_or_default();
        event.encode(this, &mut bytes);
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
        self.threads[thread.0 as usize].open.len() as u32
    }

    /// The position of the thread's next event.
    pub fn position(&self, thread: ThreadNumber) -> u64 {
        let events = &self.threads[thread.0 as usize].streams[Stream::Events.index()];
        events.base + events.bytes.len() as u64
    }

    fn of(&mut self, thread: ThreadNumber) -> &mut Thread {
        &mut self.threads[thread.0 as usize]
    }

    fn value_position(&self, thread: ThreadNumber) -> u64 {
        let values = &self.threads[thread.0 as usize].streams[Stream::Values.index()];
        values.base + values.bytes.len() as u64
    }

    /// For an event that tells where the values have got to.
    fn vpos(&mut self, thread: ThreadNumber) -> u32 {
        let position = self.value_position(thread);
        self.of(thread).marked = position;
        position as u32
    }

    /// For an event that tells how many values came; a MARK goes before it if they are too many.
    fn values_since_mark(&mut self, thread: ThreadNumber, most: u64) -> u8 {
        let position = self.value_position(thread);
        let marked = std::mem::replace(&mut self.of(thread).marked, position);
        match position - marked {
            values if values <= most => values as u8,
            _ => {
                let vpos = position as u32;
                self.event(thread, Event::Mark { vpos });
                0
            }
        }
    }

    fn write_event(&mut self, thread: ThreadNumber, target: WriteTarget<'_>) -> &mut Self {
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
        let mut header = ChunkHeader {
            stream,
            complete: true,
            thread,
            length,
            base,
            stamp,
            packed: None,
        };
        let mut packer = ChunkPacker::default();
        let stored = header.pack(&bytes, &mut packer);
        encode_chunk(&header, stored, &mut self.chunks);
    }
}
