//! `askance info`: how much was recorded, and how completely.

use std::cmp::Reverse;
use std::fmt::Write as _;

use clap::Args;
use debug_engine::ExecutionTree;
use serde::Serialize;
use trace_format::EndReason;
use trace_store::{Info, RunFolder, Trace};

use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;
use super::record::bytes;
use inquiry::imported::ImportedTree;
use inquiry::words::count;
use java_model::run::OpenError;
use trace_store::read_run_file;

/// No more threads than this are listed for a person, those with the most calls.
const MOST_THREADS: usize = 20;

/// Tell what a trace holds: calls, events, bytes, threads, classes, completeness
#[derive(Debug, Args)]
#[command(after_help = "Example: askance info run.askance")]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Summary {
    version: u32,
    command: Vec<String>,
    exit_code: Option<i32>,
    jvms: Vec<JvmInfo>,
}

#[derive(Debug, Serialize)]
struct JvmInfo {
    pid: u32,
    java_command: String,
    jvm: String,
    detail: String,
    calls: u64,
    open_calls: u64,
    events: u64,
    writes: u64,
    objects: u64,
    classes: u64,
    methods: u64,
    /// Classes and methods that could not be recorded.
    skipped: u64,
    /// Where classes came from that were not recorded because they are not the user's own code.
    libraries: Vec<String>,
    event_bytes: u64,
    value_bytes: u64,
    object_bytes: u64,
    file_bytes: u64,
    /// The oldest part, if `--when-full ring` gave it up.
    #[serde(skip_serializing_if = "Option::is_none")]
    given_up: Option<EvictedInfo>,
    threads: Vec<ThreadInfo>,
    /// `exit`, `max-trace`, `disk`; `null` if the JVM was killed or still runs.
    ended: Option<String>,
    /// Everything that the program did is there.
    complete: bool,
    /// Parts that could not be read.
    damaged: u64,
    /// What is not as it was recorded, or cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<String>,
    /// What the recorder could not do.
    log: Vec<String>,
}

