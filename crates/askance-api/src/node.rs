//! The node view: a call at its entry and at its exit, or right after one of its events. And steps
//! from there, both ways in time.

use std::time::{Duration, Instant};

use debug_engine::NodeId;
use debug_engine::view::NodeView;
use debug_engine::view::events::{MomentView, NamedValue};
use debug_engine::view::render::{self, Bounds, Purpose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::events::EventRow;
use super::tree::CallStanding;
use crate::ROOMY;
use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use java_analysis::moment::Moments;
use java_analysis::moment_view;
use java_analysis::stepping::Stepper;
use java_model::node_view::with_statics_as_inputs;
use java_model::run::JavaRun;

/// No value is followed further, whatever a request says.
const LARGEST: Bounds = Bounds {
    width: 2000,
    depth: 12,
    string: 20_000,
    length: 100_000,
    changes: 200,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Question,
};
const MOST_CALLERS: usize = 100;
/// A call is not walked longer than this for what its local variables held last.
const WALKED_FOR: Duration = Duration::from_millis(40);
const LONG: &str =
    "This is a long call: its local variables are shown at its events, not at its exit.";

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Where {
    /// The call.
    node: u32,
    /// Right after this event; without it, at the end of the call.
    event: Option<u64>,
    /// How many fields or elements of an object are shown.
    width: Option<usize>,
    /// How many references deep values are shown.
    depth: Option<usize>,
}

impl Where {
    pub fn bounds(&self) -> Bounds {
        Bounds {
            width: self.width.unwrap_or(ROOMY.width).min(LARGEST.width),
            depth: self.depth.unwrap_or(ROOMY.depth).min(LARGEST.depth),
            ..ROOMY
        }
    }
}

/// A call at a moment.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodeShown {
    #[serde(flatten)]
    pub call: NodeView,
    /// Whether the bug can still be in it.
    pub suspect: bool,
    /// Suspects in its subtree.
    pub suspects: u64,
    pub descriptor: String,
    /// The callers, nearest first, as far as they are listed.
    pub callers: Vec<Caller>,
    /// Calls below it.
    pub below: u32,
    pub complete: bool,
    /// The event, if it was asked for.
    pub event: Option<EventRow>,
    /// Local variables right after the event; without one, what each held last.
    pub locals: Vec<NamedValue>,
    /// What cannot be shown, and why.
    pub note: Option<String>,
    /// How far values were followed.
    width: usize,
    depth: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Caller {
    pub(crate) node: u32,
    pub(crate) routine: String,
}

pub fn at(run: &RunSnapshot, wanted: &Where) -> Result<NodeShown, ApiError> {
    let node = run.node(wanted.node)?;
    match wanted.event {
        Some(event) => {
            let moment = moment(run.java()?, node, event, wanted.bounds())?;
            let row = EventRow::of(&moment.event);
            let shown = shown(run, node, moment.call, wanted.bounds());
            Ok(NodeShown {
                event: Some(row),
                locals: moment.locals,
                note: moment.note,
                ..shown
            })
        }
        None => {
            let call = run.recording().exact_view(node, wanted.bounds());
            let call = with_statics_as_inputs(call);
            let shown = shown(run, node, call, wanted.bounds());
            let locals = run
                .java()
                .ok()
                .map(|java| last_locals(java, node, wanted.bounds()));
            Ok(match locals {
                Some(Some(locals)) => NodeShown { locals, ..shown },
                Some(None) => NodeShown {
                    note: shown.note.or_else(|| Some(LONG.to_owned())),
                    ..shown
                },
                None => shown,
            })
        }
    }
}

fn shown(run: &RunSnapshot, node: NodeId, call: NodeView, bounds: Bounds) -> NodeShown {
    let recording = run.recording();
    let callers = std::iter::successors(recording.parent(node), |&node| recording.parent(node));
    let callers = callers.take(MOST_CALLERS).map(|node| Caller {
        node: node.0,
        routine: recording.code_of(node).routine,
    });
    let code = recording.code_of(node);
    let note = if !recording.knows_state() {
        Some("Only calls were recorded: what objects held is not known.")
    } else if !code.has_names {
        Some("Compiled without -g: parameters are numbered.")
    } else {
        None
    };
    let stands = CallStanding::of(run, node);
    NodeShown {
        call: NodeView {
            judgement: stands.judgement,
            ..call
        },
        suspect: stands.suspect,
        suspects: stands.suspects,
        descriptor: code.descriptor,
        callers: callers.collect(),
        below: recording.subtree_size(node) - 1,
        complete: recording.is_complete(node),
        event: None,
        locals: Vec::new(),
        note: note.map(str::to_owned),
        width: bounds.width,
        depth: bounds.depth,
    }
}

/// What the local variables held last; `None` if that takes too long to find out.
fn last_locals(java: &JavaRun, node: NodeId, bounds: Bounds) -> Option<Vec<NamedValue>> {
    let Some(mut moments) = Moments::of(java, java.program(), node) else {
        return Some(Vec::new());
    };
    let began = Instant::now();
    let mut walked = 0_u32;
    moment_view::last_locals(&mut moments, bounds, || {
        walked += 1;
        !walked.is_multiple_of(64) || began.elapsed() < WALKED_FOR
    })
}

fn moment(
    java: &JavaRun,
    node: NodeId,
    event: u64,
    bounds: Bounds,
) -> Result<MomentView, ApiError> {
    let mut moments = Moments::of(java, java.program(), node)
        .ok_or_else(|| ApiError::missing(format!("call {node} cannot be read")))?;
    let found = moments
        .at(event)
        .ok_or_else(|| ApiError::missing(format!("call {node} has no event {event}")))?;
    Ok(moment_view::moment_view(&mut moments, &found, bounds))
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct StepFrom {
    node: u32,
    /// Without it, from the end of the call.
    event: Option<u64>,
    to: Direction,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Next,
    Back,
    Into,
    Out,
}

/// Where a step has led.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Stands {
    node: u32,
    event: u64,
    line: Option<u32>,
}

pub fn step(run: &RunSnapshot, from: &StepFrom) -> Result<Stands, ApiError> {
    let node = run.node(from.node)?;
    let java = run.java()?;
    let mut stepper = Stepper::new(java, java.program(), node)?;
    let start = match from.event {
        Some(event) => Some(event),
        None => stepper.moments().last().map(|moment| moment.event),
    };
    stepper.to_event(start.unwrap_or_default())?;
    match from.to {
        Direction::Next => stepper.next_line()?,
        Direction::Back => stepper.previous_line()?,
        Direction::Into => stepper.into_call()?,
        Direction::Out => stepper.out()?,
    }
    Ok(Stands {
        node: stepper.node().0,
        event: stepper.here().event,
        line: stepper.here().line,
    })
}

/// A value in one line, for lists.
pub fn brief(value: &debug_engine::view::ValueView) -> String {
    render::value(value, java_model::shown::BRIEF)
}
