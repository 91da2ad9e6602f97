//! Commands about the machine as a whole.

use crate::catalogue::{PREPARED, TypeNumber};
use crate::identity::{Identity, ThreadGroup};
use crate::machine::Machine;
use crate::packet::{Input, Output};
use crate::refusal::{Answered, Refusal};

/// The version of the protocol that is spoken.
const MAJOR: u32 = 11;
const MINOR: u32 = 0;
/// Bytes of every number that stands for something.
const ID_SIZE: u32 = 8;
/// More strings than these are not made for one command.
const LONGEST_TEXT: usize = 1 << 20;

/// What a recording can do, in the order of the protocol: the first seven are those of the older command.
const CAPABILITIES: [bool; 32] = {
    let mut can = [false; 32];
    // Watch what is written into fields, but not what is read from them.
    can[0] = true;
    // Get byte codes, and tell what a compiler made.
    can[2] = true;
    can[3] = true;
    // Pop frames, filter by instances, tell of the end.
    can[10] = true;
    can[11] = true;
    can[13] = true;
    // Filter by the name of the source. That events tell what methods give back is in the version.
    can[18] = true;
    can
};

/// Answers what needs nothing but the machine.
pub(crate) fn answer(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    match command {
        1 => version(machine, output),
        2 => {
            let signature = input.text()?;
            let found = machine.catalogue.all_named(&signature).to_vec();
            output.count(found.len());
            for number in found {
                machine.list(output, number);
                output.int(PREPARED);
            }
        }
        3 => classes(machine, output, false),
        4 => {
            let threads = machine.threads();
            output.count(threads.len());
            for thread in threads {
                output.long(Identity::Thread(thread).number());
            }
        }
        5 => {
            output.count(1);
            output.long(Identity::Group(ThreadGroup::System).number());
        }
        7 => (0..5).for_each(|_| output.int(ID_SIZE)),
        11 => {
            let text = input.text()?;
            if text.len() > LONGEST_TEXT {
                return Err(Refusal::OutOfMemory);
            }
            output.long(machine.make_text(&text).number());
        }
        12 => CAPABILITIES
            .iter()
            .take(7)
            .for_each(|can| output.flag(*can)),
        13 => {
            output.text("");
            output.count(0);
            output.count(0);
        }
        // Nothing is ever collected, and events wait for nobody.
        14..=16 => {}
        17 => CAPABILITIES.iter().for_each(|can| output.flag(*can)),
        20 => classes(machine, output, true),
        _ => return Err(Refusal::NotImplemented),
    }
    Ok(())
}

fn version(machine: &Machine<'_>, output: &mut Output) {
    let meta = machine.run.trace().meta();
    output.text("A recorded run, shown by Askance: it can be looked at and not changed");
    output.int(MAJOR);
    output.int(MINOR);
    output.text(&meta.jvm);
    output.text(&meta.jvm_name);
}

fn classes(machine: &mut Machine<'_>, output: &mut Output, with_generic: bool) {
    let all: Vec<(TypeNumber, String)> = machine
        .catalogue
        .all()
        .map(|(number, found)| (number, found.signature.clone()))
        .collect();
    output.count(all.len());
    for (number, signature) in all {
        machine.list(output, number);
        output.text(&signature);
        if with_generic {
            let known = machine.catalogue.declarations(number);
            output.text(known.as_ref().map_or("", |known| &known.generic));
        }
        output.int(PREPARED);
    }
}