/// What is not in the trace any more.
#[derive(Debug, Serialize)]
struct EvictedInfo {
    calls: u64,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct ThreadInfo {
    thread: u32,
    name: String,
    calls: u64,
    open_calls: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<String>,
}

/// The same for a tree that was imported.
#[derive(Debug, Serialize)]
struct ImportedInfo {
    version: u32,
    imported_from: String,
    calls: u32,
    /// Calls that nobody called.
    roots: usize,
    routines: u32,
    trusted_calls: u64,
    file_bytes: u64,
    complete: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let folder = &arguments.trace.trace;
    if ImportedTree::is_at(folder) {
        let info = imported_info(&ImportedTree::open(folder)?);
        if arguments.json {
            output::json(&info)?;
        } else {
            output::data(&describe_imported(&info))?;
        }
        return Ok(Exit::Done);
    }
    let open = |error| Failure::from(OpenError::Store(error));
    let run = RunFolder::open(folder).map_err(open)?;
    let mut jvms = Vec::new();
    for jvm in run
        .jvms
        .iter()
        .filter(|jvm| arguments.trace.jvm.is_none_or(|pid| pid == jvm.meta.pid))
    {
        let trace = Trace::open(&jvm.folder).map_err(open)?;
        let info = trace.info().map_err(open)?;
        let damage = trace.damage().map_err(open)?;
        jvms.push(jvm_info(&trace, &info, damage));
    }
    if jvms.is_empty() {
        let there = run
            .jvms
            .iter()
            .map(|jvm| jvm.meta.pid.to_string())
            .collect();
        let wanted = arguments.trace.jvm.unwrap_or_default();
        return Err(OpenError::NoJvm {
            wanted,
            folder: folder.clone(),
            there,
        }
        .into());
    }
    let run_file = read_run_file(folder);
    let summary = Summary {
        version: 1,
        command: run_file
            .iter()
            .flat_map(|run| run.command.clone())
            .collect(),
        exit_code: run_file.and_then(|run| run.exit_code),
        jvms,
    };
    if arguments.json {
        output::json(&summary)?;
    } else {
        output::data(&describe(&summary))?;
    }
    Ok(Exit::Done)
}

fn imported_info(tree: &ImportedTree) -> ImportedInfo {
    let calls: &dyn ExecutionTree = tree;
    ImportedInfo {
        version: 1,
        imported_from: tree.imported_from().to_owned(),
        calls: tree.len(),
        roots: calls.roots().count(),
        routines: tree.routine_count(),
        trusted_calls: tree.trusted_calls(),
        file_bytes: tree.bytes(),
        complete: true,
    }
}

fn describe_imported(info: &ImportedInfo) -> String {
    let trusted = match info.trusted_calls {
        0 => String::new(),
        trusted => format!(", {trusted} of them trusted"),
    };
    format!(
        "imported    {}\n  calls     {}{trusted}\n  routines  {}\n  bytes     {}\n",
        info.imported_from,
        info.calls,
        info.routines,
        bytes(info.file_bytes)
    )
}

fn jvm_info(trace: &Trace, info: &Info, damage: Option<String>) -> JvmInfo {
    let meta = trace.meta();
    let ended = info.completeness.reason.map(|reason| match reason {
        EndReason::Exit => "exit",
        EndReason::MaxTrace => "max-trace",
        EndReason::Disk => "disk",
        EndReason::Other => "other",
    });
    JvmInfo {
        pid: meta.pid,
        java_command: meta.java_command.clone(),
        jvm: meta.jvm.clone(),
        detail: format!("{:?}", meta.detail).to_lowercase(),
        calls: info.calls,
        open_calls: info.completeness.open_calls,
        events: info.events.total(),
        writes: info.events.writes(),
        objects: info.objects,
        classes: info.classes,
        methods: info.methods,
        skipped: info.skipped,
        libraries: trace.symbols().libraries().to_vec(),
        event_bytes: info.event_bytes,
        value_bytes: info.value_bytes,
        object_bytes: info.object_bytes,
        file_bytes: info.file_bytes,
        given_up: info.completeness.given_up.map(|given| EvictedInfo {
            calls: given.calls,
            bytes: given.bytes,
        }),
        threads: info
            .threads
            .iter()
            .map(|thread| ThreadInfo {
                thread: thread.thread.0,
                name: thread.name.clone(),
                calls: thread.calls,
                open_calls: thread.open_calls,
                damage: thread.damage.clone(),
            })
            .collect(),
        ended: ended.map(str::to_owned),
        complete: info.completeness.is_complete() && damage.is_none(),
        damaged: info.completeness.damaged,
        damage,
        log: trace.log(),
    }
}

fn describe(summary: &Summary) -> String {
    let mut text = String::new();
    if !summary.command.is_empty() {
        let _ = writeln!(text, "command     {}", summary.command.join(" "));
    }
    if let Some(code) = summary.exit_code {
        let _ = writeln!(text, "exit code   {code}");
    }
    for jvm in &summary.jvms {
        describe_jvm(jvm, &mut text);
    }
    text
}

fn describe_jvm(jvm: &JvmInfo, text: &mut String) {
    let _ = writeln!(
        text,
        "JVM {}     {} (Java {}, detail {})",
        jvm.pid, jvm.java_command, jvm.jvm, jvm.detail
    );
    let _ = writeln!(text, "  calls     {}", jvm.calls);
    let _ = writeln!(
        text,
        "  events    {}, {} of them writes",
        jvm.events, jvm.writes
    );
    let _ = writeln!(
        text,
        "  bytes     {} events, {} values, {} objects",
        bytes(jvm.event_bytes),
        bytes(jvm.value_bytes),
        bytes(jvm.object_bytes)
    );
    let _ = writeln!(
        text,
        "  classes   {} with {}",
        jvm.classes,
        count(jvm.methods, "method", "methods")
    );
    let _ = writeln!(text, "  objects   {}", jvm.objects);
    let (listed, others) = listed_threads(&jvm.threads);
    for thread in listed {
        let open = if thread.open_calls == 0 {
            String::new()
        } else {
            format!(", {} not ended", thread.open_calls)
        };
        let calls = count(thread.calls, "call", "calls");
        let _ = writeln!(text, "  thread    {} ({calls}{open})", thread.name);
        if let Some(damage) = &thread.damage {
            let _ = writeln!(text, "            damaged: {damage}");
        }
    }
    if !others.is_empty() {
        let threads = count(others.len() as u64, "more thread", "more threads");
        let calls = others.iter().map(|thread| thread.calls).sum();
        let calls = count(calls, "call", "calls");
        let _ = writeln!(
            text,
            "            {threads} ({calls}); --json lists them all"
        );
    }
    if jvm.skipped > 0 {
        let _ = writeln!(
            text,
            "  skipped   {}",
            count(jvm.skipped, "class or method", "classes or methods")
        );
    }
    if !jvm.libraries.is_empty() {
        let libraries = count(jvm.libraries.len() as u64, "library", "libraries");
        let _ = writeln!(
            text,
            "  own code  recorded; {libraries} not (--record-libraries, or --suspect GLOB for some)"
        );
    }
    let _ = writeln!(text, "  complete  {}", completeness(jvm));
    for line in &jvm.log {
        let _ = writeln!(text, "  log       {line}");
    }
}

/// The threads that a person reads of, in the order of their beginnings, and the others: a program may have started a
/// hundred thousand. Damaged ones are always listed.
fn listed_threads(threads: &[ThreadInfo]) -> (Vec<&ThreadInfo>, Vec<&ThreadInfo>) {
    let mut by_calls: Vec<&ThreadInfo> = threads.iter().collect();
    by_calls.sort_by_key(|thread| (thread.damage.is_none(), Reverse(thread.calls)));
    let damaged = threads.iter().filter(|thread| thread.damage.is_some());
    let most = MOST_THREADS.max(damaged.count()).min(threads.len());
    let others = by_calls.split_off(most);
    by_calls.sort_by_key(|thread| thread.thread);
    (by_calls, others)
}

fn completeness(jvm: &JvmInfo) -> String {
    let mut sentence = match jvm.ended.as_deref() {
        Some("exit") if jvm.given_up.is_some() => "no".to_owned(),
        Some("exit") => "yes".to_owned(),
        Some("max-trace") => "no: recording stopped at --max-trace".to_owned(),
        Some("disk") => "no: the disk was full".to_owned(),
        Some(_) => "no: recording stopped early".to_owned(),
        None => "no: the JVM was killed, or still runs".to_owned(),
    };
    if let Some(given) = &jvm.given_up {
        let _ = write!(
            sentence,
            "; the oldest part was given up: {}, {}",
            count(given.calls, "call", "calls"),
            bytes(given.bytes)
        );
    }
    if let Some(damage) = &jvm.damage {
        if jvm.ended.as_deref() == Some("exit") {
            sentence = "no".to_owned();
        }
        let _ = write!(sentence, "; it is damaged: {damage}");
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;
    use java_model::sketches::till;

    #[test]
    fn of_many_threads_those_with_most_calls_are_listed_and_all_damaged_ones() {
        let thread = |number: u32| ThreadInfo {
            thread: number,
            name: format!("worker-{number}"),
            calls: u64::from(number % 50),
            open_calls: 0,
            damage: (number == 100).then(|| "its end is missing".to_owned()),
        };
        let threads: Vec<ThreadInfo> = (0..1000).map(thread).collect();
        let (listed, others) = listed_threads(&threads);
        assert_eq!((listed.len(), others.len()), (MOST_THREADS, 980));
        assert!(listed.iter().any(|thread| thread.thread == 100));
        assert!(listed.is_sorted_by_key(|thread| thread.thread));
        let least = listed.iter().filter(|thread| thread.damage.is_none());
        let least = least.map(|thread| thread.calls).min();
        assert!(others.iter().all(|thread| Some(thread.calls) <= least));
        assert_eq!(listed_threads(&threads[..3]).1.len(), 0);
    }

    #[test]
    fn what_a_trace_holds() {
        let sketched = till();
        let trace = sketched.run.trace();
        let jvm = jvm_info(trace, &trace.info().unwrap(), trace.damage().unwrap());
        let command = vec!["Till.java".to_owned()];
        let summary = Summary {
            version: 1,
            command,
            exit_code: Some(1),
            jvms: vec![jvm],
        };
        // How many bytes that takes is the format's business.
        let text: String = describe(&summary)
            .lines()
            .filter(|line| !line.starts_with("  bytes"))
            .flat_map(|line| [line, "\n"])
            .collect();
        insta::assert_snapshot!(text, @r#"
        command     Till.java
        exit code   1
        JVM 7     Till (Java 0, detail full)
          calls     6
          events    19, 6 of them writes
          classes   1 with 5 methods
          objects   13
          thread    main (6 calls)
          complete  yes
        "#);
    }
}
