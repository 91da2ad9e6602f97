//! Variables and values as a person names them.
//!
//! A path starts at an object (`#12`, `Account#12`, `int[]#7`: as the views print them), at a
//! local, `this` or `return` of a call (`17:i`, or just `i` where the call is clear), or at a
//! static (`Main.total`), and goes on by fields and elements: `17:c[2]`, `this.next.value`.
//! Everything behind the first name is looked up in the objects as they were at one time.

mod inner;

use debug_engine::{ExecutionTree as _, NodeId};
use frame_replay::{Datum, Program};
use trace_format::{FieldId, ObjectId, TraceTime, Value};
use trace_store::{CallOutcome, ObjectSlot};

use super::happening::{Happening, LocalWrite, Moment, WrittenVariable};
use super::moment::Moments;
use super::path::{self, Part};
use java_model::heap::Heap as _;
use java_model::run::JavaRun;
use java_model::shown;
use java_names::names;

/// A variable of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    Local {
        node: NodeId,
        name: String,
    },
    Slot {
        object: ObjectId,
        slot: ObjectSlot,
    },
    Static {
        field: FieldId,
    },
    /// What a call gave back.
    Return {
        node: NodeId,
    },
    /// An object by itself; it has no history, its parts do.
    Object(ObjectId),
}

/// A variable with its name and what it held.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundVariable {
    pub variable: Variable,
    pub label: String,
    /// At the time that was asked about; `None` if it is not known.
    pub value: Option<Value>,
}

/// Why a path leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{sentence}")]
pub struct PathError {
    pub sentence: String,
    pub hint: String,
}

fn wrong(sentence: impl Into<String>, hint: impl Into<String>) -> PathError {
    PathError {
        sentence: sentence.into(),
        hint: hint.into(),
    }
}

/// How a variable is written.
pub const FORMS: &str = "a variable is written #12.size, #7[2], Main.total, or NODE:name with .field and [index] after it";

/// Finds what a path means. Names without a node belong to `here`, if there is one; objects are
/// looked at as they were at `at`, or at the end of the call, or of the run.
pub fn find(
    run: &JavaRun,
    program: &Program,
    text: &str,
    here: Option<NodeId>,
    at: Option<TraceTime>,
) -> Result<FoundVariable, PathError> {
    let (node, path) = match text.split_once(':') {
        Some((number, path)) => (Some(node_of(run, number)?), path),
        None => (here, text),
    };
    let at = match (at, node.and_then(|node| run.call(node))) {
        (Some(at), _) => at,
        (None, Some(call)) => run.whole_end(&call),
        (None, None) => run.trace().end_time().unwrap_or(TraceTime(u64::MAX >> 1)),
    };
    let finder = Finder { run, program, at };
    let (root, parts) =
        path::split(path).ok_or_else(|| wrong(format!("{text:?} is not a path"), FORMS))?;
    if let Some((_, number)) = root.rsplit_once('#') {
        let object = finder.object(number)?;
        return finder.follow(finder.object_itself(object), &parts);
    }
    if let Some(node) = node {
        match finder.in_call(node, &root) {
            Ok(found) => return finder.follow(found, &parts),
            Err(error) if parts.is_empty() => return Err(error),
            Err(error) => {
                return match finder.static_variable(&root, &parts) {
                    Some((found, rest)) => finder.follow(found, rest),
                    None => Err(error),
                };
            }
        }
    }
    match finder.static_variable(&root, &parts) {
        Some((found, rest)) => finder.follow(found, rest),
        None => Err(wrong(
            format!("there is no variable {text}"),
            finder.statics_there(),
        )),
    }
}

/// A node by its number, or the first call of a method by its name.
fn node_of(run: &JavaRun, text: &str) -> Result<NodeId, PathError> {
    let number: Option<u32> = text.trim_start_matches('#').parse().ok();
    let node = match number {
        Some(number) => Some(NodeId(number)).filter(|node| node.0 < run.len()),
        None => run.find_method(text),
    };
    node.ok_or_else(|| match number {
        Some(number) => wrong(
            format!("there is no node {number}"),
            format!(
                "nodes are numbered from 0 to {}",
                run.len().saturating_sub(1)
            ),
        ),
        None => wrong(
            format!("no call of {text:?} was recorded"),
            "name a method as `sort` or `MergeSort.sort`, or a node number that `askance tree` shows",
        ),
    })
}

/// An object by the number that views print.
///
/// # Errors
/// If there is none.
pub fn object_numbered(run: &JavaRun, number: u64) -> Result<ObjectId, PathError> {
    Finder::new(run, TraceTime(0)).object(&number.to_string())
}

