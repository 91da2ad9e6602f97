//! The calls that a recorded call made to code that was not recorded, as its re-execution shows them: leaves of the
//! tree that nobody asks about, because such code is trusted.
//!
//! They are listed from some event on, for as long as whoever lists them wants more, and each says between which
//! recorded calls it stands.

use debug_engine::NodeId;
use debug_engine::view::ValueKind;
use debug_engine::view::render;
use frame_replay::{CallRole, Datum, InvokeSite, Slot};
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};
use java_model::values::Viewer;
use java_names::{descriptor, names};
use trace_format::{ObjectId, TraceTime, Value};
use trace_store::CallOutcome;

use crate::events::made_by;
use crate::happening::{Happening, Moment};
use crate::moment::Moments;

/// See the module's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryCall {
    /// The event of the caller that it is.
    pub event: u64,
    pub line: Option<u32>,
    /// The last recorded call that the caller had made before it.
    pub after: Option<NodeId>,
    /// In one line: what it was given, and what it gave.
    pub text: String,
}

/// Some of the library calls of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibraryCallList {
    pub calls: Vec<LibraryCall>,
    /// The event to go on from, if there may be more.
    pub next: Option<u64>,
    /// Why there are none, if the call cannot be re-executed.
    pub note: Option<String>,
}

/// Which library calls of a call are listed.
#[derive(Clone, Copy, Debug, Default)]
pub struct LibraryCallsFrom {
    /// From this event on; without it, from right after the recorded call `after`.
    pub event: Option<u64>,
    /// The last recorded call before them.
    pub after: Option<NodeId>,
    /// None behind the recorded call that follows this one.
    pub until: Option<NodeId>,
}

/// The library calls of a call, while `goes_on` with as many as there are.
#[must_use]
pub fn library_calls(
    run: &JavaRun,
    node: NodeId,
    from: LibraryCallsFrom,
    goes_on: impl Fn(usize) -> bool,
) -> LibraryCallList {
    let mut list = LibraryCallList::default();
    let Some(mut moments) = Moments::of(run, run.program(), node) else {
        list.note = Some(format!("call {node} cannot be read"));
        return list;
    };
    let mut after = from.after;
    let mut last_call = None;
    let mut next = first(run, &mut moments, from);
    while let Some(moment) = next {
        if !goes_on(list.calls.len()) {
            list.next = Some(moment.event);
            break;
        }
        match &moment.what {
            Happening::Call(child) => {
                let child = run.node(*child);
                if from.until.is_some_and(|until| child > Some(until)) {
                    break;
                }
                after = child.or(after);
                last_call = moment.step;
            }
            Happening::Library { .. } => {
                let text = text(run, &moments, &moment);
                list.calls.extend(text.map(|text| LibraryCall {
                    event: moment.event,
                    line: moment.line,
                    after,
                    text,
                }));
            }
            Happening::Ended(CallOutcome::Threw(_)) if last_call != moment.step => {
                let text = thrown(run, &mut moments, &moment);
                list.calls.extend(text.map(|text| LibraryCall {
                    event: moment.event,
                    line: moment.line,
                    after,
                    text,
                }));
            }
            _ => {}
        }
        next = moments.next();
    }
    list.note = moments.trouble().map(str::to_owned);
    list
}

/// The moment from which on library calls are listed.
fn first(run: &JavaRun, moments: &mut Moments<'_>, from: LibraryCallsFrom) -> Option<Moment> {
    let after = from.after.and_then(|after| run.call(after));
    match (from.event, after) {
        (Some(event), _) => moments.at(event),
        (None, None) => moments.at(0),
        (None, Some(after)) => {
            moments.go_before(after.entry);
            moments.find(|moment| moment.what == Happening::Call(after.id))
        }
    }
}

fn text(run: &JavaRun, moments: &Moments<'_>, moment: &Moment) -> Option<String> {
    let Happening::Library {
        instruction,
        arguments,
        result,
        threw,
    } = &moment.what
    else {
        return None;
    };
    let code = moments.code()?;
    let site = code.invoked_by(*instruction)?;
    let at = shown::time(run, moments.call().id.thread, moment.position);
    let value = |slot: Slot, descriptor: &str| {
        render::value(
            &shown::slot(run, Some(code), slot, descriptor, at, BRIEF),
            BRIEF,
        )
    };
    let (receiver, slots) = match arguments.split_first() {
        Some((&receiver, rest)) if site.has_receiver => (Some(receiver), rest),
        _ => (None, arguments.as_slice()),
    };
    let given = given(site, slots, &value);
    let called = called(site, || {
        let receiver = receiver?;
        let view = shown::slot(run, Some(code), receiver, "", at, BRIEF);
        match (view.kind, receiver.datum()) {
            (ValueKind::String, _) => Some(render::value(&view, BRIEF)),
            (_, Datum::Value(Value::Ref(object))) => Some(shown::object_name(run, object)),
            _ => None,
        }
    });
    let outcome = match (threw, result) {
        (Some(exception), _) => format!(" → throws {}", exception_text(run, *exception, at)),
        (None, Some(result)) => {
            let returns = site.descriptor.rsplit(')').next().unwrap_or_default();
            format!(" → {}", value(*result, returns))
        }
        (None, None) => String::new(),
    };
    Some(format!("{called}({given}){outcome}"))
}

/// What is called, as Java would write it.
fn called(site: &InvokeSite, receiver: impl FnOnce() -> Option<String>) -> String {
    if site.owner.is_empty() {
        return format!("what makes {}", made_by(&site.name));
    }
    let class = names::class(&site.owner);
    let simple = names::simple_class(&class);
    match site.role {
        CallRole::Allocation | CallRole::UnnamedAllocation => format!("new {simple}"),
        _ => match receiver() {
            Some(receiver) => format!("{receiver}.{}", site.name),
            None => format!("{simple}.{}", site.name),
        },
    }
}

/// The arguments between commas.
fn given(site: &InvokeSite, slots: &[Slot], value: &dyn Fn(Slot, &str) -> String) -> String {
    let Ok(method) = descriptor::parse_method(&site.descriptor) else {
        return "…".to_owned();
    };
    let mut slots = slots.iter().copied();
    let mut texts = Vec::new();
    for parameter in &method.parameters {
        // A long or a double takes two slots, of which one holds it.
        let held: Vec<Slot> = slots.by_ref().take(parameter.slots().into()).collect();
        let held = held.into_iter().find(|slot| *slot != Slot::EMPTY);
        texts.push(held.map_or("?".to_owned(), |slot| value(slot, parameter.descriptor())));
    }
    texts.join(", ")
}

fn exception_text(run: &JavaRun, exception: ObjectId, at: TraceTime) -> String {
    render::exception(&Viewer::new(run, at, BRIEF).exception(exception), BRIEF)
}

/// The library call by whose exception the caller was left, if it was one: what it was given is gone by then.
fn thrown(run: &JavaRun, moments: &mut Moments<'_>, moment: &Moment) -> Option<String> {
    let Happening::Ended(CallOutcome::Threw(exception)) = moment.what else {
        return None;
    };
    let (offset, _) = moments.slots_at(moment, true)?;
    let code = moments.code()?;
    let site = code.invoked_by(code.instruction_at(offset)?)?;
    let at = shown::time(run, moments.call().id.thread, moment.position);
    let called = called(site, || None);
    Some(format!(
        "{called}(…) → throws {}",
        exception_text(run, exception, at)
    ))
}
