//! A run as lists: the sketch of a trace, and beside it everything that happens, in order.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its part of this"
)]

use proptest::prelude::*;
use trace_format::symbol::ACC_STATIC;
use trace_format::{FieldId, Kind, MethodId, ObjectId, ThreadNumber, Value};
use trace_store::sketch::Sketch;
use trace_store::{CallOutcome, ObjectSlot};

/// Numbers that are taken modulo what there is.
#[derive(Debug, Clone)]
pub struct Step {
    pub thread: usize,
    pub action: Action,
}

#[derive(Debug, Clone)]
pub enum Action {
    Enter(usize, u64),
    Exit(u64),
    Throw(u32),
    Catch(u32),
    PutField(usize, usize, u64),
    PutStatic(usize, u64),
    Store(usize, u32, u64),
    Range(usize, u32, u32, u64),
    /// As `Range`, packed; the step from one value to the next comes last.
    Packed(usize, u32, u32, u64, u64),
    /// From an array at an index to one at another, packed: so many elements, as far as there are.
    Copy(usize, u32, usize, u32, u32),
    Value(u64),
    Flush,
}

impl Step {
    pub fn enter(thread: usize, method: usize) -> Self {
        Self {
            thread,
            action: Action::Enter(method, 7),
        }
    }

    pub fn exit(thread: usize) -> Self {
        Self {
            thread,
            action: Action::Exit(7),
        }
    }
}

pub fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let action = prop_oneof![
        4 => (0usize..5, any::<u64>()).prop_map(|(method, bits)| Action::Enter(method, bits)),
        3 => any::<u64>().prop_map(Action::Exit),
        1 => (0u32..4).prop_map(Action::Throw),
        1 => (0u32..4).prop_map(Action::Catch),
        2 => (0usize..4, 0usize..3, any::<u64>()).prop_map(|(o, f, v)| Action::PutField(o, f, v)),
        2 => (0usize..2, any::<u64>()).prop_map(|(field, bits)| Action::PutStatic(field, bits)),
        3 => (0usize..4, 0u32..7, any::<u64>()).prop_map(|(a, i, v)| Action::Store(a, i, v)),
        2 => (0usize..4, 0u32..30, 1u32..40, any::<u64>())
            .prop_map(|(a, start, count, v)| Action::Range(a, start, count, v)),
        2 => (0usize..5, 0u32..30, 1u32..40, 0u64..3, 0u64..2)
            .prop_map(|(a, start, count, v, step)| Action::Packed(a, start, count, v, step)),
        3 => (0usize..5, 0u32..4, 0usize..5, 0u32..4, 1u32..40)
            .prop_map(|(a, from, b, to, count)| Action::Copy(a, from, b, to, count)),
        1 => any::<u64>().prop_map(Action::Value),
        1 => Just(Action::Flush),
    ];
    let step = (0usize..4, action).prop_map(|(thread, action)| Step { thread, action });
    prop::collection::vec(step, 0..most)
}

#[derive(Debug, Clone)]
pub struct ModelCall {
    pub method: MethodId,
    pub parent: Option<u32>,
    pub entry: u64,
    pub exit: Option<u64>,
    pub outcome: CallOutcome,
    pub this: Option<ObjectId>,
    pub arguments: Vec<Value>,
    pub values_start: u64,
    pub values_end: Option<u64>,
}

#[derive(Debug, Clone)]
struct ModelWrite {
    step: usize,
    at: (ThreadNumber, u64),
    object: ObjectId,
    slot: ObjectSlot,
    value: Value,
}

#[derive(Debug, Clone)]
struct Array {
    id: ObjectId,
    kind: Kind,
    initial: Vec<Value>,
}

