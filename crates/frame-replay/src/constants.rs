//! When two references are the same object.
//!
//! A string or class constant is known by its content; which object it is follows once that object
//! is seen: stored, passed or returned where its id is recorded. Until then only a comparison with
//! another object of the same content needs to know; the trace marks the strings that code names.

use trace_format::{ObjectId, Value};
use trace_store::ObjectContent;

use crate::code::MethodCode;
use crate::error::{ReplayError, ReplayObstacle};
use crate::machine::Machine;
use crate::site::ConstantSite;
use crate::slot::{Slot, Tag};

impl Machine<'_> {
    /// Whether a slot holds a recorded value.
    pub(crate) fn agrees(
        &mut self,
        code: &MethodCode,
        slot: Slot,
        value: Value,
    ) -> Result<bool, ReplayError> {
        Ok(match value {
            Value::Boolean(flag) => (slot.int() as u8 != 0) == flag,
            Value::Byte(number) => slot.int() as i8 == number,
            Value::Char(unit) => slot.int() as u16 == unit,
            Value::Short(number) => slot.int() as i16 == number,
            Value::Int(number) => slot.int() == number,
            Value::Long(number) => slot.long() == number,
            // Which NaN an operation gives is the processor's business.
            Value::Float(number) => {
                slot.bits() == value.bits() || slot.float().is_nan() && number.is_nan()
            }
            Value::Double(number) => {
                slot.bits() == value.bits() || slot.double().is_nan() && number.is_nan()
            }
            Value::Ref(object) => self.is_object(code, slot, object)?,
        })
    }

    /// Whether a slot holds the object that was recorded in its place. A constant learns from
    /// this which object it is.
    pub(crate) fn is_object(
        &mut self,
        code: &MethodCode,
        slot: Slot,
        object: ObjectId,
    ) -> Result<bool, ReplayError> {
        match slot.tag() {
            Tag::Reference => Ok(slot.bits() == u64::from(object.0)),
            Tag::Constant => {
                let Some(constant) = code.constant(slot.bits() as u32) else {
                    return Ok(false);
                };
                if let Some(known) = constant.identity() {
                    return Ok(known == object);
                }
                let fits = self.could_be(constant, object)?;
                if fits {
                    constant.learn(object);
                }
                Ok(fits)
            }
            // Its constructor has returned, but did not say which object it made.
            Tag::Fresh if !object.is_null() => {
                self.name_object(Tag::Fresh, slot.bits(), object);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// `==` of two references.
    pub(crate) fn is_same(
        &mut self,
        code: &MethodCode,
        a: Slot,
        b: Slot,
    ) -> Result<bool, ReplayError> {
        match (a.tag(), b.tag()) {
            (Tag::Reference, Tag::Reference) => Ok(a.bits() == b.bits()),
            (Tag::Constant, Tag::Constant) => {
                let text = |slot: Slot| {
                    let constant = code.constant(slot.bits() as u32);
                    constant.map(|constant| (constant.is_class, &constant.text))
                };
                Ok(text(a) == text(b))
            }
            (Tag::Constant, Tag::Reference) => self.is_constant(code, a, b),
            (Tag::Reference, Tag::Constant) => self.is_constant(code, b, a),
            (Tag::Fresh, Tag::Fresh) => Ok(a.bits() == b.bits()),
            // An object without a name is new: it is no constant and not null.
            (Tag::Fresh, Tag::Constant) | (Tag::Constant, Tag::Fresh) => Ok(false),
            (Tag::Fresh, Tag::Reference) if b.is_null() => Ok(false),
            (Tag::Reference, Tag::Fresh) if a.is_null() => Ok(false),
            _ => Err(self.disagreement(
                ReplayObstacle::UnknownIdentity,
                "two objects whose identity is known",
                format!("{a:?} and {b:?}"),
            )),
        }
    }

    fn is_constant(
        &mut self,
        code: &MethodCode,
        constant: Slot,
        reference: Slot,
    ) -> Result<bool, ReplayError> {
        let (Some(constant), Some(object)) =
            (code.constant(constant.bits() as u32), reference.object())
        else {
            return Ok(false);
        };
        if let Some(known) = constant.identity() {
            return Ok(known == object);
        }
        if !self.could_be(constant, object)? {
            return Ok(false);
        }
        if !constant.is_class {
            // The code has named this string, so the object that it is has been marked.
            let is_it = self.trace.is_constant(object)?;
            if is_it {
                constant.learn(object);
            }
            return Ok(is_it);
        }
        let name = constant.text.replace('/', ".");
        let candidates = self.trace.class_objects_named(&name)?;
        if let [only] = candidates[..] {
            constant.learn(only);
            return Ok(only == object);
        }
        let found = format!("{} classes named {name}", candidates.len());
        Err(self.disagreement(
            ReplayObstacle::UnknownIdentity,
            "one class of that name",
            found,
        ))
    }

    /// Whether an object has the content of a constant.
    fn could_be(&self, constant: &ConstantSite, object: ObjectId) -> Result<bool, ReplayError> {
        if object.is_null() {
            return Ok(false);
        }
        let Some(description) = self.trace.object(object)? else {
            // Not described (yet): nothing speaks against it.
            return Ok(true);
        };
        Ok(match description.content {
            ObjectContent::String { text, length, hash } => {
                // A long string is stored in part; text that is not Unicode is not stored as it was.
                let damaged = text.contains(char::REPLACEMENT_CHARACTER);
                !constant.is_class
                    && length == constant.length
                    && (damaged || hash == constant.hash && constant.text.starts_with(&text))
            }
            ObjectContent::Masked { .. } => !constant.is_class,
            ObjectContent::Class { name, .. } => {
                constant.is_class && name.replace('.', "/") == constant.text
            }
            _ => false,
        })
    }
}
