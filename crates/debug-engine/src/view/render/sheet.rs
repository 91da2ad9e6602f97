//! A question laid out: what stands on each of its lines, for front ends to arrange.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::call_range::{headline, numbers, objects_of_calls};
use super::short::shortened;
use super::told::{Moment, Told};
use super::value::Writer;
use super::{
    BEGAN_BEFORE_KEPT, Bounds, COLUMNS, Change, ChangeText, OUTLIVED, VOID, beyond, call, changes,
    left_out, outcome, outcome_told, title, written_told,
};
use crate::tree::NodeId;
use crate::view::{
    AskedView, CallRangeView, Changed, ConcurrentWrite, NamedState, NodeView, OutcomeView,
    StateView,
};

/// Everything that a question shows. Printed, it is the question as a terminal shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Sheet {
    /// The number of the call, or the first and last of the calls: `#3–#17`.
    pub numbers: String,
    /// What it is, and where.
    pub title: String,
    /// Which thread it ran in and who handed it over, and what else is to be known about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The calls that are taken together, or the first and the last of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallLine>,
    /// How many calls are left out after the first half of those listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub calls_left_out: u64,
    /// What was there before: of a call, the receiver and the arguments.
    pub given: Vec<Given>,
    #[serde(skip_serializing_if = "is_zero")]
    pub given_left_out: u64,
    /// How a call ended; calls taken together have no end of their own.
    pub outcome: Option<String>,
    pub changes: Vec<ChangeLine>,
    #[serde(skip_serializing_if = "is_zero")]
    pub changes_left_out: u64,
    /// What whoever judges it should think of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guidance: Option<String>,
    /// Whether it has to be said that nothing changed: of who gives a value back nobody expects else.
    #[serde(skip)]
    pub says_unchanged: bool,
}

/// One of the calls that are taken together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CallLine {
    pub node: NodeId,
    pub text: String,
}

/// A value that was there before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Given {
    pub name: String,
    pub text: String,
    /// Whether it was different afterwards.
    #[serde(skip_serializing_if = "is_unchanged")]
    pub changed: Changed,
}

impl Given {
    fn of(name: &str, state: &StateView, bounds: Bounds, told: &mut Told) -> Given {
        let after = state.after.as_ref();
        let mut writer = Writer::new(bounds, [&state.before]);
        if super::short::name(&state.before) == name {
            writer = writer.without_name_of(&state.before);
        }
        Given {
            name: name.to_owned(),
            text: written_told(writer, &state.before, told, Moment::Before),
            changed: after.map_or(Changed::None, |after| after.changed),
        }
    }
}

/// What was left changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct ChangeLine {
    pub path: String,
    pub before: String,
    pub after: String,
    /// Who else wrote it while the call ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meanwhile: Option<ConcurrentWrite>,
}

/// How much of a question is laid out.
#[derive(Clone, Copy)]
struct Room {
    bounds: Bounds,
    /// Values that were there before.
    given: usize,
    /// Calls that are taken together.
    calls: usize,
}

/// So often a question is laid out in less room before its lines are cut.
const TRIES: usize = 8;

impl Room {
    fn tighter(self) -> Room {
        let Room {
            bounds,
            given,
            calls,
        } = self;
        Room {
            bounds: Bounds {
                width: (bounds.width * 3 / 4).max(3),
                string: (bounds.string * 2 / 3).max(16),
                length: (bounds.length * 2 / 3).max(24),
                changes: (bounds.changes * 3 / 4).max(2),
                ..bounds
            },
            given: (given.min(12) * 3 / 4).max(3),
            calls: (calls.min(12) * 3 / 4).max(2),
        }
    }

    /// The bounds of each of several values that stand below each other.
    fn shared_out(self, values: usize) -> Bounds {
        const LEAST: usize = 40;
        let Bounds { length, .. } = self.bounds;
        let room = length.saturating_mul(3) / values.clamp(1, self.given.max(1));
        Bounds {
            length: length.min(room.max(LEAST)),
            ..self.bounds
        }
    }
}

/// Whatever is asked about, on several lines.
pub fn asked(asked: &AskedView, bounds: Bounds) -> String {
    Sheet::of(asked, bounds).to_string()
}

impl Sheet {
    /// Lays out whatever is asked about, on no more lines than the bounds say.
    pub fn of(asked: &AskedView, bounds: Bounds) -> Sheet {
        Sheet::fitting(bounds, |room| match asked {
            AskedView::Call(view) => Sheet::call_in(view, room),
            AskedView::Stretch(view) => Sheet::stretch_in(view, room),
        })
    }