/// A field of an object at a time; `label` is how the object is called.
///
/// # Errors
/// If it has none of this name.
pub fn field_of(
    run: &JavaRun,
    label: &str,
    object: ObjectId,
    name: &str,
    at: TraceTime,
) -> Result<FoundVariable, PathError> {
    Finder::new(run, at).field(label, object, name)
}

/// An element of an array or a list at a time; `label` is how the object is called.
///
/// # Errors
/// If it has none there.
pub fn element_of(
    run: &JavaRun,
    label: &str,
    object: ObjectId,
    index: u32,
    at: TraceTime,
) -> Result<FoundVariable, PathError> {
    Finder::new(run, at).element(label, object, index)
}

/// A static of a class, which may be named without its package, at a time.
#[must_use]
pub fn static_of(run: &JavaRun, class: &str, name: &str, at: TraceTime) -> Option<FoundVariable> {
    let parts = [Part::Field(name.to_owned())];
    let (found, _) = Finder::new(run, at).static_variable(class, &parts)?;
    Some(found)
}

struct Finder<'run> {
    run: &'run JavaRun,
    program: &'run Program,
    at: TraceTime,
}

impl<'run> Finder<'run> {
    fn new(run: &'run JavaRun, at: TraceTime) -> Self {
        let program = run.program();
        Finder { run, program, at }
    }

    fn object(&self, number: &str) -> Result<ObjectId, PathError> {
        let there_is_none = || wrong(format!("there is no object #{number}"), FORMS);
        let number: u64 = number.parse().map_err(|_| there_is_none())?;
        let ranked = |rank: u64| self.run.read(self.run.trace().object_ranked(rank))?;
        let numbered = number.checked_sub(1).and_then(ranked);
        let is_meant = |object: &ObjectId| self.run.number(*object) == number;
        let plain = u32::try_from(number).ok().map(ObjectId);
        let plain = plain.filter(|&object| shown::class_of(self.run, object).is_some());
        numbered
            .filter(is_meant)
            .or(plain.filter(is_meant))
            .ok_or_else(there_is_none)
    }

    fn object_itself(&self, object: ObjectId) -> FoundVariable {
        FoundVariable {
            variable: Variable::Object(object),
            label: shown::object_name(self.run, object),
            value: Some(Value::Ref(object)),
        }
    }

    /// A name of a call: `return`, `this`, a parameter, a local.
    fn in_call(&self, node: NodeId, name: &str) -> Result<FoundVariable, PathError> {
        let Some(call) = self.run.call(node) else {
            return Err(wrong(
                format!("call {node} cannot be read"),
                "the trace is damaged there",
            ));
        };
        let found = |variable, value| {
            Ok(FoundVariable {
                variable,
                label: format!("{node}:{name}"),
                value,
            })
        };
        if name == "return" {
            let is_constructor = self.run.method_names(call.method).name == "<init>";
            let made = call.this.filter(|_| is_constructor).map(Value::Ref);
            return match call.outcome {
                CallOutcome::Returned(value) if value.or(made).is_some() => {
                    found(Variable::Return { node }, value.or(made))
                }
                CallOutcome::Returned(_) => Err(wrong(
                    format!("call {node} gives nothing back"),
                    self.names_there(node),
                )),
                _ => Err(wrong(
                    format!("call {node} did not return"),
                    self.names_there(node),
                )),
            };
        }
        let local = Variable::Local {
            node,
            name: name.to_owned(),
        };
        if name == "this" && call.this.is_some() {
            return found(local, call.this.map(Value::Ref));
        }
        if let Some(write) = self.last_write(node, name) {
            let value = match write.after.datum() {
                Datum::Value(value) => Some(shown::typed(value, &write.descriptor)),
                _ => None,
            };
            return found(local, value);
        }
        let code = self.run.code(call.method);
        let place = code
            .parameters
            .iter()
            .position(|parameter| parameter == name);
        match place.and_then(|place| call.arguments.get(place)) {
            Some(&value) => found(local, Some(value)),
            // Questions name the fields of a call's object alone.
            None => call
                .this
                .and_then(|this| self.field(&format!("{node}:this"), this, name).ok())
                .ok_or_else(|| {
                    let sentence = format!("call {node} has no variable {name}");
                    wrong(sentence, self.names_there(node))
                }),
        }
    }