#[derive(Clone)]
pub struct Model {
    pub sketch: Sketch,
    threads: Vec<ThreadNumber>,
    methods: Vec<(MethodId, &'static str, bool)>,
    pub calls: Vec<Vec<ModelCall>>,
    stacks: Vec<Vec<u32>>,
    values: Vec<u64>,
    /// Every event's position and the innermost call that it is in.
    pub positions: Vec<Vec<(u64, Option<u32>)>>,
    /// All events of all threads.
    pub order: Vec<(ThreadNumber, u64)>,
    running: usize,
    objects: Vec<ObjectId>,
    arrays: Vec<Array>,
    fields: Vec<(FieldId, Kind)>,
    statics: Vec<(FieldId, Kind)>,
    exception: ObjectId,
    writes: Vec<ModelWrite>,
}

/// `Sub` inherits `Main.a`.
pub fn hierarchy(owner: &str, name: &str, _descriptor: &str) -> Option<String> {
    (owner == "Sub" && name == "a").then(|| "Main".to_owned())
}

/// Two numbers of one field: what `Sub.a` means is `Main.a`.
fn unify(slot: ObjectSlot) -> ObjectSlot {
    if slot == ObjectSlot::Field(FieldId(1)) {
        ObjectSlot::Field(FieldId(0))
    } else {
        slot
    }
}

impl Model {
    pub fn new(threads: usize, chunk: usize) -> Self {
        let mut sketch = Sketch::new();
        sketch.chunk_size(chunk);
        let threads: Vec<_> = (0..threads)
            .map(|at| sketch.thread(&format!("t{at}")))
            .collect();
        let main = threads[0];
        let class = sketch.class("Main");
        sketch.class("Sub");
        let methods = [
            ("m", "(I)I", ACC_STATIC),
            ("n", "(JZ)V", 0),
            ("<init>", "(D)V", 0),
            ("o", "()Ljava/lang/Object;", ACC_STATIC),
            ("p", "(BCSF[I)J", 0),
        ]
        .map(|(name, descriptor, access)| {
            let has_this = access == 0 && name != "<init>";
            (
                sketch.method(class, access, name, descriptor),
                descriptor,
                has_this,
            )
        });
        let fields = vec![
            (sketch.field("Main", "a", "I", false), Kind::Int),
            (sketch.field("Sub", "a", "I", false), Kind::Int),
            (
                sketch.field("Main", "b", "Ljava/lang/Object;", false),
                Kind::Reference,
            ),
        ];
        let statics = vec![
            (sketch.field("Main", "s", "J", true), Kind::Long),
            (sketch.field("Main", "t", "C", true), Kind::Char),
        ];
        let objects = vec![
            ObjectId::NULL,
            sketch.object(main, "Main"),
            sketch.object(main, "Sub"),
        ];
        let noted = [Value::Long(1), Value::Long(2), Value::Long(3)];
        let text: Vec<Value> = (0..45).map(|at| Value::Byte(at * 2)).collect();
        let arrays = vec![
            Array {
                id: ObjectId::NULL,
                kind: Kind::Int,
                initial: Vec::new(),
            },
            Array {
                id: sketch.new_array(main, "[I", 5),
                kind: Kind::Int,
                initial: vec![Value::Int(0); 5],
            },
            Array {
                id: sketch.array(main, "[J", &noted),
                kind: Kind::Long,
                initial: noted.to_vec(),
            },
            Array {
                id: sketch.new_array(main, "[B", 40),
                kind: Kind::Byte,
                initial: vec![Value::Byte(0); 40],
            },
            Array {
                id: sketch.packed_array(main, "[B", &text),
                kind: Kind::Byte,
                initial: text.clone(),
            },
        ];
        let exception = sketch.throwable(main, "java.lang.Error", Some("no"));
        let count = threads.len();
        Self {
            sketch,
            threads,
            methods: methods.to_vec(),
            calls: (0..count).map(|_| Vec::new()).collect(),
            stacks: vec![Vec::new(); count],
            values: vec![0; count],
            positions: vec![Vec::new(); count],
            order: Vec::new(),
            running: 0,
            objects,
            arrays,
            fields,
            statics,
            exception,
            writes: Vec::new(),
        }
    }

    pub fn take(&mut self, step: &Step) {
        let thread = step.thread % self.threads.len();
        if matches!(step.action, Action::Flush) {
            self.sketch.flush(self.threads[thread]);
            return;
        }
        if thread != self.running {
            self.running = thread;
            self.note(thread);
            self.sketch.sync(self.threads[thread]);
        }
        self.act(thread, &step.action);
    }

