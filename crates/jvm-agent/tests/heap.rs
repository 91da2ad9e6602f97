//! The heap at any time: test programs print objects, by reflection, and the trace must say that
//! they held the same then, whoever wrote it: recorded code, the JDK's collections, or the JVM.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use crate::common;

use std::collections::{BTreeMap, HashMap};

use crate::common::{calls_of, java_source, jdks, record, record_main};
use classfile::ClassFile;
use test_support::{Classes, Fixture, Jdk, Run};
use trace_format::event::WriteTarget;
use trace_format::{Event, FieldId, Kind, ObjectId, TraceTime, Value};
use trace_store::{ObjectContent, ObjectSlot, OwnEvent, SlotValue, Trace};

fn program(jdk: &Jdk) -> Classes {
    let sources = ["State", "Mark", "heap"].map(java_source);
    let folder = sources[2].with_extension("");
    Fixture::new()
        .path(&sources[0])
        .path(&sources[1])
        .path(folder)
        .compile_for(jdk)
        .unwrap()
}

fn run(jdk: &Jdk) -> Run {
    let run = program(jdk).run(jdk);
    if jdk.feature() < 9 {
        return run;
    }
    // The printer looks into the JDK's objects.
    run.jvm_arg("--add-opens")
        .jvm_arg("java.base/java.util=ALL-UNNAMED")
}

/// Which class declares a field, from the class files in the trace.
fn hierarchy(trace: &Trace) -> impl Fn(&str, &str, &str) -> Option<String> + use<> {
    let mut classes = HashMap::new();
    for symbol in trace.symbols().classes() {
        let bytes = trace.class_file(symbol.class).unwrap().unwrap();
        let class = ClassFile::parse(&bytes).unwrap();
        let fields: Vec<String> = class
            .fields
            .iter()
            .map(|f| class.field_name(f).unwrap().into_owned())
            .collect();
        let parent = class.super_name().map(std::borrow::Cow::into_owned);
        classes.insert(symbol.name.clone(), (parent, fields));
    }
    move |owner, name, _| {
        let mut next = owner.to_owned();
        loop {
            let Some((parent, fields)) = classes.get(&next) else {
                return Some(next);
            };
            if fields.iter().any(|field| field == name) {
                return Some(next);
            }
            next = parent.clone()?;
        }
    }
}

/// Renders as `State` of the test programs does.
struct Renderer<'a> {
    trace: &'a Trace,
    time: TraceTime,
    seen: HashMap<ObjectId, usize>,
    text: String,
}

impl Renderer<'_> {
    fn value(&mut self, value: Value) {
        let text = match value {
            Value::Ref(object) => return self.object(object),
            Value::Boolean(v) => v.to_string(),
            Value::Byte(v) => v.to_string(),
            Value::Char(v) => v.to_string(),
            Value::Short(v) => v.to_string(),
            Value::Int(v) => v.to_string(),
            Value::Long(v) => v.to_string(),
            Value::Float(v) => format!("{:x}f", v.to_bits()),
            Value::Double(v) => format!("{:x}d", v.to_bits()),
        };
        self.text += &text;
    }

    fn object(&mut self, object: ObjectId) {
        if object.is_null() {
            self.text += "null";
            return;
        }
        let description = self.trace.object(object).unwrap();
        let Some(description) = description else {
            self.text += "UNDESCRIBED";
            return;
        };
        match &description.content {
            ObjectContent::String { text, .. } => {
                self.text += &format!("\"{text}\"");
                return;
            }
            ObjectContent::Box(value) => return self.value(*value),
            ObjectContent::Class { name, .. } => {
                self.text += &format!("class {name}");
                return;
            }
            _ => {}
        }
        if let Some(number) = self.seen.get(&object) {
            self.text += &format!("#{number}");
            return;
        }
        self.seen.insert(object, self.seen.len());
        if let ObjectContent::Enum { name, .. } = &description.content {
            self.text += name.as_deref().unwrap_or("UNNAMED");
        } else if let Some(length) = description.array_length() {
            self.elements(object, length, description.element_kind().unwrap());
        } else {
            let class = description.class_name.unwrap();
            let class = class.split("$$Lambda").next().unwrap();
            self.text += class;
            let is_shown = matches!(description.content, ObjectContent::Fields(_));
            if !class.starts_with("java.") || is_shown {
                let state = self.trace.object_state(object, self.time).unwrap();
                self.fields(state.fields);
            }
        }
    }

    fn elements(&mut self, array: ObjectId, length: u32, kind: Kind) {
        self.text.push('[');
        let elements = self.trace.elements_at(array, 0, length, self.time).unwrap();
        for (index, element) in (0..).zip(elements) {
            let alone = self
                .trace
                .slot_at(array, ObjectSlot::Element(index), self.time)
                .unwrap();
            assert_eq!(alone, element);
            if index > 0 {
                self.text.push(' ');
            }
            match element {
                // `bastore` does not know of which type its array is.
                Some(SlotValue {
                    value: Value::Byte(v),
                    ..
                }) if kind == Kind::Boolean => {
                    self.text += if v == 0 { "false" } else { "true" };
                }
                Some(element) => self.value(element.value),
                None => self.text += "UNKNOWN",
            }
        }
        self.text.push(']');
    }

    fn fields(&mut self, fields: Vec<(FieldId, SlotValue)>) {
        let mut sorted = BTreeMap::new();
        let declaring = hierarchy(self.trace);
        for (field, value) in fields {
            let symbol = self.trace.symbols().field(field).unwrap();
            let owner = declaring(&symbol.owner, &symbol.name, &symbol.descriptor).unwrap();
            if value.value.bits() != 0 {
                sorted.insert(
                    format!("{}.{}", owner.replace('/', "."), symbol.name),
                    value,
                );
            }
        }
        self.text.push('{');
        for (name, value) in sorted {
            self.text += &format!(" {name}=");
            self.value(value.value);
        }
        self.text += " }";
    }

    fn statics(&mut self, class: &str) {
        let fields = self.trace.statics_written().unwrap();
        let mut values = Vec::new();
        for field in fields {
            if self.trace.symbols().field(field).unwrap().owner == class {
                values.extend(
                    self.trace
                        .static_at(field, self.time)
                        .unwrap()
                        .map(|v| (field, v)),
                );
            }
        }
        self.fields(values);
    }
}

