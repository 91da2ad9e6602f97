//! Commands about threads, their groups and their frames.

use time_travel::frames::{self, FrameSlots};
use trace_format::ThreadNumber;

use crate::identity::{Identity, ThreadGroup};
use crate::machine::{Machine, Place, write_unknown};
use crate::packet::{Input, Output};
use crate::refusal::{Answered, Refusal};
use crate::travelling;

const ZOMBIE: u32 = 0;
const RUNNING: u32 = 1;
/// Of a stack no more frames are told at once.
const MOST_FRAMES: usize = 100_000;

/// Commands about threads. Resuming may let the machine go on, which the caller sees to.
pub(crate) fn answer(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let thread = machine.thread(input)?;
    match command {
        1 => output.text(&machine.run.thread_name(thread)),
        2 => machine.suspend(thread),
        3 => machine.resume(thread),
        4 => {
            let is_there = machine.threads().contains(&thread);
            output.int(if is_there { RUNNING } else { ZOMBIE });
            output.int(u32::from(machine.suspensions_of(thread) > 0));
        }
        5 => output.long(Identity::Group(ThreadGroup::Main).number()),
        6 => stack(machine, thread, input, output)?,
        7 => {
            let depth = depth(machine, thread);
            output.count(depth);
        }
        12 => output.int(machine.suspensions_of(thread)),
        _ => return Err(Refusal::NotImplemented),
    }
    Ok(())
}

fn depth(machine: &Machine<'_>, thread: ThreadNumber) -> usize {
    let stop = machine.stop_of(thread);
    stop.map_or(0, |stop| frames::depth(&machine.traveller, &stop) as usize)
}

fn stack(
    machine: &Machine<'_>,
    thread: ThreadNumber,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let (start, length) = (input.int()? as usize, input.int()?);
    let depth = depth(machine, thread);
    let left = depth.checked_sub(start).ok_or(Refusal::InvalidIndex)?;
    let count = match length {
        u32::MAX => left,
        length => length as usize,
    };
    if count > left {
        return Err(Refusal::InvalidLength);
    }
    if count > MOST_FRAMES {
        return Err(Refusal::OutOfMemory);
    }
    let stop = machine.stop_of(thread);
    let found = stop.map(|stop| frames::stack(&machine.traveller, &stop, start, count));
    let found = found.unwrap_or_default();
    output.count(found.len());
    for (index, frame) in (start..).zip(&found) {
        output.long(machine.frame_number(index));
        machine.write_location(output, machine.location_of(frame, index == 0));
    }
    Ok(())
}

/// Commands about groups of threads: there are the two that there always are.
pub(crate) fn answer_group(
    machine: &Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let Ok(Identity::Group(group)) = Identity::parse(input.long()?) else {
        return Err(Refusal::InvalidThreadGroup);
    };
    let is_main = group == ThreadGroup::Main;
    match command {
        1 => output.text(if is_main { "main" } else { "system" }),
        2 => {
            let parent = match group {
                ThreadGroup::Main => Identity::Group(ThreadGroup::System),
                ThreadGroup::System => Identity::Null,
            };
            output.long(parent.number());
        }
        3 => {
            let threads = if is_main {
                machine.threads()
            } else {
                Vec::new()
            };
            output.count(threads.len());
            for thread in threads {
                output.long(Identity::Thread(thread).number());
            }
            output.count(usize::from(!is_main));
            if !is_main {
                output.long(Identity::Group(ThreadGroup::Main).number());
            }
        }
        _ => return Err(Refusal::NotImplemented),
    }
    Ok(())
}

/// Commands about frames.
pub(crate) fn answer_frame(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let thread = machine.thread(input)?;
    let (frame, is_innermost) = machine.frame(thread, input.long()?)?;
    match command {
        1 => {
            let wanted = input.list(5, |input| Ok((input.int()? as usize, input.byte()?)))?;
            let slots = FrameSlots::of(&machine.traveller, &frame, is_innermost);
            let slots = slots.ok_or(Refusal::AbsentInformation)?;
            let method = machine
                .catalogue
                .of_method(machine.run.method(frame.node()));
            let (class, method) = method.ok_or(Refusal::InvalidSlot)?;
            let known = machine.catalogue.declarations(class)?;
            let code = known.methods.get(method).and_then(|it| it.code.as_ref());
            let code = code.ok_or(Refusal::InvalidSlot)?;
            output.count(wanted.len());
            for (slot, tag) in wanted {
                let is_here = |variable: &&crate::catalogue::DeclaredVariable| {
                    usize::from(variable.slot) == slot
                        && (variable.start..variable.end).contains(&slots.offset)
                };
                let variable = code.variables.iter().find(is_here);
                let tag = char::from(tag).to_string();
                let descriptor = variable.map_or(tag.as_str(), |it| &it.descriptor);
                match slots.value(slot, descriptor) {
                    Ok(value) => machine.write_java_value(output, &value),
                    Err(_) => write_unknown(output),
                }
            }
        }
        3 => {
            let call = machine.run.call(frame.node());
            let this = call.and_then(|call| call.this);
            let value = trace_format::Value::Ref(this.unwrap_or_default());
            machine.write_value(output, value);
        }
        4 => {
            let stop = travelling::pop(machine, thread, &frame);
            machine.go_to(Place::At(stop.ok_or(Refusal::NoMoreFrames)?));
        }
        _ => return Err(Refusal::NotImplemented),
    }
    Ok(())
}
