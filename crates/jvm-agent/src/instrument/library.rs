//! What we know of the JDK: calls that order threads, calls that fill arrays, and the
//! collections whose content is followed.
//!
//! A followed class is described field by field when one of its objects is first seen, and its
//! own code is rewritten (once, at that moment) to note its later writes. The rewriting touches bodies
//! only, as the JVM demands of classes that are already loaded.

use std::io::Write;

use classfile::descriptor::{self, JavaType, MethodType};
use classfile::{ClassFile, CodeEditor, Snippet, constructor, opcode};
use trace_format::event::tag;
use trace_format::symbol::Level;

use super::InstrumentError;
use super::method::element_kind;
use super::probes::{Probes, flavour};
use crate::SymbolTable;

/// Whether a call of this method may hand something over to another thread, or get it from one.
pub(super) fn synchronises(owner: &str, name: &str) -> bool {
    owner == "java/lang/Thread"
        || owner.starts_with("java/util/concurrent/")
        || matches!(name, "wait" | "notify" | "notifyAll")
}

/// An array argument that a library method writes to.
pub(super) struct FilledArray {
    pub(super) parameter: usize,
    /// The parameters that say where it starts to write and how much at most.
    pub(super) part: Option<(usize, usize)>,
}

/// Names of library methods that write into an array they are given.
const FILLERS: &[&str] = &[
    "arraycopy",
    "read",
    "readFully",
    "readNBytes",
    "fill",
    "sort",
    "parallelSort",
    "setAll",
    "parallelSetAll",
    "parallelPrefix",
    "getChars",
    "getBytes",
    "toArray",
    "nextBytes",
    "inflate",
    "deflate",
    "digest",
    "get",
    "copyInto",
];

pub(super) fn may_fill_arrays(owner: &str, name: &str, signature: &MethodType<'_>) -> bool {
    is_library(owner) && FILLERS.contains(&name) && !filled_arrays(name, signature).is_empty()
}

fn is_library(owner: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/"]
        .iter()
        .any(|package| owner.starts_with(package))
}

pub(super) fn filled_arrays(name: &str, signature: &MethodType<'_>) -> Vec<FilledArray> {
    let parameters = &signature.parameters;
    if name == "arraycopy" {
        return vec![FilledArray {
            parameter: 2,
            part: Some((3, 4)),
        }];
    }
    let is_int = |index: usize| parameters.get(index) == Some(&JavaType::Int);
    parameters
        .iter()
        .enumerate()
        .filter(|(_, parameter)| parameter.is_array())
        .map(|(index, _)| FilledArray {
            parameter: index,
            part: (is_int(index + 1) && is_int(index + 2)).then_some((index + 1, index + 2)),
        })
        .collect()
}

/// The arguments of a call, kept in locals across it: what to do before the call, and where they are.
pub(super) struct Spilled<'d> {
    pub(super) snippet: Snippet,
    pub(super) arguments: Vec<(JavaType<'d>, u16)>,
    /// How many locals that takes.
    pub(super) slots: u16,
}

impl<'d> Spilled<'d> {
    pub(super) fn new(signature: &MethodType<'d>, first_local: u16) -> Self {
        let mut arguments = Vec::new();
        let mut slots = 0;
        for parameter in &signature.parameters {
            arguments.push((*parameter, first_local + slots));
            slots += parameter.slots();
        }
        let mut snippet = Snippet::new();
        for (kind, local) in arguments.iter().rev() {
            snippet.store(*kind, *local);
        }
        for (kind, local) in &arguments {
            snippet.load(*kind, *local);
        }
        Spilled {
            snippet,
            arguments,
            slots,
        }
    }
}

/// A class whose fields show what a developer wants to see of its objects.
pub(crate) struct Transparent {
    /// Internal name.
    pub(crate) name: &'static str,
    /// Whether its objects change by its own code, which must then be rewritten.
    pub(crate) changes: bool,
}

const fn changing(name: &'static str) -> Transparent {
    Transparent {
        name,
        changes: true,
    }
}

const fn fixed(name: &'static str) -> Transparent {
    Transparent {
        name,
        changes: false,
    }
}

