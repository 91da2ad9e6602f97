//! Code with its constants spelled out, so that two class files can be compared: the same constant has
//! another number in each.

use std::hash::{Hash as _, Hasher as _};

use classfile::{ClassFile, Code, Constant, Instruction};

use crate::stable_hash::StableHasher;

/// A dynamic constant may be made of others; a damaged file could make one of itself.
const DEEPEST: usize = 8;

/// The same for the same code, whatever stands around it in the class file.
pub fn fingerprint(class: &ClassFile, code: Option<&Code>, instructions: &[Instruction]) -> u64 {
    let mut hash = StableHasher::new();
    for instruction in instructions {
        instruction.opcode.hash(&mut hash);
        match instruction.cp_index() {
            Some(index) => constant(class, index).hash(&mut hash),
            None => instruction.operand.hash(&mut hash),
        }
    }
    for range in code.iter().flat_map(|code| &code.exceptions) {
        (range.start, range.end, range.handler).hash(&mut hash);
        constant(class, range.catch_type).hash(&mut hash);
    }
    hash.finish()
}

/// A method's code, word for word: each instruction, and what it names.
pub fn spelled(class: &ClassFile, method: usize) -> Option<Vec<String>> {
    let code = class.code(class.methods.get(method)?).ok()??;
    let mut words = Vec::new();
    for instruction in code.instructions().ok()? {
        words.push(instruction.opcode.to_string());
        words.push(match instruction.cp_index() {
            Some(index) => constant(class, index),
            None => format!("{:?}", instruction.operand),
        });
    }
    for range in &code.exceptions {
        let caught = constant(class, range.catch_type);
        let (start, end, handler) = (range.start, range.end, range.handler);
        words.push(format!("{start} {end} {handler} {caught}"));
    }
    Some(words)
}

/// Whether two codes are the same but for texts that one of them has stars for.
pub fn differ_in_masked_texts(one: &[String], other: &[String]) -> bool {
    let is_masked = |text: &str| {
        let inside = text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        inside.is_some_and(|text| !text.is_empty() && text.bytes().all(|sign| sign == b'*'))
    };
    let is_text = |text: &str| text.starts_with('"');
    let same = |(one, other): (&String, &String)| {
        one == other || is_text(one) && is_text(other) && (is_masked(one) || is_masked(other))
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// A constant, spelled out.
pub fn constant(class: &ClassFile, index: u16) -> String {
    spell(class, index, DEEPEST)
}

fn spell(class: &ClassFile, index: u16, deeper: usize) -> String {
    let constants = &class.constants;
    let constant = constants.get(index);
    let mut text = match constants.member_ref(index) {
        Ok(member) => format!("{}.{} {}", member.owner, member.name, member.descriptor),
        Err(_) => String::new(),
    };
    match constant {
        Ok(Constant::Class { .. }) => {
            text.push_str(&constants.class_name(index).unwrap_or_default());
        }
        Ok(Constant::String { utf8 }) => {
            text = format!("{:?}", constants.utf8(utf8).unwrap_or_default());
        }
        Ok(Constant::MethodType { descriptor }) => {
            text.push_str(&constants.utf8(descriptor).unwrap_or_default());
        }
        Ok(Constant::MethodHandle { kind, reference }) if deeper > 0 => {
            text = format!("{kind} {}", spell(class, reference, deeper - 1));
        }
        Ok(Constant::Dynamic { bootstrap, .. } | Constant::InvokeDynamic { bootstrap, .. })
            if deeper > 0 =>
        {
            for part in bootstrap_parts(class, bootstrap) {
                text.push(' ');
                text.push_str(&spell(class, part, deeper - 1));
            }
        }
        Ok(
            number @ (Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_)),
        ) => text = format!("{number:?}"),
        _ => {}
    }
    text
}

/// The constants that a bootstrap method is made of: its handle, then its arguments.
fn bootstrap_parts(class: &ClassFile, number: u16) -> Vec<u16> {
    let Some(attribute) = class.attribute(&class.attributes, b"BootstrapMethods") else {
        return Vec::new();
    };
    let mut words = attribute
        .bytes
        .chunks_exact(2)
        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    let _count = words.next();
    for _ in 0..number {
        let (_handle, arguments) = (words.next(), words.next());
        for _ in 0..arguments.unwrap_or_default() {
            words.next();
        }
    }
    let (Some(handle), Some(arguments)) = (words.next(), words.next()) else {
        return Vec::new();
    };
    std::iter::once(handle)
        .chain(words.take(arguments.into()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fingerprint of `m` in a class with this method.
    fn check(method: &str) -> u64 {
        let source = format!("class T {{ {method} }}");
        let fixture = test_support::Fixture::new().source("T.java", &source);
        let classes = fixture.release(Some(17)).compile().unwrap();
        let bytes = std::fs::read(classes.dir().join("T.class")).unwrap();
        let class = ClassFile::parse(&bytes).unwrap();
        let named = |method: &&classfile::Method| class.method_name(method).unwrap() == "m";
        let code = class
            .code(class.methods.iter().find(named).unwrap())
            .unwrap();
        let instructions = code.as_ref().unwrap().instructions().unwrap();
        fingerprint(&class, code.as_ref(), &instructions)
    }

    #[test]
    fn text_that_is_put_together_counts() {
        let one = check("String m(int i) { return \"a\" + i; }");
        assert_ne!(one, check("String m(int i) { return \"b\" + i; }"));
        let moved = "int before() { return 12345678; } String m(int i) { return \"a\" + i; }";
        assert_eq!(one, check(moved));
    }

    #[test]
    fn texts_that_are_masked_in_one_trace_are_no_difference() {
        let code = |text: &str| vec!["18".to_owned(), text.to_owned(), "87".to_owned()];
        assert!(differ_in_masked_texts(&code("\"****\""), &code("\"word\"")));
        assert!(differ_in_masked_texts(&code("\"word\""), &code("\"word\"")));
        assert!(!differ_in_masked_texts(
            &code("\"text\""),
            &code("\"word\"")
        ));
        assert!(!differ_in_masked_texts(
            &code("\"****\""),
            &code("Integer(1)")
        ));
        assert!(!differ_in_masked_texts(
            &code("\"****\""),
            &code("\"word\"")[..2]
        ));
    }

    #[test]
    fn what_is_caught_counts() {
        let catches = |class: &str| {
            check(&format!(
                "int m(int[] a) {{ try {{ return a[1]; }} catch ({class} e) {{ return 0; }} }}"
            ))
        };
        assert_ne!(catches("RuntimeException"), catches("NullPointerException"));
    }
}
