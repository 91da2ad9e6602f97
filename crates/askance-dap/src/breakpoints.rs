//! Breakpoints as clients set them: a group at a time, each answered with how often it is hit in the whole run.
//!
//! A log point stops nobody: it prints all its executions when it is set, because they have all happened.

use std::time::{Duration, Instant};

use debug_engine::view::render;
use java_analysis::variable::{self, Variable};
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};
use java_names::names;
use serde_json::{Value, json};
use time_travel::frames::Frame;
use time_travel::{
    Breakpoint, BreakpointKind, Expression, HitCondition, JavaValue, Stop, Traveller, WithoutValue,
    line_methods,
};
use trace_format::MethodId;

use crate::handles::{Handle, ObjectReference, ScopeKind};
use crate::installed::{Group, Mark, Place, Wanted};
use crate::requests::{
    BreakpointWanted, DataInfoArguments, ExceptionBreakpointsArguments, SetBreakpointsArguments,
    SourceArgument, SourceLineArguments,
};
use crate::session::{Answer, Held, Refused, Session};

/// How long a breakpoint is looked up before it is searched for from stop to stop instead.
const LOOK_UP: Duration = Duration::from_millis(400);
/// The same while the program runs: there will be more to look up soon.
const LOOK_UP_MEANWHILE: Duration = Duration::from_millis(50);
/// Of a log point no more executions are printed.
const MOST_LOGGED: usize = 1000;
/// Of a line no more executions can be chosen from.
const MOST_TARGETS: usize = 100;

