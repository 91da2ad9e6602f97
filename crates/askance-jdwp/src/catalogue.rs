//! The classes of the run: those whose files the trace has, and those of the JDK of which it knows only the name and
//! the fields that recorded code or the recorder came across.
//!
//! Class files are read when somebody asks about them, and kept.

use std::collections::HashMap;
use std::sync::Arc;

use classfile::{AccessFlags, Attribute, ClassFile, Constant};
use java_model::run::JavaRun;
use java_names::names;
use trace_format::{ClassNumber, MethodId};
use trace_store::ObjectContent;

use crate::refusal::Refusal;

/// How the protocol tells sorts of types apart.
const CLASS: u8 = 1;
const INTERFACE: u8 = 2;
const ARRAY: u8 = 3;
/// How the protocol marks what a compiler made.
const SYNTHETIC: u32 = 0xF000_0000;

/// The state of every class: verified, prepared and initialised.
pub(crate) const PREPARED: u32 = 7;

/// Classes that clients look for by their name, before any object of them is seen.
const ALWAYS_THERE: [&str; 6] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/Thread",
    "java/lang/Throwable",
];

/// A type by its place in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TypeNumber(pub(crate) u32);

/// A type of the run.
#[derive(Clone, Debug)]
pub(crate) struct CataloguedType {
    /// `Ljava/lang/String;`, `[I`.
    pub(crate) signature: String,
    /// Where its class file is, if the trace has it.
    pub(crate) class: Option<ClassNumber>,
    pub(crate) tag: u8,
}

impl CataloguedType {
    /// Internal name; of an array class its signature.
    pub(crate) fn name(&self) -> &str {
        let inside = self.signature.strip_prefix('L');
        inside
            .and_then(|inside| inside.strip_suffix(';'))
            .unwrap_or(&self.signature)
    }

    pub(crate) fn is_array(&self) -> bool {
        self.tag == ARRAY
    }

    pub(crate) fn is_interface(&self) -> bool {
        self.tag == INTERFACE
    }
}

/// What a class declares.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    pub(crate) access: u32,
    pub(crate) generic: String,
    pub(crate) source_file: Option<String>,
    /// Internal names.
    pub(crate) superclass: Option<String>,
    pub(crate) interfaces: Vec<String>,
    pub(crate) fields: Vec<DeclaredField>,
    pub(crate) methods: Vec<DeclaredMethod>,
    pub(crate) version: Option<(u16, u16)>,
}

#[derive(Debug)]
pub(crate) struct DeclaredField {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) generic: String,
    pub(crate) access: u32,
    pub(crate) is_static: bool,
    /// What it holds without anybody having written it.
    pub(crate) constant: Option<ConstantValue>,
}

#[derive(Clone, Debug)]
pub(crate) enum ConstantValue {
    Number(trace_format::Value),
    Text(String),
}

#[derive(Debug)]
pub(crate) struct DeclaredMethod {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) generic: String,
    pub(crate) access: u32,
    pub(crate) is_native: bool,
    pub(crate) code: Option<DeclaredCode>,
}

#[derive(Debug)]
pub(crate) struct DeclaredCode {
    pub(crate) bytes: Vec<u8>,
    /// Offsets with the lines that begin there.
    pub(crate) lines: Vec<(u32, u16)>,
    pub(crate) variables: Vec<DeclaredVariable>,
    pub(crate) argument_slots: u32,
}

#[derive(Debug)]
pub(crate) struct DeclaredVariable {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) slot: u16,
}

/// See the module's header.
pub(crate) struct Catalogue<'run> {
    run: &'run JavaRun,
    types: Vec<CataloguedType>,
    by_signature: HashMap<String, Vec<TypeNumber>>,
    by_class: HashMap<ClassNumber, TypeNumber>,
    read: HashMap<TypeNumber, Arc<Declarations>>,
}

impl<'run> Catalogue<'run> {
    pub(crate) fn new(run: &'run JavaRun) -> Self {
        let mut catalogue = Catalogue {
            run,
            types: Vec::new(),
            by_signature: HashMap::new(),
            by_class: HashMap::new(),
            read: HashMap::new(),
        };
        for symbol in run.trace().symbols().classes() {
            catalogue.add(signature_of(&symbol.name), Some(symbol.class));
        }
        for name in ALWAYS_THERE {
            catalogue.named(&signature_of(name));
        }
        catalogue
    }

