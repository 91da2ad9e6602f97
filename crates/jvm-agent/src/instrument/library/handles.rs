//! Writes that library code does by `VarHandle` and `Unsafe` instead of by instructions.

use std::collections::HashMap;

use classfile::{ClassFile, Constant, Instruction, ParseError, opcode};

use super::super::InstrumentError;

const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";
const VAR_HANDLE_TYPE: &str = "Ljava/lang/invoke/VarHandle;";
/// Up to Java 8 by the second name.
const UNSAFE: [&str; 2] = ["jdk/internal/misc/Unsafe", "sun/misc/Unsafe"];

/// The place that such a call may write to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HandleTarget {
    /// A field of the object that is the first argument, by its name.
    Field(String),
    /// The first argument is an array, the second an index.
    Element,
    /// The first argument is an object or array, the second tells where inside.
    Offset,
}

/// The fields that the `VarHandle`s in the class's own static variables stand for.
#[derive(Debug, Default)]
pub(super) struct Handles(HashMap<String, String>);

impl Handles {
    /// Reads the class initialiser, which looks each handle up by the field's name right before
    /// it stores it.
    pub(super) fn of(class: &ClassFile) -> Result<Self, ParseError> {
        let mut handles = HashMap::new();
        for method in &class.methods {
            if class.method_name(method)? != "<clinit>" {
                continue;
            }
            let Some(code) = class.code(method)? else {
                continue;
            };
            let mut named = None;
            for instruction in code.instructions()? {
                let Some(constant) = instruction.cp_index() else {
                    continue;
                };
                match instruction.opcode {
                    opcode::LDC | opcode::LDC_W => {
                        if let Constant::String { utf8 } = class.constants.get(constant)? {
                            named = Some(class.constants.utf8(utf8)?.into_owned());
                        }
                    }
                    opcode::PUTSTATIC => {
                        let member = class.constants.member_ref(constant)?;
                        if let Some(named) = named.take()
                            && member.descriptor == VAR_HANDLE_TYPE
                        {
                            handles.insert(member.name.to_string(), named);
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(Handles(handles))
    }

    /// What the call at an instruction may write to; `None` if it is no such call.
    ///
    /// A handle is pushed before the arguments of its call, and no argument is a handle itself.
    pub(super) fn place(
        &self,
        class: &ClassFile,
        instructions: &[Instruction],
        call: usize,
    ) -> Result<Option<HandleTarget>, InstrumentError> {
        let Some(constant) = instructions[call].cp_index() else {
            return Ok(None);
        };
        let member = class.constants.member_ref(constant)?;
        let descriptor = &*member.descriptor;
        if UNSAFE.contains(&&*member.owner) {
            let is_write = writes(&member.name) && descriptor.starts_with("(Ljava/lang/Object;J");
            return Ok(is_write.then_some(HandleTarget::Offset));
        }
        if member.owner != VAR_HANDLE || !writes(&member.name) {
            return Ok(None);
        }
        if descriptor.starts_with("([") {
            return Ok(Some(HandleTarget::Element));
        }
        for instruction in instructions[..call].iter().rev() {
            if instruction.opcode == opcode::GETSTATIC
                && let Some(constant) = instruction.cp_index()
                && let member = class.constants.member_ref(constant)?
                && member.descriptor == VAR_HANDLE_TYPE
            {
                let named = match self.0.get(&*member.name) {
                    Some(named) => named.clone(),
                    // A handle of the class around this one is called like its field.
                    None if member.owner != class.name()? => member.name.to_lowercase(),
                    None => return Err(InstrumentError::UnknownHandle),
                };
                return Ok(Some(HandleTarget::Field(named)));
            }
        }
        Err(InstrumentError::UnknownHandle)
    }
}

fn writes(method: &str) -> bool {
    [
        "set",
        "put",
        "compareAnd",
        "weakCompareAnd",
        "getAndSet",
        "getAndAdd",
        "getAndBitwise",
    ]
    .iter()
    .any(|start| method.starts_with(start))
}
