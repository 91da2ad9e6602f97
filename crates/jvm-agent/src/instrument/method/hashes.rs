//! Where recorded code goes by identity hashes, or by an order that depends on them.
//!
//! Those hashes are our numbers, so the program may do something else than without us. That cannot be helped without
//! giving up numbers in headers, but it can be told: `AskanceHashes` looks at the objects in question before the
//! call.

use std::io::Write;

use classfile::{Instruction, opcode};
use java_names::descriptor::MethodType;

use super::super::InstrumentError;
use super::super::library::Spilled;
use super::MethodWriter;

const OBJECT: &str = "java/lang/Object";
const TO_STRING: &str = "()Ljava/lang/String;";
const TEXT_OF: &str = "(Ljava/lang/Object;)Ljava/lang/String;";

/// What is looked at before a call, and where it is on the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Looked {
    probe: &'static str,
    is_below_argument: bool,
}

fn at_top(probe: &'static str) -> Option<Looked> {
    Some(Looked {
        probe,
        is_below_argument: false,
    })
}

fn looked_at(
    instruction: &Instruction,
    owner: &str,
    name: &str,
    descriptor: &str,
) -> Option<Looked> {
    let is_super = instruction.opcode == opcode::INVOKESPECIAL && owner == OBJECT;
    let is_collection = owner.starts_with("java/util/");
    match (name, descriptor) {
        ("identityHashCode", _) if owner == "java/lang/System" => at_top("asked"),
        ("hashCode", "()I") if is_super => at_top("asked"),
        ("toString", TO_STRING) if is_super => at_top("asked"),
        ("hashCode", "()I") => at_top("hashed"),
        ("hashCode", "(Ljava/lang/Object;)I") if owner == "java/util/Objects" => at_top("hashed"),
        ("toString", TO_STRING) => at_top("said"),
        ("valueOf" | "toString", TEXT_OF)
            if matches!(owner, "java/lang/String" | "java/util/Objects") =>
        {
            at_top("said")
        }
        ("append", _)
            if descriptor.starts_with("(Ljava/lang/Object;)L")
                && matches!(owner, "java/lang/StringBuilder" | "java/lang/StringBuffer") =>
        {
            at_top("said")
        }
        ("print" | "println", "(Ljava/lang/Object;)V") => at_top("said"),
        ("iterator" | "stream" | "parallelStream" | "spliterator" | "toArray", _)
            if is_collection && descriptor.starts_with("()") =>
        {
            at_top("walked")
        }
        ("forEach", "(Ljava/util/function/Consumer;)V" | "(Ljava/util/function/BiConsumer;)V") => {
            Some(Looked {
                probe: "walked",
                is_below_argument: true,
            })
        }
        ("addAll", "(Ljava/util/Collection;)Z") | ("<init>", "(Ljava/util/Collection;)V")
            if is_collection =>
        {
            at_top("walked")
        }
        _ => None,
    }
}

/// Whether a reference of this type may be to something whose text shows its identity hash.
fn may_show_hash(descriptor: &str) -> bool {
    descriptor.starts_with(['L', '['])
        && !matches!(
            descriptor,
            "Ljava/lang/String;"
                | "Ljava/lang/Integer;"
                | "Ljava/lang/Long;"
                | "Ljava/lang/Character;"
        )
}

impl<W: Write> MethodWriter<'_, '_, W> {
    /// Before a call: looks at what it goes by.
    pub(super) fn look_at_hashes(
        &mut self,
        index: usize,
        instruction: &Instruction,
        (owner, name, descriptor): (&str, &str, &str),
        signature: &MethodType<'_>,
    ) -> Result<(), InstrumentError> {
        if name == "makeConcatWithConstants" && instruction.opcode == opcode::INVOKEDYNAMIC {
            return self.look_at_texts(index, descriptor, signature);
        }
        let Some(looked) = looked_at(instruction, owner, name, descriptor) else {
            return Ok(());
        };
        self.snippet.clear();
        if looked.is_below_argument {
            self.snippet.op(opcode::DUP2).op(opcode::POP);
        } else {
            self.snippet.op(opcode::DUP);
        }
        let pool = &mut self.class.constants;
        self.probes
            .call_hashes(&mut self.snippet, pool, looked.probe)?;
        self.editor.before(index, &self.snippet);
        self.snippet.clear();
        Ok(())
    }

    /// Before texts are put together: looks at each of them that is no string yet.
    fn look_at_texts(
        &mut self,
        index: usize,
        descriptor: &str,
        signature: &MethodType<'_>,
    ) -> Result<(), InstrumentError> {
        let types = parameter_types(descriptor);
        if !types.iter().any(|text| may_show_hash(text))
            || types.len() != signature.parameters.len()
        {
            return Ok(());
        }
        let first = self.scratch.keep(&signature.parameters, 0, 0);
        let spilled = Spilled::new(signature, first);
        let mut snippet = spilled.snippet;
        for ((_, local), text) in spilled.arguments.iter().zip(types) {
            if may_show_hash(text) {
                snippet.load_reference(*local);
                let pool = &mut self.class.constants;
                self.probes.call_hashes(&mut snippet, pool, "said")?;
            }
        }
        self.editor.before(index, &snippet);
        Ok(())
    }
}

/// The descriptors of the parameters.
fn parameter_types(descriptor: &str) -> Vec<&str> {
    let inner = descriptor.strip_prefix('(').unwrap_or(descriptor);
    let mut rest = inner.split(')').next().unwrap_or_default();
    let mut types = Vec::new();
    while !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let dimensions = rest.len() - element.len();
        let length = match element.find(';').filter(|_| element.starts_with('L')) {
            Some(end) => end + 1,
            None => element.len().min(1),
        };
        let (one, others) = rest.split_at(dimensions + length);
        types.push(one);
        rest = others;
    }
    types
}

#[cfg(test)]
mod tests {
    use super::parameter_types;

    #[test]
    fn types_are_told_apart() {
        let types = parameter_types("(I[JLjava/lang/Object;[[La/B;D)Ljava/lang/String;");
        assert_eq!(types, ["I", "[J", "Ljava/lang/Object;", "[[La/B;", "D"]);
        assert_eq!(parameter_types("()V"), [""; 0]);
    }
}
