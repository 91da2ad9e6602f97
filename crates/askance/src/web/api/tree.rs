//! The computation tree, in windows: pages of children, the way to a node, search by name.

use std::collections::HashMap;

use debug_engine::view::render::{self, Bounds};
use debug_engine::{ExecutionTree, Judgement, NodeId, RoutineId};
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
/// A search that looks at more calls than this says how far it came.
const LONGEST_SEARCH: u32 = 4_000_000;
/// No way is told to nodes that are deeper than this.
const DEEPEST: usize = 2000;

/// A call in the tree.
#[derive(Debug, Serialize)]
pub(super) struct Row {
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
#[derive(Debug, Serialize)]
pub(super) struct Standing {
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

#[derive(Debug, Deserialize)]
pub(super) struct Page {
    /// Whose children; without it, the roots.
    of: Option<u32>,
    #[serde(default)]
    from: usize,
    #[serde(default = "usual_page")]
    most: usize,
}

fn usual_page() -> usize {
    100
}

/// A page of children.
#[derive(Debug, Serialize)]
pub(super) struct Children {
    of: Option<u32>,
    from: usize,
    /// How many there are in all.
    count: usize,
    rows: Vec<Row>,
}

pub(super) async fn children(OfRun(run): OfRun, Wanted(page): Wanted<Page>) -> Answered<Children> {
    look(run, move |run| {
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
    })
    .await
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
pub(super) fn line(recording: &dyn Recording, node: NodeId) -> String {
    render::one_line(&with_statics_as_inputs(recording.view(node, SHORT)), SHORT)
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    node: u32,
}

/// The way from a root to a node.
#[derive(Debug, Serialize)]
pub(super) struct Way {
    /// The nodes from the root to the node itself, each with its place among its siblings; none if the
    /// node is too deep to be shown in a tree.
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
        for node in std::iter::successors(Some(node), |&node| tree.parent(node)) {
            if steps.len() == DEEPEST {
                return Ok(Way { steps: Vec::new() });
            }
            let siblings = run.children().of(tree, tree.parent(node));
            let place = siblings.place(tree, node).unwrap_or_default();
            steps.push(WayStep {
                node: node.0,
                place,
            });
        }
        steps.reverse();
        Ok(Way { steps })
    })
    .await
}

#[derive(Debug, Deserialize)]
pub(super) struct Search {
    text: String,
    /// The first node to look at.
    #[serde(default)]
    from: u32,
    #[serde(default = "usual_page")]
    most: usize,
}

/// What a search has found.
#[derive(Debug, Serialize)]
pub(super) struct Hits {
    rows: Vec<Row>,
    /// Where to go on, if not everything was looked at.
    next: Option<u32>,
}

pub(super) async fn search(OfRun(run): OfRun, Wanted(wanted): Wanted<Search>) -> Answered<Hits> {
    look(run, move |run| {
        let recording = run.recording();
        let sought = wanted.text.trim().to_lowercase();
        if sought.is_empty() {
            return Err(ApiError::mistake("nothing to search for"));
        }
        let most = wanted.most.clamp(1, LARGEST_PAGE);
        let end = recording
            .len()
            .min(wanted.from.saturating_add(LONGEST_SEARCH));
        let mut names: HashMap<RoutineId, bool> = HashMap::new();
        let mut rows = Vec::new();
        for node in (wanted.from..end).map(NodeId) {
            let is_hit = *names.entry(recording.routine(node)).or_insert_with(|| {
                let code = recording.code_of(node);
                let name = format!("{}.{}", code.class, code.method);
                name.to_lowercase().contains(&sought)
            });
            if is_hit {
                rows.push(row(run, node));
                if rows.len() == most {
                    let next = Some(node.0 + 1).filter(|&next| next < recording.len());
                    return Ok(Hits { rows, next });
                }
            }
        }
        let next = (end < recording.len()).then_some(end);
        Ok(Hits { rows, next })
    })
    .await
}
