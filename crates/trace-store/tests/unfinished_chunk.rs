//! A JVM that was killed while it wrote a chunk leaves one that is not complete, and complete ones behind it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use trace_format::chunk::{CHUNK_BEING_WRITTEN, CHUNK_HEADER_SIZE, offset};
use trace_format::symbol::ACC_STATIC;
use trace_format::{ChunkHeader, EndReason, Stream, ThreadNumber, Value, files};
use trace_store::Growing;
use trace_store::sketch::Sketch;

/// Reading such a trace step by step went on for ever: the steps ended at the chunk that is not complete.
#[test]
fn reading_step_by_step_ends_behind_an_unfinished_chunk() {
    let mut sketch = Sketch::new();
    sketch.chunk_size(20);
    let threads = ["one", "other"].map(|name| sketch.thread(name));
    let class = sketch.class("Main");
    let twice = sketch.method(class, ACC_STATIC, "twice", "(I)I");
    for round in 0..20 {
        for thread in threads {
            sketch.enter(thread, twice, &[Value::Int(round)]);
            sketch.exit(thread, Some(Value::Int(round * 2)));
        }
    }
    sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    let jvm = sketch.write_run(folder.path()).unwrap();
    let path = jvm.join(files::CHUNKS);
    let mut chunks = fs::read(&path).unwrap();
    leave_unfinished(&mut chunks, threads[0]);
    fs::write(&path, chunks).unwrap();

    let (done, ended) = mpsc::channel();
    thread::spawn(move || {
        let mut growing = Growing::open(&jvm).unwrap();
        while !growing.is_up_to_date() {
            growing.advance(16).unwrap();
        }
        let calls = growing.trace().unwrap().info().unwrap().calls;
        done.send(calls).unwrap();
    });
    let calls = ended.recv_timeout(Duration::from_secs(60)).unwrap();
    assert!((20..40).contains(&calls), "{calls} calls");
}

/// The second chunk of a thread's events is made one that is being written.
fn leave_unfinished(chunks: &mut [u8], thread: ThreadNumber) {
    let mut at = files::SIGNATURE_SIZE;
    let mut seen = 0;
    while let Some(bytes) = chunks.get(at..at + CHUNK_HEADER_SIZE) {
        let header = ChunkHeader::decode(bytes).unwrap();
        if (header.thread, header.stream) == (thread, Stream::Events) {
            seen += 1;
            if seen == 2 {
                chunks[at + offset::STATE] = CHUNK_BEING_WRITTEN;
                return;
            }
        }
        at += header.stride() as usize;
    }
    panic!("there are no two chunks");
}
