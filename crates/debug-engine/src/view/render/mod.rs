//! Calls and values as text.
//!
//! A call is one line that says everything a person needs in order to judge it:
//!
//! ```text
//! merge(a=[4, 9], b=[1, 7], c=[0, 0, 0, 0]) → void; c: [0, 0, 0, 0] → [1, 4, 9, 7]
//! ```
//!
//! First what it was given, then how it ended, then what it left changed, each change as near to the
//! changed value as possible. An object is written out the first time it appears and by its id after
//! that; inside itself it appears as `↑Node#7`. Whatever is left out says how much it is.

mod call_range;
mod changes;
mod difference;
mod names_told;
mod outline;
mod sameness;
mod sheet;
mod short;
mod told;
mod value;
mod visible;

pub use call_range::{asked_briefly, asked_in_list, asked_in_one_line};
pub use changes::{Change, ChangeText, changes, changes_asked, mark_changes};
pub use sheet::{CallLine, ChangeLine, Given, Sheet, asked};
pub use short::shortened;
pub use visible::visible;

use super::{Changed, ChildView, NodeView, OutcomeView, ValueView};
use told::{Moment, Told};
use value::Writer;

/// How much of a value is written out. See [`outline`] for what comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Fields or elements of one value.
    pub width: usize,
    /// Values inside values.
    pub depth: usize,
    /// Characters of one string.
    pub string: usize,
    /// Characters of one value with everything in it.
    pub length: usize,
    /// Changes listed for one call.
    pub changes: usize,
    /// Calls listed at each end of several that are taken together.
    pub calls: usize,
    /// Lines of a question, each of [`COLUMNS`] columns.
    pub rows: usize,
    /// What the values are shown for.
    pub purpose: Purpose,
}

/// The width of the screen that a question has to fit on.
pub const COLUMNS: usize = 100;
/// The lines that a question may take on a screen of 24, on which the state of the search stands above it, and below
/// it what else is known, the question itself and the line for the answer.
const ROWS: usize = 18;

/// How long the values of a line that is scanned may be: where something that it is judged by would be left out, the
/// first of these with which nothing is, if there is one.
const TO_SCAN: [usize; 4] = [90, 140, 200, 280];

/// What values are shown for: it decides how much is done to find what changed and what a call used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Purpose {
    /// Somebody judges by it: changes are looked for further away than values are shown.
    #[default]
    Question,
    /// One line among many: the same, as far as it costs little.
    Line,
    /// It is compared with others: only what is shown counts.
    Comparison,
    /// The same at first sight, as far as it costs little.
    Glance,
}

impl Purpose {
    /// Whether changes are looked for beyond what is shown.
    pub fn looks_further(self) -> bool {
        matches!(self, Purpose::Question | Purpose::Line)
    }

    /// Whether there are many of its kind, so that each has to cost little.
    pub fn is_brief(self) -> bool {
        matches!(self, Purpose::Line | Purpose::Glance)
    }
}

impl Bounds {
    /// What is shown of each of several calls that are looked over together.
    fn to_scan(self) -> Bounds {
        if self.is_wider() {
            return self;
        }
        Bounds {
            string: self.string.min(60),
            length: self.length.min(TO_SCAN[0]),
            changes: self.changes.min(3),
            purpose: Purpose::Line,
            ..self
        }
    }

    /// Whether somebody wants to see more than a question shows.
    #[must_use]
    pub fn is_wider(self) -> bool {
        self.length > Bounds::of_question().length
    }

    /// What is shown of a call that somebody is asked about; more of it is a sign away.
    #[must_use]
    pub fn of_question() -> Bounds {
        Bounds {
            length: 110,
            changes: 5,
            rows: 14,
            ..Bounds::default()
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            width: 12,
            depth: 6,
            string: 80,
            length: 160,
            changes: 8,
            calls: 3,
            rows: ROWS,
            purpose: Purpose::Question,
        }
    }
}

