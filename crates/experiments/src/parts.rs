//! Parts of the difference between two versions of a method: what differs on the same lines.

use std::collections::BTreeSet;
use std::sync::Arc;

use classfile::alignment::Alignment;
use classfile::pairing::Pairing;

use crate::change::{CodeChange, CodeChangeKind};
use crate::hybrid::MethodHunks;
use crate::program::{MethodName, method_at};

/// A method that differs, and how.
#[derive(Debug)]
struct DifferingMethod {
    ours: MethodName,
    theirs: MethodName,
    alignment: Alignment,
}

/// A part of the difference of one method.
#[derive(Debug, Clone)]
pub(crate) struct PartOfMethod {
    method: Arc<DifferingMethod>,
    hunks: Vec<usize>,
    /// Our lines that it is on.
    pub(crate) lines: BTreeSet<u32>,
}

/// Parts by the methods that they are of.
pub(crate) struct LineParts<'p> {
    methods: Vec<(&'p DifferingMethod, BTreeSet<usize>)>,
}

impl<'p> LineParts<'p> {
    pub(crate) fn new(parts: impl Iterator<Item = &'p PartOfMethod>) -> LineParts<'p> {
        let mut methods: Vec<(&DifferingMethod, BTreeSet<usize>)> = Vec::new();
        for part in parts {
            let method = &*part.method;
            let known = methods.iter_mut().find(|one| one.0.ours == method.ours);
            match known {
                Some(known) => known.1.extend(&part.hunks),
                None => methods.push((method, part.hunks.iter().copied().collect())),
            }
        }
        LineParts { methods }
    }

    pub(crate) fn hunks(&self) -> Vec<MethodHunks<'p>> {
        let methods = self.methods.iter();
        let hunks = methods.map(|(method, taken)| MethodHunks {
            donor: &method.theirs,
            alignment: &method.alignment,
            taken: taken.clone(),
        });
        hunks.collect()
    }
}

/// The parts in which a changed method differs; none if they have no lines.
pub(crate) fn parts_of(change: &CodeChange, pairing: &Pairing<'_>) -> Option<Vec<PartOfMethod>> {
    let (Some(ours), Some(theirs), CodeChangeKind::Code) =
        (&change.ours, &change.theirs, change.kind)
    else {
        return None;
    };
    let class = pairing.ours().class(&ours.class)?;
    let at = method_at(class, &ours.name, &ours.descriptor)?;
    let (other_class, other) = pairing.their_method(&ours.class, &ours.name, &ours.descriptor)?;
    let mine = pairing.our_code(class, at)?;
    let others = pairing.their_code(other_class, other)?;
    let alignment = Alignment::of(&mine, &others).with_jumps(&mine, &others);
    let groups = alignment.by_line(&mine, &others);
    let lines = groups.iter().map(|group| {
        let hunks = group.iter().map(|&at| &alignment.hunks[at]);
        hunks
            .flat_map(|hunk| alignment.our_lines(hunk, &mine))
            .collect()
    });
    let lines: Vec<BTreeSet<u32>> = lines.collect();
    if lines.iter().any(BTreeSet::is_empty) {
        return None;
    }
    let method = Arc::new(DifferingMethod {
        ours: ours.clone(),
        theirs: theirs.clone(),
        alignment,
    });
    let parts = groups
        .into_iter()
        .zip(lines)
        .map(|(hunks, lines)| PartOfMethod {
            method: method.clone(),
            hunks,
            lines,
        });
    Some(parts.collect())
}

impl PartOfMethod {
    /// What our version calls the method.
    pub(crate) fn method(&self) -> &MethodName {
        &self.method.ours
    }
}
