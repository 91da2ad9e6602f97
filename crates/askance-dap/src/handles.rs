//! Numbers that stand for frames, scopes, objects and places while a client looks at one stop.

use java_analysis::variable::Variable;
use time_travel::frames::Frame;
use time_travel::{Stop, Traveller};
use trace_format::{ObjectId, TraceTime};

use crate::followed;

/// What is shown of a frame, each under a heading of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Arguments,
    Locals,
    Statics,
    Changes,
    Result,
}

/// Something whose parts can be asked for.
#[derive(Clone, Debug)]
pub(crate) enum Handle {
    Scope { frame: Frame, kind: ScopeKind },
    Object(ObjectHandle),
}

#[derive(Clone, Debug)]
pub(crate) struct ObjectHandle {
    pub(crate) object: ObjectReference,
    pub(crate) time: TraceTime,
    /// The expression that leads to it, if one does.
    pub(crate) path: Option<String>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ObjectReference {
    Id(ObjectId),
    /// As views number it; looked up when somebody wants to see its inside.
    Number(u64),
}

/// See the module's header. Numbers begin with 1.
#[derive(Default)]
pub(crate) struct Handles {
    frames: Vec<Frame>,
    handles: Vec<Handle>,
    writes: Vec<(Variable, Stop)>,
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn get<T>(list: &[T], number: u32) -> Option<&T> {
    list.get(usize::try_from(number).ok()?.checked_sub(1)?)
}

impl Handles {
    /// More of the run is known, and calls have other numbers: what cannot be found there any more is as it was.
    pub(crate) fn go_over(
        &mut self,
        traveller: &Traveller<'_>,
        moved: &impl Fn(&Variable) -> Option<Variable>,
    ) {
        let scopes = self.handles.iter_mut().filter_map(|handle| match handle {
            Handle::Scope { frame, .. } => Some(frame),
            Handle::Object(_) => None,
        });
        for frame in self.frames.iter_mut().chain(scopes) {
            if let Some(node) = traveller.run().node(frame.call) {
                frame.position.node = node;
            }
        }
        for (variable, before) in &mut self.writes {
            if let (Some(newer), Some(stop)) = (moved(variable), followed::moved(traveller, before))
            {
                (*variable, *before) = (newer, stop);
            }
        }
    }

    pub(crate) fn add_frame(&mut self, frame: Frame) -> u32 {
        self.frames.push(frame);
        number(self.frames.len())
    }

    pub(crate) fn frame(&self, number: u32) -> Option<&Frame> {
        get(&self.frames, number)
    }

    pub(crate) fn add(&mut self, handle: Handle) -> u32 {
        self.handles.push(handle);
        number(self.handles.len())
    }

    pub(crate) fn handle(&self, number: u32) -> Option<&Handle> {
        get(&self.handles, number)
    }

    /// Where a variable was written last before a stop, for whoever wants to know.
    pub(crate) fn add_write(&mut self, variable: Variable, before: Stop) -> u32 {
        self.writes.push((variable, before));
        number(self.writes.len())
    }

    pub(crate) fn write(&self, number: u32) -> Option<&(Variable, Stop)> {
        get(&self.writes, number)
    }
}