    /// Lays out one call.
    pub fn of_call(view: &NodeView, bounds: Bounds) -> Sheet {
        Sheet::fitting(bounds, |room| Sheet::call_in(view, room))
    }

    fn fitting(bounds: Bounds, lay_out: impl Fn(Room) -> Sheet) -> Sheet {
        let mut room = Room {
            bounds,
            given: usize::MAX,
            calls: usize::MAX,
        };
        for _ in 0..TRIES {
            let sheet = lay_out(room);
            if sheet.rows() <= bounds.rows {
                return sheet;
            }
            room = room.tighter();
        }
        lay_out(room).cut()
    }

    /// The lines that it takes on a screen.
    pub fn rows(&self) -> usize {
        let rows = |line: &str| line.chars().count().div_ceil(COLUMNS).max(1);
        self.to_string().lines().map(rows).sum()
    }

    /// Nothing of it longer than a line, what is told by the program's own long names included.
    fn cut(mut self) -> Sheet {
        let texts = self.calls.iter_mut().map(|call| &mut call.text);
        let texts = texts.chain(self.given.iter_mut().map(|given| &mut given.text));
        let texts = texts.chain(self.notes.iter_mut()).chain(&mut self.outcome);
        for text in texts.chain([&mut self.title]) {
            *text = shortened(text, COLUMNS);
        }
        for change in &mut self.changes {
            change.before = shortened(&change.before, COLUMNS / 2);
            change.after = shortened(&change.after, COLUMNS / 2);
        }
        self
    }

    fn call_in(view: &NodeView, room: Room) -> Sheet {
        let told = &mut Told::of_call(view);
        let this = view.this.iter().map(|this| ("this", this));
        let arguments = view.arguments.iter();
        let arguments = arguments.map(|named| (named.name.as_str(), &named.state));
        let given: Vec<(&str, &StateView)> = this.chain(arguments).collect();
        let bounds = room.shared_out(given.len());
        let doc = view.doc.iter().cloned();
        let submitted = view.submitted.iter().map(ToString::to_string);
        let outlived = view.outlived.then(|| OUTLIVED.to_owned());
        let begun = view.began_before_kept.then(|| BEGAN_BEFORE_KEPT.to_owned());
        let unreadable = view.unreadable.iter().map(|reason| format!("({reason})"));
        let notes = doc
            .chain(submitted)
            .chain(outlived)
            .chain(begun)
            .chain(unreadable);
        let shown = given.iter().take(room.given);
        let mut sheet = Sheet {
            numbers: format!("#{}", view.node),
            title: title(view),
            notes: notes.collect(),
            calls: Vec::new(),
            calls_left_out: 0,
            given: shown
                .map(|(name, state)| Given::of(name, state, bounds, told))
                .collect(),
            given_left_out: left_out(given.len(), room.given),
            outcome: Some(outcome_told(view, room.bounds, told)),
            changes: Vec::new(),
            changes_left_out: 0,
            guidance: view.guidance.clone(),
            says_unchanged: !matches!(view.outcome, OutcomeView::Returned(_)),
        };
        sheet.list(&changes(view), room.bounds, told);
        sheet
    }

    fn stretch_in(view: &CallRangeView, room: Room) -> Sheet {
        let Room { bounds, .. } = room;
        let told = &mut Told::of_stretch(view);
        let changes = super::changes::in_states(&view.state);
        let listed = objects_of_calls(view);
        let is_unlisted = |variable: &&NamedState| {
            let id = variable.state.before.id;
            let is_told_below = changes.iter().any(|change| change.path == variable.name);
            id.is_none_or(|id| !listed.contains(&id)) && !is_told_below
        };
        let variables: Vec<&NamedState> = view.state.iter().filter(is_unlisted).collect();
        let given = variables.iter().take(bounds.changes);
        let each = room.shared_out(variables.len().min(bounds.changes));
        let given = given.map(|variable| Given::of(&variable.name, &variable.state, each, told));
        let given = given.collect();
        let (calls, calls_left_out) = call_lines(view, room);
        let mut sheet = Sheet {
            numbers: numbers(view),
            title: headline(view),
            notes: Vec::new(),
            calls,
            calls_left_out,
            given,
            given_left_out: left_out(variables.len(), bounds.changes),
            outcome: None,
            changes: Vec::new(),
            changes_left_out: 0,
            guidance: None,
            says_unchanged: true,
        };
        sheet.list(&changes, bounds, told);
        sheet
    }

