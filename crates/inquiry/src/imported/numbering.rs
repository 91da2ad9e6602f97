//! From the parents that a file names to nodes in preorder, one line at a time.
//!
//! In preorder the parent of a call is an open call: an ancestor of the call before it, or that call
//! itself. So only the open calls have to be remembered, however long the file is.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use debug_engine::NodeId;
use debug_engine::tree::{OpenChain, extend_jump_depths};

use super::NO_PARENT;

/// A call that has not ended.
struct Open {
    id: u64,
    node: u32,
    /// The state after its last child, if that is known.
    state: Option<u64>,
    children: OpenChain,
}

/// What is known of a call as soon as its line is read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Numbered {
    pub(super) parent: u32,
    pub(super) jump: u32,
    pub(super) is_chained: bool,
}

/// No open call has this number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotOpen;

/// The open calls, outermost first.
pub(super) struct Numbering {
    open: Vec<Open>,
    jump_depths: Vec<u32>,
    nodes: u32,
    /// The roots, as children of nothing.
    roots: Open,
    largest_id: Option<u64>,
    ascending: bool,
    long_chains: Vec<[u32; 3]>,
}

impl Numbering {
    pub(super) fn new() -> Self {
        Numbering {
            open: Vec::new(),
            jump_depths: vec![0],
            nodes: 0,
            roots: Open {
                id: 0,
                node: NO_PARENT,
                state: None,
                children: OpenChain::default(),
            },
            largest_id: None,
            ascending: true,
            long_chains: Vec::new(),
        }
    }

    /// Takes the next call, with the state before and after it.
    pub(super) fn add(
        &mut self,
        id: u64,
        parent: Option<u64>,
        before: Option<u64>,
        after: Option<u64>,
    ) -> Result<Numbered, NotOpen> {
        let depth = match parent {
            None => 0,
            Some(parent) => 1 + self.depth_of(parent).ok_or(NotOpen)?,
        };
        let node = self.nodes;
        for ended in self.open.drain(depth..) {
            self.long_chains.extend(ended.children.end());
        }
        let parent = match self.open.last_mut() {
            Some(parent) => parent,
            None => &mut self.roots,
        };
        let is_chained = before.is_some() && parent.state == before;
        parent.state = after;
        let number = parent.node;
        let parent_node = (number != NO_PARENT).then_some(NodeId(number));
        let chain = parent
            .children
            .extend(parent_node, NodeId(node), is_chained);
        self.long_chains.extend(chain);
        self.open.push(Open {
            id,
            node,
            state: None,
            children: OpenChain::default(),
        });
        extend_jump_depths(&mut self.jump_depths, depth);
        self.ascending &= self.largest_id.is_none_or(|largest| id > largest);
        self.largest_id = self.largest_id.max(Some(id));
        self.nodes += 1;
        Ok(Numbered {
            parent: number,
            jump: self.open[self.jump_depths[depth] as usize].node,
            is_chained,
        })
    }

    pub(super) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Whether every number was larger than those before it: then none comes twice.
    pub(super) fn is_ascending(&self) -> bool {
        self.ascending
    }

    /// The chains of siblings that are worth a row in an index.
    pub(super) fn long_chains(mut self) -> Vec<[u32; 3]> {
        for ended in self.open.iter().chain([&self.roots]) {
            self.long_chains.extend(ended.children.end());
        }
        self.long_chains.sort_unstable();
        self.long_chains
    }

    fn depth_of(&self, id: u64) -> Option<usize> {
        // Mostly it is one of the last.
        self.open.iter().rposition(|open| open.id == id)
    }
}

/// A state as a number: equal ones are equal, whatever their spelling.
pub(super) fn state(json: Option<&str>) -> Option<u64> {
    let value: serde_json::Value = serde_json::from_str(json?).ok()?;
    let says_nothing = match &value {
        serde_json::Value::Null => true,
        serde_json::Value::Object(variables) => variables.is_empty(),
        _ => false,
    };
    if says_nothing {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    value.to_string().hash(&mut hasher);
    Some(hasher.finish())
}

/// The sizes of subtrees from the parents, from the last node to the first.
#[derive(Default)]
pub(super) struct Sizes {
    /// Parents whose children have been seen in part, with the sizes of those.
    open: Vec<(u32, u32)>,
}

impl Sizes {
    /// Takes the parent of the node before the one that was taken last, and gives its size.
    pub(super) fn before(&mut self, node: u32, parent: u32) -> u32 {
        let below = self.open.pop_if(|&mut (open, _)| open == node);
        let size = 1 + below.map_or(0, |(_, sum)| sum);
        match self.open.last_mut() {
            Some((open, sum)) if *open == parent => *sum += size,
            _ if parent == NO_PARENT => {}
            _ => self.open.push((parent, size)),
        }
        size
    }
}