    fn add(&mut self, signature: String, class: Option<ClassNumber>) -> TypeNumber {
        let number = TypeNumber(u32::try_from(self.types.len()).unwrap_or(u32::MAX));
        let is_interface = match class {
            Some(_) => {
                let name = signature.trim_start_matches('L').trim_end_matches(';');
                let declared = self.run.classes().get(name);
                declared.is_some_and(|declared| declared.is_interface)
            }
            None => self.described(&signature).is_some_and(|it| it.is_interface),
        };
        let tag = match (signature.starts_with('['), is_interface) {
            (true, _) => ARRAY,
            (false, true) => INTERFACE,
            (false, false) => CLASS,
        };
        self.by_signature
            .entry(signature.clone())
            .or_default()
            .push(number);
        if let Some(class) = class {
            self.by_class.insert(class, number);
        }
        self.types.push(CataloguedType {
            signature,
            class,
            tag,
        });
        number
    }

    /// What the recorder noted of a class of which there is no file.
    fn described(&self, signature: &str) -> Option<Described> {
        let name = signature.strip_prefix('L')?.strip_suffix(';')?;
        let trace = self.run.trace();
        let object = trace.class_objects_named(&names::class(name)).ok()?;
        let description = trace.object(*object.first()?).ok()??;
        let ObjectContent::Class {
            superclass,
            is_interface,
            interfaces,
            ..
        } = description.content
        else {
            return None;
        };
        let name_of = |class: trace_format::ObjectId| {
            let found = trace.object(class).ok()??;
            match found.content {
                ObjectContent::Class { name, .. } => Some(names::internal(&name)),
                _ => None,
            }
        };
        Some(Described {
            superclass: superclass.and_then(name_of),
            is_interface,
            interfaces: interfaces.into_iter().filter_map(name_of).collect(),
        })
    }

    /// The type of a signature; it is put into the catalogue if it is not there yet.
    pub(crate) fn named(&mut self, signature: &str) -> TypeNumber {
        match self.all_named(signature).first() {
            Some(&number) => number,
            None => self.add(signature.to_owned(), None),
        }
    }

