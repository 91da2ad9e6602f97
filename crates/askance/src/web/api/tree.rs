//! The computation tree, in windows: pages of children, the way to a node, search by name.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use debug_engine::view::render::{self, Bounds};
use debug_engine::{ExecutionTree, Judgement, NodeId, RoutineId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Answered, OfRun, Wanted, look};
use crate::source::node_view::with_statics_as_inputs;
use crate::source::recording::Recording;
use crate::web::failure::ApiError;
use crate::web::served::Served;

/// A row is one line.
const SHORT: Bounds = Bounds {
    width: 8,
    depth: 2,
    string: 40,
    length: 60,
    changes: 3,
};
const LARGEST_PAGE: usize = 200;
/// A search that takes longer than this says how far it came.
const LONGEST_SEARCH: Duration = Duration::from_millis(80);
/// Calls whose names are looked at between two looks at the clock.
const BETWEEN_LOOKS: u32 = 1024;
/// Longer ways are told from the middle on: a tree opens them call by call.
const LONGEST_WAY: usize = 60;

/// A call in the tree.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    node: u32,
    parent: Option<u32>,
    class: String,
    method: String,
    /// The call in one line.
    text: String,
    complete: bool,
    /// Calls in its subtree, itself included.
    subtree: u32,
    #[serde(flatten)]
    stands: Standing,
}

/// What the session says of a call.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Standing {
    #[schemars(with = "String")]
    pub(super) judgement: Judgement,
    /// Whether the bug can still be in it.
    suspect: bool,
    /// Suspects in its subtree.
    suspects: u64,
}

