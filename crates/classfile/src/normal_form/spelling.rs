//! Instructions and constants, spelled out.

use crate::{ClassFile, Constant, Instruction, Operand, Renaming, Switch, opcode};

use super::{Version, kind};

/// A dynamic constant may be made of others; a damaged file could make one of itself.
const DEEPEST: usize = 8;

pub(super) struct Speller<'s> {
    pub(super) class: &'s ClassFile,
    pub(super) version: &'s Version<'s>,
    pub(super) names: &'s Renaming,
}

impl Speller<'_> {
    pub(super) fn instruction(&self, instructions: &[Instruction], at: usize) -> String {
        let instruction = &instructions[at];
        if let Some(check) = null_check(self.class, instructions, at) {
            return check;
        }
        match &instruction.operand {
            Operand::Constant(index) if instruction.is_invoke() => {
                self.invocation(instruction.opcode, *index)
            }
            Operand::Constant(index) => {
                let name = opcode::name(kind(instruction));
                format!("{name} {}", self.constant(*index))
            }
            Operand::MultiArray { class, dimensions } => {
                format!("multianewarray {} {dimensions}", self.constant(*class))
            }
            Operand::Switch(switch) => {
                let cases = self.cases(instructions, at, switch);
                let keys: Vec<String> = cases.into_iter().map(|(key, _)| key).collect();
                format!("switch {}", keys.join(" "))
            }
            Operand::Branch(_) | Operand::None => opcode::name(kind(instruction)).to_owned(),
            Operand::Immediate(number) => format!("{} {number}", instruction.name()),
            Operand::Local(_) => plain(instruction.name()).to_owned(),
            Operand::Increment { by, .. } => format!("iinc {by}"),
            Operand::ArrayType(kind) => format!("newarray {kind}"),
        }
    }

    /// What is invoked. A private method is invoked in one way before nest mates and in another since; an accessor
    /// stands for what it gives access to.
    fn invocation(&self, code: u8, index: u16) -> String {
        let Ok(member) = self.class.constants.member_ref(index) else {
            return opcode::name(code).to_owned();
        };
        if code == opcode::INVOKESTATIC
            && let Some(accessed) = self.version.accessed(&member, self.names)
        {
            return accessed;
        }
        // The class of the receiver decides which one runs, whoever overrides it by now.
        if code == opcode::INVOKEVIRTUAL && is_of_every_object(&member.name, &member.descriptor) {
            return format!("invokevirtual any {}{}", member.name, member.descriptor);
        }
        let is_private = code != opcode::INVOKESTATIC && self.version.is_private(&member);
        let word = match is_private && member.name != "<init>" {
            true => "invokeprivate",
            false => opcode::name(code),
        };
        format!("{word} {}", self.constant(index))
    }

    /// The keys of a `switch`, with where each goes; sorted by their spelling, so that the numbers of a switch map do
    /// not count.
    pub(super) fn cases(
        &self,
        instructions: &[Instruction],
        at: usize,
        switch: &Switch,
    ) -> Vec<(String, u32)> {
        let map = self.switch_map(instructions, at);
        let real = switch
            .cases
            .iter()
            .filter(|(_, target)| *target != switch.default);
        let spelled = real.map(|(key, target)| {
            let constant = map.and_then(|map| map.get(key));
            (
                constant.cloned().unwrap_or_else(|| key.to_string()),
                *target,
            )
        });
        let mut cases: Vec<(String, u32)> = spelled.collect();
        if map.is_some() {
            cases.sort();
        }
        cases
    }

    /// The switch map that a `switch` goes by: `$SwitchMap$…[e.ordinal()]` stands before it.
    fn switch_map(
        &self,
        instructions: &[Instruction],
        at: usize,
    ) -> Option<&std::collections::HashMap<i32, String>> {
        let before = instructions.get(..at)?;
        let (last, earlier) = before.split_last()?;
        if last.opcode != opcode::IALOAD {
            return None;
        }
        let map = earlier
            .iter()
            .rev()
            .find(|one| one.opcode == opcode::GETSTATIC)?;
        let member = self.class.constants.member_ref(map.cp_index()?).ok()?;
        self.version.switch_map(&member)
    }

    /// A constant, spelled out in the names of the other version.
    pub(super) fn constant(&self, index: u16) -> String {
        self.spell(index, DEEPEST)
    }

    fn spell(&self, index: u16, deeper: usize) -> String {
        let constants = &self.class.constants;
        let mut text = match constants.member_ref(index) {
            Ok(member) => super::version::spelled_member(&member, self.names),
            Err(_) => String::new(),
        };
        match constants.get(index) {
            Ok(Constant::Class { .. }) => {
                let name = constants.class_name(index).unwrap_or_default();
                text.push_str(&self.names.class(&name));
            }
            Ok(Constant::String { utf8 }) => {
                text = format!("{:?}", constants.utf8(utf8).unwrap_or_default());
            }
            Ok(Constant::MethodType { descriptor }) => {
                let descriptor = constants.utf8(descriptor).unwrap_or_default();
                text.push_str(&self.names.descriptor(&descriptor));
            }
            Ok(Constant::MethodHandle { kind, reference }) if deeper > 0 => {
                text = format!("{} {}", handle(kind), self.spell(reference, deeper - 1));
            }
            Ok(Constant::Dynamic { bootstrap, .. } | Constant::InvokeDynamic { bootstrap, .. })
                if deeper > 0 =>
            {
                for part in self.class.bootstrap(bootstrap) {
                    text.push(' ');
                    text.push_str(&self.spell(part, deeper - 1));
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
}

/// Whether `Object` has such a method, and classes may override it.
fn is_of_every_object(name: &str, descriptor: &str) -> bool {
    matches!(
        (name, descriptor),
        ("equals", "(Ljava/lang/Object;)Z")
            | ("hashCode", "()I")
            | ("toString", "()Ljava/lang/String;")
    )
}

/// How a handle reaches its method. A private method is reached specially before nest mates, and virtually since.
fn handle(kind: u8) -> &'static str {
    match kind {
        1 => "get",
        2 => "get static",
        3 => "put",
        4 => "put static",
        5 | 7 => "virtual",
        6 => "static",
        8 => "new",
        _ => "interface",
    }
}

/// `iload_1` is `iload` with its local.
fn plain(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

/// What a compiler puts where a value must not be null: older ones `getClass`, newer ones `requireNonNull`, either with
/// a `pop`.
fn null_check(class: &ClassFile, instructions: &[Instruction], at: usize) -> Option<String> {
    let instruction = &instructions[at];
    let next = instructions.get(at + 1)?;
    if next.opcode != opcode::POP || !instruction.is_invoke() {
        return None;
    }
    let member = class.constants.member_ref(instruction.cp_index()?).ok()?;
    let is_check = matches!(
        (&*member.owner, &*member.name, &*member.descriptor),
        ("java/lang/Object", "getClass", "()Ljava/lang/Class;")
            | (
                "java/util/Objects",
                "requireNonNull",
                "(Ljava/lang/Object;)Ljava/lang/Object;"
            )
    );
    is_check.then(|| "check for null".to_owned())
}
