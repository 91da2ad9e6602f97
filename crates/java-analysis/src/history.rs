//! The history of a variable, made readable: JHyde's *variable history view*.
//!
//! The writes come from an index over the whole run. Line and event number of a write come from
//! re-executing the call that wrote; that is done for the page that is shown, within a budget.

use debug_engine::NodeId;
use debug_engine::view::history::{VariableHistory, WriteView, Writer};
use frame_replay::Program;
use trace_format::{EventPosition, TraceTime, Value};
use trace_store::{CallId, History, HistoryEntry, ObjectSlot};

use super::happening;
use super::happening::{Happening, WrittenVariable};
use super::moment::Moments;
use super::variable::{FoundVariable, Variable};
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};

/// Instructions that are re-executed for one page before lines and event numbers are left out.
const BUDGET: u64 = 20_000_000;

/// Every write of a variable of the heap; `None` if it is none, or the trace cannot be read.
#[must_use]
pub fn writes<'run>(run: &'run JavaRun, variable: &Variable) -> Option<History<'run>> {
    match variable {
        Variable::Slot { object, slot } => run.read(run.trace().writes_of(*object, *slot)),
        Variable::Static { field } => run.read(run.trace().writes_of_static(*field)),
        _ => None,
    }
}

/// How many writes of a variable there were up to a moment: the end of a call, or one of its events.
#[must_use]
pub fn writes_until(
    run: &JavaRun,
    program: &Program,
    found: &FoundVariable,
    node: NodeId,
    event: Option<u64>,
) -> usize {
    let Some(mut moments) = Moments::of(run, program, node) else {
        return 0;
    };
    match &found.variable {
        Variable::Local { node: of, name } => {
            if *of != node {
                return 0;
            }
            let until =
                |moment: &super::happening::Moment| event.is_none_or(|event| moment.event <= event);
            let so_far = moments.take_while(until);
            so_far.filter(|moment| moment.assigns(name)).count()
        }
        variable => {
            let thread = moments.call().id.thread;
            let end = moments.call().exit_time;
            let moment = event.and_then(|event| moments.at(event));
            let at = moment.map_or(end, |moment| shown::time(run, thread, moment.position));
            let until = TraceTime(at.0.saturating_add(1));
            writes(run, variable).map_or(0, |writes| writes.ending_before(until).count())
        }
    }
}

/// A page of a variable's writes, unless what was named is none.
///
/// # Errors
/// What it is instead and what to name, as a sentence.
pub fn of_variable(
    run: &JavaRun,
    program: &Program,
    found: &FoundVariable,
    skip: usize,
    most: usize,
) -> Result<VariableHistory, String> {
    let whole = match found.variable {
        Variable::Object(_) => Some("an object"),
        Variable::Return { .. } => Some("a result"),
        _ => None,
    };
    match whole {
        Some(whole) => Err(format!(
            "{} is {whole}, not a variable; name a field or an element of it",
            found.label
        )),
        None => Ok(history_page(run, program, found, skip, most)),
    }
}

/// A page of a variable's history: `skip` writes left out, at most `most` shown.
#[must_use]
pub fn history_page(
    run: &JavaRun,
    program: &Program,
    found: &FoundVariable,
    skip: usize,
    most: usize,
) -> VariableHistory {
    match &found.variable {
        Variable::Local { node, name } => local(run, program, *node, name, found, skip, most),
        _ => {
            let unreadable = run.times_unreadable();
            let mut history = heap(run, program, found, skip, most);
            if let Some(trouble) = run.unreadable_since(unreadable) {
                history.note = Some(trouble);
            }
            history
        }
    }
}

fn heap(
    run: &JavaRun,
    program: &Program,
    found: &FoundVariable,
    skip: usize,
    most: usize,
) -> VariableHistory {
    let mut history = VariableHistory {
        variable: title(run, found),
        initially: None,
        writes: Vec::new(),
        more: false,
        several_threads: run.trace().threads().nth(1).is_some(),
        note: note(run),
    };
    let Some(mut entries) = writes(run, &found.variable) else {
        return history;
    };
    let view = |value: Value, at: TraceTime| {
        let value = match &found.variable {
            Variable::Slot {
                object,
                slot: ObjectSlot::Element(_),
            } => shown::element(run, *object, value),
            _ => value,
        };
        shown::value(run, value, at, BRIEF)
    };
    let mut places = WriteSites::new(run, program);
    let mut before = None;
    for (number, entry) in entries.by_ref().enumerate() {
        let written = entry.written;
        if number == 0 {
            before = initially(run, &found.variable, written.time);
            history.initially = before.map(|value| view(value, written.time));
        }
        if number >= skip.saturating_add(most) {
            history.more = true;
            break;
        }
        let after = TraceTime(written.time.0 + 1);
        if number >= skip {
            let place = places.of(&entry);
            history.writes.push(WriteView {
                write: number as u64 + 1,
                before: before.map(|value| view(value, written.time)),
                after: view(entry.value, after),
                by: match (place.node, written.by_library) {
                    _ if written.first_read_by.is_some() => Writer::Outside,
                    (None, _) => Writer::Outside,
                    (_, true) => Writer::Library,
                    (_, false) => Writer::Code,
                },
                thread: run.thread_name(written.thread),
                node: place.node,
                routine: place.node.map(|node| run.routine_of(node)),
                file: place.node.and_then(|node| shown::file(run, node)),
                line: place.line,
                event: place.event,
            });
        }
        before = Some(entry.value);
    }
    if entries.unreadable() > 0 {
        let count = entries.unreadable();
        let writes = if count == 1 { "write" } else { "writes" };
        let sentence = format!("{count} {writes} cannot be read: the trace is damaged there");
        history.note = Some(sentence);
        // What it held at last is not what it held at first.
        return history;
    }
    if history.writes.is_empty()
        && !history.more
        && let Some(value) = found.value
    {
        let end = run.trace().end_time().unwrap_or(TraceTime(u64::MAX >> 1));
        history.initially = history.initially.or(Some(view(value, end)));
    }
    history
}