    /// Those types of a signature that are in the catalogue.
    pub(crate) fn all_named(&self, signature: &str) -> &[TypeNumber] {
        self.by_signature.get(signature).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn get(&self, number: TypeNumber) -> Result<&CataloguedType, Refusal> {
        let found = self.types.get(number.0 as usize);
        found.ok_or(Refusal::InvalidClass)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (TypeNumber, &CataloguedType)> {
        (0..).map(TypeNumber).zip(&self.types)
    }

    /// The type of a method, and the method's place in it.
    pub(crate) fn of_method(&self, method: MethodId) -> Option<(TypeNumber, usize)> {
        let symbol = &self.run.trace().symbols().method(method)?.symbol;
        let number = self.by_class.get(&symbol.class)?;
        Some((*number, usize::from(symbol.index)))
    }

    /// The recorded methods at a place of a type.
    pub(crate) fn methods_at(&self, number: TypeNumber, place: usize) -> Vec<MethodId> {
        let Some(class) = self.get(number).ok().and_then(|found| found.class) else {
            return Vec::new();
        };
        let methods = self.run.trace().symbols().methods();
        let is_it = |symbol: &&trace_store::TypedMethod| {
            symbol.symbol.class == class && usize::from(symbol.symbol.index) == place
        };
        methods
            .filter(is_it)
            .map(|found| found.symbol.method)
            .collect()
    }

    pub(crate) fn declarations(
        &mut self,
        number: TypeNumber,
    ) -> Result<Arc<Declarations>, Refusal> {
        if let Some(known) = self.read.get(&number) {
            return Ok(Arc::clone(known));
        }
        let found = self.get(number)?;
        let bytes = found
            .class
            .and_then(|class| self.run.read(self.run.trace().class_file(class)).flatten());
        let parsed = bytes.and_then(|bytes| ClassFile::parse(&bytes).ok());
        let read = match &parsed {
            Some(class) => declared(class),
            None => self.known_of_library(found),
        };
        let read = Arc::new(read);
        self.read.insert(number, Arc::clone(&read));
        self.add_types_of_variables(&read);
        Ok(read)
    }

    /// A client that shows a variable asks for the type that it is declared to have.
    fn add_types_of_variables(&mut self, known: &Declarations) {
        let fields = known.fields.iter().map(|field| &field.descriptor);
        let codes = known.methods.iter().filter_map(|it| it.code.as_ref());
        let locals = codes.flat_map(|code| code.variables.iter().map(|it| &it.descriptor));
        for descriptor in fields.chain(locals) {
            if descriptor.starts_with(['L', '[']) {
                self.named(descriptor);
            }
        }
    }

    /// Of a class without a file: what code that is recorded, or the recorder, came across.
    fn known_of_library(&self, found: &CataloguedType) -> Declarations {
        let name = found.name();
        let mut known = Declarations {
            access: u32::from(AccessFlags::PUBLIC),
            ..Declarations::default()
        };
        if found.is_array() {
            known.superclass = Some("java/lang/Object".to_owned());
            return known;
        }
        if let Some(described) = self.described(&found.signature) {
            known.superclass = described.superclass;
            known.interfaces = described.interfaces;
        }
        let mut add = |name: &str, descriptor: &str, is_static: bool| {
            let known_already = |field: &DeclaredField| field.name == name;
            if !known.fields.iter().any(known_already) {
                known.fields.push(DeclaredField {
                    name: name.to_owned(),
                    descriptor: descriptor.to_owned(),
                    generic: String::new(),
                    access: u32::from(if is_static { AccessFlags::STATIC } else { 0 }),
                    is_static,
                    constant: None,
                });
            }
        };
        if let Some((field, descriptor)) = content_field(name) {
            add(field, descriptor, false);
        }
        let fields = self.run.trace().symbols().fields();
        for field in fields.filter(|field| field.owner == name) {
            add(&field.name, &field.descriptor, field.is_static);
        }
        known
    }

    /// Whether a type is another or a subtype of it, as far as classes are known.
    pub(crate) fn is_subtype(&mut self, number: TypeNumber, of: TypeNumber) -> bool {
        let mut open = vec![number];
        let mut seen = Vec::new();
        while let Some(number) = open.pop() {
            if number == of {
                return true;
            }
            if seen.contains(&number) {
                continue;
            }
            seen.push(number);
            let Ok(known) = self.declarations(number) else {
                continue;
            };
            for name in known.superclass.iter().chain(&known.interfaces) {
                open.push(self.named(&signature_of(name)));
            }
        }
        self.get(of)
            .is_ok_and(|found| found.signature == "Ljava/lang/Object;")
    }
}

struct Described {
    superclass: Option<String>,
    is_interface: bool,
    interfaces: Vec<String>,
}

/// The signature of a class by its internal name, or of an array class by the name that it has for itself.
pub(crate) fn signature_of(internal: &str) -> String {
    match internal.starts_with('[') {
        true => internal.to_owned(),
        false => format!("L{internal};"),
    }
}

/// The field of a class of the JDK in which it has what the recorder keeps of its objects.
pub(crate) fn content_field(name: &str) -> Option<(&'static str, &'static str)> {
    let descriptor = match name {
        "java/lang/Boolean" => "Z",
        "java/lang/Byte" => "B",
        "java/lang/Character" => "C",
        "java/lang/Short" => "S",
        "java/lang/Integer" => "I",
        "java/lang/Long" => "J",
        "java/lang/Float" => "F",
        "java/lang/Double" => "D",
        "java/lang/Throwable" => return Some(("detailMessage", "Ljava/lang/String;")),
        "java/lang/Enum" => return Some(("name", "Ljava/lang/String;")),
        _ => return None,
    };
    Some(("value", descriptor))
}

fn access_bits(access: AccessFlags) -> u32 {
    let synthetic = if access.is_synthetic() { SYNTHETIC } else { 0 };
    u32::from(access.0) | synthetic
}

fn generic(class: &ClassFile, attributes: &[Attribute]) -> String {
    let found = class.attribute(attributes, b"Signature");
    let index = found.and_then(|found| <[u8; 2]>::try_from(found.bytes.as_slice()).ok());
    let text = index.and_then(|index| class.constants.utf8(u16::from_be_bytes(index)).ok());
    text.map(|text| text.into_owned()).unwrap_or_default()
}

fn declared(class: &ClassFile) -> Declarations {
    let fields = class.fields.iter().map(|field| DeclaredField {
        name: class
            .field_name(field)
            .map(|name| name.into_owned())
            .unwrap_or_default(),
        descriptor: class
            .field_descriptor(field)
            .map(|text| text.into_owned())
            .unwrap_or_default(),
        generic: generic(class, &field.attributes),
        access: access_bits(field.access),
        is_static: field.access.is_static(),
        constant: constant_of(class, &field.attributes),
    });
    let methods = class.methods.iter().map(|method| {
        let descriptor = class
            .method_descriptor(method)
            .map(|text| text.into_owned())
            .unwrap_or_default();
        DeclaredMethod {
            name: class
                .method_name(method)
                .map(|name| name.into_owned())
                .unwrap_or_default(),
            generic: generic(class, &method.attributes),
            access: access_bits(method.access),
            is_native: method.access.is_native(),
            code: code_of(class, method, &descriptor),
            descriptor,
        }
    });
    let interfaces = class
        .interfaces
        .iter()
        .filter_map(|&index| class.constants.class_name(index).ok());
    Declarations {
        access: access_bits(class.access),
        generic: generic(class, &class.attributes),
        source_file: class.source_file().map(|name| name.into_owned()),
        superclass: class.super_name().map(|name| name.into_owned()),
        interfaces: interfaces.map(|name| name.into_owned()).collect(),
        fields: fields.collect(),
        methods: methods.collect(),
        version: Some((class.major, class.minor)),
    }
}

fn constant_of(class: &ClassFile, attributes: &[Attribute]) -> Option<ConstantValue> {
    use trace_format::Value;
    let found = class.attribute(attributes, b"ConstantValue")?;
    let index = <[u8; 2]>::try_from(found.bytes.as_slice()).ok()?;
    let constant = class.constants.get(u16::from_be_bytes(index)).ok()?;
    Some(match constant {
        Constant::Integer(value) => ConstantValue::Number(Value::Int(value)),
        Constant::Float(value) => ConstantValue::Number(Value::Float(value)),
        Constant::Long(value) => ConstantValue::Number(Value::Long(value)),
        Constant::Double(value) => ConstantValue::Number(Value::Double(value)),
        Constant::String { utf8 } => {
            ConstantValue::Text(class.constants.utf8(utf8).ok()?.into_owned())
        }
        _ => return None,
    })
}

fn code_of(
    class: &ClassFile,
    method: &classfile::Method,
    descriptor: &str,
) -> Option<DeclaredCode> {
    let code = class.code(method).ok()??;
    let lines = code.line_numbers(&class.constants).unwrap_or_default();
    let variables = code.local_variables(&class.constants).unwrap_or_default();
    let variables = variables.iter().map(|variable| DeclaredVariable {
        name: variable.name.to_string(),
        descriptor: variable.descriptor.to_string(),
        start: variable.start,
        end: variable.end,
        slot: variable.slot,
    });
    Some(DeclaredCode {
        lines: lines.iter().map(|line| (line.pc, line.line)).collect(),
        variables: variables.collect(),
        argument_slots: argument_slots(descriptor) + u32::from(!method.access.is_static()),
        bytes: code.bytes,
    })
}

/// How many slots the arguments of a method take.
fn argument_slots(descriptor: &str) -> u32 {
    let inside = descriptor.trim_start_matches('(');
    let mut signs = inside.chars();
    let mut slots = 0;
    let mut is_array = false;
    while let Some(sign) = signs.next() {
        match sign {
            ')' => break,
            '[' => {
                is_array = true;
                continue;
            }
            'L' => {
                signs.by_ref().find(|sign| *sign == ';');
                slots += 1;
            }
            'J' | 'D' if !is_array => slots += 2,
            _ => slots += 1,
        }
        is_array = false;
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_take_slots() {
        assert_eq!(argument_slots("()V"), 0);
        assert_eq!(argument_slots("(IJ[D[[Ljava/lang/String;DZ)J"), 8);
    }
}
