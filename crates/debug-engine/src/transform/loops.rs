//! Loop expansion (section 4.4 of *A Generalized Model*): loops and iterations become nodes between a call
//! and what it called in them.
//!
//! An iteration ends where the next one begins, so iterations are chained whatever the loop does, and a
//! loop of a thousand of them is balanced like any chain: with projected nodes over stretches of
//! iterations, which halve it. Unlike those, a loop and an iteration have code of their own.

use std::cmp::Reverse;
use std::ops::Range;

use super::{Balancing, Group, GroupKind, Layout, Sibling};
use crate::tree::RoutineId;

/// A loop or an iteration in terms of the children of its call, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceSpan {
    pub(super) is_loop: bool,
    pub(super) first: usize,
    pub(super) last: usize,
}

/// Leaves out pieces that made the same calls as the piece around them: by its calls one cannot be told
/// from the other. Each piece comes before what is inside it.
pub(super) fn without_doubles(pieces: impl Iterator<Item = PieceSpan>) -> Vec<PieceSpan> {
    let mut kept: Vec<PieceSpan> = Vec::new();
    for piece in pieces {
        let is_double = |known: &PieceSpan| known.first == piece.first && known.last == piece.last;
        if !kept.last().is_some_and(is_double) {
            kept.push(piece);
        }
    }
    kept
}

/// What becomes of the children of a call that has these loops. Without `balancing` only iterations are
/// put together.
pub(super) fn layout(
    siblings: &[Sibling],
    pieces: &[PieceSpan],
    balancing: Option<&Balancing>,
    own_weight: u64,
) -> Layout {
    if let (Some(balancing), []) = (balancing, pieces) {
        return balancing.shrink_and_balance(siblings, own_weight);
    }
    let mut expansion = Expansion {
        siblings,
        balancing,
        groups: Vec::new(),
    };
    let weight = expansion.level(0..siblings.len(), pieces, false, own_weight);
    let mut groups = expansion.groups;
    // Stable: of groups with the same siblings the outer one stays first.
    groups.sort_by_key(|group| (group.first, Reverse(group.last)));
    Layout { groups, weight }
}

struct Expansion<'a> {
    siblings: &'a [Sibling],
    balancing: Option<&'a Balancing>,
    groups: Vec<Group>,
}

impl Expansion<'_> {
    /// Groups what lies directly in a call, a loop or an iteration. Gives the weight of all of it.
    fn level(
        &mut self,
        part: Range<usize>,
        pieces: &[PieceSpan],
        is_loop: bool,
        own_weight: u64,
    ) -> u64 {
        let mut items: Vec<Sibling> = Vec::new();
        let mut spans: Vec<(usize, usize)> = Vec::new();
        let mut pieces = pieces;
        let mut at = part.start;
        while at < part.end {
            match pieces.first() {
                Some(piece) if piece.first == at => {
                    let inner = pieces.partition_point(|other| other.first <= piece.last);
                    items.push(self.piece(piece, &pieces[1..inner]));
                    spans.push((piece.first, piece.last));
                    pieces = &pieces[inner..];
                    at = piece.last + 1;
                }
                next => {
                    let plain_follows = next.is_none_or(|piece| piece.first > at + 1);
                    let sibling = self.siblings[at];
                    items.push(Sibling {
                        chained: sibling.chained && plain_follows && at + 1 < part.end,
                        ..sibling
                    });
                    spans.push((at, at));
                    at += 1;
                }
            }
        }
        let is_iteration = |item: &Sibling| item.routine == ITERATION;
        for index in 1..items.len() {
            let both = is_iteration(&items[index - 1]) && is_iteration(&items[index]);
            items[index - 1].chained |= is_loop && both;
        }
        let parameters = match (self.balancing, is_loop) {
            (Some(balancing), _) => *balancing,
            (None, true) => Balancing::default(),
            (None, false) => return items.iter().map(|item| item.weight).sum(),
        };
        let layout = parameters.shrink_and_balance(&items, own_weight);
        let all = items.len() - 1;
        for group in layout.groups {
            // All iterations together are the loop.
            if !(is_loop && group.first == 0 && group.last == all) {
                self.groups.push(Group {
                    kind: group.kind,
                    first: spans[group.first].0,
                    last: spans[group.last].1,
                });
            }
        }
        layout.weight
    }

    fn piece(&mut self, piece: &PieceSpan, inner: &[PieceSpan]) -> Sibling {
        self.groups.push(Group {
            kind: match piece.is_loop {
                true => GroupKind::Loop,
                false => GroupKind::Iteration,
            },
            first: piece.first,
            last: piece.last,
        });
        let weight = self.level(piece.first..piece.last + 1, inner, piece.is_loop, 1);
        Sibling {
            weight: weight + 1,
            routine: if piece.is_loop { LOOP } else { ITERATION },
            is_leaf: false,
            chained: false,
        }
    }
}

/// No calls have these.
const LOOP: RoutineId = RoutineId(u32::MAX);
const ITERATION: RoutineId = RoutineId(u32::MAX - 1);
