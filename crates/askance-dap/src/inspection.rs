//! Threads, stacks, scopes and variables, as they were at the stop.

use debug_engine::view::render::{self, Bounds};
use debug_engine::view::{Label, ValueKind, ValueView};
use java_analysis::happening::Happening;
use java_analysis::moment_view::moment_view;
use java_analysis::variable::{self, Variable};
use java_model::heap::Heap as _;
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};
use java_model::values::Viewer;
use java_names::names;
use serde_json::{Value as Json, json};
use time_travel::frames::{self, Frame};
use time_travel::{JavaValue, Stop};
use trace_format::{ObjectId, TraceTime, Value};
use trace_store::CallOutcome;

use crate::disassembly;
use crate::handles::{Handle, ObjectHandle, ObjectReference, ScopeKind};
use crate::movement::thread_id;
use crate::requests::{FrameArguments, ThreadArguments, VariablesArguments};
use crate::session::{Answer, Held, Refused, Session};

/// Frames and parts are given so many at a time, unless the client wants fewer.
const MOST_FRAMES: usize = 1000;
const MOST_PARTS: usize = 1000;
/// How many changes of a call are listed.
const MOST_CHANGES: usize = 200;

impl Session<'_> {
    pub(crate) fn frame(&self, number: u32) -> Result<&Frame, Refused> {
        let frame = self.handles.frame(number);
        frame.ok_or_else(|| "this frame belongs to an earlier stop".into())
    }

    /// The frame that a request names, or the innermost one of the stop.
    pub(crate) fn frame_or_here(&self, number: Option<u32>) -> Result<Frame, Refused> {
        match number {
            Some(number) => self.frame(number).cloned(),
            None => Ok(Frame::of(&self.here()?)),
        }
    }

    pub(crate) fn threads(&mut self) -> Answer {
        let held = self.held()?;
        let run = held.run()?;
        let has_calls = |thread: &trace_format::ThreadNumber| {
            run.trace()
                .calls(*thread)
                .is_ok_and(|calls| !calls.is_empty())
        };
        let threads = run
            .trace()
            .threads()
            .filter(has_calls)
            .map(|thread| json!({"id": thread_id(thread), "name": run.thread_name(thread)}));
        Ok(json!({"threads": threads.collect::<Vec<Json>>()}))
    }

    pub(crate) fn stack_trace(&mut self, wanted: &ThreadArguments) -> Answer {
        let stop = match self.stop_of(wanted.thread_id) {
            Ok(stop) => stop,
            // A thread that had not begun has no frames.
            Err(_) if self.here().is_ok() => {
                return Ok(json!({"stackFrames": [], "totalFrames": 0}));
            }
            Err(refused) => return Err(refused),
        };
        let held = self.held()?;
        let (run, traveller) = (held.run()?, held.traveller()?);
        let most = match wanted.levels {
            0 => MOST_FRAMES,
            levels => levels.min(MOST_FRAMES),
        };
        let time = self.here()?.time;
        let mut told = Vec::new();
        for mut frame in frames::stack(&traveller, &stop, wanted.start_frame, most) {
            frame.time = time;
            told.push(self.frame_told(run, frame));
        }
        Ok(json!({"stackFrames": told, "totalFrames": frames::depth(&traveller, &stop)}))
    }

    fn frame_told(&mut self, run: &JavaRun, frame: Frame) -> Json {
        let (source, line) = self.source_place(run, &frame);
        let routine = run.routine_of(frame.node());
        let is_known = frame.moment.line.is_some();
        let mut told = json!({
            "name": match is_known {
                true => routine,
                false => format!("{routine} (line not known)"),
            },
            "line": line,
            "column": match source {
                Some(_) => self.first_column,
                None => 0,
            },
            "canRestart": true,
            "presentationHint": if is_known { "normal" } else { "subtle" },
        });
        if let Some(source) = source {
            told["source"] = source;
        }
        if let Some(code) = disassembly::address_of(run, &frame) {
            told["instructionPointerReference"] = code.into();
        }
        told["id"] = self.handles.add_frame(frame).into();
        told
    }

    pub(crate) fn scopes(&mut self, wanted: &FrameArguments) -> Answer {
        let frame = self.frame(wanted.frame_id)?.clone();
        let held = self.held()?;
        let run = held.run()?;
        let mut scopes = Vec::new();
        let mut scope = |session: &mut Self, name: &str, hint: Option<&str>, handle, expensive| {
            let mut told = json!({
                "name": name,
                "variablesReference": session.handles.add(handle),
                "expensive": expensive,
            });
            if let Some(hint) = hint {
                told["presentationHint"] = hint.into();
            }
            scopes.push(told);
        };
        let of = |kind| Handle::Scope {
            frame: frame.clone(),
            kind,
        };
        if frames::returned(run, &frame).is_some() {
            scope(
                self,
                "Return value",
                Some("returnValue"),
                of(ScopeKind::Result),
                false,
            );
        }
        if !run.code(run.method(frame.node())).parameters.is_empty() {
            scope(
                self,
                "Arguments",
                Some("arguments"),
                of(ScopeKind::Arguments),
                false,
            );
        }
        scope(self, "Locals", Some("locals"), of(ScopeKind::Locals), false);
        if let Some(this) = run.call(frame.node()).and_then(|call| call.this) {
            let object = Handle::Object(ObjectHandle {
                object: ObjectReference::Id(this),
                time: frame.time,
                path: Some("this".to_owned()),
            });
            scope(self, "this", None, object, false);
        }
        if !statics(run, &frame).is_empty() {
            scope(self, "Statics", None, of(ScopeKind::Statics), true);
        }
        scope(
            self,
            "Changed by this call",
            None,
            of(ScopeKind::Changes),
            true,
        );
        Ok(json!({"scopes": scopes}))
    }

    pub(crate) fn variables(&mut self, wanted: &VariablesArguments) -> Answer {
        let handle = self.handles.handle(wanted.variables_reference).cloned();
        let handle = handle.ok_or("these variables belong to an earlier stop")?;
        let held = self.held()?;
        let count = match wanted.count {
            0 => MOST_PARTS,
            count => count.min(MOST_PARTS),
        };
        let told = match handle {
            Handle::Scope { frame, kind } => {
                let all = self.in_scope(&held, &frame, kind)?;
                all.into_iter().skip(wanted.start).take(count).collect()
            }
            Handle::Object(object) => self.parts(&held, &object, wanted.start, count)?,
        };
        Ok(json!({"variables": told}))
    }

    fn in_scope(
        &mut self,
        held: &Held,
        frame: &Frame,
        kind: ScopeKind,
    ) -> Result<Vec<Json>, Refused> {
        let (run, traveller) = (held.run()?, held.traveller()?);
        let mut told = Vec::new();
        match kind {
            ScopeKind::Arguments | ScopeKind::Locals => {
                for found in frames::variables(&traveller, frame) {
                    let is_argument = found.is_parameter;
                    if found.name == "this" || is_argument != (kind == ScopeKind::Arguments) {
                        continue;
                    }
                    let name = found.name;
                    told.push(match found.value {
                        Ok(value) => {
                            let mut one = self.told(run, &name, &value, frame.time, Some(&name));
                            self.add_writer(&mut one, frame.variable(&name));
                            one
                        }
                        Err(why) => plain(&name, &why),
                    });
                }
                if told.is_empty()
                    && let Some(moments) = traveller.moments(frame.node())
                    && let Some(trouble) = moments.trouble()
                {
                    told.push(plain("not known", trouble));
                }
            }
            ScopeKind::Statics => {
                for (class, name) in statics(run, frame) {
                    let found = variable::static_of(run, &class, &name, frame.time);
                    let Some(found) = found else { continue };
                    let path = format!("{class}.{name}");
                    told.push(match found.value {
                        Some(value) => {
                            let value = JavaValue::Known(value);
                            let mut one = self.told(run, &name, &value, frame.time, Some(&path));
                            self.add_writer(&mut one, found.variable);
                            one
                        }
                        None => plain(&name, "not known"),
                    });
                }
            }
            ScopeKind::Changes => {
                let mut moments = traveller
                    .moments(frame.node())
                    .ok_or("the call cannot be read")?;
                let view = moment_view(&mut moments, &frame.moment, Bounds::default());
                for change in render::changes(&view.call).iter().take(MOST_CHANGES) {
                    let side = |value: Option<&ValueView>| {
                        value.map_or("?".to_owned(), |value| render::value(value, BRIEF))
                    };
                    let text = format!("{} → {}", side(change.before), side(change.after));
                    told.push(plain(&change.path, &text));
                }
                if told.is_empty() {
                    told.push(plain(
                        "nothing",
                        "this call has changed nothing so far that can be seen here",
                    ));
                }
            }
            ScopeKind::Result => {
                if let Some(value) = frames::returned(run, frame) {
                    let name = run.routine_of(frame.node());
                    told.push(self.told(run, &name, &value, frame.time, None));
                }
            }
        }
        Ok(told)
    }

    /// A page of what is inside an object.
    fn parts(
        &mut self,
        held: &Held,
        handle: &ObjectHandle,
        start: usize,
        count: usize,
    ) -> Result<Vec<Json>, Refused> {
        let (run, time) = (held.run()?, handle.time);
        let object = match handle.object {
            ObjectReference::Id(object) => object,
            ObjectReference::Number(number) => {
                variable::object_numbered(run, number).map_err(|error| error.sentence)?
            }
        };
        let part_path = |part: &str| handle.path.as_ref().map(|path| format!("{path}{part}"));
        if let Ok(Some(_)) = run.trace().array_length(object) {
            let elements = run.elements(object, time, start, count);
            let mut told = Vec::new();
            for (index, value) in (start..).zip(elements.values) {
                let value = JavaValue::Known(shown::element(run, object, value));
                let path = part_path(&format!("[{index}]"));
                told.push(self.told(run, &format!("[{index}]"), &value, time, path.as_deref()));
            }
            return Ok(told);
        }
        let bounds = Bounds {
            width: start.saturating_add(count),
            depth: 2,
            ..askance_api::ROOMY
        };
        let view = Viewer::new(run, time, bounds).view(Value::Ref(object));
        let parts = view.children.iter().skip(start).take(count);
        let mut told = Vec::new();
        for part in parts {
            let (name, path) = match &part.label {
                Label::Field(name) => (name.clone(), part_path(&format!(".{name}"))),
                Label::Index(index) => (format!("[{index}]"), part_path(&format!("[{index}]"))),
                Label::Key(key) => (key.clone(), None),
            };
            let mut one = self.view_told(&name, &part.value, time, path);
            if let Label::Field(name) = &part.label
                && let Ok(found) = variable::field_of(run, "", object, name, time)
            {
                self.add_writer(&mut one, found.variable);
            }
            told.push(one);
        }
        Ok(told)
    }

    /// A variable as the protocol has it.
    pub(crate) fn told(
        &mut self,
        run: &JavaRun,
        name: &str,
        value: &JavaValue,
        time: TraceTime,
        path: Option<&str>,
    ) -> Json {
        let value = match value {
            JavaValue::Known(value) => *value,
            JavaValue::Text(text) => {
                let mut told = plain(name, &java_model::values::quoted(text, 0));
                told["type"] = "String".into();
                return told;
            }
            JavaValue::Class(class) => {
                return plain(name, &format!("{}.class", names::simple_class(class)));
            }
        };
        let view = shown::value(run, value, time, BRIEF);
        let mut told = self.view_told(name, &view, time, path.map(str::to_owned));
        if let Value::Ref(object) = value
            && is_expandable(&view)
        {
            told["variablesReference"] = self
                .handles
                .add(Handle::Object(ObjectHandle {
                    object: ObjectReference::Id(object),
                    time,
                    path: path.map(str::to_owned),
                }))
                .into();
            if let Ok(Some(length)) = run.trace().array_length(object) {
                told["indexedVariables"] = length.into();
            }
        }
        if told["type"].is_null() {
            let class = match value {
                Value::Ref(object) => shown::class_of(run, object),
                _ => None,
            };
            told["type"] = match class {
                Some(class) => class.into(),
                None => primitive_name(value).into(),
            };
        }
        told
    }

    fn view_told(
        &mut self,
        name: &str,
        view: &ValueView,
        time: TraceTime,
        path: Option<String>,
    ) -> Json {
        let mut told = plain(name, &render::value(view, BRIEF));
        if let Some(class) = &view.class {
            told["type"] = class.clone().into();
        }
        if let Some(path) = &path {
            told["evaluateName"] = path.clone().into();
        }
        if let Some(number) = view.id
            && is_expandable(view)
        {
            let object = ObjectReference::Number(number);
            let handle = ObjectHandle { object, time, path };
            told["variablesReference"] = self.handles.add(Handle::Object(handle)).into();
        }
        told
    }

    /// Lets the client ask which line wrote a variable.
    fn add_writer(&mut self, told: &mut Json, variable: Variable) {
        if let Ok(here) = self.here() {
            told["valueLocationReference"] = self.handles.add_write(variable, here).into();
        }
    }

    pub(crate) fn exception_info(&mut self) -> Answer {
        let here = self.here()?;
        let held = self.held()?;
        let run = held.run()?;
        let exception = thrown(&here).ok_or("no exception is thrown here")?;
        let class = shown::class_of(run, exception).unwrap_or_else(|| "?".to_owned());
        let view = Viewer::new(run, here.time, BRIEF).exception(exception);
        Ok(json!({
            "exceptionId": class,
            "description": render::exception(&view, BRIEF),
            "breakMode": "always",
            "details": {"fullTypeName": class, "typeName": names::simple_class(&names::internal(&class))},
        }))
    }
}

