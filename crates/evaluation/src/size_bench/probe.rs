//! Opens a trace as the tool does and measures: indexes, look-ups, a dialogue to the planted bug,
//! and the memory that all of it took.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use debug_engine::session::{Answer, AnswerSource, Diagnosis, SessionStep};
use debug_engine::view::render::{self, Bounds};
use debug_engine::{ExecutionTree, Session, SessionOptions};
use frame_replay::Program;
use java_analysis::calls::Calls as _;
use java_analysis::history;
use java_analysis::questions::Questions;
use java_analysis::variable::{FoundVariable, Variable};
use java_model::run::JavaRun;
use serde::{Deserialize, Serialize};
use trace_format::TraceTime;
use trace_store::ObjectSlot;

use crate::cpu_time;
use crate::peak_memory::PeakMemory;

/// Look-ups of each sort.
const SAMPLES: usize = 1000;
/// Histories are looked up by re-executing the calls that wrote, so fewer of them will do.
const HISTORIES: usize = 100;
/// Writes on a page of a history.
const PAGE: usize = 100;

/// What [`probe`] found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    pub calls: u64,
    pub events: u64,
    pub writes: u64,
    /// CPU time of the pass that makes the tree.
    pub tree_cpu: Duration,
    /// CPU time of the pass that indexes objects and writes.
    pub writes_cpu: Duration,
    /// From opening the trace, with its indexes made, to the text of the first question.
    pub first_question: Duration,
    /// The same on this thread's processor.
    pub first_question_cpu: Duration,
    /// From an answer to the text of the next question.
    pub next_question: Times,
    pub next_question_cpu: Times,
    /// The part of it in which the next call is chosen.
    pub choosing_cpu: Times,
    pub questions: usize,
    pub found: bool,
    pub object_state: Times,
    pub history_page: Times,
    /// Resident memory at its peak, without and with mapped pages of files.
    pub own_memory: u64,
    pub resident_memory: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Times {
    #[serde(default)]
    pub mean: Duration,
    pub median: Duration,
    pub worst: Duration,
}

impl Times {
    pub(crate) fn of(mut times: Vec<Duration>) -> Self {
        times.sort();
        let count = u32::try_from(times.len().max(1)).unwrap_or(u32::MAX);
        Self {
            mean: times.iter().sum::<Duration>() / count,
            median: times.get(times.len() / 2).copied().unwrap_or_default(),
            worst: times.last().copied().unwrap_or_default(),
        }
    }
}

/// What [`make_tree`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeMade {
    pub calls: u64,
    pub clock: Duration,
    /// On all processors.
    pub cpu: Duration,
}

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Makes the tree of a trace that has no indexes.
pub fn make_tree(folder: &Path) -> Outcome<TreeMade> {
    let (clock, cpu) = (Instant::now(), cpu_time::of_this_process()?);
    let run = JavaRun::open(folder, None, &mut |_, _| {})?;
    Ok(TreeMade {
        calls: u64::from(run.len()),
        clock: clock.elapsed(),
        cpu: cpu_time::of_this_process()? - cpu,
    })
}

/// Measures a trace in which `culprit` names the method that is called wrongly, once.
pub fn probe(folder: &Path, culprit: &str) -> Outcome<Probed> {
    let memory = PeakMemory::watch(std::process::id());
    let tree = make_tree(folder)?;
    let run = JavaRun::open(folder, None, &mut |_, _| {})?;
    let before_writes = cpu_time::of_this_process()?;
    run.trace().writes_indexed()?;
    run.trace().objects()?.next();
    let writes_cpu = cpu_time::of_this_process()? - before_writes;
    let info = run.trace().info()?;
    drop(run);

    let opening = Since::now()?;
    let run = Arc::new(JavaRun::open(folder, None, &mut |_, _| {})?);
    let dialogue = debug(&run, culprit, opening)?;
    let program = Program::of(run.trace());
    Ok(Probed {
        calls: tree.calls,
        events: info.events.total(),
        writes: info.events.writes(),
        tree_cpu: tree.cpu,
        writes_cpu,
        first_question: dialogue.first.clock,
        first_question_cpu: dialogue.first.cpu,
        next_question: Times::of(dialogue.next.iter().map(|taken| taken.clock).collect()),
        next_question_cpu: Times::of(dialogue.next.iter().map(|taken| taken.cpu).collect()),
        choosing_cpu: Times::of(dialogue.choosing),
        questions: dialogue.questions,
        found: dialogue.found,
        object_state: object_states(&run)?,
        history_page: histories(&run, &program)?,
        own_memory: memory.own(),
        resident_memory: memory.resident(),
    })
}

