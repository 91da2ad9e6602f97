//! What was answered about calls, as far as the trace remembers it.

use std::collections::HashSet;

use datafusion::error::{DataFusionError, Result};
use debug_engine::NodeId;
use debug_engine::session::{Answer, AnswerSource, LogEntry};
use inquiry::questioning::memory::Remembered;
use inquiry::words::judgement_word;
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;

use super::{RowSource, Table};
use crate::column::{integer, number, text, truth};
use crate::reader::TableReader;
use crate::rows::{Cell, Rows};

pub(super) const ANSWER: Table = Table {
    name: "answer",
    about: "an answer that the trace remembers of the search in it",
    columns: &[
        integer("run", "number of the run"),
        integer("turn", "its number, in the order of answers"),
        integer("node", "the call that it is about, or the first of several"),
        integer("last", "the last of several calls next to each other"),
        text(
            "judgement",
            "right, wrong, trusted, inadmissible, unknown or not judged",
        ),
        text("path", "the part of it that is wrong, if that was said"),
        text(
            "source",
            "person, reference, memory, trusted, tests, command, agent or run",
        ),
        number(
            "confidence",
            "0 to 1, how sure the source was, if it said so",
        ),
        truth("in_force", "no later answer is about the same"),
    ],
    source: RowSource::Pages(answers),
};

fn answers(reader: &TableReader, _: u64, rows: &mut Rows) -> Result<Option<u64>> {
    let entries = entries(&reader.run)?;
    let in_force = in_force(&entries);
    for ((turn, entry), in_force) in (1..).zip(&entries).zip(in_force) {
        rows.push(|column| match column {
            "run" => Cell::Integer(reader.number),
            "turn" => Cell::Integer(turn),
            "node" => node(entry.node),
            "last" => node(entry.last),
            "judgement" => Cell::text(judgement_word(entry.answer.judgement())),
            "path" => match &entry.answer {
                Answer::WrongPart(path) => Cell::text(path.0.clone()),
                _ => Cell::Null,
            },
            "source" => Cell::text(source(entry.source)),
            "confidence" => Cell::or_null(entry.confidence, |sure| {
                Cell::Number(f64::from(sure.percent()) / 100.0)
            }),
            "in_force" => Cell::Truth(in_force),
            _ => Cell::Null,
        });
    }
    Ok(None)
}

fn node(node: Option<NodeId>) -> Cell<'static> {
    Cell::or_null(node, |node| Cell::Integer(node.0.into()))
}

fn source(source: AnswerSource) -> &'static str {
    match source {
        AnswerSource::Person => "person",
        AnswerSource::Reference => "reference",
        AnswerSource::Memory => "memory",
        AnswerSource::Trusted => "trusted",
        AnswerSource::Tests => "tests",
        AnswerSource::Command => "command",
        AnswerSource::Agent => "agent",
        AnswerSource::Run => "run",
    }
}

/// The answers that the trace remembers, in their order; none if nobody has asked about it.
fn entries(run: &JavaRun) -> Result<Vec<LogEntry>> {
    match Remembered::read(run.folder(), run.number()) {
        Ok(found) => Ok(found.map_or_else(Vec::new, |found| found.session.answers)),
        Err(error) => Err(DataFusionError::Execution(format!(
            "the answers kept in this trace {error}"
        ))),
    }
}

/// Of each answer whether no later one is about the same.
fn in_force(entries: &[LogEntry]) -> Vec<bool> {
    let mut later = HashSet::new();
    let newest_first = entries.iter().rev();
    let mut in_force: Vec<bool> = newest_first
        .map(|entry| {
            let target = entry
                .target()
                .map(|it| (it.first(), it.last(), it.is_piece()));
            target.is_some_and(|target| later.insert(target))
        })
        .collect();
    in_force.reverse();
    in_force
}