/// In an order in which a class comes after those that its code relies on.
pub(crate) const TRANSPARENT: &[Transparent] = &[
    changing("java/util/ArrayList"),
    changing("java/util/LinkedList"),
    changing("java/util/LinkedList$Node"),
    changing("java/util/ArrayDeque"),
    changing("java/util/PriorityQueue"),
    changing("java/util/Vector"),
    changing("java/util/HashMap"),
    changing("java/util/HashMap$Node"),
    changing("java/util/HashMap$TreeNode"),
    changing("java/util/LinkedHashMap"),
    changing("java/util/LinkedHashMap$Entry"),
    changing("java/util/TreeMap"),
    changing("java/util/TreeMap$Entry"),
    changing("java/util/Hashtable"),
    changing("java/util/Hashtable$Entry"),
    changing("java/util/IdentityHashMap"),
    changing("java/util/EnumMap"),
    changing("java/util/BitSet"),
    changing("java/util/Arrays$ArrayList"),
    changing("java/util/AbstractMap$SimpleEntry"),
    fixed("java/util/HashSet"),
    fixed("java/util/TreeSet"),
    fixed("java/util/AbstractMap$SimpleImmutableEntry"),
    fixed("java/util/KeyValueHolder"),
    fixed("java/util/ImmutableCollections$ListN"),
    fixed("java/util/ImmutableCollections$List12"),
    fixed("java/util/ImmutableCollections$SubList"),
    fixed("java/util/ImmutableCollections$SetN"),
    fixed("java/util/ImmutableCollections$Set12"),
    fixed("java/util/ImmutableCollections$MapN"),
    fixed("java/util/ImmutableCollections$Map1"),
    fixed("java/util/Collections$SingletonList"),
    fixed("java/util/Collections$SingletonSet"),
    fixed("java/util/Collections$SingletonMap"),
    fixed("java/util/Collections$UnmodifiableCollection"),
    fixed("java/util/Collections$UnmodifiableList"),
    fixed("java/util/Collections$UnmodifiableMap"),
    fixed("java/util/Collections$SynchronizedCollection"),
    fixed("java/util/Collections$SynchronizedList"),
    fixed("java/util/Collections$SynchronizedMap"),
    fixed("java/util/Collections$SetFromMap"),
    fixed("java/util/Optional"),
    fixed("java/util/OptionalInt"),
    fixed("java/util/OptionalLong"),
    fixed("java/util/OptionalDouble"),
    fixed("java/util/UUID"),
    fixed("java/math/BigInteger"),
    fixed("java/math/BigDecimal"),
    fixed("java/time/LocalDate"),
    fixed("java/time/LocalTime"),
    fixed("java/time/LocalDateTime"),
    fixed("java/time/Instant"),
    fixed("java/time/Duration"),
];

pub(crate) fn transparent(name: &str) -> Option<&'static Transparent> {
    TRANSPARENT.iter().find(|class| class.name == name)
}

/// Fields that say nothing about the content, and would only be noise.
pub(crate) fn is_bookkeeping(field: &str) -> bool {
    matches!(
        field,
        "modCount" | "keySet" | "values" | "entrySet" | "navigableKeySet" | "descendingMap"
    )
}

