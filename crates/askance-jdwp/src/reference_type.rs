//! Commands about classes and interfaces, their fields and their methods.

use java_model::method_code::FieldName;
use java_model::shown;

use crate::catalogue::{ConstantValue, DeclaredMethod, PREPARED, TypeNumber, signature_of};
use crate::identity::Identity;
use crate::machine::{Machine, field_number, place_of, write_unknown};
use crate::packet::{Input, Output};
use crate::refusal::{Answered, Refusal};

/// Commands about any type.
pub(crate) fn answer(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let number = machine.type_named(input)?;
    let known = machine.catalogue.declarations(number)?;
    match command {
        1 => output.text(&machine.catalogue.get(number)?.signature),
        2 => output.long(loader_of(machine, number)?.number()),
        3 => output.int(known.access),
        4 | 14 => {
            output.count(known.fields.len());
            for (place, field) in known.fields.iter().enumerate() {
                output.long(field_number(number, place));
                output.text(&field.name);
                output.text(&field.descriptor);
                if command == 14 {
                    output.text(&field.generic);
                }
                output.int(field.access);
            }
        }
        5 | 15 => {
            output.count(known.methods.len());
            for (id, method) in (1..).zip(&known.methods) {
                output.long(id);
                output.text(&method.name);
                output.text(&method.descriptor);
                if command == 15 {
                    output.text(&method.generic);
                }
                output.int(method.access);
            }
        }
        6 => statics(machine, input, output)?,
        7 => {
            let file = known.source_file.as_ref();
            output.text(file.ok_or(Refusal::AbsentInformation)?);
        }
        8 => nested(machine, number, output)?,
        9 => output.int(PREPARED),
        10 => {
            output.count(known.interfaces.len());
            for name in &known.interfaces {
                let interface = machine.catalogue.named(&signature_of(name));
                output.long(Identity::Type(interface.0).number());
            }
        }
        11 => output.long(Identity::ClassObject(number.0).number()),
        13 => {
            output.text(&machine.catalogue.get(number)?.signature);
            output.text(&known.generic);
        }
        17 => {
            let (major, minor) = known.version.ok_or(Refusal::AbsentInformation)?;
            output.int(major.into());
            output.int(minor.into());
        }
        _ => return Err(Refusal::NotImplemented),
    }
    Ok(())
}

pub(crate) fn loader_of(machine: &Machine<'_>, number: TypeNumber) -> Result<Identity, Refusal> {
    let found = machine.catalogue.get(number)?;
    Ok(match found.class {
        Some(_) if !java_model::classes::is_library(found.name()) => Identity::Loader,
        _ => Identity::Null,
    })
}

fn nested(machine: &Machine<'_>, number: TypeNumber, output: &mut Output) -> Answered {
    let outer = format!("{}$", machine.catalogue.get(number)?.name());
    let inner = machine.catalogue.all();
    let inner: Vec<TypeNumber> = inner
        .filter(|(_, found)| found.name().starts_with(&outer))
        .map(|(number, _)| number)
        .collect();
    output.count(inner.len());
    for number in inner {
        machine.write_type(output, number);
    }
    Ok(())
}

fn statics(machine: &mut Machine<'_>, input: &mut Input<'_>, output: &mut Output) -> Answered {
    let wanted = input.list(8, |input| machine.field_named(input))?;
    let time = machine.time();
    output.count(wanted.len());
    for (class, place) in wanted {
        let known = machine.catalogue.declarations(class)?;
        let field = known.fields.get(place).filter(|field| field.is_static);
        let field = field.ok_or(Refusal::InvalidField)?;
        let name = FieldName {
            owner: machine.catalogue.get(class)?.name().to_owned(),
            name: field.name.clone(),
        };
        let value = machine.run.static_value(&name, time);
        match (value, &field.constant) {
            (Some(value), _) => {
                machine.write_value(output, shown::typed(value, &field.descriptor));
            }
            (None, Some(ConstantValue::Number(value))) => {
                machine.write_value(output, shown::typed(*value, &field.descriptor));
            }
            (None, Some(ConstantValue::Text(text))) => {
                output.byte(b's');
                output.long(machine.make_text(text).number());
            }
            (None, None) => write_unknown(output),
        }
    }
    Ok(())
}

/// Commands about classes that are no interfaces.
pub(crate) fn answer_class(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    if command != 1 {
        // A recorded run cannot be changed, nor called.
        return Err(Refusal::NotImplemented);
    }
    let number = machine.type_named(input)?;
    let known = machine.catalogue.declarations(number)?;
    let is_interface = machine.catalogue.get(number)?.is_interface();
    let above = match &known.superclass {
        Some(name) if !is_interface => {
            let above = machine.catalogue.named(&signature_of(name));
            Identity::Type(above.0)
        }
        _ => Identity::Null,
    };
    output.long(above.number());
    Ok(())
}

/// Commands about methods.
pub(crate) fn answer_method(
    machine: &mut Machine<'_>,
    command: u8,
    input: &mut Input<'_>,
    output: &mut Output,
) -> Answered {
    let number = machine.type_named(input)?;
    let known = machine.catalogue.declarations(number)?;
    let method = place_of(input.long()?).and_then(|place| known.methods.get(place));
    let method = method.ok_or(Refusal::InvalidMethod)?;
    match command {
        1 => lines(method, output),
        2 | 5 => variables(method, command == 5, output),
        3 => {
            let code = method.code.as_ref().ok_or(missing_code(method))?;
            output.bytes(&code.bytes);
            Ok(())
        }
        // Nothing is redefined, so nothing is outdated.
        4 => {
            output.flag(false);
            Ok(())
        }
        _ => Err(Refusal::NotImplemented),
    }
}

fn missing_code(method: &DeclaredMethod) -> Refusal {
    match method.is_native {
        true => Refusal::NativeMethod,
        false => Refusal::AbsentInformation,
    }
}

fn lines(method: &DeclaredMethod, output: &mut Output) -> Answered {
    let code = method.code.as_ref().ok_or(missing_code(method))?;
    if code.lines.is_empty() {
        return Err(Refusal::AbsentInformation);
    }
    output.long(0);
    output.long(code.bytes.len().saturating_sub(1) as u64);
    output.count(code.lines.len());
    for (offset, line) in &code.lines {
        output.long((*offset).into());
        output.int((*line).into());
    }
    Ok(())
}

fn variables(method: &DeclaredMethod, with_generic: bool, output: &mut Output) -> Answered {
    let code = method.code.as_ref().ok_or(missing_code(method))?;
    if code.variables.is_empty() && code.argument_slots > 0 {
        return Err(Refusal::AbsentInformation);
    }
    output.int(code.argument_slots);
    output.count(code.variables.len());
    for variable in &code.variables {
        output.long(variable.start.into());
        output.text(&variable.name);
        output.text(&variable.descriptor);
        if with_generic {
            output.text("");
        }
        output.int(variable.end.saturating_sub(variable.start));
        output.int(variable.slot.into());
    }
    Ok(())
}