fn check(jdk: &Jdk) {
    let run = run(jdk);
    let plain = run.run().unwrap();
    assert_eq!(plain.exit_code(), Some(0), "{}", plain.stderr_text());
    let recorded = record(&run, "detail=full,exclude=State").like(&plain);
    let mut trace = recorded.trace();
    common::assert_whole(&trace, |_| false);
    trace.set_hierarchy(hierarchy(&trace));
    let marks: HashMap<String, _> = calls_of(&trace, "Mark", "at")
        .into_iter()
        .map(|id| trace.call(id).unwrap())
        .map(|call| (common::render(&trace, call.arguments[0]), call))
        .collect();
    let mut differences = Vec::new();
    for line in recorded.finished.stdout_text().lines() {
        let (number, printed) = line[1..].split_once('\t').unwrap();
        let mark = &marks[number];
        let object = mark.arguments[1].object().unwrap();
        let mut renderer = Renderer {
            trace: &trace,
            time: mark.entry_time,
            seen: HashMap::new(),
            text: String::new(),
        };
        if printed.starts_with('{') {
            renderer.statics(&trace.text(object).unwrap().unwrap());
        } else {
            renderer.object(object);
        }
        if renderer.text != printed {
            differences.push(format!(
                "{number}\n  was   {printed}\n  trace {}",
                renderer.text
            ));
        }
    }
    assert!(
        differences.is_empty(),
        "on {}:\n{}",
        jdk.full_version(),
        differences.join("\n")
    );
}

#[test]
fn objects_hold_what_the_program_says() {
    for jdk in common::jdks() {
        check(jdk);
    }
}

/// A constructor's write to another object of its class, ahead of `super(…)`, belongs to that object and
/// to the time when it was done; the outer object that it sets for itself there is noted with it.
#[test]
fn writes_to_others_before_the_super_constructor() {
    let source = "public class Main {
    static class Base { Base(int x) { } }
    class Linked extends Base {
        int x;
        Linked(Linked other) { super(other == null ? 1 : (other.x = 5)); }
        Main owner() { return Main.this; }
    }
    public static void main(String[] args) {
        Main main = new Main();
        Linked first = main.new Linked(null);
        System.out.println(main.new Linked(first).owner() == main);
    }
}
";
    let program = Fixture::new().source("Main.java", source);
    for jdk in jdks() {
        let classes = program.compile_for(jdk).unwrap();
        let recorded = record_main(&classes, jdk, "detail=full");
        let trace = recorded.trace();
        let constructors = calls_of(&trace, "Main$Linked", "<init>");
        let [first, second] = constructors[..] else {
            panic!("{constructors:?}")
        };
        let object = |call| {
            let mut events = trace.own_events(call).unwrap();
            let this = |event: OwnEvent<'_>| match event.event {
                Some(Event::This { object }) => Some((event.position, object)),
                _ => None,
            };
            events.find_map(this).unwrap()
        };
        let ((_, first), (initialised, second_object)) = (object(first), object(second));
        let writes: Vec<(bool, String, ObjectId)> = trace
            .own_events(second)
            .unwrap()
            .filter_map(|event| match event.event {
                Some(Event::Write(write)) => match write.target {
                    WriteTarget::Field { field, object, .. } => {
                        let name = trace.symbols().field(field).unwrap().name.clone();
                        Some((event.position < initialised, name, object))
                    }
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let expected = [
            (true, "x".to_owned(), first),
            (false, "this$0".to_owned(), second_object),
        ];
        assert_eq!(writes, expected, "Java {}", jdk.feature());
    }
}
