//! Class files as tools that shrink them write them: no frame tells of a local that nothing reads any more.

use std::collections::{BTreeSet, HashMap};

use classfile::flow::ControlFlow;
use classfile::stack_map::{StackMap, StackMapWriter, initial_locals};
use classfile::{ClassFile, Code, Instruction, Method, ParseError, PoolError, VerificationType};

/// The class without dead locals in its frames, and how many were taken out.
pub fn drop_dead_locals(bytes: &[u8]) -> (Vec<u8>, usize) {
    let mut class = ClassFile::parse(bytes).unwrap();
    let mut dropped = 0;
    for index in 0..class.methods.len() {
        let method = class.methods[index].clone();
        if let Some(mut code) = class.code(&method).unwrap() {
            dropped += shrink_frames(&mut class, &method, &mut code);
            class.set_code(index, &code).unwrap();
        }
    }
    (class.write(), dropped)
}

fn shrink_frames(class: &mut ClassFile, method: &Method, code: &mut Code) -> usize {
    let is_table = |attribute: &&mut classfile::Attribute| {
        class.constants.utf8_bytes(attribute.name) == Ok(b"StackMapTable")
    };
    let mut attributes = std::mem::take(&mut code.attributes);
    let mut dropped = 0;
    if let Some(table) = attributes.iter_mut().find(is_table) {
        let initial = locals_at_start(class, method);
        let live = live_at_instructions(code);
        let mut writer = StackMapWriter::default();
        for frame in StackMap::parse(&table.bytes, &initial).unwrap().frames() {
            let mut locals = Vec::new();
            let mut slot = 0;
            for &each in frame.locals {
                let stays = each == VerificationType::Top
                    || each == VerificationType::UninitializedThis
                    || live[&frame.pc].contains(&slot);
                if stays {
                    locals.push(each);
                } else {
                    dropped += 1;
                    locals.extend((0..each.slots()).map(|_| VerificationType::Top));
                }
                slot += each.slots();
            }
            writer.frame(frame.pc, &locals, frame.stack);
        }
        table.bytes = writer.finish().unwrap_or_else(|| vec![0, 0]);
    }
    code.attributes = attributes;
    dropped
}

fn locals_at_start(class: &mut ClassFile, method: &Method) -> Vec<VerificationType> {
    let name = class.method_name(method).unwrap().into_owned();
    let descriptor = class.method_descriptor(method).unwrap().into_owned();
    let receiver = match name.as_str() {
        _ if method.access.is_static() => None,
        "<init>" => Some(VerificationType::UninitializedThis),
        _ => Some(VerificationType::Object(class.this_class)),
    };
    initial_locals(receiver, &descriptor, |name| {
        let added: Result<u16, PoolError> = class.constants.add_class(name);
        added.map_err(|_| ParseError::BadDescriptor)
    })
    .unwrap()
}

/// For each pc, the slots of the locals that are read later on before they are set.
fn live_at_instructions(code: &Code) -> HashMap<u32, BTreeSet<u16>> {
    let instructions = code.instructions().unwrap();
    let flow = ControlFlow::of(code, &instructions).unwrap();
    let mut live: HashMap<u32, BTreeSet<u16>> = HashMap::new();
    loop {
        let mut changed = false;
        for block in flow.blocks().iter().rev() {
            let mut now = BTreeSet::new();
            for edge in &block.successors {
                let next = flow.blocks()[edge.to].instructions.start;
                now.extend(live.get(&instructions[next].pc).into_iter().flatten());
            }
            for index in block.instructions.clone().rev() {
                let instruction = &instructions[index];
                step_back(instruction, &mut now);
                // The verifier compares with a handler's frame at each instruction that it covers.
                for range in &code.exceptions {
                    if (range.start.into()..range.end.into()).contains(&instruction.pc) {
                        let handler = live.get(&range.handler.into());
                        now.extend(handler.into_iter().flatten());
                    }
                }
                changed |= live.insert(instruction.pc, now.clone()).as_ref() != Some(&now);
            }
        }
        if !changed {
            return live;
        }
    }
}

fn step_back(instruction: &Instruction, live: &mut BTreeSet<u16>) {
    let Some(local) = instruction.local_index() else {
        return;
    };
    if instruction.is_local_store() {
        live.remove(&local);
    } else {
        live.insert(local);
    }
}
