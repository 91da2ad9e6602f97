//! A method's code with some of the hunks in which another version of it differs.
//!
//! Both versions' instructions name constants of the same pool. What both have is taken from our version; of a hunk
//! either all of one version or all of the other. Locals of the other version are those of ours that they are
//! paired with, or new ones. Jumps and exception ranges follow, code that can no longer be reached is left out, and
//! the frames of the stack map are inferred anew (`mixture/types.rs`). Whether the result makes sense is for a JVM to
//! tell, by verifying and by running it.

mod encoding;
mod sequence;
mod slots;
mod types;

use std::collections::BTreeSet;

use crate::alignment::Alignment;
use crate::bytes::Writer;
use crate::graft::GraftError;
use crate::stack_map::StackMapWriter;
use crate::{Attribute, ClassFile, Code, ExceptionRange, Method, VerificationType};
use encoding::Encoding;
use sequence::Sequence;
use slots::slots_to_types;
use types::{Inference, State};

/// Our method's code with those hunks of the other version, whose code names our constants.
///
/// # Errors
/// If the two do not go together.
pub(super) fn mixed(
    class: &mut ClassFile,
    method: &Method,
    (ours, theirs): (&Code, &Code),
    alignment: &Alignment,
    taken: &BTreeSet<usize>,
) -> Result<Code, GraftError> {
    let initial = types::at_start(class, method)?;
    let sequence = Sequence::of(class, &initial, (ours, theirs), alignment, taken)?;
    let inference = Inference::of(class, &initial, &sequence)?;
    let reached: Vec<usize> = (0..sequence.steps.len())
        .filter(|&at| inference.states[at].is_some())
        .collect();
    let encoding = Encoding::of(class, &sequence, &reached)?;
    let mut code = Code {
        max_stack: inference.max_stack,
        max_locals: sequence.max_locals,
        exceptions: exceptions(&sequence, &reached, &encoding),
        attributes: Vec::new(),
        bytes: encoding.bytes.clone(),
    };
    let frames = frames(&sequence, &inference, &reached, &encoding);
    let tables = [
        ("StackMapTable", frames),
        ("LineNumberTable", lines(&sequence, &reached, &encoding)),
    ];
    for (name, table) in tables {
        if let Some(bytes) = table {
            let name = class.constants.add_utf8(name)?;
            code.attributes.push(Attribute { name, bytes });
        }
    }
    Ok(code)
}

/// For each kind of handler the stretches of instructions that it covers.
fn exceptions(sequence: &Sequence, reached: &[usize], encoding: &Encoding) -> Vec<ExceptionRange> {
    let mut ranges = Vec::new();
    for (number, handler) in sequence.handlers.iter().enumerate() {
        let Some(target) = encoding.place(handler.target) else {
            continue;
        };
        let mut start = None;
        for (index, &at) in reached.iter().enumerate() {
            let is_covered = sequence.steps[at].covered.contains(&number);
            let here = encoding.places[index];
            match (is_covered, start) {
                (true, None) => start = Some(here),
                (false, Some(from)) => {
                    ranges.push((number, from, here, target));
                    start = None;
                }
                _ => {}
            }
        }
        if let Some(from) = start {
            ranges.push((number, from, encoding.bytes.len() as u16, target));
        }
    }
    let ranges = ranges.into_iter().map(|(number, start, end, handler)| {
        let catch_type = sequence.handlers[number].catch_type;
        ExceptionRange {
            start,
            end,
            handler,
            catch_type,
        }
    });
    ranges.collect()
}

/// Frames are wanted where jumps and handlers go, and behind what control does not go on from.
fn frames(
    sequence: &Sequence,
    inference: &Inference,
    reached: &[usize],
    encoding: &Encoding,
) -> Option<Vec<u8>> {
    let mut targets: BTreeSet<usize> = sequence.handlers.iter().map(|one| one.target).collect();
    for &at in reached {
        targets.extend(&sequence.steps[at].targets);
    }
    let mut writer = StackMapWriter::default();
    let mut is_after_end = false;
    for &at in reached {
        let is_wanted = is_after_end || targets.contains(&at);
        if let (true, Some(state), Some(place)) =
            (is_wanted, &inference.states[at], encoding.place(at))
        {
            let (locals, stack) = types_at(state, encoding);
            writer.frame(u32::from(place), &locals, &stack);
        }
        is_after_end = !sequence.steps[at].instruction.falls_through();
    }
    writer.finish()
}

/// A state as a frame has it: what is not held any more at the end of the locals is left out.
fn types_at(state: &State, encoding: &Encoding) -> (Vec<VerificationType>, Vec<VerificationType>) {
    let made_at = |kind: VerificationType| match kind {
        VerificationType::Uninitialized(step) => {
            let place = encoding.place(usize::from(step));
            place.map_or(VerificationType::Top, VerificationType::Uninitialized)
        }
        other => other,
    };
    let types = |slots: &[VerificationType]| -> Vec<VerificationType> {
        slots_to_types(slots).into_iter().map(made_at).collect()
    };
    let mut locals = types(&state.locals);
    while locals.last() == Some(&VerificationType::Top) {
        locals.pop();
    }
    (locals, types(&state.stack))
}

fn lines(sequence: &Sequence, reached: &[usize], encoding: &Encoding) -> Option<Vec<u8>> {
    let mut entries: Vec<(u16, u16)> = Vec::new();
    for (&at, &place) in reached.iter().zip(&encoding.places) {
        if let Some(line) = sequence.steps[at].line
            && entries.last().is_none_or(|last| last.1 != line)
        {
            entries.push((place, line));
        }
    }
    let mut table = Vec::with_capacity(2 + 4 * entries.len());
    table.put_u16(entries.len() as u16);
    for (place, line) in &entries {
        table.put_u16(*place);
        table.put_u16(*line);
    }
    (!entries.is_empty()).then_some(table)
}
