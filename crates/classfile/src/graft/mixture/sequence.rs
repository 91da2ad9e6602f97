//! The instructions of a mixture, with where they jump to and what catches what they throw.

use std::collections::{BTreeSet, HashMap};

use super::slots::{Hint, kind_of, types_to_slots};
use crate::alignment::{Alignment, Hunk};
use crate::graft::GraftError;
use crate::stack_map::StackMap;
use crate::{ClassFile, Code, Instruction, LineNumber, Operand, VerificationType};

/// The instructions in their order, each by its number here.
pub(super) struct Sequence {
    pub(super) steps: Vec<Step>,
    pub(super) handlers: Vec<Handler>,
    pub(super) max_locals: u16,
}

pub(super) struct Step {
    pub(super) instruction: Instruction,
    /// Where it may jump to, in the order of [`Instruction::targets`].
    pub(super) targets: Vec<usize>,
    /// The handlers that cover it, the first that counts first.
    pub(super) covered: Vec<usize>,
    pub(super) line: Option<u16>,
    /// What the versions that have it say of its frame.
    pub(super) hints: Vec<Hint>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Handler {
    pub(super) target: usize,
    pub(super) catch_type: u16,
}

/// From which version an instruction is.
#[derive(Clone, Copy)]
enum Origin {
    Ours(usize),
    Theirs(usize),
    Both(usize, usize),
}

/// One version's code, decoded.
struct Side<'c> {
    code: &'c Code,
    instructions: Vec<Instruction>,
    lines: Vec<LineNumber>,
    frames: HashMap<u32, Hint>,
    /// Where each instruction has come to lie, if it has.
    places: Vec<Option<usize>>,
}

impl<'c> Side<'c> {
    fn of(
        class: &ClassFile,
        initial: &[VerificationType],
        code: &'c Code,
    ) -> Result<Side<'c>, GraftError> {
        let instructions = code.instructions()?;
        Ok(Side {
            places: vec![None; instructions.len() + 1],
            lines: code.line_numbers(&class.constants)?,
            frames: frames(class, initial, code)?,
            instructions,
            code,
        })
    }

    fn number(&self, pc: u32) -> usize {
        self.instructions.partition_point(|one| one.pc < pc)
    }

    /// Where the instruction at a pc has come to lie.
    fn place(&self, pc: u16) -> Option<usize> {
        self.places[self.number(pc.into())]
    }

    fn line(&self, at: usize) -> Option<u16> {
        let pc = self.instructions.get(at)?.pc;
        let before = self.lines.iter().filter(|entry| entry.pc <= pc);
        Some(before.max_by_key(|entry| entry.pc)?.line)
    }

    fn is_jumped_to(&self, at: usize) -> bool {
        let mut targets = self.instructions.iter().flat_map(Instruction::targets);
        self.instructions
            .get(at)
            .is_some_and(|one| targets.any(|target| target == one.pc))
    }
}

/// The frames, by where they are.
fn frames(
    class: &ClassFile,
    initial: &[VerificationType],
    code: &Code,
) -> Result<HashMap<u32, Hint>, GraftError> {
    let mut found = HashMap::new();
    for table in code.tables(&class.constants, b"StackMapTable") {
        let map = StackMap::parse(&table.bytes, initial)?;
        for frame in map.frames() {
            let hint = Hint {
                locals: types_to_slots(frame.locals),
                stack: types_to_slots(frame.stack),
            };
            found.insert(frame.pc, hint);
        }
    }
    Ok(found)
}

struct Weaver<'w> {
    ours: Side<'w>,
    theirs: Side<'w>,
    alignment: &'w Alignment,
    taken: &'w BTreeSet<usize>,
    origins: Vec<Origin>,
    /// Where each hunk begins.
    begins: Vec<usize>,
}

impl Sequence {
    pub(super) fn of(
        class: &ClassFile,
        initial: &[VerificationType],
        (ours, theirs): (&Code, &Code),
        alignment: &Alignment,
        taken: &BTreeSet<usize>,
    ) -> Result<Sequence, GraftError> {
        let mut weaver = Weaver {
            ours: Side::of(class, initial, ours)?,
            theirs: Side::of(class, initial, theirs)?,
            alignment,
            taken,
            origins: Vec::new(),
            begins: Vec::new(),
        };
        weaver.lay_out();
        weaver.sequence()
    }
}

