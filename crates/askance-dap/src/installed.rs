//! The breakpoints that a client has set. They are beside [`crate::breakpoints`], which answers the requests, because
//! the session keeps them.

use std::collections::HashSet;

use java_analysis::variable::Variable;
use time_travel::Breakpoint;

/// Breakpoints that are replaced together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Of one source file.
    Lines(String),
    Functions,
    Exceptions,
    Data,
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
    last_id: u32,
    /// Variables that data breakpoints can be set on, by the number that the client was told.
    pub(crate) data: Vec<(Variable, String)>,
    /// Log points that were printed: clients set them again with every other breakpoint of the file.
    pub(crate) logged: HashSet<String>,
}

impl Installed {
    pub(crate) fn next_id(&mut self) -> u32 {
        self.last_id += 1;
        self.last_id
    }

    pub(crate) fn remove(&mut self, group: &Group) {
        let kept: Vec<bool> = self.marks.iter().map(|mark| mark.group != *group).collect();
        let mut keeps = kept.iter();
        self.marks.retain(|_| keeps.next() == Some(&true));
        let mut keeps = kept.iter();
        self.breakpoints.retain(|_| keeps.next() == Some(&true));
    }

    pub(crate) fn add(&mut self, mark: Mark, breakpoint: Breakpoint) {
        self.marks.push(mark);
        self.breakpoints.push(breakpoint);
    }
}
