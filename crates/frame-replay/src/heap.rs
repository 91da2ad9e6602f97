//! Instructions that touch the heap: loads take the recorded value, stores are checked against
//! the recorded write, and what the JVM checks is checked again.

use classfile::opcode as o;
use trace_format::event::WriteTarget;
use trace_format::{Kind, ObjectId, Value};

use crate::code::{MethodCode, Op};
use crate::error::{ReplayError, ReplayObstacle};
use crate::exceptions::Cause;
use crate::input::Next;
use crate::machine::Machine;
use crate::site::FieldSite;
use crate::slot::{Slot, Tag};
use crate::step::{Access, CallEnding, Flow, HeapVariable};
use crate::types::class_in;

const LINK_ERRORS: &[&str] = &[
    "java/lang/NoClassDefFoundError",
    "java/lang/ExceptionInInitializerError",
    "java/lang/InstantiationError",
    "java/lang/IllegalAccessError",
    "java/lang/ClassFormatError",
    "java/lang/UnsupportedClassVersionError",
    "java/lang/VerifyError",
    "java/lang/IncompatibleClassChangeError",
];

impl Machine<'_> {
    pub(crate) fn get_field(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let site = &code.fields[op.a as usize];
        let object = self.pop();
        if object.is_null() {
            return self.raise(code, Cause::NULL);
        }
        let object = object.object().unwrap_or_default();
        let place = HeapVariable::Field {
            object,
            field: op.a,
        };
        self.load(code, site.kind, Some(place))
    }

    pub(crate) fn get_static(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let site = &code.fields[op.a as usize];
        if self.initializers(&site.owner) {
            return Ok(Flow::Ended(CallEnding::Open));
        }
        self.load(code, site.kind, Some(HeapVariable::Static { field: op.a }))
    }

    pub(crate) fn load_element(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let index = self.pop_int();
        let array = self.pop();
        if array.is_null() {
            return self.raise(code, Cause::NULL);
        }
        let array = array.object().unwrap_or_default();
        let index = index.cast_unsigned();
        match self.length(array)? {
            Some(length) if index >= length => return self.raise(code, Cause::BOUNDS),
            None if self.input.exception_is_due() => return self.raise(code, Cause::BOUNDS),
            _ => {}
        }
        let kind = element_kind(op.code - o::IALOAD);
        if matches!(kind, Kind::Byte | Kind::Char) {
            self.reads_text_of(array);
        }
        self.load(code, kind, Some(HeapVariable::Element { array, index }))
    }

    /// Pushes a recorded value.
    #[inline]
    fn load(
        &mut self,
        code: &MethodCode,
        kind: Kind,
        place: Option<HeapVariable>,
    ) -> Result<Flow, ReplayError> {
        // A class may have been initialised just now; stamps behind the value are not passed yet.
        self.read_at = self.input.position();
        match self
            .input
            .value(kind)
            .or_else(|| self.late_value(code, kind, place))
        {
            Some(value) => {
                self.access = place.map(|place| Access::Read(place, value));
                self.push_value(value);
                Ok(self.on())
            }
            None => self.missing(code, Cause::Struck, ReplayObstacle::NoValue, "a value"),
        }
    }

    /// The value of a field whose class had to be loaded first.
    #[cold]
    fn late_value(
        &mut self,
        code: &MethodCode,
        kind: Kind,
        place: Option<HeapVariable>,
    ) -> Option<Value> {
        let Some(HeapVariable::Field { field, .. }) = place else {
            return None;
        };
        self.loaders_of(&code.fields[field as usize].owner);
        self.input.value(kind)
    }

    pub(crate) fn put_field(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let site = &code.fields[op.a as usize];
        let value = self.pop_kind(site.kind);
        let object = self.pop();
        if object.is_null() {
            return self.raise(code, Cause::NULL);
        }
        if site.early {
            return Ok(self.on());
        }
        self.loaders_of(&site.owner);
        let Next::Write(_, write) = self.input.next() else {
            return self.no_write(code);
        };
        let WriteTarget::Field {
            field,
            object: written,
            value: recorded,
        } = write.target
        else {
            return Err(self.other_write(&site.name));
        };
        if !self.is_field(site, field)
            || !self.is_object(code, object, written)?
            || !self.agrees(code, value, recorded)?
        {
            let expected = format!("{} of {object:?} = {value:?}", site.name);
            return Err(self.other_write(&expected));
        }
        self.input.consume();
        let place = HeapVariable::Field {
            object: written,
            field: op.a,
        };
        self.access = Some(Access::Write(place, recorded));
        Ok(self.on())
    }

    pub(crate) fn put_static(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let site = &code.fields[op.a as usize];
        let value = self.pop_kind(site.kind);
        if self.initializers(&site.owner) {
            return Ok(Flow::Ended(CallEnding::Open));
        }
        let Next::Write(_, write) = self.input.next() else {
            return self.no_write(code);
        };
        let WriteTarget::Static {
            field,
            value: recorded,
        } = write.target
        else {
            return Err(self.other_write(&site.name));
        };
        if !self.is_field(site, field) || !self.agrees(code, value, recorded)? {
            let expected = format!("static {} = {value:?}", site.name);
            return Err(self.other_write(&expected));
        }
        self.input.consume();
        self.access = Some(Access::Write(
            HeapVariable::Static { field: op.a },
            recorded,
        ));
        Ok(self.on())
    }

    pub(crate) fn store_element(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let kind = element_kind(op.code - o::IASTORE);
        let value = self.pop_kind(kind);
        let index = self.pop_int().cast_unsigned();
        let array = self.pop();
        let Some(object) = array.object() else {
            return self.raise(code, Cause::NULL);
        };
        match self.length(object)? {
            Some(length) if index >= length => return self.raise(code, Cause::BOUNDS),
            None if self.input.exception_is_due() => return self.raise(code, Cause::BOUNDS),
            _ => {}
        }
        let Next::Write(_, write) = self.input.next() else {
            if kind == Kind::Reference
                && self.input.exception_is_due()
                && self.is_refused(code, object, value)?
            {
                return self.raise(code, Cause::STORE);
            }
            return self.no_write(code);
        };
        let WriteTarget::Element {
            array: written,
            index: at,
            value: recorded,
        } = write.target
        else {
            return Err(self.other_write("an element"));
        };
        if recorded.kind() != kind
            || at != index
            || object != written
            || !self.agrees(code, value, recorded)?
        {
            let expected = format!("element {index} of {array:?} = {value:?}");
            return Err(self.other_write(&expected));
        }
        self.input.consume();
        let place = HeapVariable::Element {
            array: written,
            index,
        };
        self.access = Some(Access::Write(place, recorded));
        Ok(self.on())
    }

    /// Whether the array cannot hold the object, as far as that is known.
    fn is_refused(
        &mut self,
        code: &MethodCode,
        array: ObjectId,
        value: Slot,
    ) -> Result<bool, ReplayError> {
        let class = self.program.class_of(self.trace, array)?;
        let element = class.as_deref().and_then(|class| class.strip_prefix('['));
        let fits = match element.and_then(class_in) {
            Some(element) => self.fits(code, value, element)?,
            None => None,
        };
        Ok(fits != Some(true))
    }

    fn pop_kind(&mut self, kind: Kind) -> Slot {
        match kind {
            Kind::Long | Kind::Double => self.pop2(),
            _ => self.pop(),
        }
    }

    fn is_field(&self, site: &FieldSite, field: trace_format::FieldId) -> bool {
        site.id == Some(field)
            || self.trace.symbols().field(field).is_some_and(|symbol| {
                (&symbol.owner, &symbol.name, &symbol.descriptor)
                    == (&site.owner, &site.name, &site.descriptor)
            })
    }

    #[cold]
    fn no_write(&mut self, code: &MethodCode) -> Result<Flow, ReplayError> {
        self.missing(code, Cause::Struck, ReplayObstacle::Write, "a write")
    }

    #[cold]
    fn other_write(&self, expected: &str) -> ReplayError {
        self.disagreement(ReplayObstacle::Write, expected, self.input.next())
    }

    // ---- new objects and arrays

    pub(crate) fn new_object(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let class = &code.types[op.a as usize];
        if self.initializers(class) {
            return Ok(Flow::Ended(CallEnding::Open));
        }
        if self.input.exception_is_due() && self.due_exception_names(LINK_ERRORS, class)? {
            return self.raise(code, Cause::Struck);
        }
        self.state.fresh += 1;
        self.push(Tag::Fresh, self.state.fresh);
        Ok(self.on())
    }

    pub(crate) fn new_array(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let length = self.pop_int();
        if op.code == o::ANEWARRAY {
            self.loaders_of(&code.types[op.a as usize]);
        }
        if length < 0 {
            return self.raise(code, Cause::NEGATIVE);
        }
        let flow = self.load(code, Kind::Reference, None)?;
        if matches!(flow, Flow::To(_))
            && let Some(array) = self.peek(0).object()
        {
            self.remember_length(array, length.cast_unsigned());
        }
        Ok(flow)
    }

    pub(crate) fn new_arrays(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        self.loaders_of(&code.types[op.a as usize]);
        let mut negative = false;
        for _ in 0..op.b {
            negative |= self.pop_int() < 0;
        }
        if negative {
            return self.raise(code, Cause::NEGATIVE);
        }
        self.load(code, Kind::Reference, None)
    }

    pub(crate) fn array_length(&mut self, code: &MethodCode) -> Result<Flow, ReplayError> {
        let array = self.pop();
        let Some(object) = array.object() else {
            return self.raise(code, Cause::NULL);
        };
        match self.length(object)? {
            Some(length) => {
                self.push_int(length.cast_signed());
                Ok(self.on())
            }
            None => {
                let found = format!("#{object}, which is not described");
                Err(self.disagreement(ReplayObstacle::UnknownLength, "an array", found))
            }
        }
    }

    // ---- types and constants

    pub(crate) fn check_cast(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        // A null fits whatever the class is, so that is not asked for.
        if !self.peek(0).is_null() {
            self.loaders_of(&code.types[op.a as usize]);
        }
        // Where no exception is due, none was thrown: the types need not be looked at.
        if self.input.exception_is_due() {
            let class = &code.types[op.a as usize];
            let object = self.peek(0);
            let fits = self.fits(code, object, class)?;
            let named = match object.object() {
                Some(object) => self.program.class_of(self.trace, object)?,
                None => None,
            };
            let failed = match fits {
                Some(fits) => !fits,
                None => {
                    const CAST: &[&str] = &["java/lang/ClassCastException"];
                    self.due_exception_names(CAST, class)?
                        && named.is_some_and(|name| {
                            self.due_exception_names(CAST, &name).unwrap_or(false)
                        })
                }
            };
            if !object.is_null() && self.due_exception_names(LINK_ERRORS, class)? {
                return self.raise(code, Cause::Struck);
            }
            if failed {
                return self.raise(code, Cause::CAST);
            }
        }
        Ok(self.on())
    }

    pub(crate) fn instance_of(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let object = self.pop();
        let class = &code.types[op.a as usize];
        if !object.is_null() {
            self.loaders_of(class);
            if self.input.exception_is_due() && self.due_exception_names(LINK_ERRORS, class)? {
                return self.raise(code, Cause::Struck);
            }
        }
        let answer = !object.is_null()
            && match self.fits(code, object, class)? {
                Some(answer) => answer,
                None => {
                    let name = match object.object() {
                        Some(object) => self.program.class_of(self.trace, object)?,
                        None => None,
                    };
                    let found = format!("{object:?} of class {}", name.as_deref().unwrap_or("?"));
                    let expected = format!("to know whether it is a {class}");
                    return Err(self.disagreement(ReplayObstacle::UnknownType, expected, found));
                }
            };
        self.push_int(i32::from(answer));
        Ok(self.on())
    }

    /// Whether a cast succeeds. `null` fits everywhere.
    fn fits(
        &mut self,
        code: &MethodCode,
        object: Slot,
        class: &str,
    ) -> Result<Option<bool>, ReplayError> {
        if let Some(object) = object.object() {
            return self.program.is_instance(self.trace, object, class);
        }
        if object.tag() != Tag::Constant {
            return Ok(object.is_null().then_some(true));
        }
        let is_class = code
            .constant(object.bits() as u32)
            .is_some_and(|c| c.is_class);
        let own = if is_class {
            "java/lang/Class"
        } else {
            "java/lang/String"
        };
        self.program.types.is_subtype(self.trace, own, class)
    }

    pub(crate) fn push_constant(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        let constant = &code.constants[op.a as usize];
        if constant.is_class {
            self.loaders_of(&constant.text);
        }
        if constant.is_class
            && self.input.exception_is_due()
            && self.due_exception_names(LINK_ERRORS, &constant.text)?
        {
            return self.raise(code, Cause::Struck);
        }
        match constant.identity() {
            Some(object) => self.push(Tag::Reference, u64::from(object.0)),
            None => self.push(Tag::Constant, u64::from(op.a)),
        }
        Ok(self.on())
    }

    pub(crate) fn push_dynamic(&mut self, code: &MethodCode, op: Op) -> Result<Flow, ReplayError> {
        if self.all_children() {
            return Ok(Flow::Ended(CallEnding::Open));
        }
        let kind = Kind::from_code(op.a as u8).unwrap_or(Kind::Reference);
        self.load(code, kind, None)
    }
}

/// The element kinds in the order of the array opcodes; `baload` and `bastore` are always bytes.
fn element_kind(position: u8) -> Kind {
    const KINDS: [Kind; 8] = [
        Kind::Int,
        Kind::Long,
        Kind::Float,
        Kind::Double,
        Kind::Reference,
        Kind::Byte,
        Kind::Char,
        Kind::Short,
    ];
    KINDS[usize::from(position) & 7]
}
