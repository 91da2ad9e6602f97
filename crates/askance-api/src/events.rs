//! The event list of a call, by pages.

use std::time::{Duration, Instant};

use debug_engine::NodeId;
use debug_engine::view::events::{EventView, VariableChange, What};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use java_analysis::events::Reader;
use java_analysis::happening::{Happening, Moment};
use java_analysis::moment::Moments;
use java_analysis::variable;
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};
use trace_format::TraceTime;

const LARGEST_PAGE: usize = 500;
/// A page that takes longer than this to write ends early, and a search says how far it came.
const LONGEST_PAGE: Duration = Duration::from_millis(50);
/// A moment that is farther into its call than this is not looked for: the call is shown from its end.
const LONGEST_LOOK: Duration = Duration::from_secs(2);

#[derive(Debug, Deserialize, JsonSchema)]
pub struct EventsRequest {
    /// The call.
    node: u32,
    /// The first event of the page.
    #[serde(default)]
    from: u64,
    /// How many at most.
    #[serde(default = "usual_page")]
    most: usize,
    /// Events that change this variable are marked.
    changes: Option<String>,
}

fn usual_page() -> usize {
    200
}

/// A page of events.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Events {
    node: u32,
    events: Vec<EventRow>,
    /// Whether there are events after these.
    more: bool,
    note: Option<String>,
}

/// An event in one line.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EventRow {
    event: u64,
    line: Option<u32>,
    kind: &'static str,
    text: String,
    /// The call that it made, if it is one.
    calls: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<VariableChange>,
}

impl EventRow {
    pub fn of(event: &EventView) -> EventRow {
        let (kind, calls) = match &event.what {
            What::Entered { .. } => ("entered", None),
            What::Line { .. } => ("line", None),
            What::Local { .. } => ("local", None),
            What::Write { .. } => ("write", None),
            What::Call { node, .. } => ("call", Some(node.0)),
            What::Submits { node, .. } => ("submits", Some(node.0)),
            What::Library { .. } => ("library", None),
            What::Caught { .. } => ("caught", None),
            What::Returned { .. } => ("returned", None),
            What::Threw { .. } => ("threw", None),
            What::Open => ("open", None),
        };
        EventRow {
            event: event.event,
            line: event.line,
            kind,
            text: event.what.text(BRIEF),
            calls,
            changes: event.changes,
        }
    }
}

pub fn events(run: &RunSnapshot, page: &EventsRequest) -> Result<Events, ApiError> {
    let node = run.node(page.node)?;
    let java = run.java()?;
    let chosen = match &page.changes {
        Some(path) => {
            let found = variable::find(java, java.program(), path, Some(node), None)?;
            Some(found.variable)
        }
        None => None,
    };
    let mut moments = moments(java, node)?;
    let most = page.most.clamp(1, LARGEST_PAGE);
    let started = Instant::now();
    let reader = Reader::new(java, node, chosen);
    let list = reader.list_while(&mut moments, page.from, |listed| {
        listed == 0 || (listed < most && started.elapsed() < LONGEST_PAGE)
    });
    Ok(Events {
        node: node.0,
        events: list.events.iter().map(EventRow::of).collect(),
        more: list.more,
        note: list.note,
    })
}

fn moments(java: &JavaRun, node: NodeId) -> Result<Moments<'_>, ApiError> {
    Moments::of(java, java.program(), node)
        .ok_or_else(|| ApiError::missing(format!("call {node} cannot be read")))
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct EventSearch {
    node: u32,
    /// A part of what the event list says.
    text: String,
    /// The first event to look at.
    #[serde(default)]
    from: u64,
}

/// The next event that a search has found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FoundEvent {
    event: Option<u64>,
    /// Where to go on, if nothing was found and not everything was looked at.
    next: Option<u64>,
}

pub fn found(run: &RunSnapshot, sought: &EventSearch) -> Result<FoundEvent, ApiError> {
    let node = run.node(sought.node)?;
    let java = run.java()?;
    let text = sought.text.trim().to_lowercase();
    if text.is_empty() {
        return Err(ApiError::mistake("nothing to search for"));
    }
    let mut moments = moments(java, node)?;
    let reader = Reader::new(java, node, None);
    let started = Instant::now();
    let mut next = moments.at(sought.from);
    while let Some(moment) = next {
        let event = EventRow::of(&reader.view(&moments, &moment));
        if event.text.to_lowercase().contains(&text) {
            let event = Some(event.event);
            return Ok(FoundEvent { event, next: None });
        }
        if started.elapsed() > LONGEST_PAGE {
            let next = Some(event.event + 1);
            return Ok(FoundEvent { event: None, next });
        }
        next = moments.next();
    }
    Ok(FoundEvent {
        event: None,
        next: None,
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ExecutedInstruction {
    node: u32,
    /// How many instructions of the call ran before it.
    instruction: u64,
}

/// Where an instruction is in the event list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InList {
    /// The first event that it, or what ran after it, is seen by.
    event: Option<u64>,
}

pub fn of_instruction(
    run: &RunSnapshot,
    executed: &ExecutedInstruction,
) -> Result<InList, ApiError> {
    let node = run.node(executed.node)?;
    let java = run.java()?;
    let mut moments = moments(java, node)?;
    let is_after = |moment: &Moment| moment.step > Some(executed.instruction);
    let found = moments.find(is_after);
    Ok(InList {
        event: found.map(|moment| moment.event),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct MomentRequest {
    /// The call.
    node: u32,
    /// A time of the run, as queries give it.
    time: u64,
}

/// The event of a call that happened at a time of the run; of a time in between, the one before it.
///
/// # Errors
/// If there is no such call, or it cannot be read.
pub fn at_time(run: &RunSnapshot, wanted: &MomentRequest) -> Result<InList, ApiError> {
    let node = run.node(wanted.node)?;
    let java = run.java()?;
    let mut moments = moments(java, node)?;
    let thread = moments.call().id.thread;
    let began = |moment: &Moment| match &moment.what {
        Happening::Write(write) => shown::time(java, thread, write.position).0,
        // A position names what comes after it.
        _ => shown::time(java, thread, moment.position).0,
    };
    if let Ok((of, position)) = java.trace().position(TraceTime(wanted.time))
        && of == thread
    {
        moments.go_before(position);
    }
    let started = Instant::now();
    let mut event = None;
    for moment in moments.by_ref() {
        let at = began(&moment);
        let is_it = matches!(moment.what, Happening::Write(_)) && at == wanted.time;
        if at > wanted.time || started.elapsed() > LONGEST_LOOK {
            break;
        }
        event = Some(moment.event);
        if is_it {
            break;
        }
    }
    Ok(InList { event })
}
