//! What a method's class file says about it: names of parameters, lines, the static variables it names, and what its
//! code may do.
//!
//! All of it is static; nothing here looks at a run.

use std::collections::BTreeSet;

use classfile::{ClassFile, Code, Instruction, MemberRef, Method, opcode};
use java_names::descriptor;

use super::compiler_made::is_compiler_made;

/// A field, static or not, as code names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldName {
    /// Internal name of the class; the one that declares it may be a superclass.
    pub owner: String,
    pub name: String,
}

impl FieldName {
    pub(super) fn of(member: &MemberRef<'_>) -> FieldName {
        FieldName {
            owner: member.owner.to_string(),
            name: member.name.to_string(),
        }
    }
}

/// What is known about a method without running it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodInfo {
    /// One name for each parameter, the receiver not counted; `arg0`, `arg1` without debug
    /// information.
    pub parameters: Vec<String>,
    /// Whether the names are those of the source.
    pub has_names: bool,
    /// The lines of its code, sorted.
    pub lines: Vec<u32>,
    /// Static variables that its own code reads or writes.
    pub statics: BTreeSet<FieldName>,
    /// Fields of objects that its own code reads or writes.
    pub fields: BTreeSet<FieldName>,
    /// Its code may write to the outside (a stream, a file), which no state shows.
    pub has_output: bool,
    /// Its code reads something that no state determines: a clock, chance, the input.
    pub has_input: bool,
    /// Of that, what is not even the same when the program runs again: a clock, chance.
    pub has_chance: bool,
    /// Its code gives something to classes that may keep it where no state shows it.
    pub gives_outside: bool,
    /// How many instructions it has.
    pub instructions: usize,
    /// How many of them decide where to go on.
    pub decisions: usize,
    /// How many of them call something.
    pub calls: usize,
    /// A compiler made it: a bridge, an accessor, an enum's `values`, a record's constructor.
    pub compiler_made: bool,
}

impl MethodInfo {
    /// Looks at the method with this index; what cannot be read stays empty.
    #[must_use]
    pub fn of(class: &ClassFile, index: usize) -> MethodInfo {
        let Some(method) = class.methods.get(index) else {
            return MethodInfo::default();
        };
        let code = class.code(method).ok().flatten();
        let instructions = code
            .as_ref()
            .and_then(|code| code.instructions().ok())
            .unwrap_or_default();
        let mut found = MethodInfo {
            lines: code
                .as_ref()
                .map(|code| lines(class, code))
                .unwrap_or_default(),
            compiler_made: is_compiler_made(class, index),
            instructions: instructions.len(),
            decisions: instructions.iter().filter(|at| decides(at)).count(),
            calls: instructions.iter().filter(|at| at.is_invoke()).count(),
            ..MethodInfo::default()
        };
        (found.parameters, found.has_names) = parameters(class, method, code.as_ref());
        for instruction in &instructions {
            if let Some(member) = class.named_by(instruction) {
                found.note(instruction, &member);
            }
        }
        found
    }

    fn note(&mut self, instruction: &Instruction, member: &MemberRef<'_>) {
        match instruction.opcode {
            opcode::GETSTATIC | opcode::PUTSTATIC => {
                self.statics.insert(FieldName::of(member));
            }
            opcode::GETFIELD | opcode::PUTFIELD => {
                self.fields.insert(FieldName::of(member));
            }
            _ => {}
        }
        let effects = OutsideEffects::of(instruction.opcode, member);
        self.has_output |= effects.has_output;
        self.has_input |= effects.has_input;
        self.has_chance |= effects.has_chance;
        self.gives_outside |= effects.gives_outside;
    }
}

/// What of the outside an instruction has to do with; see [`MethodInfo`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OutsideEffects {
    pub(super) has_output: bool,
    pub(super) has_input: bool,
    pub(super) has_chance: bool,
    pub(super) gives_outside: bool,
}

impl OutsideEffects {
    /// Of an instruction that names a member.
    pub(super) fn of(code: u8, member: &MemberRef<'_>) -> OutsideEffects {
        match code {
            opcode::GETSTATIC | opcode::PUTSTATIC => OutsideEffects {
                has_output: member.owner == "java/lang/System" && member.name != "in",
                has_input: member.owner == "java/lang/System" && member.name == "in",
                ..OutsideEffects::default()
            },
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => OutsideEffects {
                gives_outside: takes_what_nobody_sees(&member.owner),
                has_output: WRITERS.contains(&&*member.owner),
                has_chance: is_chance(member),
                has_input: is_chance(member) || is_input(member),
            },
            _ => OutsideEffects::default(),
        }
    }

    pub(super) fn add(&mut self, other: OutsideEffects) {
        self.has_output |= other.has_output;
        self.has_input |= other.has_input;
        self.has_chance |= other.has_chance;
        self.gives_outside |= other.gives_outside;
    }
}

/// Classes whose methods write to the outside.
const WRITERS: [&str; 11] = [
    "java/io/PrintStream",
    "java/io/PrintWriter",
    "java/io/Writer",
    "java/io/BufferedWriter",
    "java/io/FileWriter",
    "java/io/OutputStreamWriter",
    "java/io/OutputStream",
    "java/io/FileOutputStream",
    "java/io/Console",
    "java/nio/file/Files",
    "java/util/logging/Logger",
];

