//! The event list of a call, made readable: JHyde's *event list view*.

use debug_engine::NodeId;
use debug_engine::view::ValueView;
use debug_engine::view::events::{EventList, EventView, VariableChange, What};
use trace_format::{ObjectId, TraceTime, Value};
use trace_store::{CallId, CallOutcome, ObjectSlot};

use super::happening;
use super::happening::{Happening, HeapWrite, Moment, WrittenVariable};
use super::moment::Moments;
use super::variable::Variable;
use java_model::node_view;
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};
use java_model::source_text;
use java_model::values::Viewer;
use java_names::names;

/// Makes events readable.
pub struct Reader<'run> {
    run: &'run JavaRun,
    node: NodeId,
    /// The lines of the source file, if it was found.
    source: Vec<String>,
    /// Events that change it are marked.
    chosen: Option<Variable>,
}

impl<'run> Reader<'run> {
    #[must_use]
    pub fn new(run: &'run JavaRun, node: NodeId, chosen: Option<Variable>) -> Self {
        let file = source_text::file_of(run, run.method(node));
        let text = file.and_then(|file| std::fs::read(file).ok());
        let text = text.unwrap_or_default();
        let source = String::from_utf8_lossy(&text)
            .lines()
            .map(str::to_owned)
            .collect();
        Reader {
            run,
            node,
            source,
            chosen,
        }
    }

    /// The events from one number on, at most `most`.
    pub fn list(&self, moments: &mut Moments<'run>, from: u64, most: usize) -> EventList {
        self.list_while(moments, from, |listed| listed < most)
    }

    /// The events from one number on, for as long as the number of those that are listed is said to be
    /// too small.
    pub fn list_while(
        &self,
        moments: &mut Moments<'run>,
        from: u64,
        mut goes_on: impl FnMut(usize) -> bool,
    ) -> EventList {
        let mut events = Vec::new();
        let mut next = moments.at(from);
        while goes_on(events.len())
            && let Some(moment) = next
        {
            events.push(self.view(moments, &moment));
            next = moments.next();
        }
        self.page(moments, events, next.is_some())
    }

    fn page(&self, moments: &Moments<'run>, events: Vec<EventView>, more: bool) -> EventList {
        EventList {
            node: self.node,
            routine: self.run.routine_of(self.node),
            file: shown::file(self.run, self.node),
            events,
            more,
            note: moments.trouble().map(str::to_owned),
        }
    }

    /// One event.
    #[must_use]
    pub fn view(&self, moments: &Moments<'run>, moment: &Moment) -> EventView {
        EventView {
            event: moment.event,
            line: moment.line,
            what: self.what(moments, moment),
            changes: self.changes(moment),
        }
    }

    fn what(&self, moments: &Moments<'run>, moment: &Moment) -> What {
        let thread = moments.call().id.thread;
        let at = shown::time(self.run, thread, moment.position);
        let slot = |slot, descriptor: &str| {
            shown::slot(self.run, moments.code(), slot, descriptor, at, BRIEF)
        };
        match &moment.what {
            Happening::Entered => What::Entered {
                call: self.entered(),
            },
            Happening::Line => What::Line {
                source: self.source_line(moment.line),
            },
            Happening::Local(local) => What::Local {
                name: local.name.clone(),
                before: local.before.map(|before| slot(before, &local.descriptor)),
                after: slot(local.after, &local.descriptor),
            },
            Happening::Write(write) => self.write(thread, write, at),
            Happening::Call(call) => match self.run.node(*call) {
                Some(node) => What::Call {
                    node,
                    call: node_view::call_line(self.run, node),
                },
                None => unreadable(),
            },
            Happening::HandedOver(call) => match self.run.node(*call) {
                Some(node) => What::Submits {
                    node,
                    call: node_view::call_line(self.run, node),
                },
                None => unreadable(),
            },
            Happening::Library {
                instruction,
                result,
                ..
            } => {
                let site = moments
                    .code()
                    .and_then(|code| code.invoked_by(*instruction));
                let returns = site.and_then(|site| site.descriptor.rsplit(')').next());
                What::Library {
                    call: site.map_or("library code".to_owned(), |site| {
                        if site.owner.is_empty() {
                            return format!("what makes {}", made_by(&site.name));
                        }
                        names::routine(&site.owner, &site.name)
                    }),
                    returned: result.map(|result| slot(result, returns.unwrap_or(""))),
                }
            }
            Happening::Caught(exception) => What::Caught {
                exception: self.exception(*exception, at),
            },
            Happening::Ended(outcome) => self.ended(*outcome, moments, at),
        }
    }