    /// The last assignment of a local before the time.
    fn last_write(&self, node: NodeId, name: &str) -> Option<LocalWrite> {
        let mut moments = Moments::of(self.run, self.program, node)?;
        let thread = moments.call().id.thread;
        let is_too_late =
            |moment: &Moment| shown::time(self.run, thread, moment.position) > self.at;
        match self.run.read(self.run.trace().position(self.at))? {
            (of, position) if of == thread => moments.go_before(position),
            _ => {}
        }
        let end = match moments.find(is_too_late) {
            Some(moment) => moment.event,
            None => moments.count_events(),
        };
        match moments
            .last_before(end, |moment| moment.assigns(name))?
            .what
        {
            Happening::Local(write) => Some(write),
            _ => None,
        }
    }

    fn names_there(&self, node: NodeId) -> String {
        let mut there = Vec::new();
        if let Some(call) = self.run.call(node) {
            if matches!(call.outcome, CallOutcome::Returned(Some(_))) {
                there.push("return".to_owned());
            }
            if call.this.is_some() {
                there.push("this".to_owned());
            }
            there.extend(self.run.code(call.method).parameters.iter().cloned());
        }
        if let Some(moments) = Moments::of(self.run, self.program, node)
            && let Some(code) = moments.code()
        {
            for local in code.local_names() {
                if !there.contains(&local.name) {
                    there.push(local.name.clone());
                }
            }
        }
        format!("it has {}", there.join(", "))
    }

