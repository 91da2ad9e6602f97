//! What has to be known of a whole version to read the code of one method.

use std::collections::{HashMap, HashSet};

use crate::{AccessFlags, ClassFile, Constant, Instruction, MemberRef, Operand, Renaming, opcode};

/// A method or field by class, name and descriptor.
type Member = (String, String, String);

/// The classes of one version of a program, as far as they are known.
#[derive(Debug, Default)]
pub struct Version<'c> {
    classes: HashMap<String, &'c ClassFile>,
    private: HashSet<Member>,
    /// What each accessor of a nest mate does: an instruction and the member that it names.
    accessors: HashMap<Member, (&'static str, Member)>,
    /// For the array of a switch map: which enum constant has which number.
    switch_maps: HashMap<(String, String), HashMap<i32, String>>,
}

impl<'c> Version<'c> {
    /// Of classes with the same name the first counts.
    #[must_use]
    pub fn new(classes: impl IntoIterator<Item = &'c ClassFile>) -> Version<'c> {
        let mut version = Version::default();
        for class in classes {
            let Ok(name) = class.name() else { continue };
            if version.classes.contains_key(&*name) {
                continue;
            }
            version.note(class, &name);
            version.classes.insert(name.into_owned(), class);
        }
        version
    }

    /// A class by its internal name.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<&'c ClassFile> {
        self.classes.get(name).copied()
    }

    /// All of them, in no order.
    pub fn classes(&self) -> impl Iterator<Item = (&str, &'c ClassFile)> {
        self.classes
            .iter()
            .map(|(name, class)| (name.as_str(), *class))
    }

    fn note(&mut self, class: &ClassFile, name: &str) {
        for (index, method) in class.methods.iter().enumerate() {
            let (Ok(called), Ok(descriptor)) =
                (class.method_name(method), class.method_descriptor(method))
            else {
                continue;
            };
            let key = || (name.to_owned(), called.to_string(), descriptor.to_string());
            if method.access.contains(AccessFlags::PRIVATE) {
                self.private.insert(key());
            }
            let is_accessor = method.access.is_synthetic() && called.starts_with("access$");
            if let Some(accessed) = is_accessor.then(|| accessed_by(class, index)).flatten() {
                self.accessors.insert(key(), accessed);
            }
            if called == "<clinit>" && class.access.is_synthetic() {
                self.note_switch_maps(class, name, index);
            }
        }
    }

    fn note_switch_maps(&mut self, class: &ClassFile, name: &str, method: usize) {
        let instructions = instructions(class, method);
        for window in instructions.windows(5) {
            let [array, constant, ordinal, number, store] = window else {
                continue;
            };
            let named = |one: &Instruction| class.constants.member_ref(one.cp_index()?).ok();
            let is_entry = array.opcode == opcode::GETSTATIC
                && constant.opcode == opcode::GETSTATIC
                && ordinal.is_invoke()
                && store.opcode == opcode::IASTORE;
            let (true, Some(array), Some(constant), Some(number)) = (
                is_entry,
                named(array),
                named(constant),
                pushed(class, number),
            ) else {
                continue;
            };
            let key = (name.to_owned(), array.name.to_string());
            let map = self.switch_maps.entry(key).or_default();
            map.insert(number, format!("{}.{}", constant.owner, constant.name));
        }
    }

    pub(super) fn is_private(&self, member: &MemberRef<'_>) -> bool {
        let key = (
            member.owner.to_string(),
            member.name.to_string(),
            member.descriptor.to_string(),
        );
        self.private.contains(&key)
    }

    pub(super) fn switch_map(&self, array: &MemberRef<'_>) -> Option<&HashMap<i32, String>> {
        let key = (array.owner.to_string(), array.name.to_string());
        self.switch_maps.get(&key)
    }

    /// What a call of an accessor does, spelled as if it stood there itself.
    pub(super) fn accessed(&self, called: &MemberRef<'_>, names: &Renaming) -> Option<String> {
        if !called.name.starts_with("access$") {
            return None;
        }
        let key = (
            called.owner.to_string(),
            called.name.to_string(),
            called.descriptor.to_string(),
        );
        let (word, (owner, name, descriptor)) = self.accessors.get(&key)?;
        let member = MemberRef {
            owner: owner.as_str().into(),
            name: name.as_str().into(),
            descriptor: descriptor.as_str().into(),
        };
        let is_call = word.starts_with("invoke") && *word != "invokestatic";
        let word = match is_call && self.is_private(&member) {
            true => "invokeprivate",
            false => word,
        };
        Some(format!("{word} {}", spelled_member(&member, names)))
    }
}

/// A member in the names of the other version.
pub(super) fn spelled_member(member: &MemberRef<'_>, names: &Renaming) -> String {
    let is_method = member.descriptor.starts_with('(');
    let name = match is_method {
        true => names.method(&member.owner, &member.name, &member.descriptor),
        false => member.name.as_ref().into(),
    };
    let owner = names.class(&member.owner);
    format!("{owner}.{name} {}", names.descriptor(&member.descriptor))
}

/// The one access that an accessor consists of besides loading its parameters and returning. One that computes
/// (`access$008` increments) is a method like others.
fn accessed_by(class: &ClassFile, method: usize) -> Option<(&'static str, Member)> {
    let instructions = instructions(class, method);
    let mut accessed = None;
    for instruction in &instructions {
        let is_access = matches!(
            instruction.opcode,
            opcode::GETFIELD
                | opcode::GETSTATIC
                | opcode::INVOKESTATIC
                | opcode::INVOKESPECIAL
                | opcode::INVOKEVIRTUAL
                | opcode::INVOKEINTERFACE
        );
        if is_access && accessed.is_none() {
            let member = class.constants.member_ref(instruction.cp_index()?).ok()?;
            let key = (
                member.owner.into_owned(),
                member.name.into_owned(),
                member.descriptor.into_owned(),
            );
            accessed = Some((instruction.name(), key));
        } else if !instruction.is_local_load() && !instruction.is_return() {
            return None;
        }
    }
    accessed
}

fn instructions(class: &ClassFile, method: usize) -> Vec<Instruction> {
    let code = class.methods.get(method).map(|method| class.code(method));
    let code = code.and_then(Result::ok).flatten();
    code.and_then(|code| code.instructions().ok())
        .unwrap_or_default()
}

/// The number that an instruction pushes.
fn pushed(class: &ClassFile, instruction: &Instruction) -> Option<i32> {
    match (instruction.opcode, &instruction.operand) {
        (code @ opcode::ICONST_M1..=opcode::ICONST_5, _) => {
            Some(i32::from(code) - i32::from(opcode::ICONST_0))
        }
        (_, Operand::Immediate(number)) => Some(*number),
        (opcode::LDC | opcode::LDC_W, Operand::Constant(index)) => {
            match class.constants.get(*index) {
                Ok(Constant::Integer(number)) => Some(number),
                _ => None,
            }
        }
        _ => None,
    }
}