/// How a call ended that gives nothing back.
const VOID: &str = "void";

/// What is to be known about the state after a call whose tasks went on.
pub const OUTLIVED: &str =
    "(tasks that it submitted ended after it: the state after is that when all of them had)";

/// What is to be known about a call whose beginning is not in the recording any more.
pub const BEGAN_BEFORE_KEPT: &str = "(it began before the oldest part of the recording that was kept: what it did until then is not known)";

/// The call in one line.
pub fn one_line(view: &NodeView, bounds: Bounds) -> String {
    line(view, call(view, None, bounds), bounds, &mut Told::default())
}

/// The call in one line that somebody judges it by, so its object is written with what the call may have used of it.
fn line_to_judge(view: &NodeView, bounds: Bounds) -> String {
    let used = view.this.as_ref().map(|this| only_used(&this.before));
    let call = call(view, used.as_ref(), bounds);
    line(view, call, bounds, &mut Told::default())
}

/// The same as one of several calls that somebody looks over: each has to be short. What its arguments are called is
/// left out where their values speak for themselves.
fn line_to_scan(view: &NodeView, bounds: Bounds, told: &mut Told) -> String {
    let used = view.this.as_ref().map(|this| only_used(&this.before));
    let names = ArgumentNames::WhereNeeded;
    widened_to_scan(bounds, told, |bounds, told| {
        let call = written_call(view, used.as_ref(), names, bounds, told);
        scanned(view, call, bounds, told)
    })
}

/// A line as short as it can be if nothing is missed in it, and as that can be if only longer ones have all.
fn widened_to_scan(
    bounds: Bounds,
    told: &mut Told,
    write: impl Fn(Bounds, &mut Told) -> String,
) -> String {
    let bounds = bounds.to_scan();
    let mut first = None;
    for width in TO_SCAN {
        let mut told_then = told.clone();
        let line = write(
            Bounds {
                length: bounds.length.max(width),
                ..bounds
            },
            &mut told_then,
        );
        if is_scannable(&line) {
            *told = told_then;
            return line;
        }
        first.get_or_insert((line, told_then));
    }
    let (line, told_then) = first.unwrap_or_default();
    *told = told_then;
    line
}

/// The same for a call by itself: with the names of its arguments, and with the class of a static method.
fn line_alone(view: &NodeView, bounds: Bounds) -> String {
    let used = view.this.as_ref().map(|this| only_used(&this.before));
    let is_of_class = view.this.is_none() && view.routine.ends_with(&format!(".{}", view.method));
    widened_to_scan(bounds, &mut Told::of_list(), |bounds, told| {
        let call = written_call(view, used.as_ref(), ArgumentNames::All, bounds, told);
        let call = match is_of_class {
            true => view.routine.clone() + call.strip_prefix(&view.method).unwrap_or_default(),
            false => call,
        };
        scanned(view, call, bounds, told)
    })
}

/// Behind what a call was given: that it returned nothing, or its own object, is left out where something changed.
fn scanned(view: &NodeView, given: String, bounds: Bounds, told: &mut Told) -> String {
    let says_nothing = match view.outcome {
        OutcomeView::Void => true,
        OutcomeView::Returned(_) => gives_itself_back(view, bounds),
        _ => false,
    };
    match says_nothing && !changes(view).is_empty() {
        true => with_changes(view, given, bounds, told),
        false => line(view, given, bounds, told),
    }
}

/// Whether a line that was written to be scanned has all that a call is judged by: not if parts of a text or of a
/// sequence are left out, or all of an object. Fields that the call did not use are not missed.
pub fn is_scannable(line: &str) -> bool {
    const MISSED: [&str; 3] = ["[…]", "{…}", "\"…+"];
    let ends_early = |(place, _): (usize, &str)| {
        let rest = line[place..].trim_start_matches(['…', '+']);
        let rest = rest.trim_start_matches(|sign: char| sign.is_ascii_digit());
        rest.starts_with(']')
    };
    let is_missed = |missed: &&str| line.contains(*missed);
    !MISSED.iter().any(is_missed) && !line.match_indices("…+").any(ends_early)
}

