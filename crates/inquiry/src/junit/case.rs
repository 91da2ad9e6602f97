//! One answer as one test method.

use std::fmt::Write as _;

use debug_engine::NodeId;
use debug_engine::session::Answer;
use java_names::descriptor::{self, JavaType};
use trace_format::{ObjectId, Value};
use trace_store::{Call, CallOutcome};

use super::Why;
use super::checks::{Check, Observer};
use super::inputs::Inputs;
use super::surface::Surfaces;
use java_model::heap::{Heap as _, ThingKind};
use java_model::method_code::FieldName;
use java_model::run::{JavaRun, MethodNames};
use java_names::names;

/// See the module's header.
pub(super) struct Case {
    name: String,
    statements: Vec<String>,
    /// What the test does not see of what the call did.
    unseen: Vec<Why>,
}

impl Case {
    /// The method; `call` is the recorded call in one line.
    pub(super) fn source(&self, call: &str) -> String {
        let mut text = String::new();
        let call: String = call.chars().filter(|c| !c.is_control()).collect();
        // A comment ends, and an escape is read, wherever it stands.
        let call = call.replace("*/", "* /").replace('\\', "/");
        let _ = writeln!(text, "    /** {call} */");
        let _ = writeln!(
            text,
            "    @Test\n    public void {}() throws Throwable {{",
            self.name
        );
        for why in &self.unseen {
            let _ = writeln!(text, "        // Not compared: {why}.");
        }
        for statement in &self.statements {
            let _ = writeln!(text, "        {statement}");
        }
        text.push_str("    }\n");
        text
    }
}

/// A test of what was said of a call.
pub(super) fn test_case(
    run: &JavaRun,
    surfaces: &Surfaces<'_>,
    node: NodeId,
    answer: &Answer,
) -> Result<Case, Why> {
    let (is_right, part) = match answer {
        Answer::Yes => (true, None),
        Answer::No => (false, None),
        Answer::WrongPart(path) => (false, Some(path.0.as_str())),
        _ => return Err("only a yes or a no can be tested".to_owned()),
    };
    let call = run.call(node).ok_or("the call cannot be read")?;
    let names = run.method_names(call.method);
    let package = names::package(names.class).to_owned();
    check_callable(run, surfaces, &call, names, &package)?;
    let mut inputs = Inputs::new(run, surfaces, call.entry_time, &package, "given");
    let statics = statics(run, surfaces, &call, &package, &mut inputs)?;
    let invocation = invocation(&call, names, &mut inputs)?;
    let mut observer = Observer {
        given: inputs.variables.clone(),
        expected: Inputs::new(run, surfaces, call.exit_time, &package, "expected"),
    };
    let result = Ended::of(&call, names, surfaces, &package)?;
    let mut test = Test {
        statements: inputs.statements,
        checks: Vec::new(),
        unseen: Vec::new(),
    };
    match (&result, is_right) {
        (Ended::Threw(class), true) => {
            let line = format!("assertThrows({class}.class, () -> {invocation});");
            test.statements.push(line);
        }
        (Ended::Threw(_), false) => {
            test.statements
                .push("// It must not throw what it threw.".to_owned());
            test.statements.push(format!("{invocation};"));
        }
        (Ended::Void, _) => test.statements.push(format!("{invocation};")),
        (Ended::Value { class, kind, value }, _) => {
            test.statements
                .push(format!("{class} result = {invocation};"));
            test.see(observer.observe("result", *value, kind));
        }
    }
    let threw = matches!(result, Ended::Threw(_));
    let only_result = part.is_some_and(|path| path.starts_with("return"));
    if !(only_result || threw && !is_right) {
        let mut given: Vec<(ObjectId, String)> = observer.given.clone().into_iter().collect();
        given.sort();
        for (object, variable) in given {
            if observer.has_changed(object, call.entry_time) {
                test.see(observer.observe_given(&variable, object));
            }
        }
        for (name, field) in &statics {
            let value = run.static_value(field, call.exit_time);
            if let Some(value) =
                value.filter(|&now| run.static_value(field, call.entry_time) != Some(now))
            {
                let declared = run.classes().declaring(&field.owner, &field.name);
                let kind = declared.map_or("", |(_, field)| &field.descriptor);
                test.see(observer.observe(name, value, kind));
            }
        }
    }
    test.statements.extend(observer.expected.statements);
    let suffix = if is_right { "isRight" } else { "wasWrong" };
    let method = names.name.trim_matches(['<', '>']);
    Ok(Case {
        name: format!("{method}_{node}_{suffix}"),
        ..test.finish(is_right, threw)?
    })
}

