//! A slice made readable.

use classfile::opcode;
use debug_engine::NodeId;
use debug_engine::view::ValueView;
use debug_engine::view::slice::{SliceStep, SliceView, StepKind};
use frame_replay::Program;
use trace_format::{EventPosition, ObjectId, TraceTime, Value};
use trace_store::{CallId, CallOutcome, ObjectSlot};

use super::happening;
use super::moment;
use super::slice::{Graph, Link, Taken, Variable};
use super::variable::{self, FoundVariable};
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};
use java_names::names;

/// How a slice is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Follow decisions too.
    pub control: bool,
    /// At most this many steps.
    pub steps: usize,
}

/// The note on a slice that was not followed any further.
#[must_use]
pub fn stopped_after(steps: usize) -> String {
    format!("stopped after {steps} steps")
}

/// Where a value of a call came from, as it was when the call ended.
pub fn why(
    run: &JavaRun,
    program: &Program,
    node: NodeId,
    path: &str,
    options: Options,
) -> Result<SliceView, variable::PathError> {
    let unreadable = run.times_unreadable();
    let found = variable::find(run, program, path, Some(node), None)?;
    let (starts, trouble) = starts(run, program, node, &found);
    let graph = Graph::follow(run, program, starts, options.control, options.steps);
    let mut reader = Reader { graph };
    let steps: Vec<SliceStep> = (0..reader.graph.nodes.len())
        .map(|at| reader.step(at))
        .collect();
    let mut notes: Vec<String> = trouble.into_iter().collect();
    for node in &reader.graph.nodes {
        if let Some(trouble) = &node.taken.trouble
            && !notes.contains(trouble)
        {
            notes.push(trouble.clone());
        }
    }
    notes.extend(run.unreadable_since(unreadable));
    let complete = notes.is_empty() && !reader.graph.stopped;
    if reader.graph.stopped {
        notes.push(stopped_after(options.steps));
    }
    let at = run
        .call(node)
        .map_or(TraceTime(u64::MAX >> 1), |call| call.exit_time);
    Ok(SliceView {
        path: found.label.clone(),
        value: found.value.map(|value| shown::value(run, value, at, BRIEF)),
        lines: SliceView::lines_of(&steps),
        steps,
        complete,
        notes,
    })
}

/// The links that gave the variable what it held when the call ended.
pub(super) fn starts(
    run: &JavaRun,
    program: &Program,
    node: NodeId,
    found: &FoundVariable,
) -> (Taken, Option<String>) {
    let mut taken = Taken::default();
    let unknown = Some("nothing is known of where it came from".to_owned());
    let at = run
        .call(node)
        .map_or(TraceTime(u64::MAX >> 1), |call| call.exit_time);
    let variable = match &found.variable {
        variable::Variable::Return { node } => {
            taken.values.extend(run.call_id(*node).map(Link::Return));
            return (taken, None);
        }
        variable::Variable::Local { node: of, name } => {
            return match local(run, program, *of, name) {
                Some(link) => (
                    Taken {
                        values: vec![link],
                        ..taken
                    },
                    None,
                ),
                None => (taken, unknown),
            };
        }
        variable::Variable::Slot { object, slot } => Variable::Slot(*object, *slot),
        variable::Variable::Static { field } => Variable::Static(*field),
        variable::Variable::Object(_) => {
            let sentence = "an object by itself comes from nowhere; name a part of it";
            return (taken, Some(sentence.to_owned()));
        }
    };
    let empty = Graph::follow(run, program, Taken::default(), false, 0);
    match empty.last_write(variable, at, None) {
        Some(link) => taken.values.push(link),
        None => return (taken, unknown),
    }
    (taken, None)
}

/// The last assignment of a local, or what the call was given in it.
fn local(run: &JavaRun, program: &Program, node: NodeId, name: &str) -> Option<Link> {
    let id = run.call_id(node)?;
    let mut moments = moment::Moments::of(run, program, node)?;
    let end = moments.count_events();
    let assigned = moments.last_before(end, |moment| moment.assigns(name));
    if let Some(after) = assigned.and_then(|moment| moment.step) {
        return Some(Link::Local(id, after.saturating_sub(1)));
    }
    let names = moments.code()?.local_names().iter();
    let slot = names
        .filter(|local| local.start == 0)
        .find(|local| local.name == name)?
        .slot;
    Some(Link::Argument(id, slot))
}

