//! The breakpoints that a client has set. They are beside [`crate::breakpoints`], which answers the requests, because
//! the session keeps them.

use std::collections::{HashMap, HashSet};

use java_analysis::variable::Variable;
use serde_json::Value;
use time_travel::{Breakpoint, BreakpointKind};
use trace_store::CallId;

use crate::requests::{BreakpointWanted, SourceArgument};

/// Breakpoints that are replaced together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Of one source file.
    Lines(String),
    Functions,
    Exceptions,
    Data,
}

/// A breakpoint as a client wants it, whatever of the run is known.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) id: u32,
    pub(crate) group: Group,
    pub(crate) place: Place,
    pub(crate) options: BreakpointWanted,
    /// What the client was last told of it.
    pub(crate) told: Value,
}

/// What a breakpoint is about.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Line(SourceArgument),
    Function,
    Exception(BreakpointKind, &'static str),
    /// Nothing, if there is no such variable.
    Data(Option<(Variable, String)>),
}

/// What a client knows of a breakpoint.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) id: u32,
    pub(crate) group: Group,
    /// What is said when it is met.
    pub(crate) label: Option<String>,
}

impl Mark {
    /// The protocol's word for a stop here.
    pub(crate) fn reason(&self) -> &'static str {
        match self.group {
            Group::Lines(_) => "breakpoint",
            Group::Functions => "function breakpoint",
            Group::Exceptions => "exception",
            Group::Data => "data breakpoint",
        }
    }
}

/// All that are set; the two lists go together.
#[derive(Default)]
pub(crate) struct Installed {
    pub(crate) marks: Vec<Mark>,
    pub(crate) breakpoints: Vec<Breakpoint>,
    pub(crate) wanted: Vec<Wanted>,
    /// Whether they were looked up in a run of which more is known now.
    pub(crate) are_old: bool,
    last_id: u32,
    /// Variables that data breakpoints can be set on, by the number that the client was told.
    pub(crate) data: Vec<(Variable, String)>,
    /// What log points have printed: clients set them again with every other breakpoint of the file, and of a run that
    /// goes on there is more to print later.
    pub(crate) logged: HashMap<String, HashSet<(CallId, u64)>>,
}

impl Installed {
    pub(crate) fn next_id(&mut self) -> u32 {
        self.last_id += 1;
        self.last_id
    }

    pub(crate) fn remove(&mut self, group: &Group) {
        self.wanted.retain(|wanted| wanted.group != *group);
        let kept: Vec<bool> = self.marks.iter().map(|mark| mark.group != *group).collect();
        let mut keeps = kept.iter();
        self.marks.retain(|_| keeps.next() == Some(&true));
        let mut keeps = kept.iter();
        self.breakpoints.retain(|_| keeps.next() == Some(&true));
    }

    /// More of the run is known: variables of calls have other numbers, and there may be more hits.
    pub(crate) fn go_over(&mut self, moved: &impl Fn(&Variable) -> Option<Variable>) {
        self.are_old = true;
        // The place in the list is what the client knows.
        for (variable, _) in &mut self.data {
            if let Some(moved) = moved(variable) {
                *variable = moved;
            }
        }
        for wanted in &mut self.wanted {
            if let Place::Data(Some((variable, _))) = &mut wanted.place
                && let Some(moved) = moved(variable)
            {
                *variable = moved;
            }
        }
    }

    /// Takes all of them away, to be looked up again.
    pub(crate) fn take_wanted(&mut self) -> Vec<Wanted> {
        self.marks.clear();
        self.breakpoints.clear();
        std::mem::take(&mut self.wanted)
    }

    pub(crate) fn add(&mut self, mark: Mark, breakpoint: Breakpoint) {
        self.marks.push(mark);
        self.breakpoints.push(breakpoint);
    }
}
