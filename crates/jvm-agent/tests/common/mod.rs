//! Runs Java programs under the recorder, and opens what it wrote.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its part of this"
)]

pub mod dead_locals;

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use test_support::{Classes, Finished, Jdk, Run};
use trace_format::{ObjectId, Value};
use trace_store::{CallId, ObjectContent, Trace};

pub use test_support::recorder_library as agent;

/// The supported Java versions that this machine has.
pub fn jdks() -> Vec<&'static Jdk> {
    let found = Jdk::supported();
    assert!(!found.is_empty(), "`cargo xtask setup` installs JDKs");
    found
}

/// The newest of them that can compile.
pub fn newest_compiler() -> Option<&'static Jdk> {
    jdks().into_iter().rev().find(|jdk| jdk.javac().is_some())
}

pub fn java_source(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    folder.join(format!("{name}.java"))
}

/// A run under the recorder, and the trace's folder.
pub struct Recorded {
    pub finished: Finished,
    pub out: TempDir,
}

/// Options beside `out=`, such as `detail=calls`.
pub fn record(run: &Run, options: &str) -> Recorded {
    let out = tempfile::tempdir().unwrap();
    let finished = with_agent(run, out.path(), options).run().unwrap();
    Recorded { finished, out }
}

pub fn with_agent(run: &Run, out: &Path, options: &str) -> Run {
    run.clone().jvm_arg(agent_option(out, options))
}

pub fn agent_option(out: &Path, options: &str) -> String {
    format!(
        "-agentpath:{}=out={},{options}",
        agent().display(),
        out.display()
    )
}

impl Recorded {
    /// The program printed the same as in a run without us, and ended the same way.
    pub fn like(self, plain: &Finished) -> Recorded {
        assert_eq!(
            self.finished.stdout_text(),
            plain.stdout_text(),
            "{}",
            self.finished.stderr_text()
        );
        assert_eq!(
            self.finished.exit_code(),
            plain.exit_code(),
            "{}",
            self.finished.stderr_text()
        );
        assert_eq!(self.finished.stderr_text(), plain.stderr_text());
        self
    }

    pub fn trace(&self) -> Trace {
        Trace::open(self.out.path()).unwrap_or_else(|error| {
            panic!("{error}\n{}", self.finished.stderr_text());
        })
    }
}

/// Records the program `Main` of these classes, in full, and checks that the program did not fail.
pub fn record_main(classes: &Classes, jdk: &Jdk, options: &str) -> Recorded {
    let recorded = record(&classes.run(jdk), options);
    let finished = &recorded.finished;
    assert_eq!(finished.exit_code(), Some(0), "{}", finished.stderr_text());
    recorded
}

/// `Class.method` of a call.
pub fn name(trace: &Trace, call: CallId) -> String {
    let method = trace.call(call).unwrap().method;
    let class = trace.symbols().class_name_of(method).unwrap();
    let method = trace.symbols().method(method).unwrap();
    format!("{}.{}", class.replace('/', "."), method.name)
}

/// All calls of the methods with this name.
pub fn calls_of(trace: &Trace, class: &str, method: &str) -> Vec<CallId> {
    let symbols = trace.symbols();
    let methods = symbols
        .methods()
        .filter(|m| m.name == method && symbols.class(m.class).is_some_and(|c| c.name == class));
    methods
        .flat_map(|m| trace.calls_of_method(m.symbol.method).unwrap())
        .collect()
}

/// A value as `Log.render` prints it: numbers, strings, boxes; of other objects the class.
pub fn render(trace: &Trace, value: Value) -> String {
    match value {
        Value::Boolean(v) => v.to_string(),
        Value::Byte(v) => v.to_string(),
        Value::Char(v) => format!("'{v}"),
        Value::Short(v) => v.to_string(),
        Value::Int(v) => v.to_string(),
        Value::Long(v) => v.to_string(),
        Value::Float(v) => format!("{:x}f", v.to_bits()),
        Value::Double(v) => format!("{:x}d", v.to_bits()),
        Value::Ref(object) => render_object(trace, object),
    }
}

fn render_object(trace: &Trace, object: ObjectId) -> String {
    if object.is_null() {
        return "null".to_owned();
    }
    let Some(description) = trace.object(object).unwrap() else {
        return format!("undescribed object {object:?}");
    };
    let class = description
        .class_name
        .unwrap_or_else(|| "undescribed class".to_owned());
    match description.content {
        ObjectContent::String { text, .. } => format!("\"{text}\""),
        ObjectContent::Box(value) => render(trace, value),
        ObjectContent::Enum { name, .. } => name.unwrap_or_else(|| "unnamed constant".to_owned()),
        ObjectContent::Class { name, .. } => format!("class {name}"),
        ObjectContent::Throwable { message, .. } => {
            format!("{class}: {}", message.as_deref().unwrap_or("null"))
        }
        // The VM makes up the rest of the name anew in each run.
        _ => class
            .split("$$Lambda")
            .next()
            .unwrap_or_default()
            .to_owned(),
    }
}

/// No stream is damaged, no call has lost its end but those that may; `may_be_lost` gets their names.
pub fn assert_whole(trace: &Trace, may_be_lost: impl Fn(&str) -> bool) {
    let info = trace.info().unwrap();
    assert_eq!(info.completeness.damaged, 0, "{info:?}");
    for calls in trace.all_calls().unwrap() {
        for index in 0..calls.len() {
            if calls.is_lost(index) {
                let name = name(trace, CallId::new(calls.thread(), index));
                assert!(may_be_lost(&name), "{name} has lost its end");
            }
        }
    }
}
