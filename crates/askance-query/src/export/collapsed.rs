//! The calls of a run as collapsed stacks, which tools for flame graphs take: one line for each stack of methods that
//! occurred, with the number of calls that were made in it.

use std::collections::HashMap;
use std::io::Write;

use debug_engine::{ExecutionTree as _, NodeId};

use super::chrome::{names, unread};
use crate::failure::QueryFailure;
use crate::reader::TableReader;

/// Stacks are cut here: a line for each level of a deep recursion would be as long as that is deep.
const DEEPEST: usize = 256;

/// A stack: the one above it, and its innermost method.
#[derive(Debug, Clone, Copy)]
struct Stack {
    above: usize,
    method: u32,
    calls: u64,
}

/// What is above the outermost calls of a thread.
const NONE: usize = usize::MAX;

/// Writes all stacks; whether some were cut.
///
/// # Errors
/// If the trace cannot be read or the file not be written.
pub fn write(reader: &TableReader, out: &mut impl Write) -> Result<bool, QueryFailure> {
    let run = &*reader.run;
    let mut stacks: Vec<Stack> = Vec::new();
    let mut known: HashMap<(usize, u32), usize> = HashMap::new();
    // The open calls: the node after each one's subtree, and its stack.
    let mut open: Vec<(u32, usize)> = Vec::new();
    let mut is_cut = false;
    for (node, first, calls) in run.stretches() {
        let columns = run.trace().calls(first.thread).map_err(unread)?;
        for offset in 0..calls {
            let node = NodeId(node.0 + offset);
            while open.last().is_some_and(|open| open.0 <= node.0) {
                open.pop();
            }
            let above = open.last().map_or(NONE, |open| open.1);
            let method = columns.method(first.index + offset).0;
            let stack = if open.len() >= DEEPEST {
                is_cut = true;
                above
            } else {
                *known.entry((above, method)).or_insert_with(|| {
                    stacks.push(Stack {
                        above,
                        method,
                        calls: 0,
                    });
                    stacks.len() - 1
                })
            };
            stacks[stack].calls += 1;
            // Below the deepest level nothing is told apart, so nothing has to be kept.
            if open.len() < DEEPEST {
                open.push((node.0 + run.subtree_size(node), stack));
            }
        }
    }
    let names = names(reader);
    let mut path = Vec::new();
    for stack in &stacks {
        path.clear();
        let mut at = Some(stack);
        while let Some(stack) = at {
            path.push(stack.method);
            at = stacks.get(stack.above);
        }
        for (level, &method) in path.iter().rev().enumerate() {
            let name = names.get(method as usize).map_or("?", String::as_str);
            write!(out, "{}{name}", if level == 0 { "" } else { ";" })?;
        }
        writeln!(out, " {}", stack.calls)?;
    }
    out.flush()?;
    Ok(is_cut)
}
