//! Where control comes to some instructions of a method, and from where it still can: what a call has to be executed
//! for to see whether it came there.

use classfile::opcode as o;

use crate::code::MethodCode;

/// How control comes to the instructions of a line, or to others that are watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ways {
    leads_on: Vec<bool>,
}

impl Ways {
    /// To the watched instructions of a method.
    #[must_use]
    pub fn to(code: &MethodCode, is_watched: impl Fn(usize) -> bool) -> Ways {
        let count = code.ops.len();
        let returns_to_anywhere = code.ops.iter().any(|op| op.code == o::RET);
        if returns_to_anywhere {
            return Ways {
                leads_on: vec![true; count],
            };
        }
        let successors: Vec<Vec<usize>> = (0..count).map(|at| code.successors(at)).collect();
        let comes_to_line = |from: usize, to: usize| {
            let is_other_line = code.line(from).is_none() || code.line(from) != code.line(to);
            is_watched(to) && (is_other_line || to <= from && code.starts_line(to))
        };
        let mut leads_on: Vec<bool> = (0..count)
            .map(|at| successors[at].iter().any(|&to| comes_to_line(at, to)))
            .collect();
        loop {
            let mut has_changed = false;
            for at in (0..count).rev() {
                if !leads_on[at] && successors[at].iter().any(|&to| leads_on[to]) {
                    leads_on[at] = true;
                    has_changed = true;
                }
            }
            if !has_changed {
                return Ways { leads_on };
            }
        }
    }

    /// Whether control may come to the beginning of a watched line once this instruction has been executed.
    #[inline]
    #[must_use]
    pub fn lead_on_from(&self, instruction: usize) -> bool {
        self.leads_on.get(instruction).copied().unwrap_or(false)
    }
}

impl MethodCode {
    /// The instructions that may be executed next, handlers among them.
    fn successors(&self, at: usize) -> Vec<usize> {
        let op = &self.ops[at];
        let (next, target) = (at + 1, op.a as usize);
        let mut all = match op.code {
            o::IFEQ..=o::IF_ACMPNE | o::IFNULL | o::IFNONNULL | o::JSR | o::JSR_W => {
                vec![next, target]
            }
            o::GOTO | o::GOTO_W => vec![target],
            o::TABLESWITCH | o::LOOKUPSWITCH => self.switches[target].targets(),
            o::IRETURN..=o::RETURN | o::ATHROW => Vec::new(),
            _ => vec![next],
        };
        let around = |start: u32, end: u32| (start as usize..end as usize).contains(&at);
        let handlers = self.handlers.iter();
        all.extend(
            handlers
                .filter(|handler| around(handler.start, handler.end))
                .map(|handler| handler.handler as usize),
        );
        all.retain(|&to| to < self.ops.len());
        all
    }
}