impl Session<'_> {
    pub(crate) fn set_line_breakpoints(&mut self, wanted: &SetBreakpointsArguments) -> Answer {
        let held = self.held()?;
        let file = SourceFile::of(held.run()?, &wanted.source);
        let place = Place::Line(wanted.source.clone());
        let wanted = wanted.breakpoints.iter().map(|one| (place.clone(), one));
        self.set_group(&Group::Lines(file.key()), wanted)
    }

    pub(crate) fn set_function_breakpoints(&mut self, wanted: &SetBreakpointsArguments) -> Answer {
        let wanted = wanted.breakpoints.iter().map(|one| (Place::Function, one));
        self.set_group(&Group::Functions, wanted)
    }

    pub(crate) fn set_exception_breakpoints(
        &mut self,
        wanted: &ExceptionBreakpointsArguments,
    ) -> Answer {
        let mut places = Vec::new();
        for filter in &wanted.filters {
            let (kind, label) = match filter.as_str() {
                "caught" => (BreakpointKind::Caught, "an exception that is caught"),
                "uncaught" => (BreakpointKind::Uncaught, "an exception that is not caught"),
                other => return Err(format!("there is no exception filter {other}").into()),
            };
            places.push(Place::Exception(kind, label));
        }
        let plain = BreakpointWanted::default();
        let wanted = places.into_iter().map(|place| (place, &plain));
        self.set_group(&Group::Exceptions, wanted)
    }

    pub(crate) fn set_data_breakpoints(&mut self, wanted: &SetBreakpointsArguments) -> Answer {
        let known = self.installed.data.clone();
        let wanted = wanted.breakpoints.iter().map(|one| {
            let place = one.data_id.parse::<usize>().ok();
            let variable = place.and_then(|place| known.get(place)).cloned();
            (Place::Data(variable), one)
        });
        self.set_group(&Group::Data, wanted)
    }

    /// Puts breakpoints in the place of those of a group.
    fn set_group<'wanted>(
        &mut self,
        group: &Group,
        wanted: impl Iterator<Item = (Place, &'wanted BreakpointWanted)>,
    ) -> Answer {
        let held = self.held()?;
        self.installed.remove(group);
        let mut told = Vec::new();
        for (place, options) in wanted {
            let mut one = Wanted {
                id: self.installed.next_id(),
                group: group.clone(),
                place,
                options: options.clone(),
                told: Value::Null,
            };
            one.told = self.look_up(&held, &one)?;
            told.push(one.told.clone());
            self.installed.wanted.push(one);
        }
        Ok(json!({"breakpoints": told}))
    }

    /// Looks all breakpoints up again, in a run of which more is known, and tells the client of those that are hit
    /// otherwise now.
    pub(crate) fn look_up_again(&mut self) -> Result<(), Refused> {
        if !std::mem::take(&mut self.installed.are_old) {
            return Ok(());
        }
        let held = self.held()?;
        for mut one in self.installed.take_wanted() {
            let told = self.look_up(&held, &one)?;
            if told != one.told {
                self.tell(
                    "breakpoint",
                    json!({"reason": "changed", "breakpoint": told}),
                );
                one.told = told;
            }
            self.installed.wanted.push(one);
        }
        Ok(())
    }

    /// Looks one up in the run: what the client is told of it.
    fn look_up(&mut self, held: &Held, wanted: &Wanted) -> Answer {
        let run = held.run()?;
        let id = wanted.id;
        match &wanted.place {
            Place::Line(source) => {
                let file = SourceFile::of(run, source);
                let line = wanted.options.line - self.first_line + 1;
                let line = u32::try_from(line).unwrap_or(0);
                let found = line_methods(run, |package, name| file.is(package, name), line);
                let Some((line, methods)) = found else {
                    let sentence = "no recorded code is in this line or below it";
                    return Ok(unverified(id, sentence));
                };
                let kind = BreakpointKind::Line { methods, line };
                let mut told = self.set(held, wanted, kind, None)?;
                told["line"] = (i64::from(line) - 1 + self.first_line).into();
                Ok(told)
            }
            Place::Function => {
                let name = &wanted.options.name;
                let methods = methods_named(run, name);
                if methods.is_empty() {
                    return Ok(unverified(id, &format!("no method {name} was recorded")));
                }
                let kind = BreakpointKind::Function { methods };
                self.set(held, wanted, kind, Some(name.clone()))
            }
            Place::Exception(kind, label) => {
                self.set(held, wanted, kind.clone(), Some((*label).to_owned()))
            }
            Place::Data(Some((variable, label))) => {
                let kind = BreakpointKind::Data(variable.clone());
                self.set(held, wanted, kind, Some(format!("{label} was written")))
            }
            Place::Data(None) => Ok(unverified(id, "there is no such variable")),
        }
    }

    /// Sets one, and says how often it is hit. What its condition cannot say is the breakpoint's message.
    fn set(
        &mut self,
        held: &Held,
        wanted: &Wanted,
        kind: BreakpointKind,
        label: Option<String>,
    ) -> Answer {
        let traveller = held.traveller()?;
        let (id, options) = (wanted.id, &wanted.options);
        let condition = given(&options.condition).map(Expression::parse).transpose();
        let condition = match condition {
            Ok(condition) => condition,
            Err(error) => return Ok(unverified(id, &error.to_string())),
        };
        let hit_condition = match given(&options.hit_condition) {
            None => None,
            Some(text) => match HitCondition::parse(text) {
                Some(condition) => Some(condition),
                None => {
                    let sentence = format!(
                        "{text:?} is no hit condition; 5, >= 5, > 5, <= 5, < 5 and % 5 are"
                    );
                    return Ok(unverified(id, &sentence));
                }
            },
        };
        let goes_on = self.goes_on();
        let patience = if goes_on { LOOK_UP_MEANWHILE } else { LOOK_UP };
        let deadline = Some(Instant::now() + patience);
        let log = given(&options.log_message);
        let look_up = match log {
            Some(_) => Breakpoint::new,
            None => Breakpoint::to_go_to,
        };
        let breakpoint = look_up(&traveller, kind, condition, hit_condition, deadline);
        let mut message = times(&breakpoint, goes_on);
        if let Some(WithoutValue { count, why }) = breakpoint.hits().without_value() {
            message.push_str(&format!(
                "; {count} of them because the condition has no value there: {why}"
            ));
        }
        if log.is_some() && !breakpoint.hits().are_complete() {
            message.push_str("; only these are printed");
        }
        match log {
            Some(message) => self.log(held, wanted, &breakpoint, message)?,
            None => {
                let group = wanted.group.clone();
                self.installed.add(Mark { id, group, label }, breakpoint);
            }
        }
        Ok(json!({"id": id, "verified": true, "message": message}))
    }

    /// Prints what a log point has to say of each of its executions that was not printed yet.
    fn log(
        &mut self,
        held: &Held,
        wanted: &Wanted,
        breakpoint: &Breakpoint,
        message: &str,
    ) -> Result<(), Refused> {
        let (run, traveller) = (held.run()?, held.traveller()?);
        let key = format!("{:?} {:?}", wanted.group, wanted.options);
        let mut printed = self.installed.logged.remove(&key).unwrap_or_default();
        let (hits, was_full) = (breakpoint.hits(), printed.len() >= MOST_LOGGED);
        for position in breakpoint.positions(&traveller) {
            let Some(call) = run.call_id(position.node) else {
                continue;
            };
            if printed.len() >= MOST_LOGGED {
                break;
            }
            if !printed.insert((call, position.event)) {
                continue;
            }
            let Some(stop) = traveller.stop(position) else {
                continue;
            };
            let text = logged(&traveller, &stop, message);
            self.print(run, &Frame::of(&stop), "console", &format!("{text}\n"));
        }
        if hits.len() > MOST_LOGGED && !was_full {
            let more = format!("… and {} more executions\n", hits.len() - MOST_LOGGED);
            self.tell("output", json!({"category": "console", "output": more}));
        }
        self.installed.logged.insert(key, printed);
        Ok(())
    }

    /// Says something about a place of the source.
    pub(crate) fn print(&mut self, run: &JavaRun, frame: &Frame, category: &str, text: &str) {
        let (source, line) = self.source_place(run, frame);
        let mut body = json!({"category": category, "output": text, "line": line, "column": self.first_column});
        if let Some(source) = source {
            body["source"] = source;
        }
        self.tell("output", body);
    }

    pub(crate) fn data_breakpoint_info(&mut self, wanted: &DataInfoArguments) -> Answer {
        let held = self.held()?;
        let (variable, label) = match self.variable_named(&held, wanted) {
            Ok(found) => found,
            Err(Refused(sentence)) => {
                return Ok(json!({"dataId": null, "description": sentence}));
            }
        };
        let data = &mut self.installed.data;
        let known = data.iter().position(|(known, _)| *known == variable);
        let place = known.unwrap_or_else(|| {
            data.push((variable, label.clone()));
            data.len() - 1
        });
        Ok(json!({
            "dataId": place.to_string(),
            "description": label,
            "accessTypes": ["write"],
            "canPersist": false,
        }))
    }

    fn variable_named(
        &self,
        held: &Held,
        wanted: &DataInfoArguments,
    ) -> Result<(Variable, String), Refused> {
        let (run, name) = (held.run()?, wanted.name.as_str());
        let handle = wanted
            .variables_reference
            .and_then(|number| self.handles.handle(number));
        let error =
            |error: variable::PathError| Refused(format!("{}; {}", error.sentence, error.hint));
        match handle {
            Some(Handle::Scope {
                frame,
                kind: ScopeKind::Arguments | ScopeKind::Locals,
            }) => Ok((frame.variable(name), name.to_owned())),
            Some(Handle::Object(object)) => {
                let id = match object.object {
                    ObjectReference::Id(id) => id,
                    ObjectReference::Number(number) => {
                        variable::object_numbered(run, number).map_err(error)?
                    }
                };
                let label = shown::object_name(run, id);
                let index = name
                    .strip_prefix('[')
                    .and_then(|rest| rest.strip_suffix(']'));
                let index = index.unwrap_or(name).parse::<u32>();
                let found = match index {
                    Ok(index) => variable::element_of(run, &label, id, index, object.time),
                    Err(_) => variable::field_of(run, &label, id, name, object.time),
                };
                let found = found.map_err(error)?;
                writable(found.variable).map(|variable| (variable, found.label))
            }
            _ => {
                let frame = match wanted.frame_id {
                    Some(frame) => self.frame(frame)?.clone(),
                    None => Frame::of(&self.here()?),
                };
                let expression = Expression::parse(name).map_err(|error| error.to_string())?;
                let found = expression.evaluate(&held.traveller()?, &frame);
                let found = found.map_err(|error| error.to_string())?;
                let variable = found.variable.ok_or("this is a value and no variable")?;
                writable(variable).map(|variable| (variable, name.to_owned()))
            }
        }
    }

    pub(crate) fn breakpoint_locations(&mut self, wanted: &SourceLineArguments) -> Answer {
        let held = self.held()?;
        let run = held.run()?;
        let file = SourceFile::of(run, &wanted.source);
        let line = |shown: i64| u32::try_from(shown - self.first_line + 1).unwrap_or(0);
        let lines = line(wanted.line)..=line(wanted.end_line.unwrap_or(wanted.line));
        let mut found: Vec<u32> = Vec::new();
        for method in run.methods() {
            let class = run.method_names(method).class;
            let declared = run.classes().get(class);
            let name = declared.and_then(|class| class.source_file.as_deref());
            if file.is(names::package(class), name) {
                let code = run.code(method);
                found.extend(code.lines.iter().filter(|line| lines.contains(line)));
            }
        }
        found.sort_unstable();
        found.dedup();
        let shown = |line: u32| json!({"line": i64::from(line) - 1 + self.first_line});
        let found: Vec<Value> = found.into_iter().map(shown).collect();
        Ok(json!({"breakpoints": found}))
    }

    /// The executions of a line, of which one can be gone to.
    pub(crate) fn find_goto_targets(&mut self, wanted: &SourceLineArguments) -> Answer {
        let held = self.held()?;
        let (run, traveller) = (held.run()?, held.traveller()?);
        let file = SourceFile::of(run, &wanted.source);
        let line = u32::try_from(wanted.line - self.first_line + 1).unwrap_or(0);
        let found = line_methods(run, |package, name| file.is(package, name), line);
        let (line, methods) = found.ok_or("no recorded code is in this line or below it")?;
        let deadline = Some(Instant::now() + LOOK_UP);
        let kind = BreakpointKind::Line { methods, line };
        let executions = Breakpoint::new(&traveller, kind, None, None, deadline);
        let count = executions.hits().len();
        let of = match executions.hits().are_complete() {
            true => format!("of {count}"),
            false => format!("of more than {count}"),
        };
        self.goto_targets = executions
            .positions(&traveller)
            .take(MOST_TARGETS)
            .collect();
        let shown_line = i64::from(line) - 1 + self.first_line;
        let targets = self.goto_targets.iter().enumerate().map(|(id, position)| {
            let call = java_model::node_view::call_line(run, position.node);
            json!({
                "id": id,
                "label": format!("execution {} {of}: #{} {call}", id + 1, position.node),
                "line": shown_line,
            })
        });
        Ok(json!({"targets": targets.collect::<Vec<Value>>()}))
    }
}