/// A followed library class, rewritten to note its own writes.
pub(crate) fn instrument_library_class<W: Write>(
    original: &[u8],
    symbols: &mut SymbolTable<W>,
) -> Result<Vec<u8>, InstrumentError> {
    let mut class = ClassFile::parse(original)?;
    // Kept, so that readers know which class declares a field that the code names otherwise.
    symbols.class(&class.name()?, "", Level::Writes, original)?;
    let mut probes = Probes::default();
    for index in 0..class.methods.len() {
        let method = class.methods[index].clone();
        let Some(code) = class.code(&method)? else {
            continue;
        };
        let is_constructor = class.method_name(&method)? == "<init>";
        let mut editor = CodeEditor::new(&class, &method, &code)?;
        let objects_from = if is_constructor {
            match constructor::super_calls(editor.instructions(), &class.constants).last() {
                Some(call) => call + 1,
                None => continue,
            }
        } else {
            0
        };
        let scratch = editor.extra_locals(&[]);
        let mut slots = 4;
        for at in objects_from..editor.instructions().len() {
            let instruction = editor.instructions()[at].clone();
            let mut snippet = Snippet::new();
            match instruction.opcode {
                opcode::PUTFIELD => {
                    let constant = instruction.cp_index().unwrap_or(0);
                    note_field(
                        &mut class,
                        constant,
                        scratch,
                        &mut probes,
                        symbols,
                        &mut snippet,
                    )?;
                    editor.before(at, &snippet);
                }
                _ if instruction.is_array_store() => {
                    let kind = element_kind(instruction.opcode - opcode::IASTORE);
                    let (array, index, value) = (scratch, scratch + 1, scratch + 2);
                    snippet
                        .store(kind, value)
                        .store_int(index)
                        .store_reference(array);
                    snippet
                        .load_reference(array)
                        .load_int(index)
                        .load(kind, value);
                    editor.before(at, &snippet);
                    snippet.clear();
                    snippet.load_reference(array).load_int(index);
                    let pool = &mut class.constants;
                    snippet.push_int(1, pool)?;
                    let parameters = ["Ljava/lang/Object;", "I", "I"];
                    probes.call_library(&mut snippet, pool, "filled", &parameters)?;
                    editor.after(at, &snippet);
                }
                _ if instruction.is_invoke() => {
                    let constant = instruction.cp_index().unwrap_or(0);
                    let used =
                        watch_arrays(&mut class, constant, scratch, &mut probes, &mut snippet)?;
                    if let Some((spill, used)) = used {
                        slots = slots.max(used);
                        editor.before(at, &spill);
                        editor.after(at, &snippet);
                    }
                }
                _ => {}
            }
        }
        editor.scratch_locals(slots);
        let edited = editor.finish(&mut class.constants)?;
        class.set_code(index, &edited)?;
    }
    Ok(class.write())
}

fn note_field<W: Write>(
    class: &mut ClassFile,
    constant: u16,
    scratch: u16,
    probes: &mut Probes,
    symbols: &mut SymbolTable<W>,
    snippet: &mut Snippet,
) -> Result<(), InstrumentError> {
    let member = class.constants.member_ref(constant)?;
    if is_bookkeeping(&member.name) {
        return Ok(());
    }
    let descriptor = member.descriptor.to_string();
    let field = symbols
        .field(false, &member.owner, &member.name, &descriptor)?
        .ok_or(InstrumentError::OutOfNumbers)?;
    let word = field.0 << 8 | u32::from(tag::PUT_FIELD | tag::BY_LIBRARY);
    let kind = descriptor::parse_field(&descriptor)?;
    let (letter, taken) = flavour(kind);
    let wide = kind.slots() == 2;
    if wide {
        snippet
            .store(kind, scratch)
            .op(opcode::DUP)
            .load(kind, scratch);
    } else {
        snippet.op(opcode::DUP2);
    }
    snippet.push_int(word.cast_signed(), &mut class.constants)?;
    let parameters = ["Ljava/lang/Object;", taken, "I"];
    probes.call_library(
        snippet,
        &mut class.constants,
        &format!("put{letter}"),
        &parameters,
    )?;
    if wide {
        snippet.load(kind, scratch);
    }
    Ok(())
}

/// Around a call that fills an array: what to do before it, and how many scratch slots that
/// takes; what to do after it goes into `after`.
fn watch_arrays(
    class: &mut ClassFile,
    constant: u16,
    scratch: u16,
    probes: &mut Probes,
    after: &mut Snippet,
) -> Result<Option<(Snippet, u16)>, InstrumentError> {
    let member = class.constants.member_ref(constant)?;
    let (owner, name) = (member.owner.to_string(), member.name.to_string());
    let descriptor = member.descriptor.to_string();
    let signature = descriptor::parse_method(&descriptor)?;
    if !matches!(owner.as_str(), "java/lang/System" | "java/util/Arrays")
        || !may_fill_arrays(&owner, &name, &signature)
    {
        return Ok(None);
    }
    let Spilled {
        snippet: spill,
        arguments: spilled,
        slots,
    } = Spilled::new(&signature, scratch);
    for array in filled_arrays(&name, &signature) {
        after.load_reference(spilled[array.parameter].1);
        match array.part {
            Some((from, count)) => {
                after.load_int(spilled[from].1).load_int(spilled[count].1);
            }
            None => {
                after.push_int(0, &mut class.constants)?;
                after.push_int(i32::MAX, &mut class.constants)?;
            }
        }
        let parameters = ["Ljava/lang/Object;", "I", "I"];
        probes.call_library(after, &mut class.constants, "filled", &parameters)?;
    }
    Ok(Some((spill, slots)))
}
