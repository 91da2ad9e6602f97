//! Time to the next question on large trees: `cargo test --release -p debug-engine --test
//! large_trees -- --ignored --nocapture`, with `ASKANCE_LARGE_TREE=100000000` for the full size.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use debug_engine::transform::{Balancing, Overlay, OverlayCounts, Transformations};
use debug_engine::tree::JumpColumn;
use debug_engine::{
    Answer, Diagnosis, ExecutionTree, NodeId, RoutineId, Session, SessionOptions, Step,
};

/// The columns that a stored trace maps.
struct Columns {
    parent: Vec<u32>,
    size: Vec<u32>,
    jump: Vec<u32>,
    /// All siblings are chained: the last one, by parent.
    last_child: Vec<u32>,
}

impl Columns {
    fn new(parent: Vec<u32>) -> Self {
        let mut size = vec![1; parent.len()];
        for node in (1..parent.len()).rev() {
            size[parent[node] as usize] += size[node];
        }
        let mut columns = Columns {
            parent,
            size,
            jump: Vec::new(),
            last_child: Vec::new(),
        };
        columns.last_child = vec![0; columns.parent.len()];
        for node in 1..columns.parent.len() {
            columns.last_child[columns.parent[node] as usize] = node as u32;
        }
        columns.jump = JumpColumn::build(&columns).as_slice().to_vec();
        columns
    }
}

impl ExecutionTree for Columns {
    fn len(&self) -> u32 {
        self.parent.len() as u32
    }
    fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node.0 > 0).then(|| NodeId(self.parent[node.index()]))
    }
    fn subtree_size(&self, node: NodeId) -> u32 {
        self.size[node.index()]
    }
    fn is_complete(&self, _: NodeId) -> bool {
        true
    }
    fn routine(&self, node: NodeId) -> RoutineId {
        RoutineId(node.0 % 97)
    }
    fn chained_to_next(&self, _: NodeId) -> bool {
        true
    }
    fn chain_around(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        let parent = self.parent(node)?;
        let last = self.last_child[parent.index()];
        Some((NodeId(parent.0 + 1), NodeId(last)))
    }
    fn jump(&self, node: NodeId) -> Option<NodeId> {
        Some(NodeId(self.jump[node.index()]))
    }
    fn incomplete_nodes(&self) -> Vec<NodeId> {
        Vec::new()
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

fn shapes(n: u32) -> Vec<(&'static str, Vec<u32>)> {
    let chain = (0..n).map(|node| node.saturating_sub(1)).collect();
    let star = vec![0; n as usize];
    // A root with children of a thousand nodes each.
    let centre = |node: u32| (node.max(1) - 1) / 1000 * 1000 + 1;
    let wide = (0..n).map(|node| {
        if node == centre(node) {
            0
        } else {
            centre(node).min(node)
        }
    });
    let wide = wide.collect();
    let mut dice = Dice(42);
    let mut path = vec![0u32];
    let mut random = vec![0];
    for node in 1..n {
        let keep = path.len() - (dice.roll(3).min(path.len() as u64 - 1) as usize);
        path.truncate(keep.max(1));
        random.push(*path.last().unwrap());
        path.push(node);
    }
    vec![
        ("chain", chain),
        ("random", random),
        ("wide", wide),
        ("star", star),
    ]
}

#[test]
#[ignore = "a benchmark"]
fn the_next_question_comes_at_once() {
    let n = std::env::var("ASKANCE_LARGE_TREE")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(10_000_000);
    for (shape, parents) in shapes(n) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(Columns::new(parents));
        for strategy in [
            "ranges",
            "dq-hirunkitti",
            "dq-shapiro",
            "heaviest-first",
            "top-down",
        ] {
            for trusted in [false, true] {
                measure(shape, &tree, strategy, trusted);
            }
        }
    }
}

fn measure(shape: &str, tree: &Arc<dyn ExecutionTree>, strategy: &str, trusted: bool) {
    let mut dice = Dice(7);
    let mut slowest = Duration::ZERO;
    let mut total = Duration::ZERO;
    let mut questions = 0;
    for _ in 0..3 {
        let bug = NodeId(dice.roll(u64::from(tree.len())) as u32 / 97 * 97);
        let options = SessionOptions {
            root_is_wrong: true,
            strategy: strategy.to_owned(),
            trusted: if trusted {
                (1..20).map(RoutineId).collect()
            } else {
                Default::default()
            },
            ..SessionOptions::default()
        };
        let mut session = Session::new(Arc::clone(tree), options).unwrap();
        for _ in 0..200 {
            let start = Instant::now();
            let step = session.poll();
            let took = start.elapsed();
            slowest = slowest.max(took);
            total += took;
            let Step::Ask(question) = step else {
                assert_eq!(step, Step::Done(Diagnosis::Found { node: bug }));
                break;
            };
            questions += 1;
            let wrong = question.target.contains(&**tree, bug);
            session
                .answer(if wrong { Answer::No } else { Answer::Yes })
                .unwrap();
        }
    }
    let mean = total / questions.max(1);
    println!(
        "{shape:7} {strategy:15} trusted={trusted:5} {questions:4} questions, mean {mean:?}, slowest {slowest:?}"
    );
}

/// Table 1 of *Balanced Execution Trees* has 8 seconds for 6,047 nodes.
#[test]
#[ignore = "a benchmark"]
fn a_million_nodes_are_balanced_in_a_second() {
    for (shape, parents) in shapes(1_000_000) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(Columns::new(parents));
        for collapse in [true, false] {
            let balancing = Balancing {
                collapse,
                ..Balancing::default()
            };
            let transformations = Transformations {
                balancing: Some(balancing),
                ..Transformations::default()
            };
            // The best of three: others may be at work on the machine.
            let mut took = Duration::MAX;
            let mut counts = OverlayCounts::default();
            for _ in 0..3 {
                let start = Instant::now();
                let overlay = Overlay::of_tree(&tree, &transformations);
                took = took.min(start.elapsed());
                counts = overlay.counts();
            }
            println!("{shape:7} collapse={collapse:5} {took:?} {counts:?}");
            assert!(took < Duration::from_secs(1));
        }
    }
}