/// A test as it comes about.
struct Test {
    statements: Vec<String>,
    checks: Vec<Check>,
    unseen: Vec<Why>,
}

impl Test {
    fn see(&mut self, seen: Result<Vec<Check>, Why>) {
        match seen {
            Ok(checks) => self.checks.extend(checks),
            Err(why) => self.unseen.push(why),
        }
    }

    fn finish(mut self, is_right: bool, threw: bool) -> Result<Case, Why> {
        let nothing = self.checks.is_empty();
        match is_right {
            true if nothing && !threw => {
                let why = self.unseen.into_iter().next();
                return Err(why.unwrap_or_else(|| "it gave nothing and changed nothing".to_owned()));
            }
            true => {
                let assertions = self.checks.iter().map(Check::assertion);
                self.statements.extend(assertions);
            }
            false if threw => {}
            // What is not seen could be what was wrong.
            false if !self.unseen.is_empty() => return Err(self.unseen.swap_remove(0)),
            false if nothing => return Err("it gave nothing and changed nothing".to_owned()),
            false => {
                let all: Vec<String> = self.checks.iter().map(Check::comparison).collect();
                let line = format!("boolean isAsRecorded = {};", all.join(" && "));
                self.statements.push(line);
                self.statements
                    .push("// What would be right is for you to say here.".to_owned());
                self.statements
                    .push("assertFalse(isAsRecorded);".to_owned());
            }
        }
        Ok(Case {
            name: String::new(),
            statements: self.statements,
            unseen: self.unseen,
        })
    }
}

fn check_callable(
    run: &JavaRun,
    surfaces: &Surfaces<'_>,
    call: &Call,
    names: MethodNames<'_>,
    package: &str,
) -> Result<(), Why> {
    if !run.has_state() {
        return Err("only calls were recorded: what objects held is not known".to_owned());
    }
    let surface = surfaces.get(names.class);
    let surface = surface.ok_or("its class file is not in the trace")?;
    surface.usable_from(package)?;
    match surface.can_call(names.name, names.descriptor, package) {
        Some(true) if names.name != "<clinit>" => {}
        _ => return Err(format!("a test cannot call {}: it is private", names.name)),
    }
    if names.name == "<init>" {
        let made = call.this.and_then(|made| run.thing(made));
        if made.is_none_or(|made| made.class.replace('.', "/") != names.class) {
            return Err("it made a part of an object of another class".to_owned());
        }
    }
    if run.statics_below().reach(run, call.method).has_input {
        return Err("it reads a clock, chance or the input".to_owned());
    }
    Ok(())
}

