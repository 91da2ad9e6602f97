//! The lines on which two versions of a method differ, told from their code.
//!
//! If a call is wrong, all calls below it are right, and the other version did right from the same
//! state, then what differs between the two versions of its own code is to blame. Instructions are
//! compared with their constants spelled out and without the places that jumps go to, so that code
//! which only moved is the same.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use classfile::{ClassFile, Operand};
use trace_format::MethodId;

use java_model::run::JavaRun;
use java_model::spelling;

/// Versions that differ in more places than this are not aligned in detail.
const MOST_PAIRS: usize = 4_000_000;

/// The lines of our version of a method that differ from the other; where ours lacks something, the
/// lines around the gap. Empty if that cannot be told.
#[must_use]
pub fn changed_lines(
    ours: &JavaRun,
    method: MethodId,
    theirs: &JavaRun,
    other: MethodId,
) -> BTreeSet<u32> {
    let (Some(mine), Some(others)) = (spelled(ours, method), spelled(theirs, other)) else {
        return BTreeSet::new();
    };
    let hashes = |code: &[Spelled]| code.iter().map(|one| one.hash).collect::<Vec<u64>>();
    let changed = differing(&hashes(&mine), &hashes(&others));
    let lines = changed.into_iter().filter_map(|at| mine.get(at)?.line);
    lines.collect()
}

struct Spelled {
    line: Option<u32>,
    hash: u64,
}

fn spelled(run: &JavaRun, method: MethodId) -> Option<Vec<Spelled>> {
    let symbol = run.trace().symbols().method(method)?;
    let bytes = run.trace().class_file(symbol.symbol.class).ok()??;
    let class = ClassFile::parse(&bytes).ok()?;
    let declared = class.methods.get(usize::from(symbol.symbol.index))?;
    let code = class.code(declared).ok()??;
    let table = code.line_numbers(&class.constants).ok()?;
    let instructions = code.instructions().ok()?;
    let spelled = instructions.iter().map(|instruction| {
        let mut hash = DefaultHasher::new();
        instruction.opcode.hash(&mut hash);
        match (&instruction.operand, instruction.cp_index()) {
            (_, Some(index)) => spelling::constant(&class, index).hash(&mut hash),
            (Operand::Branch(_), _) => {}
            (Operand::Switch(switch), _) => {
                let keys = switch.cases.iter().map(|(key, _)| key);
                keys.for_each(|key| key.hash(&mut hash));
            }
            (operand, _) => operand.hash(&mut hash),
        }
        let before = table.iter().filter(|entry| entry.pc <= instruction.pc);
        let line = before.max_by_key(|entry| entry.pc);
        Spelled {
            line: line.map(|entry| entry.line.into()),
            hash: hash.finish(),
        }
    });
    Some(spelled.collect())
}

/// The places in `a` that are in no longest common subsequence with `b`, and those beside something
/// that only `b` has.
fn differing(a: &[u64], b: &[u64]) -> BTreeSet<usize> {
    let same_start = a.iter().zip(b).take_while(|(one, other)| one == other);
    let start = same_start.count();
    let ends = a[start..].iter().rev().zip(b[start..].iter().rev());
    let end = ends.take_while(|(one, other)| one == other).count();
    let (middle, others) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let mut changed = BTreeSet::new();
    if middle.is_empty() && others.is_empty() {
        return changed;
    }
    if middle.len().saturating_mul(others.len()) > MOST_PAIRS {
        return (start..a.len() - end).collect();
    }
    // Length of the longest common subsequence of what is left from (i, j) on.
    let width = others.len() + 1;
    let mut longest = vec![0u32; (middle.len() + 1) * width];
    for i in (0..middle.len()).rev() {
        for j in (0..others.len()).rev() {
            longest[i * width + j] = if middle[i] == others[j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < middle.len() || j < others.len() {
        let both = i < middle.len() && j < others.len();
        if both && middle[i] == others[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // A stretch in which the two differ: all of ours in it, or what stands around it.
        let from = i;
        while i < middle.len() || j < others.len() {
            let both = i < middle.len() && j < others.len();
            if both && middle[i] == others[j] {
                break;
            }
            let skips_mine = j == others.len()
                || (i < middle.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]);
            if skips_mine {
                i += 1;
            } else {
                j += 1;
            }
        }
        if from < i {
            changed.extend(start + from..start + i);
        } else {
            let at = start + from;
            changed.extend(at.checked_sub(1));
            changed.extend((at < a.len()).then_some(at));
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &[u64], b: &[u64], expected: &[usize]) {
        let found: Vec<usize> = differing(a, b).into_iter().collect();
        assert_eq!(found, expected, "{a:?} {b:?}");
    }

    #[test]
    fn changed_added_and_missing_code() {
        check(&[1, 2, 3], &[1, 2, 3], &[]);
        check(&[1, 9, 3], &[1, 2, 3], &[1]);
        check(&[1, 2, 7, 8, 3], &[1, 2, 3], &[2, 3]);
        check(&[1, 3], &[1, 2, 3], &[0, 1]);
        check(&[1, 9, 3, 4, 8], &[1, 2, 3, 4, 5], &[1, 4]);
        check(&[], &[1], &[]);
        check(&[1], &[], &[0]);
    }
}
