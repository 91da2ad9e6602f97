//! Synthetic trees, as the columns that a stored trace maps.

use std::ops::Range;

use debug_engine::tree::{JumpColumn, LongChains, SizeMaxima};
use debug_engine::{ExecutionTree, NodeId, RoutineId};

/// A family of trees.
pub struct Shape {
    pub name: &'static str,
    /// The parents of so many nodes in preorder; the root's own is 0.
    pub parents: fn(u32) -> Vec<u32>,
}

/// A call below a call below a call; what a program does; a loop over pieces of work; a loop.
pub const SHAPES: [Shape; 4] = [
    Shape {
        name: "path",
        parents: |nodes| (0..nodes).map(|node| node.saturating_sub(1)).collect(),
    },
    Shape {
        name: "random",
        parents: random,
    },
    Shape {
        name: "wide",
        parents: wide,
    },
    Shape {
        name: "star",
        parents: |nodes| vec![0; nodes as usize],
    },
];

/// A root with children of a thousand nodes each.
fn wide(nodes: u32) -> Vec<u32> {
    let centre = |node: u32| (node.max(1) - 1) / 1000 * 1000 + 1;
    let parent = |node: u32| match centre(node) {
        centre if centre == node => 0,
        centre => centre.min(node),
    };
    (0..nodes).map(parent).collect()
}

fn random(nodes: u32) -> Vec<u32> {
    let mut dice = Dice(42);
    let mut path = vec![0];
    let mut parents = vec![0];
    for node in 1..nodes {
        let back = dice.roll(3) as usize;
        path.truncate(path.len().saturating_sub(back).max(1));
        parents.push(path[path.len() - 1]);
        path.push(node);
    }
    parents
}

/// The columns of a tree in which all siblings are chained.
pub(super) struct Columns {
    parent: Vec<u32>,
    size: Vec<u32>,
    jump: Vec<u32>,
    chains: LongChains,
    maxima: SizeMaxima,
}

impl Columns {
    pub(super) fn new(parent: Vec<u32>) -> Self {
        let mut size = vec![1; parent.len()];
        for node in (1..parent.len()).rev() {
            size[parent[node] as usize] += size[node];
        }
        let mut columns = Columns {
            parent,
            size,
            jump: Vec::new(),
            chains: LongChains::default(),
            maxima: SizeMaxima::default(),
        };
        columns.jump = JumpColumn::build(&columns).as_slice().to_vec();
        columns.chains = LongChains::build(&columns);
        columns.maxima = SizeMaxima::build(&columns);
        columns
    }

    pub(super) fn bytes_per_node(&self) -> f64 {
        let columns = 3 * size_of::<u32>() * self.parent.len();
        let chains = size_of_val(self.chains.rows());
        let maxima = size_of::<u32>() * self.parent.len() / SizeMaxima::BLOCK as usize;
        (columns + chains + maxima) as f64 / self.parent.len() as f64
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

    fn jump(&self, node: NodeId) -> Option<NodeId> {
        self.jump.get(node.index()).copied().map(NodeId)
    }

    fn chained_to_next(&self, node: NodeId) -> bool {
        let next = node.0 + self.subtree_size(node);
        next < self.len() && self.parent(NodeId(next)) == self.parent(node)
    }

    fn chain_around(&self, node: NodeId) -> Option<(NodeId, NodeId)> {
        Some(self.chains.around(self, node))
    }

    fn first_largest(&self, range: Range<u32>) -> Option<(u32, NodeId)> {
        let size = |position: u32| self.size[position as usize];
        self.maxima.first_largest(range, size)
    }

    fn incomplete_nodes(&self) -> Vec<NodeId> {
        Vec::new()
    }
}

/// Numbers that look random and are the same each time.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}
