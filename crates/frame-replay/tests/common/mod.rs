//! Records Java programs for the tests of this crate.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]
#![allow(dead_code, unreachable_pub, reason = "each test uses its part of this")]

use std::time::Duration;

use frame_replay::{Program, ReplayObstacle, Runner};
use tempfile::TempDir;
use test_support::{Classes, Finished, Jdk, Run};
use trace_store::{CallId, Trace};

/// A recorded run. The folder lives as long as this.
pub struct Recorded {
    pub finished: Finished,
    pub trace: Trace,
    _folder: TempDir,
}

pub fn record(classes: &Classes, jdk: &Jdk, limit: Option<Duration>) -> Recorded {
    let limit = limit.unwrap_or(Duration::from_secs(60));
    record_run(classes.run(jdk).time_limit(limit))
}

pub fn record_run(run: Run) -> Recorded {
    record_with(run, "")
}

/// With options of the recorder, such as `max-trace=1000000`.
pub fn record_with(run: Run, options: &str) -> Recorded {
    let folder = tempfile::tempdir().unwrap();
    let agent = format!(
        "-agentpath:{}=out={},{options}",
        test_support::recorder_library().display(),
        folder.path().display()
    );
    let finished = run.jvm_arg(agent).run().unwrap();
    let trace = Trace::open(folder.path())
        .unwrap_or_else(|error| panic!("{error}\n{}", finished.stderr_text()));
    Recorded {
        finished,
        trace,
        _folder: folder,
    }
}

/// All calls of a trace, thread by thread.
pub fn calls(trace: &Trace) -> Vec<CallId> {
    let threads = trace.all_calls().unwrap();
    threads
        .flat_map(|calls| (0..calls.len()).map(move |index| CallId::new(calls.thread(), index)))
        .collect()
}

/// Replays every call; panics with the first few that disagree. Returns how many there were.
pub fn replay_all(what: &str, trace: &Trace) -> usize {
    let program = Program::of(trace);
    let calls = calls(trace);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = calls.len().div_ceil(threads).max(1);
    let troubles: Vec<String> = std::thread::scope(|scope| {
        let parts: Vec<_> = calls
            .chunks(part)
            .map(|part| scope.spawn(|| troubles(trace, &program, part)))
            .collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap())
            .collect()
    });
    let (count, all) = (troubles.len(), calls.len());
    let shown = troubles.into_iter().take(5).collect::<Vec<_>>().join("\n");
    assert!(
        count == 0,
        "{what}: {count} of {all} calls disagree:\n{shown}"
    );
    all
}

fn troubles(trace: &Trace, program: &Program, calls: &[CallId]) -> Vec<String> {
    let mut troubles = Vec::new();
    let mut runner = Runner::new(trace, program);
    for call in calls {
        if let Err(error) = runner.run(*call)
            && error.reason() != ReplayObstacle::NotInFull
        {
            troubles.push(format!("call {call}: {error}"));
        }
    }
    troubles
}
