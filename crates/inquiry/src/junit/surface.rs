//! What a test can do with a class: which constructor takes which field, what sets it, what shows it.
//!
//! Read from the class file. A constructor counts if its code does nothing but put each parameter into a field
//! or hand it to another constructor that counts; that of `Object` does. A setter counts if it puts its parameter
//! into a field, a getter if it gives a field back.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use classfile::{AccessFlags, ClassFile, Code, Instruction, Method, opcode};
use java_names::descriptor;

use java_model::run::JavaRun;
use java_names::names;

/// The classes of a run, as they are asked for.
pub(super) struct Surfaces<'run> {
    run: &'run JavaRun,
    known: RefCell<HashMap<String, Option<Rc<Surface>>>>,
}

/// See the module's header.
#[derive(Debug, Default)]
pub(super) struct Surface {
    /// As the source has it, with its package.
    pub(super) name: String,
    package: String,
    /// Why a test cannot name it, if it cannot.
    hidden: Option<&'static str>,
    is_public: bool,
    pub(super) is_abstract: bool,
    pub(super) is_record: bool,
    is_enum: bool,
    pub(super) super_name: Option<String>,
    fields: HashMap<String, Field>,
    constructors: Vec<Constructor>,
    setters: HashMap<String, Member>,
    getters: HashMap<String, Member>,
    methods: HashMap<(String, String), AccessFlags>,
}

#[derive(Debug)]
struct Field {
    access: AccessFlags,
}

#[derive(Clone, Debug)]
struct Member {
    access: AccessFlags,
    name: String,
}

/// A constructor that puts its parameters into fields, or hands them on.
#[derive(Debug)]
struct Constructor {
    access: AccessFlags,
    descriptor: String,
    takes: Taken,
}

/// Of each parameter of a constructor: the field that it is put into, and its descriptor.
pub(super) type Parameters = Vec<(String, String)>;

impl<'run> Surfaces<'run> {
    pub(super) fn of(run: &'run JavaRun) -> Self {
        Surfaces {
            run,
            known: RefCell::default(),
        }
    }

    pub(super) fn run(&self) -> &'run JavaRun {
        self.run
    }

    /// A class of the program's, by its internal name.
    pub(super) fn get(&self, internal: &str) -> Option<Rc<Surface>> {
        if let Some(known) = self.known.borrow().get(internal) {
            return known.clone();
        }
        let found = self.read(internal).map(Rc::new);
        let mut known = self.known.borrow_mut();
        known.insert(internal.to_owned(), found.clone());
        found
    }

    /// The constructors that can be called from a package, those with most parameters first.
    pub(super) fn constructors(&self, class: &Surface, package: &str) -> Vec<Parameters> {
        let constructors = class.constructors.iter();
        let open = constructors.filter(|one| class.is_open(one.access, package));
        let mut found: Vec<Parameters> = open
            .filter_map(|one| self.parameters(&one.takes, LONGEST_CHAIN))
            .collect();
        found.sort_by_key(|parameters| std::cmp::Reverse(parameters.len()));
        found
    }

    /// Where parameters end up, through the constructors that they are handed to.
    fn parameters(&self, taken: &Taken, left: usize) -> Option<Parameters> {
        let left = left.checked_sub(1)?;
        let mut fields = taken.fields.clone();
        if let Some(handed) = &taken.handed {
            let class = self.get(&handed.class)?;
            let mut constructors = class.constructors.iter();
            let next = constructors.find(|one| one.descriptor == handed.descriptor)?;
            let above = self.parameters(&next.takes, left)?;
            for (&number, (field, _)) in handed.parameters.iter().zip(above) {
                fields[number].0 = Some(field);
            }
        }
        let whole = fields.into_iter().map(|(field, kind)| Some((field?, kind)));
        whole.collect()
    }

    fn read(&self, internal: &str) -> Option<Surface> {
        let trace = self.run.trace();
        let number = trace.symbols().classes_named(internal).last()?;
        let bytes = self.run.read(trace.class_file(*number))??;
        Some(Surface::of(&ClassFile::parse(&bytes).ok()?, internal))
    }

    /// How a type is written, from its descriptor, in a test of this package; `Object` if the test cannot
    /// name it.
    pub(super) fn type_name(&self, descriptor: &str, package: &str) -> String {
        if let Some(element) = descriptor.strip_prefix('[') {
            return format!("{}[]", self.type_name(element, package));
        }
        let Some(internal) = descriptor
            .strip_prefix('L')
            .and_then(|rest| rest.strip_suffix(';'))
        else {
            return primitive_name(descriptor).to_owned();
        };
        match self.get(internal) {
            Some(surface) if surface.usable_from(package).is_ok() => surface.name.clone(),
            None if internal.starts_with("java/") => names::nested(&names::class(internal)),
            _ => "Object".to_owned(),
        }
    }
}