/// A moment, by the clock and by this thread's processor.
#[derive(Clone, Copy)]
struct Since {
    clock: Instant,
    cpu: Duration,
}

/// How long something took.
#[derive(Clone, Copy, Default)]
struct Taken {
    clock: Duration,
    cpu: Duration,
}

impl Since {
    fn now() -> Outcome<Since> {
        Ok(Since {
            clock: Instant::now(),
            cpu: cpu_time::of_this_thread()?,
        })
    }

    fn elapsed(self) -> Outcome<Taken> {
        Ok(Taken {
            clock: self.clock.elapsed(),
            cpu: cpu_time::of_this_thread()? - self.cpu,
        })
    }
}

struct Dialogue {
    first: Taken,
    next: Vec<Taken>,
    /// The processor's time for the choice alone, without the first.
    choosing: Vec<Duration>,
    questions: usize,
    found: bool,
}

/// Answers every question truthfully: calls are wrong if the culprit is in one of their subtrees.
fn debug(run: &Arc<JavaRun>, culprit: &str, opening: Since) -> Outcome<Dialogue> {
    let culprit = run
        .find_method(culprit)
        .ok_or("the culprit was not called")?;
    let tree: Arc<dyn ExecutionTree> = Arc::clone(run) as _;
    let options = SessionOptions {
        trusted: run.compiler_made(),
        ..SessionOptions::default()
    };
    let mut session = Session::new(Arc::clone(&tree), options)?;
    let questions = Questions::new(Arc::clone(run) as _);
    let (mut asked, mut times, mut choosing) = (0, Vec::new(), Vec::new());
    let mut since = opening;
    let diagnosis = loop {
        let question = match session.poll() {
            SessionStep::Done(diagnosis) => break diagnosis,
            SessionStep::Ask(question) => question,
        };
        if asked > 0 {
            choosing.push(since.elapsed()?.cpu);
        }
        let asked_view = questions.view(question.target, question.kind, Bounds::default());
        let text = render::asked(&asked_view, Bounds::default());
        times.push(since.elapsed()?);
        std::hint::black_box(text);
        let calls = question.target.first().0..tree.range(question.target.last()).end;
        let answer = if calls.contains(&culprit.0) {
            Answer::No
        } else {
            Answer::Yes
        };
        asked += 1;
        since = Since::now()?;
        session.answer_from(AnswerSource::Person, answer)?;
    };
    Ok(Dialogue {
        first: times.first().copied().unwrap_or_default(),
        next: times.split_off(times.len().min(1)),
        choosing,
        questions: asked,
        found: diagnosis == Diagnosis::Found { node: culprit },
    })
}

/// Objects spread over all of them, at times spread over the run.
fn object_states(run: &JavaRun) -> Outcome<Times> {
    let trace = run.trace();
    let objects: Vec<_> = spread(trace.objects()?.collect(), SAMPLES);
    let end = trace.end_time()?.0;
    let mut times = Vec::new();
    for (number, &object) in (1u64..).zip(&objects) {
        let at = TraceTime(end / (objects.len() as u64 + 1) * number);
        let started = Instant::now();
        std::hint::black_box(trace.object_state(object, at)?);
        std::hint::black_box(trace.elements_at(object, 0, 100, at)?);
        times.push(started.elapsed());
    }
    Ok(Times::of(times))
}

/// Variables spread over all that were written: every static, and a field of each sampled object.
fn histories(run: &JavaRun, program: &Program) -> Outcome<Times> {
    let trace = run.trace();
    let statics = trace.statics_written()?.into_iter();
    let mut variables: Vec<Variable> = statics.map(|field| Variable::Static { field }).collect();
    let end = trace.end_time()?;
    for object in spread(trace.objects()?.collect(), HISTORIES) {
        let fields = trace.object_state(object, end)?.fields;
        let written = fields.iter().find(|(_, value)| value.written.is_some());
        let slot = match written {
            Some(&(field, _)) => ObjectSlot::Field(field),
            None => ObjectSlot::Element(0),
        };
        variables.push(Variable::Slot { object, slot });
    }
    let mut times = Vec::new();
    for variable in variables {
        let found = FoundVariable {
            variable,
            label: String::new(),
            value: None,
        };
        let started = Instant::now();
        std::hint::black_box(history::history_page(run, program, &found, 0, PAGE));
        times.push(started.elapsed());
    }
    Ok(Times::of(times))
}

fn spread<T: Copy>(all: Vec<T>, most: usize) -> Vec<T> {
    let step = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(step).collect()
}