/// Whether methods of a class of the JDK's may keep or pass on what they are given without a trace.
pub fn takes_what_nobody_sees(class: &str) -> bool {
    const PREFIXES: [&str; 8] = [
        "java/io/",
        "java/nio/",
        "java/net/",
        "java/util/logging/",
        "java/util/zip/",
        "java/util/Formatter",
        "java/lang/Process",
        "java/lang/Appendable",
    ];
    let is_error = class.ends_with("Exception") || class.ends_with("Error");
    !is_error && PREFIXES.iter().any(|prefix| class.starts_with(prefix))
}

/// Calls whose result is another one each time.
fn is_chance(member: &MemberRef<'_>) -> bool {
    match (&*member.owner, &*member.name) {
        ("java/lang/System", "nanoTime" | "currentTimeMillis" | "identityHashCode") => true,
        ("java/lang/Math" | "java/lang/StrictMath", "random") => true,
        ("java/util/Random" | "java/util/SplittableRandom" | "java/util/Date", "<init>") => {
            member.descriptor == "()V"
        }
        ("java/util/Calendar", "getInstance") => true,
        ("java/util/UUID", "randomUUID") => true,
        ("java/util/concurrent/ThreadLocalRandom", _) => true,
        (owner, "now") => owner.starts_with("java/time/"),
        _ => false,
    }
}

/// Calls whose result depends on what the program was started with.
fn is_input(member: &MemberRef<'_>) -> bool {
    match (&*member.owner, &*member.name) {
        ("java/lang/System", "getenv" | "getProperty" | "getProperties") => true,
        ("java/lang/Integer", "getInteger")
        | ("java/lang/Long", "getLong")
        | ("java/lang/Boolean", "getBoolean") => true,
        (
            "java/lang/Class" | "java/lang/ClassLoader" | "java/lang/Module",
            "getResource" | "getResources" | "getResourceAsStream",
        ) => true,
        ("java/util/Properties", "load" | "loadFromXML") => true,
        ("java/util/ResourceBundle", "getBundle") => true,
        ("java/nio/file/Files", name) => {
            name.starts_with("read")
                || matches!(name, "lines" | "newBufferedReader" | "newInputStream")
        }
        (owner, _) => matches!(
            owner,
            "java/util/Scanner"
                | "java/io/BufferedReader"
                | "java/io/FileInputStream"
                | "java/io/FileReader"
                | "java/io/InputStream"
                | "java/io/RandomAccessFile"
        ),
    }
}

fn decides(instruction: &Instruction) -> bool {
    instruction.is_conditional() || instruction.switch().is_some()
}

fn lines(class: &ClassFile, code: &Code) -> Vec<u32> {
    let table = code.line_numbers(&class.constants).unwrap_or_default();
    let lines: BTreeSet<u32> = table.iter().map(|entry| u32::from(entry.line)).collect();
    lines.into_iter().collect()
}

/// The parameters' names, and whether they come from the source.
fn parameters(class: &ClassFile, method: &Method, code: Option<&Code>) -> (Vec<String>, bool) {
    let Ok(text) = class.method_descriptor(method) else {
        return (Vec::new(), false);
    };
    let Ok(types) = descriptor::parse_method(&text) else {
        return (Vec::new(), false);
    };
    let variables = code
        .and_then(|code| code.local_variables(&class.constants).ok())
        .unwrap_or_default();
    let mut slot = u16::from(!method.access.is_static());
    let mut has_names = true;
    let mut names = Vec::with_capacity(types.parameters.len());
    for (number, parameter) in types.parameters.iter().enumerate() {
        let variable = variables
            .iter()
            .find(|known| known.slot == slot && known.start == 0);
        match variable {
            Some(variable) => names.push(variable.name.to_string()),
            None => {
                has_names = false;
                names.push(format!("arg{number}"));
            }
        }
        slot += parameter.slots();
    }
    (names, has_names)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compiles a class `T` and looks at one of its methods.
    fn look_at(source: &str, class: &str, method: &str, debug: bool) -> MethodInfo {
        let fixture = test_support::Fixture::new()
            .source("T.java", source)
            .release(Some(17));
        let fixture = if debug {
            fixture
        } else {
            fixture.without_debug_information()
        };
        let classes = fixture.compile().unwrap();
        let bytes = std::fs::read(classes.dir().join(format!("{class}.class"))).unwrap();
        let class = ClassFile::parse(&bytes).unwrap();
        let index = class
            .methods
            .iter()
            .position(|found| class.method_name(found).unwrap() == method)
            .unwrap();
        MethodInfo::of(&class, index)
    }

    const SOURCE: &str = "
class T {
    static int total; static int[] log;
    int add(long far, int[] near) {
        total += near.length;
        return (int) far;
    }
    void tell() { System.out.println(total); }
    long now() { return System.nanoTime(); }
    Runnable later() { return () -> tell(); }
}";

    #[test]
    fn names_and_lines_come_from_debug_information() {
        let add = look_at(SOURCE, "T", "add", true);
        assert_eq!(add.parameters, ["far", "near"]);
        assert_eq!(add.lines, [5, 6]);
        assert!(add.has_names);
        let bare = look_at(SOURCE, "T", "add", false);
        assert_eq!(bare.parameters, ["arg0", "arg1"]);
        assert!(!bare.has_names && bare.lines.is_empty());
    }

    #[test]
    fn statics_and_effects() {
        let add = look_at(SOURCE, "T", "add", true);
        assert_eq!(
            Vec::from_iter(&add.statics),
            [&FieldName {
                owner: "T".into(),
                name: "total".into()
            }]
        );
        assert!(!add.has_output && !add.has_input);
        assert!(look_at(SOURCE, "T", "tell", true).has_output);
        assert!(look_at(SOURCE, "T", "now", true).has_input);
    }
}