impl Weaver<'_> {
    fn lay_out(&mut self) {
        let (mut one, mut other) = (0, 0);
        let end = Hunk {
            ours: self.ours.instructions.len()..self.ours.instructions.len(),
            theirs: self.theirs.instructions.len()..self.theirs.instructions.len(),
        };
        let alignment = self.alignment;
        for (number, hunk) in alignment.hunks.iter().chain([&end]).enumerate() {
            while one < hunk.ours.start {
                self.ours.places[one] = Some(self.origins.len());
                self.theirs.places[other] = Some(self.origins.len());
                self.origins.push(Origin::Both(one, other));
                (one, other) = (one + 1, other + 1);
            }
            self.begins.push(self.origins.len());
            if self.taken.contains(&number) {
                for at in hunk.theirs.clone() {
                    self.theirs.places[at] = Some(self.origins.len());
                    self.origins.push(Origin::Theirs(at));
                }
            } else {
                for at in hunk.ours.clone() {
                    self.ours.places[at] = Some(self.origins.len());
                    self.origins.push(Origin::Ours(at));
                }
            }
            (one, other) = (hunk.ours.end, hunk.theirs.end);
        }
        self.ours.places[one.min(self.ours.instructions.len())] = Some(self.origins.len());
        self.theirs.places[other.min(self.theirs.instructions.len())] = Some(self.origins.len());
    }

    fn sequence(&self) -> Result<Sequence, GraftError> {
        let mut sequence = Sequence {
            steps: Vec::with_capacity(self.origins.len()),
            handlers: Vec::new(),
            max_locals: self
                .ours
                .code
                .max_locals
                .saturating_add(self.theirs.code.max_locals),
        };
        for &origin in &self.origins {
            let (side, at) = match origin {
                Origin::Ours(at) | Origin::Both(at, _) => (&self.ours, at),
                Origin::Theirs(at) => (&self.theirs, at),
            };
            let mut instruction = side.instructions[at].clone();
            if matches!(origin, Origin::Theirs(_)) {
                self.renumber(&mut instruction);
            }
            let covered = self.covering(origin, &mut sequence.handlers);
            sequence.steps.push(Step {
                targets: self.targets(origin)?,
                line: side.line(at),
                hints: self.hints(origin),
                covered,
                instruction,
            });
        }
        Ok(sequence)
    }

    /// What both versions say of a frame, in our locals.
    fn hints(&self, origin: Origin) -> Vec<Hint> {
        let (one, other) = match origin {
            Origin::Ours(at) => (Some(at), None),
            Origin::Theirs(at) => (None, Some(at)),
            Origin::Both(one, other) => (Some(one), Some(other)),
        };
        let hint = |side: &Side<'_>, at: usize| side.frames.get(&side.instructions[at].pc).cloned();
        let mine = one.and_then(|at| hint(&self.ours, at));
        let others = other.and_then(|at| hint(&self.theirs, at)).map(|hint| {
            let mut locals = Vec::new();
            for (slot, kind) in hint.locals.into_iter().enumerate() {
                let slot = usize::from(self.local(kind_of(kind), slot as u16));
                if kind != VerificationType::Top {
                    locals.resize(locals.len().max(slot + 1), VerificationType::Top);
                    locals[slot] = kind;
                }
            }
            Hint { locals, ..hint }
        });
        mine.into_iter().chain(others).collect()
    }

    /// A local of the other version; one that ours does not have lies behind all of ours.
    fn local(&self, kind: char, theirs: u16) -> u16 {
        let ours = self.alignment.our_local(kind, theirs);
        ours.unwrap_or_else(|| self.ours.code.max_locals.saturating_add(theirs))
    }

    fn renumber(&self, instruction: &mut Instruction) {
        let kind = instruction.name().chars().next().unwrap_or_default();
        match &mut instruction.operand {
            Operand::Local(local) | Operand::Increment { local, .. } => {
                *local = self.local(kind, *local);
            }
            _ => {}
        }
    }

    fn targets(&self, origin: Origin) -> Result<Vec<usize>, GraftError> {
        let numbers = |side: &Side<'_>, at: usize| -> Vec<usize> {
            let targets = side.instructions[at].targets();
            targets.map(|pc| side.number(pc)).collect()
        };
        match origin {
            Origin::Ours(at) => {
                let all = numbers(&self.ours, at).into_iter();
                all.map(|target| self.our_target(target)).collect()
            }
            Origin::Theirs(at) => {
                let all = numbers(&self.theirs, at).into_iter();
                all.map(|target| self.their_target(target)).collect()
            }
            Origin::Both(one, other) => {
                let (mine, others) = (numbers(&self.ours, one), numbers(&self.theirs, other));
                if mine.len() != others.len() {
                    return Err(GraftError::Mixture("a switch has other cases"));
                }
                let both = mine.into_iter().zip(others);
                both.map(|(one, other)| self.common_target(one, other))
                    .collect()
            }
        }
    }

    fn common_target(&self, ours: usize, theirs: usize) -> Result<usize, GraftError> {
        let place = if self.alignment.is_common(ours, theirs) {
            self.ours.places[ours]
        } else {
            match self.alignment.hunk_around(ours, theirs) {
                Some(hunk) if self.taken.contains(&hunk) => self.theirs.places[theirs],
                Some(_) => self.ours.places[ours],
                None => None,
            }
        };
        place.ok_or(GraftError::Mixture("a jump leads elsewhere"))
    }

    fn our_target(&self, target: usize) -> Result<usize, GraftError> {
        let is_replaced = |number: &usize, hunk: &Hunk| {
            let leads_in = !hunk.ours.is_empty() || self.theirs.is_jumped_to(hunk.theirs.start);
            hunk.ours.start == target && self.taken.contains(number) && leads_in
        };
        self.target(is_replaced, self.ours.places[target])
    }

    fn their_target(&self, target: usize) -> Result<usize, GraftError> {
        let is_replaced = |number: &usize, hunk: &Hunk| {
            let leads_in = !hunk.theirs.is_empty() || self.ours.is_jumped_to(hunk.ours.start);
            hunk.theirs.start == target && !self.taken.contains(number) && leads_in
        };
        self.target(is_replaced, self.theirs.places[target])
    }

    /// The beginning of the code that stands in place of a jump's target, or the target itself.
    fn target(
        &self,
        is_replaced: impl Fn(&usize, &Hunk) -> bool,
        place: Option<usize>,
    ) -> Result<usize, GraftError> {
        let mut hunks = self.alignment.hunks.iter().enumerate();
        let replaced = hunks.find(|(number, hunk)| is_replaced(number, hunk));
        let begin = replaced.map(|(number, _)| self.begins[number]);
        begin.or(place).ok_or(GraftError::Mixture(
            "a jump leads into code that is not there",
        ))
    }

    /// The handlers of an instruction: those of its own version that are there, and for one that both have also those
    /// that came with the other version's code.
    fn covering(&self, origin: Origin, handlers: &mut Vec<Handler>) -> Vec<usize> {
        let found = match origin {
            Origin::Ours(at) => self.of_one_version(covering(&self.ours, at)),
            Origin::Theirs(at) => covering(&self.theirs, at),
            Origin::Both(one, other) => {
                let brought = covering(&self.theirs, other).into_iter();
                let brought = brought.filter(|handler| {
                    let is_ours = self.ours.places.contains(&Some(handler.target));
                    !is_ours || self.is_caught_as_theirs(handler.target)
                });
                let mut found = covering(&self.ours, one);
                found.retain(|handler| !self.is_caught_as_theirs(handler.target));
                found.extend(brought);
                found
            }
        };
        let numbers = found.into_iter().map(|handler| {
            let known = handlers.iter().position(|one| *one == handler);
            known.unwrap_or_else(|| {
                handlers.push(handler);
                handlers.len() - 1
            })
        });
        numbers.collect()
    }

    /// What our code throws is caught at one place as what the code around it throws is.
    fn of_one_version(&self, mut found: Vec<Handler>) -> Vec<Handler> {
        for handler in &mut found {
            if self.is_caught_as_theirs(handler.target) {
                let mut ranges = self.theirs.code.exceptions.iter();
                let same =
                    ranges.find(|range| self.theirs.place(range.handler) == Some(handler.target));
                if let Some(range) = same {
                    handler.catch_type = range.catch_type;
                }
            }
        }
        found
    }

    /// Whether a handler that both versions have catches what the other version's does: code that it covers was taken.
    fn is_caught_as_theirs(&self, target: usize) -> bool {
        let mut ranges = self.theirs.code.exceptions.iter();
        ranges.any(|range| {
            let covered =
                self.theirs.number(range.start.into())..self.theirs.number(range.end.into());
            let mut hunks = self.alignment.hunks.iter().enumerate();
            self.theirs.place(range.handler) == Some(target)
                && hunks.any(|(number, hunk)| {
                    let theirs = &hunk.theirs;
                    let is_inside = theirs.start < covered.end && covered.start < theirs.end;
                    is_inside && self.taken.contains(&number)
                })
        })
    }
}

/// The handlers of an instruction in one version, as far as they are there.
fn covering(side: &Side<'_>, at: usize) -> Vec<Handler> {
    let pc = side.instructions[at].pc;
    let ranges = side.code.exceptions.iter();
    let around = ranges.filter(|range| u32::from(range.start) <= pc && pc < u32::from(range.end));
    let found = around.filter_map(|range| {
        Some(Handler {
            target: side.place(range.handler)?,
            catch_type: range.catch_type,
        })
    });
    found.collect()
}
