//! What an instruction refers to, looked up once per method: fields, methods, constants.

use std::sync::atomic::{AtomicU32, Ordering};

use trace_format::{FieldId, Kind, MethodId, ObjectId};

/// A field as an instruction names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSite {
    /// Internal name of the class named by the instruction; a superclass may declare the field.
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    pub is_static: bool,
    pub kind: Kind,
    /// The number under which writes to it are recorded, if there was one.
    pub id: Option<FieldId>,
    /// Set before `this` is an object: the write is noted only after `super(…)`.
    pub(crate) early: bool,
}

/// A method as an instruction names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvokeSite {
    /// Internal name of the class named by the instruction; empty for `invokedynamic`.
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    /// Kinds of the parameters, without the receiver.
    pub parameters: Vec<Kind>,
    pub result: Option<Kind>,
    pub has_receiver: bool,
    pub role: CallRole,
    /// Stack slots that the call takes, the receiver included.
    pub(crate) slots: usize,
}

/// How the trace tells what a call gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallRole {
    /// Its result stands among the values.
    Ordinary,
    /// It is sure to reach this method, whose EXIT has the result.
    Sure(MethodId),
    /// The constructor call of a `new`: the object's id stands among the values.
    Allocation,
    /// The constructor call of a `new` whose object is not on the stack afterwards.
    UnnamedAllocation,
    /// `this(…)` or `super(…)` in a constructor: THIS stands among the events.
    Super,
}

/// A string or class constant.
#[derive(Debug)]
pub struct ConstantSite {
    /// The string's content, or the class's internal name.
    pub text: String,
    pub is_class: bool,
    /// In UTF-16 units, and as `String.hashCode` counts.
    pub(crate) length: u32,
    pub(crate) hash: u32,
    /// 0 until it is known.
    identity: AtomicU32,
}

impl ConstantSite {
    pub(crate) fn new(text: String, is_class: bool) -> ConstantSite {
        let (mut length, mut hash) = (0, 0u32);
        for unit in text.encode_utf16() {
            length += 1;
            hash = hash.wrapping_mul(31).wrapping_add(u32::from(unit));
        }
        ConstantSite {
            text,
            is_class,
            length,
            hash,
            identity: AtomicU32::new(0),
        }
    }

    /// The object that the constant is, if the trace has shown it so far.
    pub fn identity(&self) -> Option<ObjectId> {
        match self.identity.load(Ordering::Relaxed) {
            0 => None,
            id => Some(ObjectId(id)),
        }
    }

    pub(crate) fn learn(&self, object: ObjectId) {
        self.identity.store(object.0, Ordering::Relaxed);
    }
}