fn primitive_name(descriptor: &str) -> &'static str {
    match descriptor {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        _ => "Object",
    }
}

impl Surface {
    fn of(class: &ClassFile, internal: &str) -> Surface {
        let access = class.access;
        let mut surface = Surface {
            name: names::nested(&names::class(internal)),
            package: names::package(internal).to_owned(),
            hidden: hidden(class, internal),
            is_public: access.contains(AccessFlags::PUBLIC),
            is_abstract: access.is_abstract(),
            is_enum: access.contains(AccessFlags::ENUM),
            super_name: class.super_name().map(|name| name.into_owned()),
            ..Surface::default()
        };
        surface.is_record = surface.super_name.as_deref() == Some("java/lang/Record");
        for field in &class.fields {
            if let Ok(name) = class.field_name(field) {
                let access = field.access;
                surface.fields.insert(name.into_owned(), Field { access });
            }
        }
        for method in &class.methods {
            surface.note(class, method);
        }
        surface
    }

    fn note(&mut self, class: &ClassFile, method: &Method) {
        let (Ok(name), Ok(descriptor)) =
            (class.method_name(method), class.method_descriptor(method))
        else {
            return;
        };
        let access = method.access;
        let key = (name.clone().into_owned(), descriptor.clone().into_owned());
        self.methods.insert(key, access);
        let code = class.code(method).ok().flatten();
        let Some(code) = code.filter(|_| !access.is_static()) else {
            return;
        };
        let Some(does) = Does::of(class, &code, &descriptor) else {
            return;
        };
        let name = name.into_owned();
        match does {
            Does::Takes(takes) if name == "<init>" => {
                let descriptor = descriptor.into_owned();
                self.constructors.push(Constructor {
                    access,
                    descriptor,
                    takes,
                });
            }
            Does::Takes(takes) => {
                if let (None, [(Some(field), _)]) = (&takes.handed, takes.fields.as_slice()) {
                    self.setters.insert(field.clone(), Member { access, name });
                }
            }
            Does::Gives(field) => {
                self.getters.insert(field, Member { access, name });
            }
        }
    }

    /// Whether it is an enum, and not the class of one of its constants.
    pub(super) fn is_enum_itself(&self) -> bool {
        self.is_enum && self.super_name.as_deref() == Some("java/lang/Enum")
    }

    /// Whether code of this package can name the class.
    pub(super) fn usable_from(&self, package: &str) -> Result<(), String> {
        match self.hidden {
            Some(why) => Err(format!("{} is {why}", self.name)),
            None if self.is_public || self.package == package => Ok(()),
            None => Err(format!("{} is not public", self.name)),
        }
    }

    fn is_open(&self, access: AccessFlags, package: &str) -> bool {
        let near = self.package == package && !access.contains(AccessFlags::PRIVATE);
        near || access.contains(AccessFlags::PUBLIC)
    }

    /// Whether a method can be called from this package; `None` if there is no such method.
    pub(super) fn can_call(&self, name: &str, descriptor: &str, package: &str) -> Option<bool> {
        let key = (name.to_owned(), descriptor.to_owned());
        let access = *self.methods.get(&key)?;
        Some(!access.is_synthetic() && self.is_open(access, package))
    }

    /// How a field is set, as what follows the object: ` = x` or `.setX(x)`.
    pub(super) fn set(
        &self,
        object: &str,
        field: &str,
        value: &str,
        package: &str,
    ) -> Option<String> {
        let access = self.fields.get(field)?.access;
        if self.is_open(access, package) && !access.contains(AccessFlags::FINAL) {
            return Some(format!("{object}.{field} = {value};"));
        }
        let setter = self.setters.get(field)?;
        self.is_open(setter.access, package)
            .then(|| format!("{object}.{}({value});", setter.name))
    }

    /// How a field is seen.
    pub(super) fn see(&self, object: &str, field: &str, package: &str) -> Option<String> {
        let access = self.fields.get(field)?.access;
        if self.is_open(access, package) {
            return Some(format!("{object}.{field}"));
        }
        let getter = self.getters.get(field)?;
        self.is_open(getter.access, package)
            .then(|| format!("{object}.{}()", getter.name))
    }
}

