//! The event list of a call: what it did, one thing after the other.
//!
//! Events are numbered from 0, the entry. A number is what every other view means by a moment of
//! the call: the state right after that event. Lists of long calls come in pages, so a list says
//! what came before and after it.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{self, Bounds};
use super::{Changed, NodeView, ValueView};
use crate::tree::NodeId;

/// A page of the events of a call.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EventList {
    /// The call.
    pub node: NodeId,
    /// The routine as a person would name it.
    pub routine: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// The events, in order.
    pub events: Vec<EventView>,
    /// Whether there are events after these.
    pub more: bool,
    /// Why lines and local variables are missing, if they are.
    pub note: Option<String>,
}

/// One event of a call.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EventView {
    /// Its number in the call.
    pub event: u64,
    /// The line that was being executed, if known.
    pub line: Option<u32>,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
    /// Whether it changed the variable that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<VariableChange>,
}

/// What an event is.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum What {
    /// The call began.
    Entered {
        /// The call in short.
        call: String,
    },
    /// Control came to the line.
    Line {
        /// The source, if it was found.
        source: Option<String>,
    },
    /// A local variable was assigned.
    Local {
        /// Its name.
        name: String,
        /// What it held, if it held anything.
        before: Option<ValueView>,
        /// What it holds now.
        after: ValueView,
    },
    /// A field, element or static was assigned.
    Write {
        /// Where.
        variable: String,
        /// What it held, if that is known.
        before: Option<ValueView>,
        /// What it holds now.
        after: ValueView,
        /// Library code did it, during a call that is no node.
        by_library: bool,
    },
    /// A recorded call.
    Call {
        /// Its node.
        node: NodeId,
        /// The call in short.
        call: String,
    },
    /// Work was handed over, which another thread did by this call.
    Submits {
        /// Its node.
        node: NodeId,
        /// The call in short.
        call: String,
    },
    /// A call of something that was not recorded.
    Library {
        /// Its name.
        call: String,
        /// What it gave, if anything.
        returned: Option<ValueView>,
    },
    /// An exception was caught.
    Caught {
        /// The exception.
        exception: ValueView,
    },
    /// The call returned.
    Returned {
        /// `None`: nothing.
        value: Option<ValueView>,
    },
    /// The call threw.
    Threw {
        /// `None`: the exception was not recorded.
        exception: Option<ValueView>,
    },
    /// The recording ended before the call did.
    Open,
}

/// A call at a moment inside it: right after one of its events.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MomentView {
    /// The call; what stands for the exit is the moment.
    #[serde(flatten)]
    pub call: NodeView,
    /// The event.
    pub event: EventView,
    /// The local variables that have a value, those of the event itself marked as changed.
    pub locals: Vec<NamedValue>,
    /// Why lines and local variables are missing, if they are.
    pub note: Option<String>,
}

/// A variable at one moment.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct NamedValue {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub value: ValueView,
}

/// How an event changed the variable that was asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VariableChange {
    /// The event itself is the change.
    Directly,
    /// The change is somewhere below the call.
    Below,
}

impl What {
    /// The event in one line.
    pub fn text(&self, bounds: Bounds) -> String {
        let value = |view: &ValueView| render::value(view, bounds);
        let or_unknown = |view: &Option<ValueView>| view.as_ref().map_or("?".to_owned(), value);
        match self {
            What::Entered { call } => format!("entered {call}"),
            What::Line { source } => source.clone().unwrap_or_default(),
            What::Local {
                name,
                before: Some(before),
                after,
            } => format!("{name}: {} → {}", value(before), value(after)),
            What::Local { name, after, .. } => format!("{name} = {}", value(after)),
            What::Write {
                variable,
                before,
                after,
                by_library,
            } => {
                let by = if *by_library {
                    " (by library code)"
                } else {
                    ""
                };
                format!("{variable}: {} → {}{by}", or_unknown(before), value(after))
            }
            What::Call { node, call } => format!("calls #{node} {call}"),
            What::Submits { node, call } => format!("hands over #{node} {call}"),
            What::Library { call, returned } => match returned {
                Some(returned) => format!("calls {call} → {}", value(returned)),
                None => format!("calls {call}"),
            },
            What::Caught { exception } => {
                format!("caught {}", render::exception(exception, bounds))
            }
            What::Returned { value: Some(given) } => format!("returns {}", value(given)),
            What::Returned { value: None } => "returns".to_owned(),
            What::Threw { exception: Some(e) } => {
                format!("throws {}", render::exception(e, bounds))
            }
            What::Threw { exception: None } => "left by an exception that was not recorded".into(),
            What::Open => "has not ended".to_owned(),
        }
    }

    /// Whether the line has something below it in the list.
    pub fn is_line(&self) -> bool {
        matches!(self, What::Line { .. })
    }
}

/// The list as text: lines of the source, and under each what happened there.
pub fn text(list: &EventList, bounds: Bounds) -> String {
    let mut lines = Vec::new();
    let width = list
        .events
        .last()
        .map_or(1, |last| last.event.to_string().len());
    for event in &list.events {
        let mark = match event.changes {
            Some(VariableChange::Directly) => '*',
            Some(VariableChange::Below) => '+',
            None => ' ',
        };
        let what = event.what.text(bounds);
        let place = match event.line {
            Some(line) if event.what.is_line() => format!("{line:>5} | "),
            _ => "        ".to_owned(),
        };
        let line = format!("{mark} {:>width$} {place}{what}", event.event);
        lines.push(line.trim_end().to_owned());
    }
    if list.more {
        lines.push("  …".to_owned());
    }
    lines.join("\n")
}

/// A moment as text: the event, what the call was given, its locals, what it has changed so far.
pub fn moment_text(view: &MomentView, bounds: Bounds) -> String {
    let call = &view.call;
    let place = match (&call.file, view.event.line) {
        (Some(file), Some(line)) => format!(" ({file}:{line})"),
        (Some(file), None) => format!(" ({file})"),
        _ => String::new(),
    };
    let what = view.event.what.text(bounds);
    let number = view.event.event;
    let mut lines = vec![
        format!("#{} {}{place}", call.node, call.routine),
        format!("  event {number}: {what}"),
    ];
    let this = call.this.iter().map(|state| ("this", state));
    let arguments = call.arguments.iter();
    let arguments = arguments.map(|argument| (argument.name.as_str(), &argument.state));
    for (name, state) in this.chain(arguments) {
        let now = state.after.as_ref().unwrap_or(&state.before);
        lines.push(format!("  {name} = {}", render::value(now, bounds)));
    }
    for local in &view.locals {
        let mark = if local.value.changed == Changed::None {
            ""
        } else {
            "  (just now)"
        };
        lines.push(format!(
            "  {} = {}{mark}",
            local.name,
            render::value(&local.value, bounds)
        ));
    }
    let changes = render::changes(call);
    if !changes.is_empty() {
        lines.push("  changed since the call began:".to_owned());
    }
    for change in changes.iter().take(bounds.changes) {
        lines.push(format!("    {}", render::change_text(change, bounds)));
    }
    if changes.len() > bounds.changes {
        lines.push(format!("    …+{}", changes.len() - bounds.changes));
    }
    if let Some(note) = &view.note {
        lines.push(format!("  ({note})"));
    }
    lines.join("\n")
}
