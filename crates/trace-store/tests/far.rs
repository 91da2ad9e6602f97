//! Rows of the call columns hold small distances; what is far stands elsewhere. A tree with a wide
//! node, a deep recursion, long pauses between calls and many values in one has all of it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use trace_format::symbol::ACC_STATIC;
use trace_format::{EndReason, MethodId, ObjectId, ThreadNumber, Value};
use trace_store::sketch::Sketch;
use trace_store::{CallId, CallOutcome, ThreadCalls, Trace};

/// Children of one call, and calls of a recursion: more than sixteen bits can count.
const MANY: i32 = 70_000;

struct Expected {
    parent: Option<u32>,
    size: u32,
    values: u64,
    values_end: u64,
}

struct Writer {
    sketch: Sketch,
    thread: ThreadNumber,
    method: MethodId,
    array: ObjectId,
    stack: Vec<u32>,
    calls: Vec<Expected>,
    values: u64,
}

impl Writer {
    fn enter(&mut self) {
        let index = self.calls.len() as u32;
        self.calls.push(Expected {
            parent: self.stack.last().copied(),
            size: 1,
            values: self.values,
            values_end: self.values,
        });
        self.stack.push(index);
        let argument = [Value::Int(index as i32)];
        self.sketch.enter(self.thread, self.method, &argument);
    }

    fn exit(&mut self) {
        let index = self.stack.pop().unwrap();
        let size = self.calls.len() as u32 - index;
        let call = &mut self.calls[index as usize];
        (call.size, call.values_end) = (size, self.values);
        let value = Value::Int(index as i32 + 1);
        self.sketch.exit(self.thread, Some(value));
    }

    fn leaf(&mut self) {
        self.enter();
        self.exit();
    }

    fn read(&mut self, values: usize) {
        for _ in 0..values {
            self.sketch.value(self.thread, Value::Long(7));
            self.values += 8;
        }
    }

    fn copy_much(&mut self) {
        let bytes = vec![1; 100_000];
        let values: Vec<Value> = bytes.into_iter().map(Value::Byte).collect();
        self.sketch.store_range(self.thread, self.array, 0, &values);
    }
}

#[test]
fn calls_that_are_far_from_each_other_are_found() {
    let mut sketch = Sketch::new();
    sketch.chunk_size(256 * 1024);
    let class = sketch.class("Main");
    let method = sketch.method(class, ACC_STATIC, "f", "(I)I");
    let thread = sketch.thread("main");
    let array = sketch.new_array(thread, "[B", 100_000);
    let mut writer = Writer {
        sketch,
        thread,
        method,
        array,
        stack: Vec::new(),
        calls: Vec::new(),
        values: 0,
    };
    writer.enter();
    (0..MANY).for_each(|_| writer.leaf());
    for _ in 0..100 {
        writer.copy_much();
        writer.leaf();
        writer.read(7);
        writer.leaf();
    }
    writer.enter();
    for _ in 0..2000 {
        writer.read(7);
        writer.leaf();
    }
    writer.exit();
    (0..MANY).for_each(|_| writer.enter());
    (0..MANY / 2).for_each(|_| writer.exit());
    (0..1000).for_each(|_| writer.leaf());
    (0..MANY / 4).for_each(|_| writer.exit());
    let open = writer.stack.clone();
    writer.sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let jvm = writer.sketch.write_run(folder.path()).unwrap();

    let trace = Trace::open(&jvm).unwrap();
    let calls = trace.calls(thread).unwrap();
    assert_eq!(calls.len() as usize, writer.calls.len());
    let sizes: Vec<u32> = (0..calls.len()).map(|index| calls.subtree(index)).collect();
    let blocks = sizes.chunks(ThreadCalls::BLOCK as usize);
    let largest: Vec<u32> = blocks
        .flat_map(|block| block.iter().copied().max())
        .collect();
    assert_eq!(calls.largest_subtrees(), largest);
    for (index, expected) in (0u32..).zip(&writer.calls) {
        let is_open = open.binary_search(&index).is_ok();
        assert_eq!(calls.parent(index), expected.parent, "{index}");
        assert_eq!(calls.is_open(index), is_open, "{index}");
        let extent = calls.extent(index);
        assert_eq!(extent.entry, calls.entry(index), "{index}");
        assert_eq!(extent.values.0, expected.values, "{index}");
        if is_open {
            assert_eq!(calls.subtree(index), calls.len() - index);
            assert_eq!(extent.end, None);
            continue;
        }
        assert_eq!(calls.subtree(index), expected.size, "{index}");
        let end = extent.end.unwrap();
        assert_eq!(end.values.0, expected.values_end, "{index}");
        assert_eq!(Some(end.exit), calls.exit(index), "{index}");
        if index % 97 == 0 {
            let call = trace.call(CallId::new(thread, index)).unwrap();
            assert_eq!(call.arguments, [Value::Int(index as i32)]);
            let returned = Value::Int(index as i32 + 1);
            assert_eq!(call.outcome, CallOutcome::Returned(Some(returned)));
            assert_eq!(calls.at(call.entry), Some(index));
            assert_eq!(calls.at(call.exit.unwrap()), Some(index));
        }
    }
}