    fn act(&mut self, thread: usize, action: &Action) {
        let number = self.threads[thread];
        match *action {
            Action::Enter(method, bits) => self.enter(thread, method % self.methods.len(), bits),
            Action::Exit(bits) => self.exit(thread, bits),
            Action::Throw(up) => self.throw(thread, up),
            Action::Catch(up) => self.catch(thread, up),
            Action::PutField(object, field, bits) => {
                let object = self.objects[object % self.objects.len()];
                let (field, kind) = self.fields[field % self.fields.len()];
                let value = Value::from_bits(kind, bits);
                self.wrote(thread, object, ObjectSlot::Field(field), value);
                self.note(thread);
                self.sketch.put_field(number, object, field, value);
            }
            Action::PutStatic(field, bits) => {
                let (field, kind) = self.statics[field % self.statics.len()];
                let value = Value::from_bits(kind, bits);
                let at = (number, self.sketch.position(number));
                let (step, slot) = (self.order.len(), ObjectSlot::Field(field));
                self.writes.push(ModelWrite {
                    step,
                    at,
                    object: ObjectId::NULL,
                    slot,
                    value,
                });
                self.note(thread);
                self.sketch.put_static(number, field, value);
            }
            Action::Store(array, index, bits) => {
                let Array { id, kind, .. } = self.arrays[array % self.arrays.len()];
                let value = Value::from_bits(kind, bits);
                self.wrote(thread, id, ObjectSlot::Element(index), value);
                self.note(thread);
                self.sketch.store(number, id, index, value);
            }
            Action::Range(array, start, count, bits) => {
                let Array { id, kind, .. } = self.arrays[array % self.arrays.len()];
                let values: Vec<Value> = (0..count)
                    .map(|at| Value::from_bits(kind, bits.wrapping_add(u64::from(at))))
                    .collect();
                for (index, &value) in (start..).zip(&values) {
                    self.wrote(thread, id, ObjectSlot::Element(index), value);
                }
                self.note(thread);
                self.sketch.store_range(number, id, start, &values);
            }
            Action::Packed(array, start, count, bits, step) => {
                let Array { id, kind, .. } = self.arrays[array % self.arrays.len()];
                let values: Vec<Value> = (0..u64::from(count))
                    .map(|at| Value::from_bits(kind, bits + at * step))
                    .collect();
                self.store_packed(thread, id, start, &values);
            }
            Action::Copy(from, source, to, start, count) => {
                let from = self.arrays[from % self.arrays.len()].clone();
                let to = self.arrays[to % self.arrays.len()].clone();
                let now = self.order.len();
                let held = (source..source + count)
                    .map_while(|index| self.value_before(from.id, ObjectSlot::Element(index), now));
                let values: Vec<Value> = held.collect();
                if from.kind == to.kind && !values.is_empty() {
                    self.store_packed(thread, to.id, start, &values);
                }
            }
            Action::Value(bits) => {
                self.sketch
                    .value(number, Value::from_bits(Kind::Long, bits));
                self.values[thread] += 8;
            }
            Action::Flush => {}
        }
    }

    fn store_packed(&mut self, thread: usize, array: ObjectId, start: u32, values: &[Value]) {
        for (index, &value) in (start..).zip(values) {
            self.wrote(thread, array, ObjectSlot::Element(index), value);
        }
        self.note(thread);
        let number = self.threads[thread];
        self.sketch.store_packed(number, array, start, values);
    }

    fn enter(&mut self, thread: usize, method: usize, bits: u64) {
        let (method, descriptor, has_this) = self.methods[method];
        let kinds = trace_format::descriptor::method_kinds(descriptor)
            .unwrap()
            .parameters;
        let arguments: Vec<Value> = kinds
            .iter()
            .map(|&kind| Value::from_bits(kind, bits))
            .collect();
        let this = has_this.then_some(self.objects[1]);
        let mut values: Vec<Value> = this.into_iter().map(Value::Ref).collect();
        values.extend(&arguments);
        let number = self.threads[thread];
        let index = self.calls[thread].len() as u32;
        self.calls[thread].push(ModelCall {
            method,
            parent: self.stacks[thread].last().copied(),
            entry: self.sketch.position(number),
            exit: None,
            outcome: CallOutcome::Open,
            this,
            arguments,
            values_start: self.values[thread],
            values_end: None,
        });
        self.stacks[thread].push(index);
        self.note(thread);
        self.sketch.enter(number, method, &values);
        if descriptor == "(D)V" && !bits.is_multiple_of(3) {
            let object = self.objects[2];
            self.calls[thread][index as usize].this = Some(object);
            self.note(thread);
            self.sketch.this(number, object);
        }
    }

    fn exit(&mut self, thread: usize, bits: u64) {
        let Some(&index) = self.stacks[thread].last() else {
            return;
        };
        let method = self.calls[thread][index as usize].method;
        let descriptor = self.methods[method.0 as usize].1;
        let kind = trace_format::descriptor::method_kinds(descriptor)
            .unwrap()
            .returned;
        let value = kind.map(|kind| Value::from_bits(kind, bits));
        self.note(thread);
        let at = self.sketch.position(self.threads[thread]);
        self.end_call(thread, at, CallOutcome::Returned(value));
        self.sketch.exit(self.threads[thread], value);
    }

