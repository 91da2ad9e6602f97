//! Runs, their threads, what threads handed over to each other, and tests.

use datafusion::error::Result;
use debug_engine::ExecutionTree as _;
use java_model::testing::{TestRole, TestVerdict};

use super::{RowSource, Table};
use crate::column::{integer, text, truth};
use crate::reader::TableReader;
use crate::rows::{Cell, Rows};

pub(super) const RUN: Table = Table {
    name: "run",
    about: "a recorded JVM: one for each trace that was named",
    columns: &[
        integer("run", "its number, in the order in which traces were named"),
        text("trace", "the folder"),
        integer("pid", "process id"),
        text("command", "what was run"),
        integer("calls", "recorded calls"),
        integer("threads", "threads that ran recorded code"),
        truth(
            "complete",
            "whether it ended of itself and was recorded to its end",
        ),
        integer("damaged", "parts of the trace that cannot be read"),
    ],
    source: RowSource::Pages(runs),
};

pub(super) const THREAD: Table = Table {
    name: "thread",
    about: "a thread that ran recorded code",
    columns: &[
        integer("run", "number of the run"),
        integer("thread", "its number"),
        text("name", "its name, or Java's number for it"),
        integer("calls", "calls that it ran"),
    ],
    source: RowSource::Pages(threads),
};

pub(super) const TASK: Table = Table {
    name: "task",
    about: "work that a call handed over to another thread",
    columns: &[
        integer("run", "number of the run"),
        integer("node", "the call that ran it"),
        integer("thread", "the thread that ran it"),
        integer("by_node", "the call that handed it over"),
        integer("by_thread", "the thread that handed it over"),
    ],
    source: RowSource::Pages(tasks),
};

pub(super) const TEST: Table = Table {
    name: "test",
    about: "a call that a test framework made",
    columns: &[
        integer("run", "number of the run"),
        integer("node", "number of the call"),
        text("test", "CLASS#METHOD, with [N] for one of several runs"),
        text("role", "test, factory, before or after"),
        text(
            "verdict",
            "passed, skipped, threw, did not throw or never ended",
        ),
        truth("failed", "whether that is a failure"),
        text(
            "exception",
            "class of the exception that left it, or should have",
        ),
        text("message", "message of the exception"),
    ],
    source: RowSource::Pages(tests),
};

fn runs(reader: &TableReader, _: u64, rows: &mut Rows) -> Result<Option<u64>> {
    let run = &*reader.run;
    let meta = run.trace().meta();
    rows.push(|column| match column {
        "run" => Cell::Integer(reader.number),
        "trace" => Cell::text(run.folder().display().to_string()),
        "pid" => Cell::count(meta.pid),
        "command" => Cell::text(meta.java_command.clone()),
        "calls" => Cell::count(run.len()),
        "threads" => Cell::count(run.trace().threads().count()),
        "complete" => Cell::Truth(run.ended_by_itself()),
        "damaged" => {
            let info = run.trace().info();
            Cell::or_null(info.ok(), |info| Cell::count(info.completeness.damaged))
        }
        _ => Cell::Null,
    });
    Ok(None)
}

fn threads(reader: &TableReader, _: u64, rows: &mut Rows) -> Result<Option<u64>> {
    let run = &*reader.run;
    for thread in run.trace().threads() {
        let calls = run.trace().calls(thread).ok();
        rows.push(|column| match column {
            "run" => Cell::Integer(reader.number),
            "thread" => Cell::Integer(thread.0.into()),
            "name" => Cell::text(run.thread_name(thread)),
            "calls" => Cell::count(calls.map_or(0, |calls| calls.len())),
            _ => Cell::Null,
        });
    }
    Ok(None)
}

fn tasks(reader: &TableReader, _: u64, rows: &mut Rows) -> Result<Option<u64>> {
    let run = &*reader.run;
    for (by, call) in run.handed_over() {
        rows.push(|column| match column {
            "run" => Cell::Integer(reader.number),
            "node" => Cell::or_null(run.node(call), |node| Cell::Integer(node.0.into())),
            "thread" => Cell::Integer(call.thread.0.into()),
            "by_node" => Cell::or_null(run.node(by), |node| Cell::Integer(node.0.into())),
            "by_thread" => Cell::Integer(by.thread.0.into()),
            _ => Cell::Null,
        });
    }
    Ok(None)
}

fn tests(reader: &TableReader, _: u64, rows: &mut Rows) -> Result<Option<u64>> {
    for test in reader.run.tests() {
        let role = match test.role {
            TestRole::Test => "test",
            TestRole::Factory => "factory",
            TestRole::Before => "before",
            TestRole::After => "after",
        };
        let (verdict, exception, message) = match &test.verdict {
            TestVerdict::Passed => ("passed", None, None),
            TestVerdict::Skipped => ("skipped", None, None),
            TestVerdict::Threw(class, message) => ("threw", Some(class), message.as_ref()),
            TestVerdict::DidNotThrow(class) => ("did not throw", Some(class), None),
            TestVerdict::NeverEnded => ("never ended", None, None),
        };
        rows.push(|column| match column {
            "run" => Cell::Integer(reader.number),
            "node" => Cell::Integer(test.node.0.into()),
            "test" => Cell::text(test.name.to_string()),
            "role" => Cell::text(role),
            "verdict" => Cell::text(verdict),
            "failed" => Cell::Truth(test.verdict.is_failure()),
            "exception" => Cell::or_null(exception, |it| Cell::text(it.clone())),
            "message" => Cell::or_null(message, |it| Cell::text(it.clone())),
            _ => Cell::Null,
        });
    }
    Ok(None)
}
