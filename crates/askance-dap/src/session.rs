//! One client's session: what it debugs, where it stands, and which request is answered by what.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use askance_api::live_run::News;
use askance_api::{ApiError, LiveRun, RunSnapshot};
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;
use java_model::testing::TestPattern;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use time_travel::{Direction, Stop, Traveller};
use trace_format::MethodId;

use crate::followed::{Followed, Program};
use crate::handles::Handles;
use crate::installed::Installed;
use crate::requests::{AttachArguments, InitializeArguments, LaunchArguments};
use crate::stop_reason::StopReason;
use crate::wire::{Request, Sender};
use crate::{EditorWorkplace, LaunchListener};

/// What the names of requests begin with that the protocol does not have.
pub(crate) const EXTENSION: &str = "askance/";

/// Why a request is not done, in one sentence.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) String);

impl<Text: Into<String>> From<Text> for Refused {
    fn from(sentence: Text) -> Refused {
        Refused(sentence.into())
    }
}

impl Refused {
    pub(crate) fn by_api(error: &ApiError) -> Refused {
        Refused(error.text())
    }
}

pub(crate) type Answer = Result<Value, Refused>;

/// What is debugged.
pub(crate) struct Debuggee {
    pub(crate) live: Arc<LiveRun>,
    /// What numbers of calls belong to.
    pub(crate) known: Option<Arc<RunSnapshot>>,
    pub(crate) here: Option<Stop>,
    pub(crate) program: Program,
    /// Others may have said something to the same session.
    pub(crate) news: News,
    /// The revision that the client was told of last.
    pub(crate) told_revision: Option<u64>,
    /// Whether the program was started by this session.
    pub(crate) is_launched: bool,
    first_stop: FirstStop,
    test: Option<TestPattern>,
}

/// Where a session begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstStop {
    Symptom,
    Entry,
    Breakpoint,
}

impl FirstStop {
    fn of(on_entry: bool, on_breakpoint: bool) -> FirstStop {
        match (on_entry, on_breakpoint) {
            (true, _) => FirstStop::Entry,
            (false, true) => FirstStop::Breakpoint,
            (false, false) => FirstStop::Symptom,
        }
    }
}

/// See the module's header.
pub(crate) struct Session<'place> {
    out: Sender,
    workplace: &'place dyn EditorWorkplace,
    /// Set when the client leaves.
    gone: Arc<AtomicBool>,
    /// The numbers that the client gives to the first line and the first column.
    pub(crate) first_line: i64,
    pub(crate) first_column: usize,
    reports_progress: bool,
    /// Whether the client has made a request that the protocol does not have.
    pub(crate) shows_questions: bool,
    pub(crate) debuggee: Option<Debuggee>,
    pub(crate) installed: Installed,
    pub(crate) handles: Handles,
    pub(crate) files: HashMap<MethodId, Option<PathBuf>>,
    pub(crate) goto_targets: Vec<time_travel::Position>,
    /// Sent when the request is answered.
    events: Vec<(&'static str, Value)>,
}

/// A snapshot of the run, to be held while a request is answered.
pub(crate) struct Held(Arc<RunSnapshot>);

impl Held {
    pub(crate) fn snapshot(&self) -> &RunSnapshot {
        &self.0
    }

    pub(crate) fn run(&self) -> Result<&JavaRun, Refused> {
        self.0.java().map_err(|error| Refused::by_api(&error))
    }

    pub(crate) fn traveller(&self) -> Result<Traveller<'_>, Refused> {
        self.run().map(Traveller::new)
    }
}

