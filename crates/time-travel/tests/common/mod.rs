//! Recorded programs, and their events one by one as the model that stepping is compared with.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use debug_engine::NodeId;
use java_analysis::happening::{Happening, Moment};
use java_model::run::JavaRun;
use tempfile::TempDir;
use test_support::{Classes, Example, ExampleVersion, Fixture, Jdk};
use time_travel::{Position, Traveller};
use trace_format::ThreadNumber;
use trace_store::CallId;

/// A recorded run. The folder lives as long as this.
pub(crate) struct Recorded {
    pub(crate) run: JavaRun,
    _folder: TempDir,
}

fn record(classes: &Classes) -> Recorded {
    let folder = tempfile::tempdir().unwrap();
    let library = test_support::recorder_library();
    let agent = format!(
        "-agentpath:{}=out={},",
        library.display(),
        folder.path().display()
    );
    let run = classes.run(&Jdk::default());
    run.jvm_arg(agent)
        .time_limit(Duration::from_secs(60))
        .run()
        .unwrap();
    let run = JavaRun::open(folder.path(), None, &mut |_, _| {}).unwrap();
    Recorded {
        run,
        _folder: folder,
    }
}

/// The buggy version of an example.
pub(crate) fn example(name: &str) -> Recorded {
    let example = Example::named(name).unwrap();
    record(&example.compile(ExampleVersion::Buggy).unwrap())
}

/// A program of one file.
pub(crate) fn program(name: &str, text: &str) -> Recorded {
    record(&Fixture::new().source(name, text).compile().unwrap())
}

/// Examples of different sorts: recursion, exceptions, several threads, much state.
pub(crate) fn examples() -> &'static [(&'static str, Recorded)] {
    static RECORDED: OnceLock<Vec<(&str, Recorded)>> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let names = ["merge-sort", "bank", "b-tree", "two-threads", "lru-cache"];
        names.map(|name| (name, example(name))).into()
    })
}

/// Every event of a thread, in the order in which they happened: those of a call lie before the event that says that it
/// was made.
pub(crate) struct Timeline {
    pub(crate) events: Vec<(Position, Moment)>,
    pub(crate) place: HashMap<Position, usize>,
}

impl Timeline {
    pub(crate) fn of(run: &JavaRun, thread: ThreadNumber) -> Timeline {
        let mut events = Vec::new();
        for root in run.trace().calls(thread).unwrap().roots() {
            let node = run.node(CallId::new(thread, root)).unwrap();
            walk(run, node, &mut events);
        }
        let places = events.iter().enumerate();
        let place = places.map(|(at, (position, _))| (*position, at)).collect();
        Timeline { events, place }
    }

    pub(crate) fn at(&self, place: usize) -> Position {
        self.events[place].0
    }
}

fn walk(run: &JavaRun, node: NodeId, events: &mut Vec<(Position, Moment)>) {
    let moments = Traveller::new(run).moments(node).unwrap();
    for moment in moments {
        if let Happening::Call(call) = moment.what {
            walk(run, run.node(call).unwrap(), events);
        }
        let event = moment.event;
        events.push((Position { node, event }, moment));
    }
}

/// The threads in which something was recorded.
pub(crate) fn threads(run: &JavaRun) -> Vec<ThreadNumber> {
    let threads = run.trace().threads();
    let has_calls = |thread: &ThreadNumber| !run.trace().calls(*thread).unwrap().is_empty();
    threads.filter(has_calls).collect()
}
