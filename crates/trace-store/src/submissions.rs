//! Which call handed over the work that another thread did.
//!
//! A thread's events say which tasks its calls handed over, and on which task it worked when it made a call. A task
//! is an object, so the two are brought together by its number. One object may be handed over several times, or once
//! for many runs (a task of a timer): runs take the submissions in turn, and the last one serves for the rest. Work
//! that was handed over by library code between two calls belongs to the call that handed over what that code worked
//! on.

use std::collections::HashMap;

use trace_format::{EventPosition, ObjectId, ThreadNumber, TraceTime};

use crate::axis::Axis;
use crate::calls::CallId;

pub(crate) const SUBMITS: &str = "submits";
pub(crate) const WORKS: &str = "works";

/// Thread and, above it, whether the task is a thread; task and, above it, the call; position; where the work began
/// in which it was handed over.
pub(crate) type SubmitRow = [u64; 4];
/// Thread; task and, above it, the call; where the work began.
pub(crate) type WorkRow = [u64; 3];

const NO_CALL: u32 = u32::MAX;
const NOWHERE: u64 = u64::MAX;

/// A task that was handed over.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Submit {
    pub(crate) task: ObjectId,
    pub(crate) is_thread: bool,
    pub(crate) at: EventPosition,
    /// The innermost open call.
    pub(crate) call: Option<u32>,
    /// Without one: where the thread began to work on what it worked on.
    pub(crate) made_in: Option<EventPosition>,
}

impl Submit {
    pub(crate) fn row(self, thread: ThreadNumber) -> SubmitRow {
        [
            u64::from(thread.0) | u64::from(self.is_thread) << 32,
            with_call(self.task, self.call),
            self.at.0,
            self.made_in.map_or(NOWHERE, |begun| begun.0),
        ]
    }

    fn of(row: SubmitRow) -> (ThreadNumber, Self) {
        let [thread, task, at, made_in] = row;
        let (task, call) = task_and_call(task);
        let submit = Self {
            task,
            is_thread: thread >> 32 != 0,
            at: EventPosition(at),
            call,
            made_in: (made_in != NOWHERE).then_some(EventPosition(made_in)),
        };
        (ThreadNumber(thread as u32), submit)
    }
}

/// A thread works on a task.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    pub(crate) task: ObjectId,
    pub(crate) begun: EventPosition,
    /// A call that it makes for the task; none where it begins.
    pub(crate) call: Option<u32>,
}

impl Work {
    pub(crate) fn row(self, thread: ThreadNumber) -> WorkRow {
        [
            thread.0.into(),
            with_call(self.task, self.call),
            self.begun.0,
        ]
    }

    fn of([thread, task, begun]: WorkRow) -> (ThreadNumber, Self) {
        let (task, call) = task_and_call(task);
        let begun = EventPosition(begun);
        (ThreadNumber(thread as u32), Self { task, begun, call })
    }
}

fn with_call(task: ObjectId, call: Option<u32>) -> u64 {
    u64::from(task.0) | u64::from(call.unwrap_or(NO_CALL)) << 32
}

fn task_and_call(word: u64) -> (ObjectId, Option<u32>) {
    let call = (word >> 32) as u32;
    (ObjectId(word as u32), (call != NO_CALL).then_some(call))
}

/// A call that ran in one thread because another call handed it over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Submission {
    /// The outermost call of the work.
    pub call: CallId,
    /// The call that handed it over, and where.
    pub by: CallId,
    pub at: EventPosition,
}

/// All work that was handed over from thread to thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submissions {
    /// By the call that was handed over.
    pub done: Vec<Submission>,
    /// Calls that handed over a task that no thread has begun with, and where.
    pub pending: Vec<(CallId, EventPosition)>,
}

/// Where a thread began to work on something.
type Begun = (ThreadNumber, EventPosition);

struct Handed {
    time: TraceTime,
    thread: ThreadNumber,
    submit: Submit,
}

/// Who handed over, and where.
#[derive(Clone, Copy)]
enum By {
    Call(CallId, EventPosition),
    /// Library code, at work on what began there.
    Work(Begun),
}

impl Handed {
    fn by(&self) -> Option<By> {
        match (self.submit.call, self.submit.made_in) {
            (Some(call), _) => {
                let call = CallId::new(self.thread, call);
                Some(By::Call(call, self.submit.at))
            }
            (None, Some(begun)) => Some(By::Work((self.thread, begun))),
            (None, None) => None,
        }
    }
}

impl Submissions {
    /// Brings the two sides together.
    pub(crate) fn find(submits: &[SubmitRow], works: &[WorkRow], axis: &Axis) -> Self {
        let mut handed: HashMap<ObjectId, Vec<Handed>> = HashMap::new();
        for &row in submits {
            let (thread, submit) = Submit::of(row);
            let time = axis.time(thread, submit.at);
            let same = handed.entry(submit.task).or_default();
            same.push(Handed {
                time,
                thread,
                submit,
            });
        }
        for same in handed.values_mut() {
            same.sort_by_key(|handed| handed.time);
        }
        let mut begun: HashMap<ObjectId, Vec<(TraceTime, Begun)>> = HashMap::new();
        for &row in works {
            let (thread, work) = Work::of(row);
            if work.call.is_none() && handed.contains_key(&work.task) {
                let time = axis.time(thread, work.begun);
                let same = begun.entry(work.task).or_default();
                same.push((time, (thread, work.begun)));
            }
        }
        let mut origins: HashMap<Begun, By> = HashMap::new();
        let mut pending = Vec::new();
        for (task, same) in &handed {
            let mut runs = begun.remove(task).unwrap_or_default();
            runs.sort_unstable();
            for (number, &(time, run)) in runs.iter().enumerate() {
                let before = same.partition_point(|handed| handed.time <= time);
                let turn = number.min(before.saturating_sub(1));
                origins.extend(same[turn].by().map(|by| (run, by)));
            }
            if runs.is_empty() {
                // A thread may never run recorded code, and then nothing tells that it has begun.
                let waiting = same.iter().filter(|handed| !handed.submit.is_thread);
                pending.extend(waiting.filter_map(Handed::by));
            }
        }
        let origin = |by| origin(by, &origins);
        let mut done: Vec<Submission> = works
            .iter()
            .filter_map(|&row| {
                let (thread, work) = Work::of(row);
                let by = *origins.get(&(thread, work.begun))?;
                let (by, at) = origin(by)?;
                let call = CallId::new(thread, work.call?);
                Some(Submission { call, by, at })
            })
            .collect();
        done.sort_unstable_by_key(|submission| submission.call);
        let mut pending: Vec<_> = pending.into_iter().filter_map(origin).collect();
        pending.sort_unstable();
        Self { done, pending }
    }
}

/// The call behind a chain of library code that handed work on.
fn origin(by: By, origins: &HashMap<Begun, By>) -> Option<(CallId, EventPosition)> {
    let mut by = by;
    // No chain is longer than this, unless the trace is damaged so that it bites its tail.
    for _ in 0..=origins.len() {
        match by {
            By::Call(call, at) => return Some((call, at)),
            By::Work(begun) => by = *origins.get(&begun)?,
        }
    }
    None
}
