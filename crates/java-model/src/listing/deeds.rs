//! What the code of each line does, in a few words: `calls Cart.add; writes total; returns`.

use std::collections::BTreeMap;

use classfile::{ClassFile, Code, Instruction, LocalVariable, Operand, opcode};

use java_names::names;

/// More things of one kind are not named.
const MOST_NAMED: usize = 4;

/// In the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verb {
    Reads,
    Makes,
    Calls,
    Writes,
    Sets,
    Locks,
    Decides,
    Repeats,
    Throws,
    Returns,
}

impl Verb {
    fn word(self) -> &'static str {
        match self {
            Verb::Reads => "reads",
            Verb::Makes => "makes",
            Verb::Calls => "calls",
            Verb::Writes => "writes",
            Verb::Sets => "sets",
            Verb::Locks => "locks",
            Verb::Decides => "decides",
            Verb::Repeats => "goes back",
            Verb::Throws => "throws",
            Verb::Returns => "returns",
        }
    }
}

type Deeds = BTreeMap<Verb, Vec<String>>;

/// The lines of a method's code, sorted, with what each does.
pub(super) fn deeds_by_line(class: &ClassFile, owner: &str, code: &Code) -> Vec<(u32, String)> {
    let mut table = code.line_numbers(&class.constants).unwrap_or_default();
    table.sort_by_key(|entry| entry.pc);
    let instructions = code.instructions().unwrap_or_default();
    let mut method = MethodReader {
        class,
        owner,
        variables: code.local_variables(&class.constants).unwrap_or_default(),
        unfinished: Vec::new(),
    };
    let mut lines: BTreeMap<u32, Deeds> = table
        .iter()
        .map(|entry| (u32::from(entry.line), Deeds::new()))
        .collect();
    for instruction in &instructions {
        let before = table.partition_point(|entry| entry.pc <= instruction.pc);
        let line = before.checked_sub(1).and_then(|place| table.get(place));
        let (Some(line), Some((verb, what))) = (line, method.deed(instruction)) else {
            continue;
        };
        let deeds = lines.entry(u32::from(line.line)).or_default();
        let named = deeds.entry(verb).or_default();
        if !what.is_empty() && !named.contains(&what) {
            named.push(what);
        }
    }
    let told = lines.into_iter().map(|(line, deeds)| (line, told(&deeds)));
    told.collect()
}

fn told(deeds: &Deeds) -> String {
    let clauses: Vec<String> = deeds
        .iter()
        .map(|(verb, named)| {
            let mut clause = verb.word().to_owned();
            if !named.is_empty() {
                clause.push(' ');
                let shown: Vec<&str> = named.iter().take(MOST_NAMED).map(String::as_str).collect();
                clause.push_str(&shown.join(", "));
            }
            if named.len() > MOST_NAMED {
                clause.push_str(", …");
            }
            clause
        })
        .collect();
    clauses.join("; ")
}

struct MethodReader<'class> {
    class: &'class ClassFile,
    owner: &'class str,
    variables: Vec<LocalVariable<'class>>,
    /// Objects that are made and whose constructor was not called yet.
    unfinished: Vec<String>,
}

impl MethodReader<'_> {
    fn deed(&mut self, instruction: &Instruction) -> Option<(Verb, String)> {
        let nothing = String::new();
        match instruction.opcode {
            opcode::GETFIELD | opcode::GETSTATIC => Some((Verb::Reads, self.field(instruction)?)),
            opcode::PUTFIELD | opcode::PUTSTATIC => Some((Verb::Writes, self.field(instruction)?)),
            opcode::NEW => {
                let class = self.class.constants.class_name(instruction.cp_index()?);
                self.unfinished.push(class.ok()?.into_owned());
                None
            }
            opcode::NEWARRAY | opcode::ANEWARRAY | opcode::MULTIANEWARRAY => {
                Some((Verb::Makes, "an array".to_owned()))
            }
            opcode::MONITORENTER => Some((Verb::Locks, nothing)),
            opcode::ATHROW => Some((Verb::Throws, nothing)),
            opcode::INVOKEDYNAMIC => Some(self.dynamic(instruction)),
            opcode::TABLESWITCH | opcode::LOOKUPSWITCH => Some((Verb::Decides, nothing)),
            opcode::IINC => Some((Verb::Sets, self.variable(instruction)?)),
            _ if instruction.is_local_store() => Some((Verb::Sets, self.variable(instruction)?)),
            _ if instruction.is_array_store() => Some((Verb::Writes, "an element".to_owned())),
            _ if instruction.is_invoke() => self.call(instruction),
            _ if instruction.is_return() => Some((Verb::Returns, nothing)),
            _ if instruction.is_conditional() => Some((Verb::Decides, nothing)),
            _ => {
                let target = instruction.branch_target()?;
                (target <= instruction.pc).then_some((Verb::Repeats, nothing))
            }
        }
    }

    fn call(&mut self, instruction: &Instruction) -> Option<(Verb, String)> {
        let member = self.class.constants.member_ref(instruction.cp_index()?);
        let member = member.ok()?;
        let class = names::simple_class(&member.owner);
        if member.name != "<init>" {
            return Some((Verb::Calls, format!("{class}.{}", member.name)));
        }
        let is_new = |made: &String| *made == member.owner;
        match self.unfinished.iter().rposition(is_new) {
            Some(place) => {
                self.unfinished.remove(place);
                Some((Verb::Makes, class))
            }
            // Of an object that is being made already: the superclass, or another constructor.
            None => Some((Verb::Calls, format!("the constructor of {class}"))),
        }
    }

    fn dynamic(&self, instruction: &Instruction) -> (Verb, String) {
        let index = instruction.cp_index();
        let member = index.and_then(|index| self.class.constants.member_ref(index).ok());
        let what = match member {
            Some(member) if member.name.starts_with("makeConcat") => "a text",
            _ => "a lambda",
        };
        (Verb::Makes, what.to_owned())
    }

    /// A field of the class itself by its name, another one with its class.
    fn field(&self, instruction: &Instruction) -> Option<String> {
        let member = self.class.constants.member_ref(instruction.cp_index()?);
        let member = member.ok()?;
        Some(match member.owner == self.owner {
            true => member.name.into_owned(),
            false => format!("{}.{}", names::simple_class(&member.owner), member.name),
        })
    }

    /// The variable that an instruction gives a value; its name is known from behind the instruction on.
    fn variable(&self, instruction: &Instruction) -> Option<String> {
        let slot = match instruction.operand {
            Operand::Increment { local, .. } => local,
            _ => instruction.local_index()?,
        };
        let pc = instruction.end();
        let mut variables = self.variables.iter();
        let known =
            variables.find(|known| known.slot == slot && (known.start..=known.end).contains(&pc));
        Some(known.map_or_else(|| format!("local {slot}"), |known| known.name.to_string()))
    }
}