    /// 0 ends the innermost call, 1 the one around it, losing the innermost; a depth that is not
    /// open does nothing.
    fn throw(&mut self, thread: usize, up: u32) {
        let number = self.threads[thread];
        let open = self.stacks[thread].len() as u32;
        let depth = if up == 3 {
            open + 1
        } else {
            open.saturating_sub(up)
        };
        let at = self.sketch.position(number);
        if depth > 0 && depth <= open {
            while self.stacks[thread].len() as u32 > depth {
                self.end_call(thread, at, CallOutcome::Lost);
            }
            self.note(thread);
            self.end_call(thread, at, CallOutcome::Threw(self.exception));
        } else {
            self.note(thread);
        }
        self.sketch.throw_at(number, depth, self.exception);
    }

    fn catch(&mut self, thread: usize, up: u32) {
        let number = self.threads[thread];
        let open = self.stacks[thread].len() as u32;
        let Some(depth) = open.checked_sub(up).filter(|&depth| depth > 0) else {
            return;
        };
        let at = self.sketch.position(number);
        while self.stacks[thread].len() as u32 > depth {
            self.end_call(thread, at, CallOutcome::Lost);
        }
        self.note(thread);
        self.sketch.catch_at(number, depth, self.exception, 3);
    }

    fn end_call(&mut self, thread: usize, at: u64, outcome: CallOutcome) {
        let index = self.stacks[thread].pop().unwrap();
        let call = &mut self.calls[thread][index as usize];
        call.exit = Some(at);
        call.outcome = outcome;
        call.values_end = Some(self.values[thread]);
    }

    /// The event that comes next is in the innermost open call.
    fn note(&mut self, thread: usize) {
        let number = self.threads[thread];
        let position = self.sketch.position(number);
        self.positions[thread].push((position, self.stacks[thread].last().copied()));
        self.order.push((number, position));
    }

    fn wrote(&mut self, thread: usize, object: ObjectId, slot: ObjectSlot, value: Value) {
        let length = self
            .arrays
            .iter()
            .find(|a| a.id == object)
            .map(|a| a.initial.len());
        let outside = matches!(slot, ObjectSlot::Element(at) if at as usize >= length.unwrap_or(0));
        if object.is_null() || outside {
            return;
        }
        let number = self.threads[thread];
        let at = (number, self.sketch.position(number));
        let step = self.order.len();
        self.writes.push(ModelWrite {
            step,
            at,
            object,
            slot: unify(slot),
            value,
        });
    }

    pub fn descendants(&self, thread: ThreadNumber, index: u32) -> usize {
        let calls = &self.calls[thread.0 as usize];
        let inside = |mut at: u32| {
            while let Some(parent) = calls[at as usize].parent {
                if parent == index {
                    return true;
                }
                at = parent;
            }
            false
        };
        (0..calls.len() as u32).filter(|&at| inside(at)).count()
    }

    /// Every variable of every object.
    pub fn slots(&self) -> Vec<(ObjectId, ObjectSlot)> {
        let mut slots = Vec::new();
        for &object in &self.objects[1..] {
            slots.extend(
                self.fields
                    .iter()
                    .map(|(field, _)| (object, ObjectSlot::Field(*field))),
            );
        }
        for array in &self.arrays[1..] {
            let elements = 0..array.initial.len() as u32;
            slots.extend(elements.map(|index| (array.id, ObjectSlot::Element(index))));
        }
        slots
    }

    pub fn history(&self, object: ObjectId, slot: ObjectSlot) -> Vec<((ThreadNumber, u64), Value)> {
        let matching = self
            .writes
            .iter()
            .filter(|w| w.object == object && w.slot == unify(slot));
        matching.map(|write| (write.at, write.value)).collect()
    }

    /// What the variable holds before the event with this number.
    pub fn value_before(&self, object: ObjectId, slot: ObjectSlot, step: usize) -> Option<Value> {
        let matching = |write: &&ModelWrite| write.object == object && write.slot == unify(slot);
        let before = |write: &&ModelWrite| write.step < step;
        if let Some(last) = self.writes.iter().filter(matching).rfind(before) {
            return Some(last.value);
        }
        match slot {
            ObjectSlot::Element(index) => {
                let array = self.arrays.iter().find(|array| array.id == object)?;
                array.initial.get(index as usize).copied()
            }
            ObjectSlot::Field(field) => {
                let all = self.fields.iter().chain(&self.statics);
                all.clone()
                    .find(|(number, _)| *number == field)
                    .map(|(_, kind)| kind.zero())
            }
        }
    }

    pub fn statics_written(&self) -> Vec<FieldId> {
        let written = |field: FieldId| {
            let slot = ObjectSlot::Field(field);
            self.writes
                .iter()
                .any(|write| write.object.is_null() && write.slot == slot)
        };
        self.statics
            .iter()
            .map(|(field, _)| *field)
            .filter(|&field| written(field))
            .collect()
    }
}