/// The static variables that the call can see, set as they were; how a test names those that can change.
fn statics(
    run: &JavaRun,
    surfaces: &Surfaces<'_>,
    call: &Call,
    package: &str,
    inputs: &mut Inputs<'_>,
) -> Result<Vec<(String, FieldName)>, Why> {
    let reach = run.statics_below().reach(run, call.method);
    let mut changing = Vec::new();
    for field in &reach.statics {
        let Some((owner, declared)) = run.classes().declaring(&field.owner, &field.name) else {
            continue;
        };
        let Some(value) = run.static_value(field, call.entry_time) else {
            continue;
        };
        let name = format!("{}.{}", names::simple_class(owner), field.name);
        if declared.is_final {
            if is_mutable(run, value) {
                return Err(format!("it depends on what {name} holds"));
            }
            continue;
        }
        let surface = surfaces
            .get(owner)
            .ok_or("its class file is not in the trace")?;
        surface.usable_from(package)?;
        let unreachable = || format!("it depends on {name}, which a test cannot set");
        let named = surface
            .see(&surface.name, &field.name, package)
            .filter(|seen| !seen.ends_with(')'))
            .ok_or_else(unreachable)?;
        let set = inputs.expression(value, &declared.descriptor)?;
        inputs.statements.push(format!("{named} = {set};"));
        changing.push((named, FieldName::clone(field)));
    }
    Ok(changing)
}

fn is_mutable(run: &JavaRun, value: Value) -> bool {
    let object = value.object().filter(|&object| object != ObjectId::NULL);
    object.is_some_and(|object| {
        let thing = run.thing(object);
        !thing.is_some_and(|thing| {
            let plain = matches!(
                thing.kind,
                ThingKind::Text { .. } | ThingKind::Boxed(_) | ThingKind::Constant { .. }
            );
            plain || thing.class.starts_with("java.util.ImmutableCollections")
        })
    })
}

/// The call itself.
fn invocation(call: &Call, names: MethodNames<'_>, inputs: &mut Inputs<'_>) -> Result<String, Why> {
    let signature = descriptor::parse_method(names.descriptor);
    let signature = signature.map_err(|error| error.to_string())?;
    let surface = inputs.surfaces.get(names.class);
    let class = surface
        .ok_or("its class file is not in the trace")?
        .name
        .clone();
    let receiver = match call.this {
        _ if names.name == "<init>" => None,
        Some(this) => Some(inputs.object(this)?),
        None => Some(class.clone()),
    };
    let mut arguments = Vec::new();
    for (value, kind) in call.arguments.iter().zip(&signature.parameters) {
        arguments.push(inputs.expression(*value, kind.descriptor())?);
    }
    let arguments = arguments.join(", ");
    Ok(match receiver {
        Some(receiver) => format!("{receiver}.{}({arguments})", names.name),
        None => format!("new {class}({arguments})"),
    })
}

/// How the call ended, as a test sees it.
enum Ended {
    Void,
    Value {
        class: String,
        kind: String,
        value: Value,
    },
    Threw(String),
}

impl Ended {
    fn of(
        call: &Call,
        names: MethodNames<'_>,
        surfaces: &Surfaces<'_>,
        package: &str,
    ) -> Result<Ended, Why> {
        let value = |kind: &str, value| Ended::Value {
            class: surfaces.type_name(kind, package),
            kind: kind.to_owned(),
            value,
        };
        Ok(match call.outcome {
            CallOutcome::Returned(None) if names.name == "<init>" => {
                let made = call.this.ok_or("what it made is not known")?;
                value(&format!("L{};", names.class), Value::Ref(made))
            }
            CallOutcome::Returned(None) => Ended::Void,
            CallOutcome::Returned(Some(given)) => {
                let signature = descriptor::parse_method(names.descriptor);
                let kind = signature.map_or(JavaType::Void, |signature| signature.result);
                value(kind.descriptor(), given)
            }
            CallOutcome::Threw(exception) => {
                let thing = surfaces.run().thing(exception);
                let class = thing.ok_or("its exception was not described")?.class;
                let kind = format!("L{};", class.replace('.', "/"));
                match surfaces.type_name(&kind, package).as_str() {
                    "Object" => return Err(format!("a test cannot name {class}")),
                    name => Ended::Threw(name.to_owned()),
                }
            }
            CallOutcome::Open | CallOutcome::Lost => return Err("it never ended".to_owned()),
        })
    }
}
