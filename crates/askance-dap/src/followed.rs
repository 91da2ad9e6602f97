//! Where somebody stands in a run that still goes on, and where that is when more of the run is known: numbers of calls
//! change from one snapshot to the next, calls and their events do not.

use std::time::Instant;

use java_analysis::happening::Happening;
use java_analysis::variable::Variable;
use java_model::run::JavaRun;
use time_travel::{Position, Stop, Traveller};
use trace_format::TraceTime;
use trace_store::CallOutcome;

/// What a session knows of a program that runs.
#[derive(Default)]
pub(crate) struct Program {
    /// From where the run is gone on with, until a breakpoint is met.
    pub(crate) followed_from: Option<Followed>,
    /// How much of what it printed was passed on.
    pub(crate) printed: u64,
    pub(crate) has_ended: bool,
    pub(crate) next_look: Option<Instant>,
}

/// From where.
#[derive(Clone, Debug)]
pub(crate) enum Followed {
    /// The session begins: where the program ends, what is wrong by then is shown.
    Beginning,
    Stop(Stop),
}

/// The newest moment of a stop's thread.
pub(crate) fn newest(traveller: &Traveller<'_>, from: &Stop) -> Option<Stop> {
    traveller.thread_at(from.thread(), TraceTime(u64::MAX >> 1))
}

/// The same stop in a run of which more is known. Where a call had not ended, there is more of it.
pub(crate) fn moved(traveller: &Traveller<'_>, stop: &Stop) -> Option<Stop> {
    let is_open = stop.moment.what == Happening::Ended(CallOutcome::Open);
    let event = stop.position.event.saturating_sub(u64::from(is_open));
    let node = traveller.run().node(stop.call)?;
    traveller.stop(Position { node, event })
}

/// The same variable in a run of which more is known.
pub(crate) fn moved_variable(
    variable: &Variable,
    from: &JavaRun,
    to: &JavaRun,
) -> Option<Variable> {
    let moved = |node| to.node(from.call_id(node)?);
    Some(match variable {
        Variable::Local { node, name } => Variable::Local {
            node: moved(*node)?,
            name: name.clone(),
        },
        Variable::Return { node } => Variable::Return {
            node: moved(*node)?,
        },
        other => other.clone(),
    })
}