impl<'place> Session<'place> {
    pub(crate) fn new(
        out: Sender,
        workplace: &'place dyn EditorWorkplace,
        gone: Arc<AtomicBool>,
    ) -> Session<'place> {
        Session {
            out,
            workplace,
            gone,
            first_line: 1,
            first_column: 1,
            reports_progress: false,
            shows_questions: false,
            debuggee: None,
            installed: Installed::default(),
            handles: Handles::default(),
            files: HashMap::new(),
            goto_targets: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Answers a request. Whether to go on.
    pub(crate) fn answer(&mut self, request: &Request) -> io::Result<bool> {
        if request.command.is_empty() {
            return Ok(true);
        }
        self.go_over();
        let answer = self.dispatch(request);
        match answer {
            Ok(body) => self.out.response(request, body)?,
            Err(Refused(sentence)) => {
                let is_shown = matches!(request.command.as_str(), "launch" | "attach");
                self.out.refusal(request, &sentence, is_shown)?;
            }
        }
        self.send_events()?;
        Ok(request.command != "disconnect")
    }

    pub(crate) fn send_events(&mut self) -> io::Result<()> {
        for (event, body) in std::mem::take(&mut self.events) {
            self.out.event(event, body)?;
        }
        Ok(())
    }

    fn dispatch(&mut self, request: &Request) -> Answer {
        let arguments = &request.arguments;
        match request.command.as_str() {
            "initialize" => self.initialize(&read(arguments)?),
            "launch" => self.launch(&read(arguments)?),
            "attach" => self.attach(&read(arguments)?),
            "configurationDone" => self.begin(),
            "setBreakpoints" => self.set_line_breakpoints(&read(arguments)?),
            "setFunctionBreakpoints" => self.set_function_breakpoints(&read(arguments)?),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(&read(arguments)?),
            "setDataBreakpoints" => self.set_data_breakpoints(&read(arguments)?),
            "dataBreakpointInfo" => self.data_breakpoint_info(&read(arguments)?),
            "breakpointLocations" => self.breakpoint_locations(&read(arguments)?),
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(&read(arguments)?),
            "scopes" => self.scopes(&read(arguments)?),
            "variables" => self.variables(&read(arguments)?),
            "evaluate" => self.evaluate(&read(arguments)?),
            "completions" => self.completions(&read(arguments)?),
            "exceptionInfo" => self.exception_info(),
            "locations" => self.locations(&read(arguments)?),
            "source" => self.source(&read(arguments)?),
            "loadedSources" => self.loaded_sources(),
            "disassemble" => self.disassemble(&read(arguments)?),
            "gotoTargets" => self.find_goto_targets(&read(arguments)?),
            "goto" => self.go_to(&read(arguments)?),
            "restartFrame" => self.restart_frame(&read(arguments)?),
            "next" | "stepIn" | "stepOut" | "stepBack" | "continue" | "reverseContinue" => {
                self.travel(&request.command, &read(arguments)?)
            }
            "pause" => self.pause(),
            // Nothing runs that could be cancelled.
            "cancel" => Ok(Value::Null),
            "terminate" => {
                self.end_program(None);
                self.tell("terminated", json!({}));
                Ok(Value::Null)
            }
            "disconnect" => {
                self.end_program(Some(&read(arguments)?));
                Ok(Value::Null)
            }
            "setVariable" | "setExpression" => Err("a recorded run cannot be changed".into()),
            other => match other.strip_prefix(EXTENSION) {
                Some(name) => {
                    self.shows_questions = true;
                    self.extended(name, arguments)
                }
                None => Err(format!("{other} cannot be done with a recorded run").into()),
            },
        }
    }

    /// Sends an event when the request is answered.
    pub(crate) fn tell(&mut self, event: &'static str, body: Value) {
        self.events.push((event, body));
    }

    /// The same, in the place of what would have been told under this name before.
    pub(crate) fn tell_once(&mut self, event: &'static str, body: Value) {
        self.events.retain(|(known, _)| *known != event);
        self.tell(event, body);
    }

    fn initialize(&mut self, client: &InitializeArguments) -> Answer {
        self.first_line = i64::from(client.lines_start_at_1.unwrap_or(true));
        self.first_column = usize::from(client.columns_start_at_1.unwrap_or(true));
        self.reports_progress = client.supports_progress_reporting;
        Ok(json!({
            "supportsConfigurationDoneRequest": true,
            "supportsFunctionBreakpoints": true,
            "supportsConditionalBreakpoints": true,
            "supportsHitConditionalBreakpoints": true,
            "supportsLogPoints": true,
            "supportsDataBreakpoints": true,
            "supportsBreakpointLocationsRequest": true,
            "supportsStepBack": true,
            "supportsRestartFrame": true,
            "supportsGotoTargetsRequest": true,
            "supportsEvaluateForHovers": true,
            "supportsCompletionsRequest": true,
            "completionTriggerCharacters": [".", " "],
            "supportsExceptionInfoRequest": true,
            "supportsLoadedSourcesRequest": true,
            "supportsDelayedStackTraceLoading": true,
            "supportsTerminateRequest": true,
            "supportTerminateDebuggee": true,
            "supportsCancelRequest": true,
            "supportsDisassembleRequest": true,
            "supportsSetVariable": false,
            "exceptionBreakpointFilters": [
                {
                    "filter": "uncaught",
                    "label": "Uncaught exceptions",
                    "description": "Stops where an exception was thrown that left the recorded code",
                    "default": true,
                },
                {
                    "filter": "caught",
                    "label": "Caught exceptions",
                    "description": "Stops where an exception was thrown that recorded code caught",
                    "default": false,
                },
            ],
        }))
    }

    fn launch(&mut self, wanted: &LaunchArguments) -> Answer {
        let workplace = self.workplace;
        let listener = Listener {
            out: RefCell::new(&mut self.out),
            reports_progress: self.reports_progress,
            gone: &self.gone,
        };
        listener.begin();
        let launched = workplace.launch(wanted, &listener);
        listener.end();
        let test = wanted.test.as_deref().map(TestPattern::parse);
        let first_stop = FirstStop::of(wanted.stop_on_entry, wanted.stop_on_breakpoint);
        self.debug(launched?, first_stop, test);
        if let Some(debuggee) = &mut self.debuggee {
            debuggee.is_launched = true;
        }
        Ok(Value::Null)
    }

    fn attach(&mut self, wanted: &AttachArguments) -> Answer {
        let opened = self.workplace.attach(wanted)?;
        let test = wanted.test.as_deref().map(TestPattern::parse);
        let first_stop = FirstStop::of(wanted.stop_on_entry, wanted.stop_on_breakpoint);
        self.debug(opened, first_stop, test);
        Ok(Value::Null)
    }

    fn debug(&mut self, live: Arc<LiveRun>, first_stop: FirstStop, test: Option<TestPattern>) {
        self.debuggee = Some(Debuggee {
            known: live.current(),
            news: live.news(),
            told_revision: None,
            live,
            here: None,
            program: Program::default(),
            is_launched: false,
            first_stop,
            test,
        });
        // Breakpoints can be looked up from now on.
        self.tell("initialized", json!({}));
    }

    /// The client has said where to stop: stops at the symptom, or where the program began.
    fn begin(&mut self) -> Answer {
        let debuggee = self.debuggee.as_ref().ok_or("nothing is debugged yet")?;
        let first_stop = debuggee.first_stop;
        if first_stop != FirstStop::Entry && debuggee.live.goes_on() {
            self.go_on_with_program(Followed::Beginning);
            return Ok(Value::Null);
        }
        if first_stop == FirstStop::Symptom {
            self.arrive_at_symptom()?;
            return Ok(Value::Null);
        }
        let held = self.held()?;
        let entry = self.entry(&held.traveller()?);
        let entry = entry.ok_or("nothing of this run can be shown")?;
        match first_stop {
            FirstStop::Breakpoint => self.go_on(&entry, Direction::Forwards)?,
            _ => self.arrive(entry, &StopReason::Entry, &[]),
        }
        Ok(Value::Null)
    }

    /// Where the program began.
    pub(crate) fn entry(&self, traveller: &Traveller<'_>) -> Option<Stop> {
        let run = traveller.run();
        let main = run.main_call();
        let entry = main.and_then(|main| traveller.first_stop(main));
        entry.or_else(|| {
            let mut threads = run.trace().threads();
            threads.find_map(|thread| traveller.thread_start(thread))
        })
    }

    /// Stops at what the run shows to be wrong, or at its end if it shows nothing.
    pub(crate) fn arrive_at_symptom(&mut self) -> Result<(), Refused> {
        let held = self.held()?;
        let (run, traveller) = (held.run()?, held.traveller()?);
        let debuggee = self.debuggee.as_ref().ok_or("nothing is debugged yet")?;
        let (stop, reason) = match run.wrong_by_itself(debuggee.test.as_ref()) {
            Some(symptom) => {
                let end = traveller.last_stop(symptom.target.last());
                let stop = end.map(|end| traveller.thrown_at(end));
                (stop, StopReason::Symptom(symptom.sign.to_string()))
            }
            None => {
                let main = run.main_call();
                let end = main.and_then(|main| traveller.last_stop(main));
                (end, StopReason::End)
            }
        };
        let stop = stop.or_else(|| self.entry(&traveller));
        let stop = stop.ok_or("nothing of this run can be shown")?;
        self.arrive(stop, &reason, &[]);
        Ok(())
    }

    /// What is known of the run now.
    pub(crate) fn held(&self) -> Result<Held, Refused> {
        let debuggee = self.debuggee.as_ref().ok_or("nothing is debugged yet")?;
        if let Some(known) = &debuggee.known {
            return Ok(Held(Arc::clone(known)));
        }
        let known = debuggee.live.known();
        known.map(Held).map_err(|error| Refused::by_api(&error))
    }

    pub(crate) fn here(&self) -> Result<Stop, Refused> {
        let here = self
            .debuggee
            .as_ref()
            .and_then(|debuggee| debuggee.here.clone());
        here.ok_or_else(|| "the run is not stopped anywhere yet".into())
    }
}

fn read<Arguments: DeserializeOwned + Default>(arguments: &Value) -> Result<Arguments, Refused> {
    let mut arguments = arguments.clone();
    forget_nulls(&mut arguments);
    if arguments.is_null() {
        return Ok(Arguments::default());
    }
    serde_json::from_value(arguments)
        .map_err(|error| format!("the request cannot be understood: {error}").into())
}

/// Some clients send null for what they do not say. Only a variable of the environment is taken away by it.
fn forget_nulls(arguments: &mut Value) {
    match arguments {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            let said = fields.iter_mut().filter(|(name, _)| *name != "env");
            said.for_each(|(_, value)| forget_nulls(value));
        }
        Value::Array(values) => values.iter_mut().for_each(forget_nulls),
        _ => {}
    }
}

/// Tells the client of a program that is being recorded.
struct Listener<'session> {
    out: RefCell<&'session mut Sender>,
    reports_progress: bool,
    gone: &'session AtomicBool,
}

const PROGRESS: &str = "recording";

impl Listener<'_> {
    /// A client that does not hear this will not hear the rest either.
    fn send(&self, event: &str, body: Value) {
        let _ = self.out.borrow_mut().event(event, body);
    }

    fn begin(&self) {
        if self.reports_progress {
            let title = "Askance records the program";
            self.send(
                "progressStart",
                json!({"progressId": PROGRESS, "title": title}),
            );
        }
    }

    fn end(&self) {
        if self.reports_progress {
            self.send("progressEnd", json!({"progressId": PROGRESS}));
        }
    }
}

impl LaunchListener for Listener<'_> {
    fn progress(&self, sentence: &str) {
        if self.reports_progress {
            self.send(
                "progressUpdate",
                json!({"progressId": PROGRESS, "message": sentence}),
            );
        }
    }

    fn printed(&self, text: &str, is_error: bool) {
        let category = if is_error { "stderr" } else { "stdout" };
        self.send("output", json!({"category": category, "output": text}));
    }

    fn is_cancelled(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }
}
