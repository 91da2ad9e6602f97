//! `askance record`: run a program and keep what it did.

use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::{Exit, Failure};
use super::output::{self, Talk};
use super::record_options::{ProgramArguments, RecordArguments};
use super::surroundings::working_directory;
use java_model::run::{JavaRun, OpenError};
use launch::interrupt;
use launch::jdk::JdkLocations;
use launch::process::ProgramEnd;
use launch::record::{FinishedRecording, RecordError, Request, Streams, TraceDestination};
use trace_format::EndReason;
use trace_store::{StoreError, Trace};

/// Record a run of a program; every JVM that it starts is recorded
///
/// The program's exit code is the exit code, and 0 if --time-limit stopped it.
#[derive(Debug, Args)]
#[command(
    override_usage = "askance record [OPTIONS] FILE.java [-- ARGS…]\n       askance record [OPTIONS] -- COMMAND…",
    after_help = "Example: askance record -o run.askance Main.java -- 10 20\n         askance record -- java -cp out shop.Main\n         askance record -- mvn -q test -Dtest=CartTest\n         askance record --max-trace 2G --when-full ring -- java -cp out shop.Server"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    program: ProgramArguments,

    /// Where the trace goes (default: ./<main class>.askance)
    #[arg(short, long, value_name = "TRACE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    record: RecordArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let working_directory = working_directory()?;
    let options = arguments.record.options(&working_directory)?;
    let request = Request {
        environment: std::collections::BTreeMap::new(),
        program: arguments.program.program()?,
        working_directory,
        output: arguments
            .output
            .map_or(TraceDestination::Beside, TraceDestination::Named),
        streams: Streams::Inherited,
        options,
    };
    let recorded = launch::record::record(&request, &JdkLocations::this(), &mut Talk)?;
    let traces = recorded_jvms(&recorded)?;
    let end = recorded.end;
    let path = recorded.folder.keep();
    tell_end(end);
    for trace in &traces {
        tell_size(trace, &path);
        tell_shortcomings(trace);
    }
    Ok(exit_of(end))
}

/// The recorded program's own code, as if nobody had recorded it; that we stopped it in time is what was asked for.
fn exit_of(end: ProgramEnd) -> Exit {
    match end.timed_out {
        true => Exit::Done,
        false => Exit::Program(end.shell_code()),
    }
}

/// The JVMs in which something was recorded; it is an error if there are none. They are not
/// indexed yet: that takes time, and belongs to the first question.
pub(crate) fn recorded_jvms(recorded: &FinishedRecording) -> Result<Vec<Trace>, Failure> {
    let jvms = match trace_store::RunFolder::open(recorded.folder.path()) {
        Ok(run) => run.jvms,
        Err(StoreError::Empty(_) | StoreError::NotATrace { .. }) => Vec::new(),
        Err(error) => return Err(OpenError::from(error).into()),
    };
    let traces: Result<Vec<Trace>, StoreError> = jvms
        .iter()
        .filter(|jvm| jvm.event_bytes > 0)
        .map(|jvm| Trace::open(&jvm.folder))
        .collect();
    let traces = traces.map_err(OpenError::from)?;
    if traces.is_empty() {
        return Err(nothing_recorded(recorded));
    }
    Ok(traces)
}

pub(crate) fn tell_end(end: ProgramEnd) {
    output::talk(&format!(
        "askance: the program ended with {}",
        end.describe()
    ));
}

fn tell_size(trace: &Trace, path: &Path) {
    output::talk(&format!(
        "askance: {} recorded of {}; the trace is in {}",
        bytes(trace.file_bytes()),
        trace.meta().java_command,
        path.display()
    ));
}

/// Records, tells what came of it, and opens the trace.
pub(crate) fn record_and_open(request: &Request) -> Result<JavaRun, Failure> {
    let recorded = launch::record::record(request, &JdkLocations::this(), &mut Talk)?;
    let end = recorded.end;
    if interrupt::terminated() {
        return Err(ended_before_questions(recorded)?);
    }
    let run = open(&recorded)?;
    let path = recorded.folder.keep();
    if request.streams == Streams::Inherited {
        tell_end(end);
        output::talk(&format!("askance: {}", summary(&run, &path)));
        tell_shortcomings(run.trace());
    }
    Ok(run)
}

/// Somebody has ended us, and the program with us: what was recorded until then is kept, and nobody is asked.
pub(crate) fn ended_before_questions(recorded: FinishedRecording) -> Result<Failure, Failure> {
    recorded_jvms(&recorded)?;
    let path = recorded.folder.keep();
    Ok(Failure::from(RecordError::Interrupted)
        .hint(format!("askance ask {} goes on", path.display())))
}