impl Standing {
    pub(super) fn of(run: &Served, node: NodeId) -> Standing {
        let questioning = run.questioning();
        let session = questioning.session();
        Standing {
            judgement: session.judgement(node),
            suspect: session.space().is_suspect(node),
            suspects: session.space().weight(node),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Page {
    /// Whose children; without it, the roots.
    of: Option<u32>,
    /// How many to leave out.
    #[serde(default)]
    from: usize,
    /// How many at most.
    #[serde(default = "usual_page")]
    most: usize,
}

fn usual_page() -> usize {
    100
}

/// A page of children.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Children {
    of: Option<u32>,
    from: usize,
    /// How many there are in all.
    count: usize,
    rows: Vec<Row>,
}

pub(super) async fn children(OfRun(run): OfRun, Wanted(page): Wanted<Page>) -> Answered<Children> {
    look(run, move |run| children_of(run, &page)).await
}

pub(crate) fn children_of(run: &Served, page: &Page) -> Result<Children, ApiError> {
    let parent = page.of.map(|number| run.node(number)).transpose()?;
    let tree: &dyn ExecutionTree = run.recording();
    let children = run.children().of(tree, parent);
    let shown = children.page(tree, page.from, page.most.min(LARGEST_PAGE));
    Ok(Children {
        of: page.of,
        from: page.from,
        count: children.count(),
        rows: shown.into_iter().map(|node| row(run, node)).collect(),
    })
}

fn row(run: &Served, node: NodeId) -> Row {
    let recording = run.recording();
    let code = recording.code_of(node);
    Row {
        node: node.0,
        parent: recording.parent(node).map(|parent| parent.0),
        class: code.class,
        method: code.method,
        text: line(recording, node),
        complete: recording.is_complete(node),
        subtree: recording.subtree_size(node),
        stands: Standing::of(run, node),
    }
}

/// A call in one line.
pub(crate) fn line(recording: &dyn Recording, node: NodeId) -> String {
    render::one_line(&with_statics_as_inputs(recording.view(node, SHORT)), SHORT)
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    node: u32,
}

/// The way from a root to a node, or the last part of it.
#[derive(Debug, Serialize)]
pub(super) struct Way {
    /// Calls above the first step.
    above: usize,
    /// The caller of the first step.
    below: Option<u32>,
    /// The nodes down to the node itself, each with its place among its siblings.
    steps: Vec<WayStep>,
}

#[derive(Debug, Serialize)]
struct WayStep {
    node: u32,
    place: usize,
}

pub(super) async fn path(OfRun(run): OfRun, Wanted(wanted): Wanted<Node>) -> Answered<Way> {
    look(run, move |run| {
        let node = run.node(wanted.node)?;
        let tree: &dyn ExecutionTree = run.recording();
        let mut steps = Vec::new();
        let way = || std::iter::successors(Some(node), |&node| tree.parent(node));
        for node in way().take(LONGEST_WAY) {
            let siblings = run.children().of(tree, tree.parent(node));
            let place = siblings.place(tree, node).unwrap_or_default();
            steps.push(WayStep {
                node: node.0,
                place,
            });
        }
        steps.reverse();
        let mut above = way().skip(LONGEST_WAY);
        Ok(Way {
            below: above.next().map(|node| node.0),
            above: way().count().saturating_sub(LONGEST_WAY),
            steps,
        })
    })
    .await
}

#[derive(Debug, Deserialize)]
pub(super) struct Moved {
    node: u32,
    /// The snapshot that the number is from.
    snapshot: u64,
}

/// Where a call of an earlier snapshot is now; threads that grow move what comes after them.
pub(super) async fn moved(
    OfRun(run): OfRun,
    Wanted(moved): Wanted<Moved>,
) -> Answered<Option<u32>> {
    look(run, move |run: &Served| {
        let node = run.moved(NodeId(moved.node), moved.snapshot);
        Ok(node.map(|node| node.0))
    })
    .await
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Search {
    /// A part of a class's or method's name, or of what a call's line shows.
    text: String,
    /// Whether to look at arguments, results and changes instead of names.
    #[serde(default)]
    values: bool,
    /// The first node to look at.
    #[serde(default)]
    from: u32,
    /// How many at most.
    #[serde(default = "usual_page")]
    most: usize,
}

/// What a search has found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Hits {
    rows: Vec<Row>,
    /// Where to go on, if not everything was looked at.
    next: Option<u32>,
}

pub(super) async fn search(OfRun(run): OfRun, Wanted(wanted): Wanted<Search>) -> Answered<Hits> {
    look(run, move |run| found(run, &wanted)).await
}

pub(crate) fn found(run: &Served, wanted: &Search) -> Result<Hits, ApiError> {
    let recording = run.recording();
    let sought = wanted.text.trim().to_lowercase();
    if sought.is_empty() {
        return Err(ApiError::mistake("nothing to search for"));
    }
    let most = wanted.most.clamp(1, LARGEST_PAGE);
    let started = Instant::now();
    let mut names: HashMap<RoutineId, bool> = HashMap::new();
    let mut rows = Vec::new();
    for node in (wanted.from..recording.len()).map(NodeId) {
        let may_be_late = wanted.values || node.0 % BETWEEN_LOOKS == 0;
        if rows.len() == most || (may_be_late && started.elapsed() > LONGEST_SEARCH) {
            let next = Some(node.0);
            return Ok(Hits { rows, next });
        }
        let is_hit = if wanted.values {
            in_values(recording, node, &sought)
        } else {
            *names.entry(recording.routine(node)).or_insert_with(|| {
                let code = recording.code_of(node);
                let name = format!("{}.{}", code.class, code.method);
                name.to_lowercase().contains(&sought)
            })
        };
        if is_hit {
            rows.push(row(run, node));
        }
    }
    Ok(Hits { rows, next: None })
}

/// Whether a call's line tells this of its arguments, its result or what it changed.
fn in_values(recording: &dyn Recording, node: NodeId, sought: &str) -> bool {
    let line = line(recording, node).to_lowercase();
    let values = line.split_once('(').map_or("", |(_, values)| values);
    values.contains(sought)
}
