//! Which mistakes could be made in the code that a recorded run came to.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use classfile::ClassFile;
use debug_engine::{ExecutionTree as _, NodeId};
use frame_replay::{CodeCoverage, Program};
use java_model::run::JavaRun;
use trace_format::MethodId;

use super::{Mutation, Operators, mutations};

/// A change that could be made.
pub(crate) struct Candidate {
    pub(crate) method: MethodId,
    pub(crate) mutation: Mutation,
}

/// Changes on lines that the first call of a method came to, those of different methods first, in an order that mixes
/// them by the seed and never changes. Only classes are changed that `is_changed` takes, by their internal names.
pub(crate) fn candidates(
    run: &JavaRun,
    seed: u64,
    operators: Operators,
    is_changed: &dyn Fn(&str) -> bool,
) -> Vec<Candidate> {
    let program = Program::of(run.trace());
    let mut all: Vec<(u64, Candidate)> = Vec::new();
    for (method, node) in first_calls(run) {
        let names = run.method_names(method);
        if !is_changed(names.class) {
            continue;
        }
        let covered = run.call_id(node);
        let covered = covered.and_then(|id| CodeCoverage::of(run.trace(), &program, id).ok());
        let Some(covered) = covered else { continue };
        let ran = |line: u32| covered.lines.iter().any(|&one| u32::from(one) == line);
        let Some((class, index)) = class_of(run, method) else {
            continue;
        };
        for mutation in mutations(&class, index, operators, &ran) {
            let mut hash = DefaultHasher::new();
            (seed, names.class, names.name, names.descriptor, mutation.pc).hash(&mut hash);
            if operators == Operators::Many {
                mutation.what.hash(&mut hash);
            }
            all.push((hash.finish(), Candidate { method, mutation }));
        }
    }
    all.sort_by_key(|(order, _)| *order);
    let mut seen = HashSet::new();
    let (first, rest): (Vec<_>, Vec<_>) = all
        .into_iter()
        .map(|(_, candidate)| candidate)
        .partition(|candidate| seen.insert(candidate.method));
    first.into_iter().chain(rest).collect()
}

/// The class of a method as it was recorded, and the method's place in it.
pub(crate) fn class_of(run: &JavaRun, method: MethodId) -> Option<(ClassFile, usize)> {
    let symbol = run.trace().symbols().method(method)?;
    let bytes = run.trace().class_file(symbol.symbol.class).ok()??;
    Some((ClassFile::parse(&bytes).ok()?, symbol.symbol.index.into()))
}

fn first_calls(run: &JavaRun) -> Vec<(MethodId, NodeId)> {
    let mut seen = HashSet::new();
    let calls = (0..run.len()).map(|number| (run.method(NodeId(number)), NodeId(number)));
    calls.filter(|(method, _)| seen.insert(*method)).collect()
}