/// What is given and says something.
fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

fn writable(variable: Variable) -> Result<Variable, Refused> {
    match variable {
        Variable::Object(_) | Variable::Return { .. } => {
            Err("this is a value that a collection holds; its own fields can be watched".into())
        }
        variable => Ok(variable),
    }
}

fn unverified(id: u32, sentence: &str) -> Value {
    json!({"id": id, "verified": false, "message": sentence})
}

/// How often it is hit, in words.
fn times(breakpoint: &Breakpoint, goes_on: bool) -> String {
    let hits = breakpoint.hits();
    let of = if goes_on {
        "so far"
    } else {
        "in the whole run"
    };
    match (hits.are_complete(), hits.len()) {
        (true, 0) => format!("never hit {of}"),
        (true, 1) => format!("hit once {of}"),
        (true, count) => format!("hit {count} times {of}"),
        (false, count) => format!("hit more than {count} times in the run"),
    }
}

/// A log message with the values of what stands in braces.
fn logged(traveller: &Traveller<'_>, stop: &Stop, message: &str) -> String {
    let frame = Frame::of(stop);
    let mut text = String::new();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((inside, after)) = after.split_once('}') else {
            text.push('{');
            rest = after;
            continue;
        };
        let value = Expression::parse(inside).map_err(|error| error.to_string());
        let value = value.and_then(|expression| {
            let found = expression.evaluate(traveller, &frame);
            found.map_err(|error| error.to_string())
        });
        match value {
            Ok(found) => text.push_str(&value_text(traveller.run(), &found.value, &frame)),
            Err(sentence) => text.push_str(&format!("{{{inside}: {sentence}}}")),
        }
        rest = after;
    }
    text + rest
}

