//! Requests that the protocol does not have, for an editor's extension that shows the questions in views of its own.
//!
//! Their names begin with `askance/`. Each leads to one function of `askance_api`, takes what that takes and answers as
//! it does, which is what the page gets. Two things are added, because an editor knows frames and files and the page
//! knows calls: where a call is wanted, `frameId` names it, and the frame of the stop is meant if nothing does; and
//! what is told of a call has the file that its method is written in as `sourceFile`, if that is found.

use askance_api::{
    ApiError, LiveRun, RunSnapshot, diagnosis, events, history, line_values, node, output,
    overview, run, search, session, source, suspects, tree, why,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use time_travel::{Direction, Position, Step};

use crate::session::{Answer, EXTENSION, Refused, Session};
use crate::stop_reason::StopReason;

/// No more objects of an answer get their file.
const MOST_FILES: usize = 4000;

impl Session<'_> {
    /// Answers a request by its name without the prefix.
    pub(crate) fn extended(&mut self, name: &str, arguments: &Value) -> Answer {
        let mut given = match arguments {
            Value::Object(given) => given.clone(),
            _ => Map::new(),
        };
        let answer = match name {
            "run" => self.of_live(run::info),
            "question" => self.known(session::standing),
            "diagnosis" => self.known(diagnosis::report_on),
            "answer" => self.changed(given, session::answer),
            "undo" => self.changed(given, session::undo),
            "ask" => {
                self.name_call(&mut given, &[])?;
                self.changed(given, session::ask)
            }
            "inside" => self.changed(given, session::inside),
            "revise" => self.changed(given, session::revise),
            "strategy" => self.changed(given, session::strategy),
            "transform" => self.changed(given, session::transform),
            "restart" => self.changed(given, session::restart),
            "bringBack" => self.changed(given, session::bring_back),
            "suspects" => self.lookup(given, suspects::of_session),
            "output" => self.lookup(given, output::output),
            "overview" => self.lookup(given, overview::overview),
            "children" => self.lookup(given, tree::children_of),
            "search" => self.lookup(given, search::found),
            "path" => {
                self.name_call(&mut given, &[])?;
                self.lookup(given, tree::path)
            }
            "source" => {
                self.name_call(&mut given, &[])?;
                self.lookup(given, source::source)
            }
            "node" => {
                self.name_call(&mut given, &["event"])?;
                self.lookup(given, node::at)
            }
            "events" => {
                self.name_call(&mut given, &[])?;
                self.lookup(given, events::events)
            }
            "event" => {
                self.name_call(&mut given, &[])?;
                self.lookup(given, events::of_instruction)
            }
            "coverage" => {
                self.name_call(&mut given, &["event"])?;
                self.lookup(given, line_values::lines)
            }
            "history" => {
                self.name_call(&mut given, &["at_event"])?;
                if let Some(node) = given.get("node").cloned() {
                    given.entry("at").or_insert(node);
                }
                self.lookup(given, history::history)
            }
            "why" => {
                self.name_call(&mut given, &[])?;
                self.lookup(given, why::why)
            }
            "goTo" => return self.go_to_call(given),
            "backIn" => return self.back(Step::Into),
            "backOut" => return self.back(Step::Out),
            other => Err(format!("there is no request {EXTENSION}{other}").into()),
        };
        answer.map(|answer| self.with_files(answer))
    }

    fn of_live<T: Serialize>(&self, work: fn(&LiveRun) -> Result<T, ApiError>) -> Answer {
        let debuggee = self.debuggee.as_ref().ok_or("nothing is debugged yet")?;
        told(work(&debuggee.live))
    }

    fn known<T: Serialize>(&self, work: fn(&RunSnapshot) -> Result<T, ApiError>) -> Answer {
        told(work(self.held()?.snapshot()))
    }

    fn lookup<W: DeserializeOwned, T: Serialize>(
        &self,
        given: Map<String, Value>,
        work: fn(&RunSnapshot, &W) -> Result<T, ApiError>,
    ) -> Answer {
        told(work(self.held()?.snapshot(), &read(given)?))
    }

    /// What changes the session. Views that show it hear of it by an event.
    fn changed<W: DeserializeOwned, T: Serialize>(
        &mut self,
        given: Map<String, Value>,
        work: fn(&LiveRun, W) -> Result<T, ApiError>,
    ) -> Answer {
        let debuggee = self.debuggee.as_ref().ok_or("nothing is debugged yet")?;
        let answer = told(work(&debuggee.live, read(given)?))?;
        self.go_over();
        self.tell_changed();
        Ok(answer)
    }

    /// The session's revision, if there is a session.
    pub(crate) fn revision(&self) -> Option<u64> {
        let held = self.held().ok()?;
        let questioning = held.snapshot().questioning();
        Some(questioning.revision())
    }

    /// Tells views of the questions that there is another one.
    pub(crate) fn tell_changed(&mut self) {
        let Some(revision) = self.revision() else {
            return;
        };
        if let Some(debuggee) = &mut self.debuggee {
            debuggee.told_revision = Some(revision);
        }
        // Clients without views of the questions complain of events that they do not know.
        if self.shows_questions {
            self.tell_once("askance/changed", json!({"revision": revision}));
        }
    }

    /// Puts the call of a frame in the place of `frameId`, and its event under each of some names.
    fn name_call(&self, given: &mut Map<String, Value>, events: &[&str]) -> Result<(), Refused> {
        let frame = given.remove("frameId");
        if given.contains_key("node") {
            return Ok(());
        }
        let number = frame
            .as_ref()
            .and_then(Value::as_u64)
            .and_then(|number| u32::try_from(number).ok());
        if frame.is_some() && number.is_none() {
            return Err("frameId is no frame".into());
        }
        let frame = self.frame_or_here(number)?;
        given.insert("node".to_owned(), frame.node().0.into());
        for &name in events {
            given
                .entry(name)
                .or_insert_with(|| frame.position.event.into());
        }
        Ok(())
    }

    /// Goes to an event of a call, or to its end.
    fn go_to_call(&mut self, mut given: Map<String, Value>) -> Answer {
        self.name_call(&mut given, &[])?;
        let held = self.held()?;
        let number = given.get("node").and_then(Value::as_u64);
        let number = number.and_then(|number| u32::try_from(number).ok());
        let number = number.ok_or("node is no number of a call")?;
        let node = held.snapshot().node(number);
        let node = node.map_err(|error| Refused::by_api(&error))?;
        let traveller = held.traveller()?;
        let stop = match given.get("event") {
            None | Some(Value::Null) => traveller.last_stop(node),
            Some(event) => {
                let event = event.as_u64().ok_or("event is no number")?;
                match event {
                    0 => traveller.first_stop(node),
                    _ => traveller.stop(Position { node, event }),
                }
            }
        };
        let stop = stop.ok_or("the call has no such event that can be shown")?;
        self.arrive(stop, &StopReason::Goto, &[]);
        Ok(Value::Null)
    }

    fn back(&mut self, step: Step) -> Answer {
        self.step(&self.here()?, step, Direction::Backwards)?;
        Ok(Value::Null)
    }

    /// Adds the file of what is told of a call.
    fn with_files(&mut self, mut answer: Value) -> Value {
        let Ok(held) = self.held() else {
            return answer;
        };
        let Ok(run) = held.run() else {
            return answer;
        };
        let mut left = MOST_FILES;
        let mut open = vec![&mut answer];
        while let Some(part) = open.pop() {
            match part {
                Value::Array(parts) => open.extend(parts),
                Value::Object(fields) => {
                    let number = fields.get("node").and_then(Value::as_u64);
                    let number = number.and_then(|number| u32::try_from(number).ok());
                    let node = number.and_then(|number| held.snapshot().node(number).ok());
                    if let Some(node) = node.filter(|_| left > 0) {
                        left -= 1;
                        if let Some(file) = self.file_of(run, run.method(node)) {
                            let file = file.display().to_string();
                            fields.insert("sourceFile".to_owned(), file.into());
                        }
                    }
                    open.extend(fields.values_mut());
                }
                _ => {}
            }
        }
        answer
    }
}

fn read<W: DeserializeOwned>(given: Map<String, Value>) -> Result<W, Refused> {
    serde_json::from_value(Value::Object(given))
        .map_err(|error| format!("the request cannot be understood: {error}").into())
}

fn told<T: Serialize>(answer: Result<T, ApiError>) -> Answer {
    let answer = answer.map_err(|error| Refused::by_api(&error))?;
    serde_json::to_value(answer)
        .map_err(|error| format!("the answer cannot be told: {error}").into())
}