/// What the history of no variable of the run can show.
fn note(run: &JavaRun) -> Option<String> {
    if run.trace().meta().detail == trace_format::Detail::Calls {
        return Some("only calls were recorded, writes were not".to_owned());
    }
    let sentence = "the run is too long to be searched for writes from outside recorded code";
    (!frame_replay::is_searched(run.trace())).then(|| sentence.to_owned())
}

/// The variable under both of its names, if it was found on a way.
fn title(run: &JavaRun, found: &FoundVariable) -> String {
    let Variable::Slot { object, slot } = found.variable else {
        return found.label.clone();
    };
    let own = match slot {
        ObjectSlot::Field(field) => WrittenVariable::Field { object, field },
        ObjectSlot::Element(index) => WrittenVariable::Element {
            array: object,
            index,
        },
    };
    let own = happening::place_name(run, own, None);
    if own == found.label {
        return own;
    }
    format!("{} = {own}", found.label)
}

fn initially(run: &JavaRun, variable: &Variable, at: TraceTime) -> Option<Value> {
    let slot = match variable {
        Variable::Slot { object, slot } => run.trace().slot_at(*object, *slot, at),
        Variable::Static { field } => run.trace().static_at(*field, at),
        _ => return None,
    };
    run.read(slot).flatten().map(|slot| slot.value)
}

/// Where a write happened.
#[derive(Clone, Copy, Debug, Default)]
struct WriteSite {
    node: Option<NodeId>,
    line: Option<u32>,
    event: Option<u64>,
}

/// Finds the events of writes, call by call.
struct WriteSites<'run> {
    run: &'run JavaRun,
    program: &'run Program,
    open: Option<Moments<'run>>,
    spent: u64,
}

impl<'run> WriteSites<'run> {
    fn new(run: &'run JavaRun, program: &'run Program) -> Self {
        WriteSites {
            run,
            program,
            open: None,
            spent: 0,
        }
    }

    fn of(&mut self, entry: &HistoryEntry) -> WriteSite {
        let written = entry.written;
        if let Some(call) = written.first_read_by {
            let call = CallId::new(written.thread, call);
            return WriteSite {
                node: self.run.node(call),
                ..WriteSite::default()
            };
        }
        let call = self.run.trace().call_of(written.thread, written.position);
        let node = self
            .run
            .read(call)
            .flatten()
            .and_then(|call| self.run.node(call));
        let Some(node) = node else {
            return WriteSite::default();
        };
        let (line, event) = self.event(node, written.position).unwrap_or_default();
        WriteSite {
            node: Some(node),
            line,
            event,
        }
    }

    fn event(
        &mut self,
        node: NodeId,
        position: EventPosition,
    ) -> Option<(Option<u32>, Option<u64>)> {
        if self.spent > BUDGET {
            return None;
        }
        if self.open.as_ref().is_none_or(|open| open.node() != node) {
            self.open = Some(Moments::of(self.run, self.program, node)?);
        }
        let moments = self.open.as_mut()?;
        moments.go_before(position);
        for moment in moments.by_ref() {
            self.spent += 4;
            if self.spent > BUDGET {
                return None;
            }
            if let Happening::Write(write) = moment.what
                && write.position == position
            {
                return Some((moment.line, Some(moment.event)));
            }
        }
        None
    }
}

fn local(
    run: &JavaRun,
    program: &Program,
    node: NodeId,
    name: &str,
    found: &FoundVariable,
    skip: usize,
    most: usize,
) -> VariableHistory {
    let mut history = VariableHistory {
        variable: found.label.clone(),
        initially: None,
        writes: Vec::new(),
        more: false,
        several_threads: run.trace().threads().nth(1).is_some(),
        note: None,
    };
    let Some(mut moments) = Moments::of(run, program, node) else {
        return history;
    };
    let thread = moments.call().id.thread;
    let code = run.code(moments.call().method);
    if let Some(place) = code.parameters.iter().position(|known| known == name) {
        let given = moments.call().arguments.get(place);
        let at = moments.call().entry_time;
        history.initially = given.map(|&value| shown::value(run, value, at, BRIEF));
    } else if name == "this"
        && let Some(this) = moments.call().this
    {
        let at = moments.call().entry_time;
        history.initially = Some(shown::value(run, Value::Ref(this), at, BRIEF));
    }
    let mut number = 0;
    while let Some(moment) = moments.next() {
        let Happening::Local(write) = &moment.what else {
            continue;
        };
        if write.name != name {
            continue;
        }
        number += 1;
        if number <= skip {
            continue;
        }
        if history.writes.len() == most {
            history.more = true;
            break;
        }
        let at = shown::time(run, thread, moment.position);
        let view = |slot| shown::slot(run, moments.code(), slot, &write.descriptor, at, BRIEF);
        history.writes.push(WriteView {
            write: number as u64,
            before: write.before.map(view),
            after: view(write.after),
            by: Writer::Code,
            thread: run.thread_name(thread),
            node: Some(node),
            routine: Some(run.routine_of(node)),
            file: shown::file(run, node),
            line: moment.line,
            event: Some(moment.event),
        });
    }
    history.note = moments.trouble().map(str::to_owned);
    history
}