/// Why a class cannot be named in other source, if it cannot.
fn hidden(class: &ClassFile, internal: &str) -> Option<&'static str> {
    let own = internal.rsplit('/').next().unwrap_or(internal);
    if own
        .split('$')
        .skip(1)
        .any(|part| part.starts_with(|c: char| c.is_ascii_digit()))
    {
        return Some("a class without a name of its own");
    }
    let attribute = class.attribute(&class.attributes, b"InnerClasses")?;
    let entries = attribute.bytes.get(2..).unwrap_or_default().chunks_exact(8);
    let number = |bytes: &[u8], at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    for entry in entries {
        let name = class.constants.class_name(number(entry, 0)).ok()?;
        // A class is hidden by what hides the classes around it.
        let is_around = internal == name || internal.starts_with(&format!("{name}$"));
        if is_around && number(entry, 6) & AccessFlags::PRIVATE != 0 {
            return Some("private");
        }
    }
    None
}

/// Constructors hand parameters on no further than this.
const LONGEST_CHAIN: usize = 10;

/// What a short method does.
enum Does {
    /// Takes its parameters, each of them once.
    Takes(Taken),
    /// Gives this field back.
    Gives(String),
}

/// Where parameters go.
#[derive(Debug)]
struct Taken {
    /// Of each: the field that it is put into, unless it is handed on, and its descriptor.
    fields: Vec<(Option<String>, String)>,
    handed: Option<Handed>,
}

/// Another constructor, with the numbers of the parameters that it gets.
#[derive(Debug)]
struct Handed {
    class: String,
    descriptor: String,
    parameters: Vec<usize>,
}

impl Does {
    fn of(class: &ClassFile, code: &Code, signature: &str) -> Option<Does> {
        let signature = descriptor::parse_method(signature).ok()?;
        let instructions = code.instructions().ok()?;
        let own = class.name().ok()?;
        let field = |instruction: &Instruction| {
            let member = class.constants.member_ref(instruction.cp_index()?).ok()?;
            (member.owner == own).then(|| member.name.into_owned())
        };
        if let [this, get, back] = instructions.as_slice()
            && is_this(this)
            && get.opcode == opcode::GETFIELD
            && back.is_return()
            && signature.parameters.is_empty()
        {
            return field(get).map(Does::Gives);
        }
        let mut slots = Vec::new();
        let mut slot = 1;
        for parameter in &signature.parameters {
            slots.push(slot);
            slot += parameter.slots();
        }
        let parameter = |load: &Instruction| {
            let local = load.local_index().filter(|_| load.is_local_load());
            slots.iter().position(|&slot| local == Some(slot))
        };
        let mut rest = instructions.as_slice();
        let called = rest
            .iter()
            .position(|one| one.opcode == opcode::INVOKESPECIAL);
        let mut handed = None;
        if let Some(called) = called {
            let (this, loads) = rest.get(..called)?.split_first()?;
            let call = class.constants.member_ref(rest[called].cp_index()?).ok()?;
            let parameters: Option<Vec<usize>> = loads.iter().map(parameter).collect();
            let parameters = parameters.filter(|_| is_this(this) && call.name == "<init>")?;
            let is_plain = ["java/lang/Object", "java/lang/Record"].contains(&&*call.owner);
            handed = (!is_plain).then(|| Handed {
                class: call.owner.to_string(),
                descriptor: call.descriptor.to_string(),
                parameters,
            });
            rest = &rest[called + 1..];
        }
        let mut puts: Vec<Option<String>> = vec![None; slots.len()];
        let mut uses = vec![0; slots.len()];
        let given = handed.iter().flat_map(|handed| &handed.parameters);
        given.for_each(|&number| uses[number] += 1);
        while let [this, load, put, after @ ..] = rest {
            let number = parameter(load)?;
            if !is_this(this) || put.opcode != opcode::PUTFIELD {
                return None;
            }
            uses[number] += 1;
            puts[number] = Some(field(put)?);
            rest = after;
        }
        let [back] = rest else { return None };
        if back.opcode != opcode::RETURN || uses.iter().any(|&uses| uses != 1) {
            return None;
        }
        let types = signature.parameters.iter();
        let types = types.map(|one| one.descriptor().to_owned());
        let fields = puts.into_iter().zip(types).collect();
        Some(Does::Takes(Taken { fields, handed }))
    }
}

fn is_this(instruction: &Instruction) -> bool {
    instruction.is_local_load() && instruction.local_index() == Some(0)
}