    fn list(&mut self, changes: &[Change<'_>], bounds: Bounds, told: &mut Told) {
        let shown = changes.iter().take(bounds.changes);
        let shown = shown.map(|change| ChangeLine::of(change, bounds, told));
        self.changes = shown.collect();
        self.changes_left_out = left_out(changes.len(), bounds.changes);
    }
}

/// The first and the last of the calls that are taken together, and how many are left out between them.
fn call_lines(view: &CallRangeView, Room { bounds, calls, .. }: Room) -> (Vec<CallLine>, u64) {
    let left_out = view.calls.len().saturating_sub(calls);
    let first = view.calls.len().min(calls).div_ceil(2);
    let shown = view.calls.iter().enumerate();
    let shown = shown.filter(|&(place, _)| place < first || place >= first + left_out);
    let lines = shown.map(|(_, member)| CallLine {
        node: member.node,
        text: format!(
            "{} → {}",
            call(member, None, bounds),
            outcome(member, bounds)
        ),
    });
    (lines.collect(), view.calls_left_out + left_out as u64)
}

impl ChangeLine {
    pub(super) fn of(change: &Change<'_>, bounds: Bounds, told: &mut Told) -> ChangeLine {
        let side = |text: Option<String>| text.unwrap_or_else(|| "…".to_owned());
        let text = ChangeText::of(change, bounds, told);
        ChangeLine {
            path: text.path,
            before: side(text.before),
            after: side(text.after),
            meanwhile: text.meanwhile,
        }
    }

    /// The same behind what a call was given: `balance: 5 → 7` for a field of its object unless an argument has that
    /// name, and `values → [1, 2]` for an argument that stands there as it was before.
    pub(super) fn beside(mut self, view: &NodeView, given: &str) -> String {
        let is_argument = |name: &str| view.arguments.iter().any(|named| named.name == name);
        if is_argument(&self.path) && self.before.starts_with('[') && given.contains(&self.before) {
            self.path.push_str(" → ");
            self.path.push_str(&self.after);
            let meanwhile = self.meanwhile.map(|meanwhile| format!(" ({meanwhile})"));
            return self.path + &meanwhile.unwrap_or_default();
        }
        let name = self.path.strip_prefix("this.");
        let first = name.and_then(|name| name.split(['.', '[']).next());
        match (name, first) {
            (Some(name), Some(first)) if !is_argument(first) => ChangeLine {
                path: name.to_owned(),
                ..self
            }
            .to_string(),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {}", self.numbers, self.title)?;
        for note in &self.notes {
            write!(out, "\n  {note}")?;
        }
        let shown = self.calls.len().div_ceil(2);
        for (index, member) in self.calls.iter().enumerate() {
            if index == shown && self.calls_left_out > 0 {
                write!(out, "\n  … {} more", self.calls_left_out)?;
            }
            write!(out, "\n  #{} {}", member.node, member.text)?;
        }
        let (before, during) = match self.outcome {
            Some(_) => ("", ""),
            None => ("before: ", " from before it to after it"),
        };
        for Given { name, text, .. } in &self.given {
            write!(out, "\n  {before}{name} = {text}")?;
        }
        if let Some(more) = beyond(self.given_left_out) {
            write!(out, "\n  {before}{more}")?;
        }
        let is_void = self.outcome.as_deref() == Some(VOID);
        if let Some(outcome) = &self.outcome
            && (!is_void || self.changes.is_empty())
        {
            write!(out, "\n  → {outcome}")?;
        }
        // What a call changed is told from what it was given by its arrow.
        let indent = match (self.changes.is_empty(), &self.outcome) {
            (false, Some(_)) => "  ",
            (false, None) => {
                write!(out, "\n  changed{during}:")?;
                "    "
            }
            (true, _) if self.says_unchanged => {
                write!(out, "\n  nothing changed{during}")?;
                ""
            }
            (true, _) => "",
        };
        for change in &self.changes {
            write!(out, "\n{indent}{change}")?;
        }
        if let Some(more) = beyond(self.changes_left_out) {
            write!(out, "\n{indent}{more}")?;
        }
        match &self.guidance {
            Some(guidance) => write!(out, "\n  {guidance}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ChangeLine {
    /// `this.balance: 5 → 7`, and who else wrote it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {} → {}", self.path, self.before, self.after)?;
        match &self.meanwhile {
            Some(meanwhile) => write!(out, " ({meanwhile})"),
            None => Ok(()),
        }
    }
}

fn is_unchanged(changed: &Changed) -> bool {
    *changed == Changed::None
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