    /// A static by the longest class name that fits; what comes after it.
    fn static_variable<'p>(
        &self,
        root: &str,
        parts: &'p [Part],
    ) -> Option<(FoundVariable, &'p [Part])> {
        let mut class = root.to_owned();
        for (at, part) in parts.iter().enumerate() {
            let Part::Field(name) = part else {
                return None;
            };
            if let Some(field) = self.static_named(&class, name) {
                let value = self
                    .run
                    .read(self.run.trace().static_at(field, self.at))
                    .flatten();
                let found = FoundVariable {
                    variable: Variable::Static { field },
                    label: shown::static_name(self.run, field),
                    value: value.map(|slot| slot.value),
                };
                return Some((found, &parts[at + 1..]));
            }
            class = format!("{class}.{name}");
        }
        None
    }

    fn static_named(&self, class: &str, name: &str) -> Option<FieldId> {
        let symbols = self.run.trace().symbols();
        let symbol = symbols.fields().find(|symbol| {
            symbol.is_static
                && symbol.name == name
                && (names::class(&symbol.owner) == class
                    || names::simple_class(&symbol.owner) == class)
        })?;
        Some(self.run.trace().resolve_field(symbol.field))
    }

    fn statics_there(&self) -> String {
        if self.run.trace().meta().detail == trace_format::Detail::Calls {
            return "only calls were recorded, variables were not".to_owned();
        }
        const MOST: usize = 12;
        let statics = self
            .run
            .read(self.run.trace().statics_written())
            .unwrap_or_default();
        let own = statics.iter().filter(|field| {
            let symbol = self.run.trace().symbols().field(**field);
            symbol.is_some_and(|symbol| !java_model::classes::is_library(&symbol.owner))
        });
        let named: Vec<String> = own
            .map(|field| shown::static_name(self.run, *field))
            .take(MOST)
            .collect();
        if named.is_empty() {
            return FORMS.to_owned();
        }
        format!("{FORMS}; statics that were written: {}", named.join(", "))
    }

    /// Goes on by fields and elements.
    fn follow(&self, mut found: FoundVariable, parts: &[Part]) -> Result<FoundVariable, PathError> {
        for part in parts {
            let Some(Value::Ref(object)) = found.value.filter(|value| *value != Value::NULL) else {
                let what = match found.value {
                    Some(Value::Ref(_)) => "null",
                    Some(_) => "not an object",
                    None => "not known",
                };
                return Err(wrong(
                    format!("{} is {what}, so it has no parts", found.label),
                    "name something before it",
                ));
            };
            found = match part {
                Part::Index(index) => self.element(&found.label, object, *index)?,
                Part::Field(name) => self.field(&found.label, object, name)?,
                Part::Key(key) => self.entry(&found.label, object, key)?,
            };
        }
        Ok(found)
    }

    fn element(
        &self,
        label: &str,
        object: ObjectId,
        index: u32,
    ) -> Result<FoundVariable, PathError> {
        let length = self
            .run
            .read(self.run.trace().array_length(object))
            .flatten();
        let Some(length) = length else {
            // A list keeps its elements in an array of its own.
            if let Ok(inner) = self.field(label, object, "elementData")
                && let Some(Value::Ref(data)) = inner.value.filter(|value| *value != Value::NULL)
            {
                return self.element(label, data, index);
            }
            return inner::element(self.run, object, index, self.at)
                .or_else(|| inner::entry(self.run, object, &index.to_string(), self.at))
                .map(|(variable, value)| FoundVariable {
                    variable,
                    label: format!("{label}[{index}]"),
                    value: Some(value),
                })
                .ok_or_else(|| {
                    wrong(
                        format!("{label} has no element {index}"),
                        self.fields_there(object),
                    )
                });
        };
        if index >= length {
            let hint = match length {
                0 => "it is empty".to_owned(),
                _ => format!("its elements are numbered from 0 to {}", length - 1),
            };
            return Err(wrong(format!("{label} has no element {index}"), hint));
        }
        let slot = ObjectSlot::Element(index);
        let value = self.run.trace().slot_at(object, slot, self.at);
        let value = self.run.read(value).flatten();
        Ok(FoundVariable {
            variable: Variable::Slot { object, slot },
            label: format!("{label}[{index}]"),
            value: value.map(|slot| shown::element(self.run, object, slot.value)),
        })
    }

    /// An entry of a map.
    fn entry(&self, label: &str, object: ObjectId, key: &str) -> Result<FoundVariable, PathError> {
        match inner::entry(self.run, object, key, self.at) {
            Some((variable, value)) => Ok(FoundVariable {
                variable,
                label: format!("{label}[{key}]"),
                value: Some(value),
            }),
            None => Err(wrong(
                format!("{label} has no key {key}"),
                "a key is written as the question shows it",
            )),
        }
    }

    fn field(&self, label: &str, object: ObjectId, name: &str) -> Result<FoundVariable, PathError> {
        let none = || {
            wrong(
                format!("{label} has no field {name}"),
                self.fields_there(object),
            )
        };
        let fields = self.run.fields(object, self.at);
        let is_named = |field: &str| {
            field == name
                || field.strip_prefix("val$") == Some(name)
                || (name == "outer" && field.starts_with("this$"))
        };
        let known = fields.iter().rev().find(|field| is_named(&field.name));
        let unknown = self.run.unknown_fields(object, self.at);
        let (owner, declared, value) = match known {
            Some(known) => (&known.owner, &known.name, Some(known.value)),
            None => {
                let found = unknown.iter().rev().find(|field| is_named(&field.name));
                let found = found.ok_or_else(none)?;
                (&found.owner, &found.name, None)
            }
        };
        let Some(field) = self.run.field(&owner.replace('.', "/"), declared) else {
            return Err(wrong(
                format!("no recorded code names the field {name} of {label}"),
                "it holds what it held from the start",
            ));
        };
        Ok(FoundVariable {
            variable: Variable::Slot {
                object,
                slot: ObjectSlot::Field(field),
            },
            label: format!("{label}.{name}"),
            value,
        })
    }

    fn fields_there(&self, object: ObjectId) -> String {
        let name = shown::object_name(self.run, object);
        let fields = self.run.fields(object, self.at);
        let unknown = self.run.unknown_fields(object, self.at);
        let names: Vec<&str> = fields
            .iter()
            .map(|field| &*field.name)
            .chain(unknown.iter().map(|field| &*field.name))
            .collect();
        if names.is_empty() {
            return format!("nothing is known of what is inside {name}");
        }
        format!("{name} has {}", names.join(", "))
    }
}

impl Variable {
    /// Whether a write to this place writes the variable.
    #[must_use]
    pub fn is_at(&self, run: &JavaRun, place: WrittenVariable) -> bool {
        match (self, place) {
            (
                Variable::Slot {
                    object,
                    slot: ObjectSlot::Field(field),
                },
                WrittenVariable::Field {
                    object: written,
                    field: named,
                },
            ) => {
                *object == written
                    && run.trace().resolve_field(named) == run.trace().resolve_field(*field)
            }
            (
                Variable::Slot {
                    object,
                    slot: ObjectSlot::Element(element),
                },
                WrittenVariable::Element { array, index },
            ) => *object == array && *element == index,
            (
                Variable::Slot {
                    object,
                    slot: ObjectSlot::Element(element),
                },
                WrittenVariable::Range {
                    array,
                    start,
                    count,
                },
            ) => *object == array && (start..start.saturating_add(count)).contains(element),
            (Variable::Static { field }, WrittenVariable::Static { field: named }) => {
                run.trace().resolve_field(named) == run.trace().resolve_field(*field)
            }
            _ => false,
        }
    }
}
