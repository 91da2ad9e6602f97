//! What the lines of a call's method left behind, up to a moment: how often the call executed each, what it assigned
//! there last, and, of one line, every time that it was executed.
//!
//! A call is walked for that from its entry, for a short time only; of a longer one the beginning is told, and that it
//! is not all.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use debug_engine::view::events::What;
use debug_engine::view::render;
use java_analysis::events::Reader;
use java_analysis::happening::{Happening, Moment};
use java_analysis::moment::Moments;
use java_model::shown::BRIEF;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;

const LONGEST_WALK: Duration = Duration::from_millis(60);
/// Moments between two looks at the clock.
const BETWEEN_LOOKS: u64 = 64;
/// Of more assignments in one execution of a line the last ones are told.
const MOST_VALUES: usize = 4;
/// Of more executions of a line those before the moment are listed.
const MOST_EXECUTIONS: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct LinesRequest {
    /// The call.
    node: u32,
    /// Up to this event; without it, up to the end.
    event: Option<u64>,
    /// The line whose executions are listed.
    line: Option<u32>,
}

/// The lines that a call executed up to a moment.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LinesExecuted {
    node: u32,
    lines: Vec<LineExecuted>,
    /// Every execution of the line that was asked for, in the whole call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    executions: Vec<Execution>,
    /// Whether the walk came to the moment.
    complete: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct LineExecuted {
    line: u32,
    times: u64,
    /// The event with which its last execution began.
    event: u64,
    /// What was assigned or returned there last, each in a few words.
    values: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Execution {
    event: u64,
    values: Vec<String>,
}

/// One execution of a line: where it began, and what it assigned.
#[derive(Default)]
struct Executed {
    times: u64,
    event: u64,
    assigned: Vec<Moment>,
}

pub fn lines(run: &RunSnapshot, wanted: &LinesRequest) -> Result<LinesExecuted, ApiError> {
    let node = run.node(wanted.node)?;
    let java = run.java()?;
    let mut moments = Moments::of(java, java.program(), node)
        .ok_or_else(|| ApiError::missing(format!("call {node} cannot be read")))?;
    let started = Instant::now();
    let mut last: BTreeMap<u32, Executed> = BTreeMap::new();
    let mut executions: Vec<Executed> = Vec::new();
    let mut complete = true;
    let mut now = None;
    let mut next = moments.at(0);
    while let Some(moment) = next {
        let is_past = wanted.event.is_some_and(|event| moment.event > event);
        if is_past && wanted.line.is_none() {
            break;
        }
        if moment.event.is_multiple_of(BETWEEN_LOOKS) && started.elapsed() > LONGEST_WALK {
            complete = false;
            break;
        }
        if moment.what == Happening::Line {
            now = moment.line;
        }
        if let Some(line) = now {
            if !is_past {
                note(last.entry(line).or_default(), &moment);
            }
            if wanted.line == Some(line) {
                if moment.what == Happening::Line {
                    executions.push(Executed::default());
                }
                if let Some(execution) = executions.last_mut() {
                    note(execution, &moment);
                }
            }
        }
        next = moments.next();
    }
    let reader = Reader::new(java, node, None);
    let values = |executed: &Executed| -> Vec<String> {
        let first = executed.assigned.len().saturating_sub(MOST_VALUES);
        let assigned = executed.assigned.iter().skip(first);
        let told = assigned.filter_map(|moment| told(&reader.view(&moments, moment).what));
        told.collect()
    };
    let first = executions.len().saturating_sub(MOST_EXECUTIONS);
    Ok(LinesExecuted {
        node: node.0,
        lines: last
            .iter()
            .map(|(&line, executed)| LineExecuted {
                line,
                times: executed.times,
                event: executed.event,
                values: values(executed),
            })
            .collect(),
        executions: executions
            .iter()
            .skip(first)
            .map(|executed| Execution {
                event: executed.event,
                values: values(executed),
            })
            .collect(),
        complete,
    })
}

/// Adds a moment to what is known of a line.
fn note(executed: &mut Executed, moment: &Moment) {
    match &moment.what {
        Happening::Line => {
            executed.times += 1;
            executed.event = moment.event;
            executed.assigned.clear();
        }
        Happening::Local(_) | Happening::Write(_) | Happening::Caught(_) | Happening::Ended(_) => {
            // Only the last ones are told, and a single line may assign without end.
            if executed.assigned.len() >= 4 * MOST_VALUES {
                executed.assigned.drain(..3 * MOST_VALUES);
            }
            executed.assigned.push(moment.clone());
        }
        _ => {}
    }
}

/// What an event left, in a few words.
fn told(what: &What) -> Option<String> {
    let value = |view| render::value(view, BRIEF);
    match what {
        What::Local { name, after, .. } => Some(format!("{name} = {}", value(after))),
        What::Write {
            variable, after, ..
        } => Some(format!("{variable} = {}", value(after))),
        What::Returned { value: Some(given) } => Some(format!("returns {}", value(given))),
        What::Caught { .. } | What::Threw { .. } => Some(what.text(BRIEF)),
        _ => None,
    }
}