fn line(view: &NodeView, call: String, bounds: Bounds, told: &mut Told) -> String {
    let line = format!("{call} → {}", outcome_told(view, bounds, told));
    with_changes(view, line, bounds, told)
}

fn with_changes(view: &NodeView, mut line: String, bounds: Bounds, told: &mut Told) -> String {
    if let Some(submitted) = &view.submitted {
        line.push_str(&format!(" [{submitted}]"));
    }
    if view.began_before_kept {
        line.push_str(" (began before what is kept)");
    }
    if let Some(reason) = &view.unreadable {
        line.push_str(&format!(" ({reason})"));
    }
    let changes = changes(view);
    let given = line.clone();
    for change in changes.iter().take(bounds.changes) {
        line.push_str("; ");
        let told_of = ChangeLine::of(change, bounds, told);
        match told.is_of_list() {
            true => line.push_str(&told_of.beside(view, &given)),
            false => line.push_str(&told_of.to_string()),
        }
    }
    if let Some(more) = beyond(left_out(changes.len(), bounds.changes)) {
        line.push_str("; ");
        line.push_str(&more);
    }
    line
}

/// The call on several lines: where it is, arguments, outcome and changes, one each.
pub fn multi_line(view: &NodeView, bounds: Bounds) -> String {
    Sheet::of_call(view, bounds).to_string()
}

/// One value in one line.
pub fn value(value: &ValueView, bounds: Bounds) -> String {
    let mut writer = Writer::new(bounds, [value]);
    writer.value(value);
    writer.finish()
}

/// The same as a part of a question, in which much may have been written out already.
fn value_told(value: &ValueView, bounds: Bounds, told: &mut Told, moment: Moment) -> String {
    written_told(Writer::new(bounds, [value]), value, told, moment)
}

fn written_told(writer: Writer<'_>, value: &ValueView, told: &mut Told, moment: Moment) -> String {
    let mut writer = writer.knowing(told, moment);
    writer.value(value);
    let (text, named) = writer.finish_with_names();
    told.add(named, moment);
    text
}

/// An object without the parts that the call did not use. What the call changed stands among its changes.
fn only_used(value: &ValueView) -> ValueView {
    let matters = |child: &&ChildView| child.used && child.value.changed == Changed::None;
    ValueView {
        children: value.children.iter().filter(matters).cloned().collect(),
        truncated: 0,
        ..value.clone()
    }
}

/// `merge(a=[4, 9], b=[1, 7])`, or `Account#12.withdraw(amount=50)` with a receiver; what of that is to be shown is
/// written out, `Account#12{limit=100}.withdraw(amount=50)`.
fn call(view: &NodeView, shown_of_this: Option<&ValueView>, bounds: Bounds) -> String {
    let names = ArgumentNames::All;
    written_call(view, shown_of_this, names, bounds, &Told::default())
}

/// Which arguments are written with their names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentNames {
    All,
    /// `true` and `null` say nothing by themselves.
    WhereNeeded,
}

impl ArgumentNames {
    fn are_for(self, value: &ValueView) -> bool {
        self == ArgumentNames::All || outline::is_named(value)
    }
}

