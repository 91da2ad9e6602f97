//! What is known of a recorded program: its code, types and objects, looked up once.
//!
//! It may be shared by replays in several threads. It belongs to one trace: of a run that goes on, code and types that
//! came later are unknown to it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use classfile::{AccessFlags, ClassFile};
use trace_format::symbol::Level;
use trace_format::{ClassNumber, FieldId, MethodId, ObjectId};
use trace_store::Trace;

use crate::code::MethodCode;
use crate::decode::Surroundings;
use crate::error::ReplayError;
use crate::lock::lock;
use crate::types::Types;

/// Entries after which a cache of objects starts anew.
const MOST_OBJECTS: usize = 1 << 20;
const CLASS: &str = "java/lang/Class";

/// See the module's header.
#[derive(Debug, Default)]
pub struct Program {
    /// By method number.
    codes: Vec<OnceLock<MethodCode>>,
    classes: Mutex<HashMap<ClassNumber, Arc<Class>>>,
    methods: HashMap<ClassNumber, Vec<MethodId>>,
    fields: HashMap<(bool, String, String, String), FieldId>,
    pub(crate) types: Types,
    object_classes: Mutex<HashMap<ObjectId, Option<ObjectId>>>,
}

#[derive(Debug)]
struct Class {
    file: ClassFile,
    /// Own methods that a call is sure to reach.
    sure: HashMap<(String, String), MethodId>,
}

impl Program {
    pub fn of(trace: &Trace) -> Program {
        let mut program = Program::default();
        for method in trace.symbols().methods() {
            let methods = program.methods.entry(method.class).or_default();
            methods.push(method.method);
            let number = method.method.0 as usize;
            if program.codes.len() <= number {
                program.codes.resize_with(number + 1, OnceLock::new);
            }
        }
        for field in trace.symbols().fields() {
            let key = (
                field.is_static,
                field.owner.clone(),
                field.name.clone(),
                field.descriptor.clone(),
            );
            program.fields.insert(key, field.field);
        }
        program
    }

    /// The number under which writes to a field are recorded, if there was one.
    pub(crate) fn field_id(
        &self,
        is_static: bool,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<FieldId> {
        let key = (
            is_static,
            owner.to_owned(),
            name.to_owned(),
            descriptor.to_owned(),
        );
        self.fields.get(&key).copied()
    }

    /// The decoded code of a method that was recorded in full.
    pub fn code(&self, trace: &Trace, method: MethodId) -> Result<&MethodCode, ReplayError> {
        let Some(place) = self.codes.get(method.0 as usize) else {
            return Err(ReplayError::NoClassFile {
                method: label(trace, method),
            });
        };
        if let Some(code) = place.get() {
            return Ok(code);
        }
        let code = self.decode(trace, method)?;
        // If another thread was quicker, its code is the same.
        Ok(place.get_or_init(|| code))
    }

    fn decode(&self, trace: &Trace, method: MethodId) -> Result<MethodCode, ReplayError> {
        let label = label(trace, method);
        let missing = || ReplayError::NoClassFile {
            method: label.clone(),
        };
        let symbol = trace.symbols().method(method).ok_or_else(missing)?;
        if symbol.level != Level::Full {
            return Err(ReplayError::NotInFull(label));
        }
        let class = self
            .class(trace, symbol.class, &label)?
            .ok_or_else(missing)?;
        let field_ids = |is_static: bool, owner: &str, name: &str, descriptor: &str| {
            self.field_id(is_static, owner, name, descriptor)
        };
        let around = Surroundings {
            method,
            class: symbol.class,
            sure: &class.sure,
            field_ids: &field_ids,
        };
        MethodCode::decode(&class.file, usize::from(symbol.index), &around)
            .map_err(|error| ReplayError::Code {
                method: label.clone(),
                error,
            })?
            .ok_or_else(missing)
    }

    fn class(
        &self,
        trace: &Trace,
        number: ClassNumber,
        label: &str,
    ) -> Result<Option<Arc<Class>>, ReplayError> {
        if let Some(class) = lock(&self.classes).get(&number) {
            return Ok(Some(Arc::clone(class)));
        }
        let Some(bytes) = trace.class_file(number)? else {
            return Ok(None);
        };
        let bad = |error| ReplayError::Code {
            method: label.to_owned(),
            error,
        };
        let file = ClassFile::parse(&bytes).map_err(bad)?;
        let sure = if trace.symbols().notes_own_results(number) {
            HashMap::new()
        } else {
            self.sure_methods(trace, number, &file)
        };
        let class = Arc::new(Class { file, sure });
        lock(&self.classes).insert(number, Arc::clone(&class));
        Ok(Some(class))
    }

    /// The rule of the format: `static`, `private` or `final` methods with code, and all of a
    /// final class; never constructors.
    fn sure_methods(
        &self,
        trace: &Trace,
        number: ClassNumber,
        file: &ClassFile,
    ) -> HashMap<(String, String), MethodId> {
        let sure = AccessFlags::STATIC | AccessFlags::PRIVATE | AccessFlags::FINAL;
        let all = file.access.contains(AccessFlags::FINAL);
        let methods = self.methods.get(&number).map_or(&[][..], Vec::as_slice);
        methods
            .iter()
            .filter_map(|method| trace.symbols().method(*method))
            .filter(|method| !method.is_constructor() && (all || method.access & sure != 0))
            .map(|method| {
                let key = (method.name.clone(), method.descriptor.clone());
                (key, method.method)
            })
            .collect()
    }

    /// The internal name of an object's class; `None` if the object is not described.
    pub(crate) fn class_of(
        &self,
        trace: &Trace,
        object: ObjectId,
    ) -> Result<Option<Arc<str>>, ReplayError> {
        match self.class_object(trace, object)? {
            Some(class) if class.is_null() => Ok(Some(Arc::from(CLASS))),
            Some(class) => self.types.name(trace, class),
            None => Ok(None),
        }
    }

    /// The class of an object: `null` for class objects themselves.
    fn class_object(
        &self,
        trace: &Trace,
        object: ObjectId,
    ) -> Result<Option<ObjectId>, ReplayError> {
        if let Some(class) = lock(&self.object_classes).get(&object) {
            return Ok(*class);
        }
        let class = trace.class_of(object)?.map(|(class, _)| class);
        bounded(&mut lock(&self.object_classes)).insert(object, class);
        Ok(class)
    }

    pub(crate) fn is_instance(
        &self,
        trace: &Trace,
        object: ObjectId,
        class: &str,
    ) -> Result<Option<bool>, ReplayError> {
        match self.class_object(trace, object)? {
            Some(own) if own.is_null() => self.types.is_subtype(trace, CLASS, class),
            Some(own) => self.types.is_instance(trace, own, class),
            None => Ok(None),
        }
    }
}

/// `a/b/C.method(I)V`, as far as it is known.
pub(crate) fn label(trace: &Trace, method: MethodId) -> String {
    let symbols = trace.symbols();
    match symbols.method(method) {
        Some(symbol) => {
            let class = symbols.class_name_of(method).unwrap_or("?");
            format!("{class}.{}{}", symbol.name, symbol.descriptor)
        }
        None => format!("method {method}"),
    }
}

fn bounded<K, V>(cache: &mut HashMap<K, V>) -> &mut HashMap<K, V> {
    if cache.len() > MOST_OBJECTS {
        cache.clear();
    }
    cache
}
