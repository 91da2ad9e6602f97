//! Branches that a call came to and never took: what of its code did not run because a condition always went the
//! other way.

use std::collections::BTreeSet;

use classfile::flow::{ControlFlow, EdgeKind};
use classfile::opcode;

use crate::code::MethodCode;
use crate::coverage::CodeCoverage;

/// The field by which compilers switch assertions off: whether they are on is no decision of the program.
const ASSERTIONS_OFF: &str = "$assertionsDisabled";

/// A line with a condition or a switch that went one way only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UntakenBranch {
    pub line: u16,
    /// Lines with code on the other way that never ran; the condition's own if that is a part of it.
    pub lines: BTreeSet<u16>,
}

impl CodeCoverage {
    /// The branches of the call's method that it came to and never took, by their lines, unless all of their code ran
    /// on other ways. `code` must be that of the method.
    #[must_use]
    pub fn untaken(&self, code: &MethodCode) -> Vec<UntakenBranch> {
        let Ok(flow) = ControlFlow::of(&code.code, &code.instructions) else {
            return Vec::new();
        };
        let mut found: Vec<UntakenBranch> = Vec::new();
        for (block, taken) in self.decided(code, &flow) {
            let successors = &flow.blocks()[block].successors;
            let others = successors.iter().enumerate();
            let others =
                others.filter(|(number, edge)| !is_caught(edge.kind) && !taken.contains(number));
            let mut lines = BTreeSet::new();
            for (_, edge) in others {
                self.not_run_from(code, &flow, edge.to, &mut lines);
            }
            let line = code.line(flow.blocks()[block].instructions.end - 1);
            let Some(line) = line.filter(|_| !lines.is_empty()) else {
                continue;
            };
            match found.iter_mut().find(|known| known.line == line) {
                Some(known) => known.lines.append(&mut lines),
                None => found.push(UntakenBranch { line, lines }),
            }
        }
        found.sort_by_key(|branch| branch.line);
        found
    }

    /// The blocks at whose end something was decided, each with the ways that were taken.
    fn decided(&self, code: &MethodCode, flow: &ControlFlow) -> Vec<(usize, BTreeSet<usize>)> {
        let blocks = flow.blocks().iter().enumerate();
        let decisions = blocks.filter(|(_, block)| {
            let ways = block.successors.iter();
            ways.filter(|edge| !is_caught(edge.kind)).count() > 1
                && !is_about_assertions(code, block.instructions.end - 1)
        });
        let with_ways = decisions.map(|(number, _)| {
            let taken = self.edges.range((number, 0)..(number + 1, 0));
            (number, taken.map(|&(_, way)| way).collect())
        });
        with_ways
            .filter(|(_, taken): &(usize, BTreeSet<usize>)| !taken.is_empty())
            .collect()
    }

    /// The lines of the blocks that never ran and to which control would have come first.
    fn not_run_from(
        &self,
        code: &MethodCode,
        flow: &ControlFlow,
        block: usize,
        lines: &mut BTreeSet<u16>,
    ) {
        let mut open = vec![block];
        let mut seen = BTreeSet::new();
        while let Some(block) = open.pop() {
            let block_now = &flow.blocks()[block];
            let ran = self.instructions.contains(&block_now.instructions.start);
            if ran || !seen.insert(block) {
                continue;
            }
            lines.extend(
                block_now
                    .instructions
                    .clone()
                    .filter_map(|at| code.line(at)),
            );
            let ways = block_now.successors.iter();
            open.extend(
                ways.filter(|edge| !is_caught(edge.kind))
                    .map(|edge| edge.to),
            );
        }
    }
}

fn is_caught(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Exception(_))
}

/// Whether a condition asks if assertions are on.
fn is_about_assertions(code: &MethodCode, condition: usize) -> bool {
    let Some(before) = condition.checked_sub(1).and_then(|at| code.ops.get(at)) else {
        return false;
    };
    let field = code.field(before.a);
    before.code == opcode::GETSTATIC && field.is_some_and(|field| field.name == ASSERTIONS_OFF)
}