fn written_call(
    view: &NodeView,
    shown_of_this: Option<&ValueView>,
    names: ArgumentNames,
    bounds: Bounds,
    told: &Told,
) -> String {
    let arguments = view.arguments.iter().map(|argument| &argument.state.before);
    let values = view.arguments.len() + usize::from(shown_of_this.is_some());
    let writer = Writer::new(shared_out(bounds, values), arguments.chain(shown_of_this));
    let mut writer = writer.knowing(told, Moment::Before);
    if let Some(this) = &view.this {
        match shown_of_this.filter(|shown| !shown.children.is_empty()) {
            Some(shown) => writer.value(shown),
            None => writer.name_of(&this.before),
        }
        writer.text(".");
    }
    if let Some(class) = &view.declared_by {
        writer.text(class);
        writer.text(".");
    }
    writer.text(&view.method);
    writer.text("(");
    for (index, argument) in view.arguments.iter().enumerate() {
        if index > 0 {
            writer.text(", ");
        }
        if names.are_for(&argument.state.before) {
            writer.text(&argument.name);
            writer.text("=");
        }
        writer.value(&argument.state.before);
    }
    writer.text(")");
    writer.finish()
}

fn outcome(view: &NodeView, bounds: Bounds) -> String {
    outcome_told(view, bounds, &mut Told::default())
}

fn outcome_told(view: &NodeView, bounds: Bounds, told: &mut Told) -> String {
    match &view.outcome {
        OutcomeView::Void => VOID.to_owned(),
        OutcomeView::Returned(_) if told.is_of_question() && gives_itself_back(view, bounds) => {
            "this".to_owned()
        }
        OutcomeView::Returned(returned) => value_told(returned, bounds, told, Moment::After),
        OutcomeView::Thrown(thrown) => {
            let thrown = exception(thrown, bounds);
            let package = thrown.find('(').unwrap_or(thrown.len());
            let package = thrown[..package].rfind('.').filter(|_| told.is_of_list());
            format!("throws {}", &thrown[package.map_or(0, |dot| dot + 1)..])
        }
        OutcomeView::Open => "not ended".to_owned(),
        OutcomeView::ProgramEnded => "the program ended in it".to_owned(),
    }
}

/// Whether a call returned its own object, of which all that it changed is told besides.
fn gives_itself_back(view: &NodeView, bounds: Bounds) -> bool {
    let OutcomeView::Returned(returned) = &view.outcome else {
        return false;
    };
    let this = view.this.as_ref().and_then(|this| this.before.id);
    let is_itself = this.is_some() && this == returned.id && returned.expected.is_none();
    is_itself && changes(view).len() <= bounds.changes
}

/// `java.lang.IllegalStateException("empty")`: the whole class name, because it is what one looks
/// for, and the message, which is the exception's text.
pub fn exception(thrown: &ValueView, bounds: Bounds) -> String {
    let class = thrown.class.as_deref().unwrap_or("an exception");
    let message = match thrown.text.is_empty() {
        true => String::new(),
        false => format!("({})", shortened(&thrown.text, bounds.string)),
    };
    let expected = thrown.expected.as_deref().map(value::expectation);
    format!("{class}{message}{}", expected.unwrap_or_default())
}

/// One change: `this.balance: 5 → 7`.
pub fn change_text(change: &Change<'_>, bounds: Bounds) -> String {
    ChangeLine::of(change, bounds, &mut Told::default()).to_string()
}

/// The bounds of each of several values that stand in one line, which has room for two.
fn shared_out(bounds: Bounds, values: usize) -> Bounds {
    let room = bounds.length.saturating_mul(2) / values.max(1);
    Bounds {
        length: bounds.length.min(room),
        ..bounds
    }
}

fn left_out(count: usize, bound: usize) -> u64 {
    count.saturating_sub(bound) as u64
}

fn beyond(left_out: u64) -> Option<String> {
    (left_out > 0).then(|| format!("…+{left_out}"))
}

fn title(view: &NodeView) -> String {
    view.routine.clone() + &place_in_file(view)
}

/// ` (Main.java:24)`
fn place_in_file(view: &NodeView) -> String {
    match (&view.file, view.line) {
        (Some(file), Some(line)) => format!(" ({file}:{line})"),
        (Some(file), None) => format!(" ({file})"),
        (None, _) => String::new(),
    }
}
