//! Which variables are looked at together when writes from outside are searched for.
//!
//! To know that nobody else wrote a variable, all calls must be gone through whose code may have read it. Code that
//! reads one field of a class mostly reads the others as well, so the fields of a class belong together, and so do
//! the elements of all arrays of a kind.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use trace_format::{FieldId, Kind, ObjectId};

use crate::error::Result;
use crate::objects::{ObjectContent, element_kind};
use crate::slot::ObjectSlot;
use crate::trace::Trace;

/// No class has more superclasses than this; a damaged trace may go round in circles.
const MOST_SUPERCLASSES: usize = 1000;

/// See the module's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kin {
    /// The fields that objects have because of one class, by the number of the first.
    Fields(u32),
    /// The statics of a class, by the number of the first.
    Statics(u32),
    /// The elements of arrays, by the code of their kind.
    Elements(u8),
}

impl Kin {
    /// Booleans are read as bytes are.
    pub fn of_elements(kind: Kind) -> Kin {
        let kind = match kind {
            Kind::Boolean => Kind::Byte,
            kind => kind,
        };
        Kin::Elements(kind.code())
    }
}

/// Who is kin to whom in a trace.
#[derive(Debug, Default)]
pub(crate) struct Kinship {
    /// By the number that stands for the field.
    fields: HashMap<FieldId, Kin>,
    /// By the class that declares fields of objects, in internal form.
    declared: HashMap<String, Kin>,
    /// By the object id of a class: what objects of the class have.
    classes: Mutex<HashMap<ObjectId, Arc<[Kin]>>>,
}

impl Kinship {
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut kinship = Self::default();
        let mut first: HashMap<(String, bool), Kin> = HashMap::new();
        for symbol in trace.symbols().fields() {
            let field = trace.resolve_field(symbol.field);
            let class = trace.declaring_class(symbol);
            let kin = first
                .entry((class, symbol.is_static))
                .or_insert(match symbol.is_static {
                    true => Kin::Statics(field.0),
                    false => Kin::Fields(field.0),
                });
            kinship.fields.entry(field).or_insert(*kin);
        }
        let of_objects = first.into_iter().filter(|((_, is_static), _)| !is_static);
        kinship.declared = of_objects.map(|((class, _), kin)| (class, kin)).collect();
        kinship
    }
}

impl Trace {
    /// What a field belongs to.
    pub fn kin_of_field(&self, field: FieldId) -> Option<Kin> {
        let field = self.resolve_field(field);
        self.kinship().fields.get(&field).copied()
    }

    /// What a variable belongs to; `None` if there is no such variable. The object is null for a static.
    pub fn kin_of(&self, object: ObjectId, slot: ObjectSlot) -> Result<Option<Kin>> {
        Ok(match slot {
            ObjectSlot::Field(field) => self.kin_of_field(field),
            ObjectSlot::Element(_) => self.kin_of_object(object)?.first().copied(),
        })
    }

    /// What all the variables of an object belong to.
    pub(crate) fn kin_of_object(&self, object: ObjectId) -> Result<Arc<[Kin]>> {
        let Some(place) = self.object_index()?.place(object) else {
            return Ok(Arc::default());
        };
        let classes = &self.kinship().classes;
        let known = || classes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kin) = known().get(&place.class) {
            return Ok(Arc::clone(kin));
        }
        let kin: Arc<[Kin]> = self.kin_of_class(place.class)?.into();
        known().insert(place.class, Arc::clone(&kin));
        Ok(kin)
    }

    fn kin_of_class(&self, class: ObjectId) -> Result<Vec<Kin>> {
        let mut kin = Vec::new();
        let mut next = Some(class);
        for _ in 0..MOST_SUPERCLASSES {
            let Some(class) = next else { break };
            let Some(ObjectContent::Class {
                name, superclass, ..
            }) = self.object(class)?.map(|described| described.content)
            else {
                break;
            };
            if let Some(kind) = element_kind(&name) {
                return Ok(vec![Kin::of_elements(kind)]);
            }
            kin.extend(self.kinship().declared.get(&name.replace('.', "/")));
            next = superclass;
        }
        Ok(kin)
    }
}
