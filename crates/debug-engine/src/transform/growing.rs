//! Balancing while the program still runs: Algorithm 4 of *Balanced Execution Trees* is applied to each
//! node as soon as it has ended, when all that it called has ended and is balanced already.
//!
//! Only the open calls and the children of open calls are kept, so a run of any length can be followed.

use super::{Balancing, Layout, Sibling};
use crate::tree::RoutineId;

/// Follows a run call by call.
#[derive(Clone, Debug)]
pub struct GrowingBalance {
    parameters: Balancing,
    open: Vec<OpenCall>,
    roots: Vec<Sibling>,
}

#[derive(Clone, Debug)]
struct OpenCall {
    routine: RoutineId,
    children: Vec<Sibling>,
}

impl GrowingBalance {
    /// A run in which nothing has happened yet.
    pub fn new(parameters: Balancing) -> Self {
        GrowingBalance {
            parameters,
            open: Vec::new(),
            roots: Vec::new(),
        }
    }

    /// A call begins. `chained`: nothing that it can see changed since its last sibling ended.
    pub fn enter(&mut self, routine: RoutineId, chained: bool) {
        let chained = chained || self.parameters.unrestricted;
        if let Some(before) = self.siblings().last_mut() {
            before.chained = chained;
        }
        self.open.push(OpenCall {
            routine,
            children: Vec::new(),
        });
    }

    /// The innermost open call has ended. Gives what becomes of its children, or `None` if no call is
    /// open.
    pub fn leave(&mut self) -> Option<Layout> {
        let OpenCall { routine, children } = self.open.pop()?;
        let layout = self.parameters.shrink_and_balance(&children, 1);
        let sibling = Sibling {
            weight: 1 + layout.weight,
            routine,
            is_leaf: children.is_empty(),
            chained: false,
        };
        self.siblings().push(sibling);
        Some(layout)
    }

    /// How many calls are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    fn siblings(&mut self) -> &mut Vec<Sibling> {
        match self.open.last_mut() {
            Some(call) => &mut call.children,
            None => &mut self.roots,
        }
    }
}
