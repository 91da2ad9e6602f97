//! The computation tree, in windows: pages of children, the way to a node.

use std::sync::Arc;
use std::time::{Duration, Instant};

use debug_engine::view::render::{self, Bounds, Purpose};
use debug_engine::{ExecutionTree, Judgement, NodeId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use java_model::node_view::with_statics_as_inputs;

/// A row is one line.
pub const SHORT: Bounds = Bounds {
    width: 8,
    depth: 2,
    string: 40,
    length: 60,
    changes: 3,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Line,
};
pub const LARGEST_PAGE: usize = 200;
/// A page that takes longer than this to write ends early.
const LONGEST_PAGE: Duration = Duration::from_millis(50);
/// Longer ways are told from the middle on: a tree opens them call by call.
const LONGEST_WAY: usize = 60;

/// A call in the tree.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TreeRow {
    node: u32,
    parent: Option<u32>,
    class: String,
    method: String,
    /// The call in one line.
    text: Arc<str>,
    complete: bool,
    /// The recording of its beginning was given up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    began_before_kept: bool,
    /// The thread that it was handed over to by the call above.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<String>,
    /// Calls in its subtree, itself included.
    subtree: u32,
    #[serde(flatten)]
    stands: CallStanding,
}

/// What the session says of a call.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CallStanding {
    pub judgement: Judgement,
    /// Whether the bug can still be in it.
    pub suspect: bool,
    /// Suspects in its subtree.
    pub suspects: u64,
}

impl CallStanding {
    pub fn of(run: &RunSnapshot, node: NodeId) -> CallStanding {
        let questioning = run.questioning();
        let session = questioning.session();
        CallStanding {
            judgement: session.judgement(node),
            suspect: session.space().is_suspect(node),
            suspects: session.space().weight(node),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ChildrenRequest {
    /// Whose children; without it, the roots.
    of: Option<u32>,
    /// How many to leave out.
    #[serde(default)]
    from: usize,
    /// How many at most.
    #[serde(default = "usual_page")]
    most: usize,
}

pub fn usual_page() -> usize {
    100
}

/// A page of children.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChildPage {
    of: Option<u32>,
    from: usize,
    /// How many there are in all.
    count: usize,
    /// Fewer than asked for if there are no more, or if it took long to find out what they did.
    rows: Vec<TreeRow>,
}

pub fn children_of(run: &RunSnapshot, page: &ChildrenRequest) -> Result<ChildPage, ApiError> {
    let parent = page.of.map(|number| run.node(number)).transpose()?;
    let tree: &dyn ExecutionTree = run.recording();
    let children = run.children().of(tree, parent);
    let shown = children.page(tree, page.from, page.most.clamp(1, LARGEST_PAGE));
    let started = Instant::now();
    let mut rows = Vec::new();
    for node in shown {
        if !rows.is_empty() && started.elapsed() > LONGEST_PAGE {
            break;
        }
        rows.push(row(run, node));
    }
    Ok(ChildPage {
        of: page.of,
        from: page.from,
        count: children.count(),
        rows,
    })
}

pub fn row(run: &RunSnapshot, node: NodeId) -> TreeRow {
    let recording = run.recording();
    let code = recording.code_of(node);
    TreeRow {
        node: node.0,
        parent: recording.parent(node).map(|parent| parent.0),
        class: code.class,
        method: code.method,
        text: line(run, node),
        complete: recording.is_complete(node),
        began_before_kept: recording.began_before_kept(node),
        thread: recording.handed_over_to(node),
        subtree: recording.subtree_size(node),
        stands: CallStanding::of(run, node),
    }
}

/// A call in one line.
pub fn line(run: &RunSnapshot, node: NodeId) -> Arc<str> {
    run.lines().of(node.into(), || {
        let view = with_statics_as_inputs(run.recording().view(node, SHORT));
        render::one_line(&view, SHORT)
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Node {
    node: u32,
}

/// The way from a root to a node, or the last part of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NodePath {
    /// Calls above the first step.
    above: usize,
    /// The caller of the first step.
    below: Option<u32>,
    /// The nodes down to the node itself, each with its place among its siblings.
    steps: Vec<WayStep>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct WayStep {
    node: u32,
    place: usize,
}

pub fn path(run: &RunSnapshot, wanted: &Node) -> Result<NodePath, ApiError> {
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
    Ok(NodePath {
        below: above.next().map(|node| node.0),
        above: way().count().saturating_sub(LONGEST_WAY),
        steps,
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Moved {
    node: u32,
    /// The snapshot that the number is from.
    snapshot: u64,
}

/// Where a call of an earlier snapshot is now; threads that grow move what comes after them.
pub fn moved(run: &RunSnapshot, moved: &Moved) -> Result<Option<u32>, ApiError> {
    let node = run.moved(NodeId(moved.node), moved.snapshot);
    Ok(node.map(|node| node.0))
}
