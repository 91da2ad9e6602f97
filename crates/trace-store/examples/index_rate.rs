//! Measures the reader on a large sketched trace, in CPU time: how fast calls and writes are
//! indexed, and how fast states and histories are found. With MILLIONS it makes the trace,
//! without it measures, so that the memory of making it does not count:
//! `cargo run --release -p trace-store --example index_rate -- FOLDER [MILLIONS-OF-CALLS [THREADS]]`

#![expect(clippy::print_stdout, reason = "it is a program that prints a table")]

use trace_format::symbol::ACC_STATIC;
use trace_format::{EndReason, Stream, ThreadNumber, TraceTime, Value};
use trace_store::sketch::Sketch;
use trace_store::{CallId, ChangeKind, ObjectSlot, Trace};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .ok_or("a folder for the trace is missing")?;
    if let Some(millions) = arguments.next() {
        let threads: u32 = arguments.next().map_or(Ok(1), |text| text.parse())?;
        sketch(
            millions.parse::<u64>()? * 1_000_000,
            threads,
            folder.as_ref(),
        )?;
        return Ok(());
    }
    let trace = Trace::open(&folder)?;
    let bytes: u64 = trace
        .threads()
        .map(|t| trace.stream(t, Stream::Events).length())
        .sum();
    let start = CpuClock::start();
    trace.build_call_index(&mut |_, _| {})?;
    let seconds = start.seconds();
    let calls: u64 = trace.all_calls()?.map(|calls| u64::from(calls.len())).sum();
    println!(
        "calls         {:8.1} million/s",
        calls as f64 / 1e6 / seconds
    );
    println!(
        "events        {:8.0} MB/s of {} MB",
        bytes as f64 / 1e6 / seconds,
        bytes >> 20
    );

    let start = CpuClock::start();
    let writes = trace.writes_indexed()?;
    let seconds = start.seconds();
    println!(
        "writes        {:8.1} million/s",
        writes as f64 / 1e6 / seconds
    );
    let start = CpuClock::start();
    let objects = trace.objects()?.count();
    let seconds = start.seconds();
    println!(
        "objects       {:8.1} million/s",
        objects as f64 / 1e6 / seconds
    );
    chains(&trace)?;
    queries(&trace)?;
    println!(
        "memory        {:8} MB, {} MB of it not mapped files",
        memory_mb("VmHWM"),
        memory_mb("RssAnon")
    );
    Ok(())
}

/// Writes to arrays are seen, writes to statics are not.
fn chains(trace: &Trace) -> Outcome {
    let sight = |_, change| matches!(change, ChangeKind::Elements(_));
    let all = u64::from(trace.calls(ThreadNumber(0))?.len());
    let start = CpuClock::start();
    let mut chained = 0;
    for number in 0..1000 {
        let call = CallId::new(ThreadNumber(0), (all * number / 1000) as u32);
        chained += usize::from(trace.chain_around(call, &sight)?.is_some());
    }
    println!(
        "chain         {:8.1} µs ({chained} of 1000 calls are in one)",
        start.seconds() * 1e3
    );
    Ok(())
}

fn queries(trace: &Trace) -> Outcome {
    let end = trace.end_time()?.0;
    let objects: Vec<_> = trace.objects()?.take(1000).collect();
    let start = CpuClock::start();
    for (number, &object) in (0u64..).zip(&objects) {
        let time = TraceTime(end / 1000 * number);
        trace.object_state(object, time)?;
        trace.elements_at(object, 0, 100, time)?;
    }
    println!(
        "object state  {:8.1} µs",
        start.seconds() * 1e6 / objects.len() as f64
    );
    let start = CpuClock::start();
    let mut found = 0;
    for &object in &objects {
        found += trace
            .writes_of(object, ObjectSlot::Element(1))?
            .take(100)
            .count();
    }
    let each = start.seconds() * 1e6 / objects.len() as f64;
    println!("history page  {each:8.1} µs ({found} entries)");
    let start = CpuClock::start();
    let calls = trace.calls(ThreadNumber(0))?;
    for number in 0..1000 {
        let index = (u64::from(calls.len()) * number / 1000) as u32;
        trace.call(CallId::new(ThreadNumber(0), index))?;
    }
    println!("call          {:8.1} µs", start.seconds() * 1e3);
    let start = CpuClock::start();
    let method = calls.method(0);
    let found = trace.calls_of_method(method)?.count();
    println!("calls of one  {:8.1} ms ({found})", start.seconds() * 1e3);
    Ok(())
}

/// A recursion like fib's: half of the calls are leaves; some write, some make an array.
fn sketch(
    calls: u64,
    threads: u32,
    folder: &std::path::Path,
) -> std::io::Result<std::path::PathBuf> {
    let mut sketch = Sketch::new();
    sketch.chunk_size(256 * 1024);
    let class = sketch.class("Main");
    let method = sketch.method(class, ACC_STATIC, "fib", "(I)I");
    let field = sketch.field("Main", "total", "I", true);
    let threads: Vec<_> = (0..threads)
        .map(|at| sketch.thread(&format!("t{at}")))
        .collect();
    let mut arrays: Vec<_> = threads
        .iter()
        .map(|&t| sketch.new_array(t, "[I", 100))
        .collect();
    for number in 0..calls {
        let at = (number / 1000) as usize % threads.len();
        let thread = threads[at];
        if number % 1000 == 0 && threads.len() > 1 {
            sketch.sync(thread);
        }
        sketch.enter(thread, method, &[Value::Int(number as i32)]);
        let mut leave = number.trailing_ones().min(sketch.depth(thread));
        if sketch.depth(thread) > 30 {
            leave = 20;
        }
        if number % 4 == 0 {
            let value = Value::Int(number as i32);
            sketch.store(thread, arrays[at], (number / 4 % 100) as u32, value);
        }
        if number % 256 == 0 {
            sketch.put_static(thread, field, Value::Int(number as i32));
            arrays[at] = sketch.new_array(thread, "[I", 100);
        }
        for _ in 0..leave {
            sketch.exit(thread, Some(Value::Int(1)));
        }
    }
    sketch.end(EndReason::Exit);
    sketch.write_run(folder)
}

/// Time that this thread has run; other programs on the machine do not count.
struct CpuClock(u64);

impl CpuClock {
    fn start() -> Self {
        Self(Self::nanoseconds())
    }

    fn seconds(&self) -> f64 {
        (Self::nanoseconds() - self.0) as f64 / 1e9
    }

    fn nanoseconds() -> u64 {
        let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        times
            .split(' ')
            .next()
            .and_then(|text| text.parse().ok())
            .unwrap_or(0)
    }
}

fn memory_mb(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    number.unwrap_or(0) / 1024
}
