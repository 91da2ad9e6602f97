//! Commands about objects, strings, arrays, class objects and loaders.

use java_model::heap::{Heap as _, ThingKind};
use java_model::shown;
use java_names::names;
use trace_format::{ObjectId, Value};

use crate::catalogue::{CataloguedType, content_field};
use crate::identity::Identity;
use crate::machine::{Machine, write_plain, write_unknown};
use crate::packet::{Input, Output};
use crate::refusal::{Answered, Refusal};

/// Elements of an array that are given at once; a client may ask for more in parts.
const MOST_ELEMENTS: usize = 4_000_000;

/// Commands about any object.
pub(crate) fn answer(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let object = machine.object_named(input)?;
    match command {
        1 => {
            let number = match object {
                Identity::Object(object) => machine.type_of(object),
                other => {
                    let name = match other {
                        Identity::ClassObject(_) => "Ljava/lang/Class;",
                        Identity::Thread(_) => "Ljava/lang/Thread;",
                        Identity::Group(_) => "Ljava/lang/ThreadGroup;",
                        Identity::Loader => "Ljava/lang/ClassLoader;",
                        _ => "Ljava/lang/String;",
                    };
                    machine.catalogue.named(name)
                }
            };
            machine.write_type(output, number);
        }
        2 => fields(machine, object, input, output)?,
        // Nothing is collected.
        7 | 8 => {}
        9 => output.flag(false),
        _ => return Err(Refusal::NotImplemented),
    }
    Ok(())
}

fn fields(
    machine: &mut Machine<'_>,
    object: Identity,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let wanted = input.list(8, |input| machine.field_named(input))?;
    output.count(wanted.len());
    let Identity::Object(object) = object else {
        // What stands for a thread or a class has no fields that are recorded.
        wanted.iter().for_each(|_| write_unknown(output));
        return Ok(());
    };
    let values = machine.run.fields(object, machine.time());
    for (class, place) in wanted {
        let known = machine.catalogue.declarations(class)?;
        let field = known.fields.get(place).filter(|field| !field.is_static);
        let field = field.ok_or(Refusal::InvalidField)?;
        let owner = names::class(machine.catalogue.get(class)?.name());
        let value = values
            .iter()
            .find(|value| *value.owner == *owner && *value.name == *field.name);
        match value {
            Some(value) => {
                machine.write_value(output, shown::typed(value.value, &field.descriptor));
            }
            None => content(machine, object, &owner, output),
        }
    }
    Ok(())
}

/// What the recorder keeps of an object of the JDK, as the value of the one field that holds it there.
fn content(machine: &mut Machine<'_>, object: ObjectId, owner: &str, output: &mut Output) {
    let kind = machine.run.thing(object).map(|thing| thing.kind);
    let kind = kind.filter(|_| content_field(&names::internal(owner)).is_some());
    let text = match kind {
        Some(ThingKind::Boxed(value)) => return machine.write_value(output, value),
        Some(ThingKind::Constant { name }) => Some(name),
        Some(ThingKind::Throwable { message }) => match message {
            Some(message) => Some(message),
            None => return machine.write_value(output, Value::NULL),
        },
        _ => None,
    };
    match text {
        Some(text) => {
            output.byte(b's');
            output.long(machine.make_text(&text).number());
        }
        None => write_unknown(output),
    }
}

/// The text of a string.
pub(crate) fn answer_string(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    if command != 1 {
        return Err(Refusal::NotImplemented);
    }
    match machine.object_named(input)? {
        Identity::Text(place) => {
            output.text(machine.text(place).ok_or(Refusal::InvalidString)?);
        }
        Identity::Object(object) => match machine.run.thing(object).map(|thing| thing.kind) {
            Some(ThingKind::Text { text, missing: 0 }) => output.text(&text),
            Some(ThingKind::Text { text, missing }) => {
                output.text(&format!("{text}… ({missing} more chars were not recorded)"));
            }
            // A secret is nowhere in the trace.
            Some(ThingKind::Masked) => return Err(Refusal::AbsentInformation),
            _ => return Err(Refusal::InvalidString),
        },
        _ => return Err(Refusal::InvalidString),
    }
    Ok(())
}

/// Length and elements of an array.
pub(crate) fn answer_array(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let Identity::Object(array) = machine.object_named(input)? else {
        return Err(Refusal::InvalidArray);
    };
    let length = machine
        .run
        .read(machine.run.trace().array_length(array))
        .flatten();
    let length = length.ok_or(Refusal::InvalidArray)? as usize;
    match command {
        1 => {
            output.count(length);
            Ok(())
        }
        2 => elements(machine, array, length, input, output),
        _ => Err(Refusal::NotImplemented),
    }
}

fn elements(
    machine: &mut Machine<'_>,
    array: ObjectId,
    length: usize,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let (start, count) = (input.int()? as usize, input.int()? as usize);
    if start > length {
        return Err(Refusal::InvalidIndex);
    }
    if count > length - start {
        return Err(Refusal::InvalidLength);
    }
    if count > MOST_ELEMENTS {
        return Err(Refusal::OutOfMemory);
    }
    let class = machine.type_of(array);
    let tag = element_tag(machine.catalogue.get(class)?);
    let is_reference = matches!(tag, b'L' | b'[');
    let found = machine.run.elements(array, machine.time(), start, count);
    if !is_reference && found.values.len() < count {
        return Err(Refusal::AbsentInformation);
    }
    output.byte(tag);
    output.count(count);
    for place in 0..count {
        match found.values.get(place) {
            Some(value) if is_reference => machine.write_value(output, *value),
            Some(value) => write_plain(output, shown::element(machine.run, array, *value)),
            None => write_unknown(output),
        }
    }
    Ok(())
}

fn element_tag(class: &CataloguedType) -> u8 {
    class.signature.as_bytes().get(1).copied().unwrap_or(b'L')
}

/// The type that a class object stands for.
pub(crate) fn answer_class_object(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    if command != 1 {
        return Err(Refusal::NotImplemented);
    }
    let number = machine.type_named(input)?;
    machine.write_type(output, number);
    Ok(())
}

/// The classes that a loader can see.
pub(crate) fn answer_loader(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    if command != 1 {
        return Err(Refusal::NotImplemented);
    }
    if Identity::parse(input.long()?)? != Identity::Loader {
        return Err(Refusal::InvalidClassLoader);
    }
    let all: Vec<_> = machine.catalogue.all().map(|(number, _)| number).collect();
    output.count(all.len());
    for number in all {
        machine.write_type(output, number);
    }
    Ok(())
}