    fn ended(&self, outcome: CallOutcome, moments: &Moments<'run>, at: TraceTime) -> What {
        let returns = self.run.method_names(moments.call().method).descriptor;
        let returns = returns.rsplit(')').next().unwrap_or("");
        let value = |value| {
            let typed = shown::typed(value, returns);
            shown::value(self.run, typed, at, BRIEF)
        };
        match outcome {
            CallOutcome::Returned(given) => What::Returned {
                value: given.map(value),
            },
            CallOutcome::Threw(exception) => What::Threw {
                exception: Some(self.exception(exception, at)),
            },
            CallOutcome::Lost => What::Threw { exception: None },
            CallOutcome::Open => What::Open,
        }
    }

    /// What the call was given, without how it ended: that is not known yet at this event.
    fn entered(&self) -> String {
        let line = node_view::call_line(self.run, self.node);
        line.split(" → ").next().unwrap_or_default().to_owned()
    }

    fn source_line(&self, line: Option<u32>) -> Option<String> {
        let at = usize::try_from(line?.checked_sub(1)?).ok()?;
        Some(self.source.get(at)?.trim().to_owned())
    }

    fn exception(&self, exception: ObjectId, at: TraceTime) -> ValueView {
        Viewer::new(self.run, at, BRIEF).exception(exception)
    }

    fn write(
        &self,
        thread: trace_format::ThreadNumber,
        write: &HeapWrite,
        after: TraceTime,
    ) -> What {
        let time = shown::time(self.run, thread, write.position);
        let held = |value: Value, at| shown::value(self.run, value, at, BRIEF);
        let trace = self.run.trace();
        let (before, new) = match write.place {
            WrittenVariable::Field { object, field } => (
                trace.slot_at(object, ObjectSlot::Field(field), time),
                write.value,
            ),
            WrittenVariable::Static { field } => (trace.static_at(field, time), write.value),
            WrittenVariable::Element { array, index } => {
                let slot = trace.slot_at(array, ObjectSlot::Element(index), time);
                let slot = slot.map(|slot| {
                    slot.map(|mut slot| {
                        slot.value = shown::element(self.run, array, slot.value);
                        slot
                    })
                });
                (slot, shown::element(self.run, array, write.value))
            }
            WrittenVariable::Range { array, .. } => {
                // Shown as the whole array, before and after.
                let whole = Value::Ref(array);
                return What::Write {
                    variable: happening::place_name(self.run, write.place, write.holder.as_deref()),
                    before: Some(held(whole, time)),
                    after: held(whole, after),
                    by_library: write.by_library,
                };
            }
        };
        What::Write {
            variable: happening::place_name(self.run, write.place, write.holder.as_deref()),
            before: self
                .run
                .read(before)
                .flatten()
                .map(|slot| held(slot.value, time)),
            after: held(new, after),
            by_library: write.by_library,
        }
    }

    fn changes(&self, moment: &Moment) -> Option<VariableChange> {
        let chosen = self.chosen.as_ref()?;
        match (&moment.what, chosen) {
            (Happening::Write(write), _) => chosen
                .is_at(self.run, write.place)
                .then_some(VariableChange::Directly),
            (Happening::Local(local), Variable::Local { node, name }) => {
                (*node == self.node && *name == local.name).then_some(VariableChange::Directly)
            }
            (Happening::Call(call) | Happening::HandedOver(call), _) => self
                .is_written_below(*call, chosen)
                .then_some(VariableChange::Below),
            _ => None,
        }
    }

    fn is_written_below(&self, id: CallId, chosen: &Variable) -> bool {
        let Some(call) = self.run.read(self.run.trace().call(id)) else {
            return false;
        };
        if let Variable::Local { node, .. } = chosen {
            let range = self
                .run
                .node(id)
                .map(|first| first.0..first.0 + call.subtree);
            return range.is_some_and(|range| range.contains(&node.0));
        }
        let Some(history) = super::history::writes(self.run, chosen) else {
            return false;
        };
        let inside = history
            .starting_at(call.entry_time)
            .take_while(|entry| entry.written.time <= call.exit_time);
        inside
            .into_iter()
            .any(|entry| entry.written.thread == id.thread)
    }
}

/// A call that only a damaged trace names.
fn unreadable() -> What {
    What::Library {
        call: "something that cannot be read".to_owned(),
        returned: None,
    }
}

/// `invokedynamic` names what it makes by the method of an interface, or by what strings need.
pub(crate) fn made_by(name: &str) -> &str {
    match name {
        "makeConcatWithConstants" | "makeConcat" => "a string",
        "toString" | "hashCode" | "equals" | "typeSwitch" | "enumSwitch" => name,
        _ => "a lambda",
    }
}
