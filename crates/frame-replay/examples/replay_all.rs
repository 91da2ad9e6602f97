//! Replays every call of a trace and says how many agree with what was recorded.
//!
//! `cargo run --release -p frame-replay --example replay_all -- TRACE [SHOWN]`
#![expect(clippy::print_stdout, reason = "this is what it is for")]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use frame_replay::{Program, Reason, Runner};
use trace_store::{CallId, Trace};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("which trace?")?;
    let shown: usize = arguments.next().map_or(Ok(3), |text| text.parse())?;
    let trace = Trace::open(folder)?;
    trace.build_call_index(&mut |_, _| {})?;
    let program = Program::of(&trace);

    let (mut calls, mut full, mut agreed, mut steps) = (0u64, 0u64, 0u64, 0u64);
    let mut troubles: BTreeMap<Reason, (u64, Vec<String>)> = BTreeMap::new();
    let mut runner = Runner::new(&trace, &program);
    let start = Instant::now();
    let worked = processor_time();
    for thread in trace.all_calls()? {
        for index in 0..thread.len() {
            calls += 1;
            let id = CallId::new(thread.thread(), index);
            match runner.run(id) {
                Ok((_, count)) => {
                    full += 1;
                    agreed += 1;
                    steps += count;
                }
                Err(error) => {
                    let reason = error.reason();
                    full += u64::from(reason != Reason::NotInFull);
                    let (number, texts) = troubles.entry(reason).or_default();
                    *number += 1;
                    let text = error.to_string();
                    let place = text.split(" (").next().unwrap_or_default();
                    if texts.len() < shown && !texts.iter().any(|known| known.contains(place)) {
                        texts.push(format!("call {id}: {text}"));
                    }
                }
            }
        }
    }
    let elapsed = start.elapsed();
    // Where others use the machine too, only the time on a processor says how fast this is.
    let seconds = match (worked, processor_time()) {
        (Some(before), Some(after)) => (after - before).as_secs_f64(),
        _ => elapsed.as_secs_f64(),
    };
    let rate = 100.0 * agreed as f64 / full.max(1) as f64;
    let speed = steps as f64 / seconds / 1e6;
    println!("{calls} calls, {full} recorded in full, {agreed} agree ({rate:.4} %)");
    println!(
        "{steps} bytecodes in {seconds:.2} s ({elapsed:.2?} passed): {speed:.1} million a second"
    );
    for (reason, (number, texts)) in troubles {
        println!("{number} × {reason:?}");
        for text in texts {
            println!("    {text}");
        }
    }
    Ok(())
}

/// How long this process has been running on a processor, where the system tells.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}
