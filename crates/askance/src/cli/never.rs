//! Properties in the place of answers: `--never` has a query that should find nothing, and the call inside which it
//! finds something is where the search begins.

use std::sync::Arc;
use std::time::Duration;

use debug_engine::{ExecutionTree, NodeId};
use serde::Deserialize;

use super::ask_options::SearchArguments;
use super::failure::{Exit, Failure};
use super::output::{self, Talk};
use inquiry::oracle::property::Property;
use inquiry::words::count;
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;
use launch::companion::{self, Query};

/// What holds in all but this many calls is a property; what does not is none.
const MOST_CALLS: usize = 1_000_000;
/// Whoever starts a search waits for it, and can interrupt it.
const LONGEST: Duration = Duration::from_secs(3600);

/// What should never be found, and the call to begin with.
#[derive(Clone)]
pub(crate) struct Violated {
    pub(crate) property: Property,
    pub(crate) first: NodeId,
}

/// The executable's answer.
#[derive(Debug, Deserialize)]
struct FoundCalls {
    rows: u64,
    nodes: Vec<u32>,
    earliest: Option<u32>,
}

/// What the query of `--never` finds inside the call that is searched, if there is such a query. It is told to whoever
/// sits there.
pub(crate) fn violated(
    run: &Arc<JavaRun>,
    search: &SearchArguments,
    root: Option<NodeId>,
) -> Result<Option<Violated>, Failure> {
    let Some(sql) = &search.never else {
        return Ok(None);
    };
    let found = ask(run, sql)?;
    let nodes = found.nodes.iter().copied().map(NodeId).collect();
    let property = Property::violated_in(Arc::<JavaRun>::clone(run), nodes);
    let end = |root: NodeId| root.0 + run.subtree_size(root);
    let is_inside = |node: &NodeId| root.is_none_or(|root| (root.0..end(root)).contains(&node.0));
    let earliest = found.earliest.map(NodeId).filter(is_inside);
    let Some(first) = earliest.or_else(|| property.first_violation(root)) else {
        return nothing(run, root);
    };
    output::talk(&format!(
        "askance: --never finds {} in {}; the search begins in call #{first} of {}",
        count(found.rows, "row", "rows"),
        count(found.nodes.len() as u64, "call", "calls"),
        run.routine_name(run.routine(first))
    ));
    Ok(Some(Violated { property, first }))
}

fn ask(run: &JavaRun, sql: &str) -> Result<FoundCalls, Failure> {
    companion::find(&mut Talk)?;
    let answer = companion::calls_found(&Query {
        trace: run.folder(),
        jvm: run.trace().meta().pid,
        sql,
        most_rows: MOST_CALLS,
        time_limit: LONGEST,
        should_stop: &|| false,
    })?;
    serde_json::from_str(&answer)
        .map_err(|error| Failure::mistake(format!("what the query found cannot be read: {error}")))
}

/// Something else may be wrong with the run, and then that is asked about.
fn nothing(run: &JavaRun, root: Option<NodeId>) -> Result<Option<Violated>, Failure> {
    let sentence = match root {
        Some(root) => format!("--never finds nothing inside call #{root}"),
        None => "--never finds nothing, as it should".to_owned(),
    };
    if root.is_none() && run.wrong_by_itself(None).is_some() {
        output::talk(&format!("askance: {sentence}"));
        return Ok(None);
    }
    Err(Failure {
        exit: Exit::Nothing,
        ..Failure::mistake(sentence)
    }
    .hint("leave it out to search all the same"))
}

/// That nothing is known of values in a program whose calls come from elsewhere.
pub(crate) fn check_imported(search: &SearchArguments) -> Result<(), Failure> {
    match search.never {
        Some(_) => Err(Failure::mistake("imported calls cannot be asked by SQL")),
        None => Ok(()),
    }
}

/// That a program which still runs has not done all that a query could find.
pub(crate) fn check_live(search: &SearchArguments) -> Result<(), Failure> {
    match search.never {
        Some(_) => Err(Failure::mistake(
            "what should never be found can be looked for when the program has ended",
        )
        .hint("leave out --live")),
        None => Ok(()),
    }
}
