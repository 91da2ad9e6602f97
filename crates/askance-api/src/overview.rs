//! The overview: a picture of the whole run, or of a part of it, as coarse as the screen.

use std::collections::HashMap;

use debug_engine::view::icicle::{IcicleBlock, Window, icicle};
use debug_engine::{ExecutionTree, Judgement, NodeId, RoutineId, Session, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::ApiError;
use crate::node::Caller;
use crate::run_snapshot::RunSnapshot;

const MOST_ROWS: usize = 200;
const MOST_COLUMNS: u32 = 4000;
/// Columns times rows: what one picture may hold.
const MOST_BLOCKS: usize = 40_000;
/// Names are told of calls that are wider than this part of the picture.
const NAMED_PART: u32 = 40;
const MOST_CALLERS: usize = 8;
const MOST_MARKS: usize = 1000;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct OverviewRequest {
    /// The call in the first row; without it, everything.
    top: Option<u32>,
    #[serde(default)]
    from: u32,
    to: Option<u32>,
    /// How many blocks can be told apart side by side, and below each other.
    columns: u32,
    rows: usize,
}

/// A picture.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Overview {
    top: Option<u32>,
    from: u32,
    to: u32,
    /// The callers of the call at the top, nearest first.
    callers: Vec<Caller>,
    rows: Vec<Vec<Drawn>>,
    /// What blocks are called.
    names: Vec<String>,
    /// Judged calls in sight, however narrow.
    marks: Vec<Mark>,
}

/// A block as a short list, because there are thousands.
#[derive(Debug, Serialize, JsonSchema)]
struct Drawn(
    /// Its first call.
    u32,
    /// How many calls it stands for.
    u32,
    /// How many of them are suspects.
    u64,
    /// What was said about it; nothing if it stands for several calls side by side.
    Option<Judgement>,
    /// Its name among the names.
    Option<usize>,
);

#[derive(Debug, Serialize, JsonSchema)]
struct Mark {
    node: u32,
    judgement: Judgement,
}

pub fn overview(run: &RunSnapshot, sight: &OverviewRequest) -> Result<Overview, ApiError> {
    let top = sight.top.map(|number| run.node(number)).transpose()?;
    let window = window(run.recording(), sight, top)?;
    let blocks = icicle(run.recording(), window);
    let mut names = Names::default();
    let wide = (window.to - window.from) / NAMED_PART;
    let questioning = run.questioning();
    let session = questioning.session();
    let mut drawn = |block: &IcicleBlock| {
        let is_named = block.is_one && block.calls() >= wide;
        Drawn(
            block.first.0,
            block.calls(),
            suspects(session, *block),
            block.is_one.then(|| session.judgement(block.first)),
            is_named.then(|| names.of(run, block.first)),
        )
    };
    let rows = blocks
        .iter()
        .map(|row| row.iter().map(&mut drawn).collect())
        .collect();
    let marks = marks(session, window);
    Ok(Overview {
        top: sight.top,
        from: window.from,
        to: window.to,
        callers: callers(run, top),
        rows,
        names: names.texts,
        marks,
    })
}

fn window(
    tree: &dyn ExecutionTree,
    sight: &OverviewRequest,
    top: Option<NodeId>,
) -> Result<Window, ApiError> {
    let all = top.map_or(0..tree.len(), |top| tree.range(top));
    let from = sight.from.clamp(all.start, all.end.saturating_sub(1));
    let to = sight.to.unwrap_or(all.end).min(all.end);
    if from >= to {
        return Err(ApiError::mistake(
            "there is no call in this part of the run",
        ));
    }
    let rows = sight.rows.clamp(1, MOST_ROWS);
    let columns = sight.columns.clamp(1, MOST_COLUMNS);
    let columns = columns.min(u32::try_from(MOST_BLOCKS / rows).unwrap_or(columns));
    Ok(Window {
        top,
        from,
        to,
        rows,
        narrowest: (to - from).div_ceil(columns),
    })
}

fn suspects(session: &Session, block: IcicleBlock) -> u64 {
    let space = session.space();
    space.suspects_before(block.end) - space.suspects_before(block.first.0)
}

fn marks(session: &Session, window: Window) -> Vec<Mark> {
    let judged = session.log().iter().rev().filter_map(|entry| {
        let Target::Node(node) = entry.target()? else {
            return None;
        };
        (window.from..window.to).contains(&node.0).then_some(node)
    });
    let mut marks: Vec<Mark> = judged
        .take(MOST_MARKS)
        .map(|node| Mark {
            node: node.0,
            judgement: session.judgement(node),
        })
        .collect();
    marks.sort_by_key(|mark| mark.node);
    marks.dedup_by_key(|mark| mark.node);
    marks
}

fn callers(run: &RunSnapshot, top: Option<NodeId>) -> Vec<Caller> {
    let recording = run.recording();
    let above = std::iter::successors(top, |&node| recording.parent(node));
    let above = above.skip(1).take(MOST_CALLERS).map(|node| Caller {
        node: node.0,
        routine: recording.code_of(node).routine,
    });
    above.collect()
}

/// Each routine's name, once.
#[derive(Default)]
struct Names {
    places: HashMap<RoutineId, usize>,
    texts: Vec<String>,
}

impl Names {
    fn of(&mut self, run: &RunSnapshot, node: NodeId) -> usize {
        let recording = run.recording();
        let texts = &mut self.texts;
        *self
            .places
            .entry(recording.routine(node))
            .or_insert_with(|| {
                texts.push(recording.code_of(node).routine);
                texts.len() - 1
            })
    }
}