/// The exception that leaves a call at a stop, or is caught.
fn thrown(stop: &Stop) -> Option<ObjectId> {
    match stop.moment.what {
        Happening::Ended(CallOutcome::Threw(exception)) | Happening::Caught(exception) => {
            Some(exception)
        }
        _ => None,
    }
}

fn plain(name: &str, value: &str) -> Json {
    json!({
        "name": name,
        "value": value,
        "variablesReference": 0,
        "presentationHint": {"attributes": ["readOnly"]},
    })
}

fn is_expandable(view: &ValueView) -> bool {
    let has_parts = matches!(
        view.kind,
        ValueKind::Object | ValueKind::Array | ValueKind::Map | ValueKind::Entry
    );
    has_parts && view.id.is_some()
}

fn primitive_name(value: Value) -> &'static str {
    match value {
        Value::Boolean(_) => "boolean",
        Value::Byte(_) => "byte",
        Value::Char(_) => "char",
        Value::Short(_) => "short",
        Value::Int(_) => "int",
        Value::Float(_) => "float",
        Value::Long(_) => "long",
        Value::Double(_) => "double",
        Value::Ref(_) => "Object",
    }
}

/// The statics that belong to a frame's class, and those of others that its code names: class and name.
fn statics(run: &JavaRun, frame: &Frame) -> Vec<(String, String)> {
    let method = run.method(frame.node());
    let class = run.method_names(method).class;
    let own = run.classes().get(class).into_iter().flat_map(|declared| {
        let fields = declared.fields.iter();
        let fields = fields.filter(|field| field.is_static && !field.is_synthetic);
        fields.map(|field| (names::class(class), field.name.clone()))
    });
    let mut found: Vec<(String, String)> = own.collect();
    for name in &run.code(method).statics {
        let one = (names::class(&name.owner), name.name.clone());
        if !found.contains(&one) && !java_model::classes::is_library(&name.owner) {
            found.push(one);
        }
    }
    found
}
