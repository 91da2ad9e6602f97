//! In which order lambdas stand in the source. Compilers write their bodies into the class file in whatever order
//! they come to them (javac mostly backwards), so it is taken from the code that makes them.

use classfile::{ClassFile, Constant, Instruction, opcode};
use java_names::names;

/// The places, among the methods of a class, of the bodies of its lambdas: in the order in which the code makes
/// them, each before those that are made inside it.
pub(super) fn lambdas_in_order(class: &ClassFile) -> Vec<u16> {
    let mut found = Vec::new();
    for index in 0..class.methods.len() {
        if !is_lambda(class, index) {
            made_in(class, index, &mut found);
        }
    }
    found
}

fn is_lambda(class: &ClassFile, index: usize) -> bool {
    let method = class.methods.get(index);
    let name = method.and_then(|method| class.method_name(method).ok());
    name.is_some_and(|name| names::lambda_host(&name).is_some())
}

/// Depth is bounded by how often lambdas stand in lambdas: each is entered once.
fn made_in(class: &ClassFile, index: usize, found: &mut Vec<u16>) {
    let method = class.methods.get(index);
    let code = method.and_then(|method| class.code(method).ok().flatten());
    let instructions = code.and_then(|code| code.instructions().ok());
    for instruction in instructions.unwrap_or_default() {
        for body in bodies(class, &instruction) {
            if !found.contains(&body) {
                found.push(body);
                made_in(class, body.into(), found);
            }
        }
    }
}

/// The lambdas that an instruction makes an object of: one, or none.
fn bodies(class: &ClassFile, instruction: &Instruction) -> Vec<u16> {
    if instruction.opcode != opcode::INVOKEDYNAMIC {
        return Vec::new();
    }
    let constants = &class.constants;
    let constant = instruction.cp_index().map(|index| constants.get(index));
    let Some(Ok(Constant::InvokeDynamic { bootstrap, .. })) = constant else {
        return Vec::new();
    };
    let arguments = class.bootstrap(bootstrap).into_iter().skip(1);
    let handles = arguments.filter_map(|argument| match constants.get(argument) {
        Ok(Constant::MethodHandle { reference, .. }) => constants.member_ref(reference).ok(),
        _ => None,
    });
    let of_this_class =
        handles.filter(|handle| class.name().is_ok_and(|name| name == handle.owner));
    let declared = of_this_class.filter_map(|handle| {
        let is_it = |index: &usize| {
            let method = &class.methods[*index];
            class
                .method_name(method)
                .is_ok_and(|name| name == handle.name)
                && (class.method_descriptor(method)).is_ok_and(|text| text == handle.descriptor)
        };
        (0..class.methods.len()).find(is_it)
    });
    let lambdas = declared.filter(|index| is_lambda(class, *index));
    lambdas
        .filter_map(|index| u16::try_from(index).ok())
        .collect()
}