/// Opens what was recorded; nothing recorded is an error of its own.
pub(crate) fn open(recorded: &FinishedRecording) -> Result<JavaRun, Failure> {
    match super::inspect::open_quietly(recorded.folder.path()) {
        Err(
            OpenError::NoCalls(_)
            | OpenError::Store(StoreError::Empty(_) | StoreError::NotATrace { .. }),
        ) => Err(nothing_recorded(recorded)),
        other => Ok(other?),
    }
}

/// Why nothing was recorded, and what to do about it.
fn nothing_recorded(recorded: &FinishedRecording) -> Failure {
    let end = recorded.end;
    let run = trace_store::RunFolder::open(recorded.folder.path());
    let jvms = run.map(|run| run.jvms).unwrap_or_default();
    let traces = || jvms.iter().filter_map(|jvm| Trace::open(&jvm.folder).ok());
    let is_full = |trace: Trace| trace.end().map(|end| end.reason) == Some(EndReason::Disk);
    if jvms.iter().any(|jvm| jvm.is_build_tool()) {
        return no_test_ran(end.code);
    }
    let why = if traces().any(is_full) {
        "nothing was recorded: the disk is full".to_owned()
    } else if !end.success() {
        format!(
            "nothing was recorded: the program ended with {} before any of its code ran",
            end.describe()
        )
    } else if jvms.is_empty() {
        "nothing was recorded: the command started no JVM".to_owned()
    } else if traces().any(|trace| !trace.symbols().libraries().is_empty()) {
        let why = "nothing was recorded: all classes that ran come from libraries".to_owned();
        return Failure::from(RecordError::NothingRecorded(why, end)).hint(
            "name those that are yours with --suspect GLOB, or record all with --record-libraries",
        );
    } else {
        "nothing was recorded: none of the classes that ran is to be recorded".to_owned()
    };
    RecordError::NothingRecorded(why, end).into()
}

fn summary(run: &JavaRun, path: &Path) -> String {
    use debug_engine::ExecutionTree as _;
    let calls = inquiry::words::count(u64::from(run.len()), "call", "calls");
    let size = run
        .trace()
        .info()
        .map(|info| format!(", {}", bytes(info.file_bytes)))
        .unwrap_or_default();
    format!("{calls} recorded{size}; the trace is in {}", path.display())
}

/// What the recorder could not do is worth a sentence.
fn tell_shortcomings(trace: &Trace) {
    let log = trace.log();
    for line in log.iter().take(5) {
        output::talk(&format!("askance: {line}"));
    }
    if log.len() > 5 {
        output::talk(&format!(
            "askance: {} more lines in {}",
            log.len() - 5,
            trace.folder().join("log").display()
        ));
    }
    if let Some(given) = trace.evicted() {
        let calls = inquiry::words::count(given.calls, "call", "calls");
        output::talk(&format!(
            "askance: the oldest part was given up to stay within --max-trace: {calls}, {}",
            bytes(given.bytes)
        ));
    }
    match trace.end().map(|end| end.reason) {
        Some(EndReason::MaxTrace) => output::talk(&format!(
            "askance: recording stopped at {} (--max-trace says how much a trace may take; if it does not, half of \
             the free disk); what came later is not in the trace",
            bytes(trace.file_bytes())
        )),
        Some(EndReason::Disk) => output::talk(
            "askance: recording stopped because the disk is full; what came later is not in the trace",
        ),
        _ => {}
    }
}

/// `12 bytes`, `3.4 KB`, `1.2 GB`.
pub(crate) fn bytes(count: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "for reading, not for counting")]
    let mut size = count as f64;
    if count < 1024 {
        return format!("{count} bytes");
    }
    let mut unit = "";
    for next in ["KB", "MB", "GB", "TB"] {
        if size < 1024.0 {
            break;
        }
        size /= 1024.0;
        unit = next;
    }
    format!("{size:.1} {unit}")
}

/// Of a build that ended with this code.
pub(crate) fn no_test_ran(code: Option<i32>) -> Failure {
    match code {
        Some(0) => Failure {
            exit: Exit::Nothing,
            ..Failure::mistake("no test ran: the build ended well without one")
                .hint("name a test that exists, e.g. -Dtest=CartTest")
        },
        code => Failure {
            exit: Exit::NotStarted,
            ..Failure::mistake(format!(
                "no test ran: the build ended with exit code {} before any test",
                code.map_or_else(|| "?".to_owned(), |code| code.to_string())
            ))
            .hint("what the build says stands above; if it does not compile, fix that first")
        },
    }
}