/// A value in one line.
pub(crate) fn value_text(run: &JavaRun, value: &JavaValue, frame: &Frame) -> String {
    match value {
        JavaValue::Known(value) => {
            render::value(&shown::value(run, *value, frame.time, BRIEF), BRIEF)
        }
        JavaValue::Text(text) => java_model::values::quoted(text, 0),
        JavaValue::Class(name) => format!("{}.class", names::simple_class(name)),
    }
}

/// Methods by `name`, `Class.name` or `package.Class.name`.
fn methods_named(run: &JavaRun, name: &str) -> Vec<MethodId> {
    let name = name.trim().trim_end_matches("()");
    let is_named = |method: &MethodId| {
        let found = run.method_names(*method);
        let full = format!("{}.{}", names::class(found.class), found.name).replace('$', ".");
        found.name == name || full == name || full.ends_with(&format!(".{name}"))
    };
    run.methods().filter(is_named).collect()
}

/// A source file as a client names it.
struct SourceFile {
    /// With slashes.
    path: String,
}

impl SourceFile {
    fn of(run: &JavaRun, source: &SourceArgument) -> SourceFile {
        let referred = source
            .source_reference
            .and_then(|number| number.checked_sub(1));
        let of_method = referred.and_then(|number| {
            let method = run.methods().find(|method| method.0 == number)?;
            let class = run.method_names(method).class;
            let name = run.classes().get(class)?.source_file.clone()?;
            Some(format!("{}/{name}", names::package(class)))
        });
        let named = || source.path.clone().or_else(|| source.name.clone());
        let path = of_method.or_else(named).unwrap_or_default();
        SourceFile {
            path: path.replace('\\', "/"),
        }
    }

    fn key(&self) -> String {
        self.path.clone()
    }

    /// Whether the classes of a package that come from a file of this name come from this one.
    fn is(&self, package: &str, name: Option<&str>) -> bool {
        let Some(name) = name else {
            return false;
        };
        let full = match package {
            "" => name.to_owned(),
            _ => format!("{package}/{name}"),
        };
        let rest = self.path.strip_suffix(&full);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_package_and_name() {
        let file = |path: &str| SourceFile {
            path: path.to_owned(),
        };
        assert!(file("/home/me/src/shop/Cart.java").is("shop", Some("Cart.java")));
        assert!(file("Cart.java").is("", Some("Cart.java")));
        assert!(!file("/home/me/src/shop/ShoppingCart.java").is("", Some("Cart.java")));
        assert!(!file("/home/me/src/other/Cart.java").is("shop", Some("Cart.java")));
        assert!(!file("/home/me/src/shop/Cart.java").is("shop", None));
    }
}