const ARRAY: &str = "a new array";

struct Reader<'run> {
    graph: Graph<'run>,
}

/// What is said of a link.
struct LinkText {
    kind: StepKind,
    what: String,
    value: Option<ValueView>,
    call: Option<CallId>,
    line: Option<u32>,
}

impl Reader<'_> {
    fn step(&mut self, at: usize) -> SliceStep {
        let link = self.graph.nodes[at].link;
        let said = self.said(link);
        let instruction = self.graph.instruction(link);
        let instruction = instruction.filter(|(call, _)| said.call == Some(*call));
        let run = self.graph.run;
        let node = said.call.and_then(|call| run.node(call));
        let followed = &self.graph.nodes[at];
        let mut from: Vec<usize> = followed.from.iter().map(|from| from + 1).collect();
        from.sort_unstable();
        let only_constants = from.is_empty() && !followed.taken.constants.is_empty();
        let kind = match said.kind {
            StepKind::Write | StepKind::Computed | StepKind::Returned if only_constants => {
                StepKind::Constant
            }
            kind if followed.taken.trouble.is_some() && from.is_empty() => match kind {
                StepKind::Argument => StepKind::Outside,
                _ => StepKind::Unknown,
            },
            kind => kind,
        };
        SliceStep {
            step: at + 1,
            instruction: instruction.map(|(_, step)| step),
            node,
            routine: node.map(|node| run.routine_of(node)),
            file: node.and_then(|node| shown::file(run, node)),
            line: said.line,
            kind,
            what: said.what,
            value: said.value,
            from,
        }
    }

    fn said(&mut self, link: Link) -> LinkText {
        match link {
            Link::Local(call, step) => self.local(call, step),
            Link::Written(thread, position, variable) => {
                let run = self.graph.run;
                let call = run.read(run.trace().call_of(thread, position)).flatten();
                let line = call.and_then(|call| {
                    let frame = self.graph.frames.get(call).ok()?;
                    let (step, _) = frame.step_at(position)?;
                    frame.line(step)
                });
                let at = shown::time(run, thread, position);
                LinkText {
                    kind: StepKind::Write,
                    what: self.variable(variable, call.map(|call| (call, position))),
                    value: self.held(variable, TraceTime(at.0 + 1)),
                    call,
                    line,
                }
            }
            Link::WrittenByLibrary(thread, position, variable) => {
                let run = self.graph.run;
                let at = shown::time(run, thread, position);
                let call = run.read(run.trace().call_of(thread, position)).flatten();
                let name = self.variable(variable, call.map(|call| (call, position)));
                LinkText {
                    kind: StepKind::Outside,
                    what: format!("library code wrote {name}"),
                    value: self.held(variable, TraceTime(at.0 + 1)),
                    call,
                    line: None,
                }
            }
            Link::WrittenOutside(call, position, variable) => {
                let run = self.graph.run;
                let at = shown::time(run, call.thread, position);
                let variable_name = self.variable(variable, Some((call, position)));
                LinkText {
                    kind: StepKind::Outside,
                    what: format!(
                        "{variable_name}, written outside recorded code, read first here"
                    ),
                    value: self.held(variable, at),
                    call: Some(call),
                    line: None,
                }
            }
            Link::Return(call) => self.returned(call),
            Link::Argument(call, local) => self.argument(call, local),
            Link::Made(call, step) => self.plain(call, step, StepKind::Computed),
            Link::Library(call, step) => self.plain(call, step, StepKind::Outside),
            Link::Kept(call, step, operand) => {
                let frame = self.graph.frames.get(call).ok();
                let operands = frame.and_then(|frame| frame.operands(step));
                self.kept(call, step, operands.and_then(|all| *all.get(operand)?))
            }
            Link::Moved(call, step, value) => self.kept(call, step, Some(value)),
            Link::Decision(call, step) => LinkText {
                kind: StepKind::Condition,
                what: "a decision here".to_owned(),
                value: None,
                call: Some(call),
                line: self.line(call, step),
            },
            Link::Initial(variable) => LinkText {
                kind: StepKind::Initial,
                what: format!("from the start: {}", self.variable(variable, None)),
                value: self.held(variable, TraceTime(0)),
                call: None,
                line: None,
            },
            Link::Outside(call, step) => LinkText {
                kind: StepKind::Outside,
                what: "read here, written outside recorded code".to_owned(),
                value: self.top(call, step, ""),
                call: Some(call),
                line: self.line(call, step),
            },
        }
    }

    fn local(&mut self, call: CallId, step: u64) -> LinkText {
        let mut said = LinkText {
            kind: StepKind::Write,
            what: "a local".to_owned(),
            value: None,
            call: Some(call),
            line: self.line(call, step),
        };
        let run = self.graph.run;
        let Ok(frame) = self.graph.frames.get(call) else {
            return said;
        };
        if let Some((slot, name, descriptor)) = frame.assigned(step) {
            said.what = name;
            let code = frame.code;
            let after = frame.local_after(step, slot);
            let at = frame.step(step).map(|(done, _)| done.position);
            let at = at.map_or(TraceTime(0), |at| shown::time(run, call.thread, at));
            said.value =
                after.map(|after| shown::slot(run, Some(code), after, &descriptor, at, BRIEF));
        }
        said
    }

    fn returned(&mut self, call: CallId) -> LinkText {
        let run = self.graph.run;
        let frame = self.graph.frames.get(call).ok();
        let line = frame.and_then(|frame| frame.line(frame.flow.len().checked_sub(1)?));
        let called = run.read(run.trace().call(call));
        let value = called.as_ref().and_then(|called| match called.outcome {
            CallOutcome::Returned(value) => value.map(|value| (value, called.exit_time)),
            _ => None,
        });
        LinkText {
            kind: StepKind::Returned,
            what: "returned".to_owned(),
            value: value.map(|(value, at)| {
                let returns = called
                    .as_ref()
                    .map_or("", |called| run.method_names(called.method).descriptor);
                let returns = returns.rsplit(')').next().unwrap_or("");
                shown::value(run, shown::typed(value, returns), at, BRIEF)
            }),
            call: Some(call),
            line,
        }
    }

    fn argument(&mut self, call: CallId, local: u16) -> LinkText {
        let run = self.graph.run;
        let mut said = LinkText {
            kind: StepKind::Argument,
            what: format!("argument {local}"),
            value: None,
            call: Some(call),
            line: None,
        };
        let Some(called) = run.read(run.trace().call(call)) else {
            return said;
        };
        let symbol = run.trace().symbols().method(called.method);
        let has_this =
            symbol.is_some_and(|symbol| symbol.enters_with_this() || symbol.is_constructor());
        let mut slot = u16::from(has_this);
        let (mut name, mut value) = ("this".to_owned(), called.this.map(Value::Ref));
        if local > 0 || !has_this {
            let code = run.code(called.method);
            for (number, &argument) in called.arguments.iter().enumerate() {
                if slot == local {
                    name = code.parameters.get(number).cloned().unwrap_or_default();
                    value = Some(argument);
                }
                slot += if argument.kind().size() == 8 { 2 } else { 1 };
            }
        }
        said.what = match (called.parent, run.node(call)) {
            (Some(caller), Some(node)) => {
                said.call = Some(caller);
                said.line = self.graph.calling_line(call);
                format!("argument {name} of #{node} {}", run.routine_of(node))
            }
            _ => {
                said.line = run.code(called.method).lines.first().copied();
                format!("{name}, given from outside")
            }
        };
        said.value = value.map(|value| shown::value(run, value, called.entry_time, BRIEF));
        said
    }

    /// A step that made library code keep something.
    fn kept(&mut self, call: CallId, step: u64, object: Option<ObjectId>) -> LinkText {
        let run = self.graph.run;
        let mut said = self.plain(call, step, StepKind::Outside);
        said.what = format!("kept by {}", said.what);
        if let Ok(frame) = self.graph.frames.get(call) {
            // After the step, which may have made it.
            let after = frame.step(step).map(|_| frame.position());
            let at = after.map_or(TraceTime(0), |at| shown::time(run, call.thread, at));
            said.value = object.map(|object| shown::value(run, Value::Ref(object), at, BRIEF));
        }
        said
    }

    /// A new object, or a call of library code.
    fn plain(&mut self, call: CallId, step: u64, kind: StepKind) -> LinkText {
        let mut returns = String::new();
        let mut what = match kind {
            StepKind::Computed if self.makes_array(call, step) => ARRAY.to_owned(),
            StepKind::Computed => "a new object".to_owned(),
            _ => "library code".to_owned(),
        };
        if let Ok(frame) = self.graph.frames.get(call)
            && let Some(site) = frame
                .instruction(step)
                .and_then(|at| frame.code.invoked_by(at))
        {
            returns = site.descriptor.rsplit(')').next().unwrap_or("").to_owned();
            what = match site.owner.as_str() {
                "" if site.name.starts_with("makeConcat") => "a string put together".to_owned(),
                "" => "a lambda".to_owned(),
                owner => names::routine(owner, &site.name),
            };
        }
        let mut value = None;
        if kind == StepKind::Outside || what == ARRAY {
            value = self.top(call, step, &returns);
        }
        LinkText {
            kind,
            what,
            value,
            call: Some(call),
            line: self.line(call, step),
        }
    }

    fn makes_array(&mut self, call: CallId, step: u64) -> bool {
        let Ok(frame) = self.graph.frames.get(call) else {
            return false;
        };
        let at = frame.instruction(step);
        let instruction = at.and_then(|at| frame.code.instructions().get(at));
        instruction.is_some_and(|instruction| {
            matches!(
                instruction.opcode,
                opcode::NEWARRAY | opcode::ANEWARRAY | opcode::MULTIANEWARRAY
            )
        })
    }

    fn top(&mut self, call: CallId, step: u64, descriptor: &str) -> Option<ValueView> {
        let run = self.graph.run;
        let frame = self.graph.frames.get(call).ok()?;
        let code = frame.code;
        let top = frame.top_after(step)?;
        // After the step: what it gave may have been made by it.
        let at = shown::time(run, call.thread, frame.position());
        Some(shown::slot(run, Some(code), top, descriptor, at, BRIEF))
    }

    fn line(&mut self, call: CallId, step: u64) -> Option<u32> {
        self.graph.frames.get(call).ok()?.line(step)
    }

    /// The variable as the call names it that wrote or read it.
    fn variable(&mut self, variable: Variable, by: Option<(CallId, EventPosition)>) -> String {
        let place = match variable {
            Variable::Slot(object, ObjectSlot::Field(field)) => {
                happening::WrittenVariable::Field { object, field }
            }
            Variable::Slot(array, ObjectSlot::Element(index)) => {
                happening::WrittenVariable::Element { array, index }
            }
            Variable::Static(field) => happening::WrittenVariable::Static { field },
        };
        let run = self.graph.run;
        let holder = place
            .object()
            .zip(by)
            .and_then(|(object, (call, position))| {
                let frame = self.graph.frames.get(call).ok()?;
                frame.holder_of(run, object, position)
            });
        happening::place_name(run, place, holder.as_deref())
    }

    fn held(&self, variable: Variable, at: TraceTime) -> Option<ValueView> {
        let run = self.graph.run;
        let held = match variable {
            Variable::Slot(object, slot) => run.trace().slot_at(object, slot, at),
            Variable::Static(field) => run.trace().static_at(field, at),
        };
        let mut value = run.read(held).flatten()?.value;
        if let Variable::Slot(array, ObjectSlot::Element(_)) = variable {
            value = shown::element(run, array, value);
        }
        Some(shown::value(run, value, at, BRIEF))
    }
}
