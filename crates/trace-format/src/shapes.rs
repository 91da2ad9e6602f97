//! The sizes that symbols give to events: what a decoder needs of them, and no more.

use crate::descriptor;
use crate::symbol::MethodSymbol;
use crate::{FieldId, FrameShape, Kind, MethodId, Signatures, Symbol};

/// Tables indexed by number: numbers are handed out one after the other.
#[derive(Debug, Default, Clone)]
pub struct Shapes {
    frames: Vec<Option<FrameShape>>,
    fields: Vec<Option<Kind>>,
}

impl Shapes {
    /// Takes in a symbol. A number of `limit` or more cannot be right (a damaged file could name any).
    pub fn add(&mut self, symbol: &Symbol, limit: usize) {
        match symbol {
            Symbol::Method(method) => {
                if let Some(shape) = shape_of(method) {
                    set(&mut self.frames, method.method.0, shape, limit);
                }
            }
            Symbol::Field(field) => {
                if let Some(kind) = descriptor::field_kind(&field.descriptor) {
                    set(&mut self.fields, field.field.0, kind, limit);
                }
            }
            _ => {}
        }
    }
}

fn shape_of(method: &MethodSymbol) -> Option<FrameShape> {
    let kinds = descriptor::entry_kinds(method)?;
    Some(FrameShape {
        arguments: kinds.parameters.iter().map(|kind| kind.size() as u32).sum(),
        enters_with_this: method.enters_with_this(),
        returned: kinds.returned,
    })
}

fn set<T: Clone>(table: &mut Vec<Option<T>>, number: u32, entry: T, limit: usize) {
    let at = number as usize;
    if at >= limit {
        return;
    }
    if table.len() <= at {
        table.resize(at + 1, None);
    }
    table[at] = Some(entry);
}

/// The decoder asks for shapes of which most are found: tables of their own keep them close.
impl Signatures for Shapes {
    #[inline]
    fn frame(&self, method: MethodId) -> Option<FrameShape> {
        *self.frames.get(method.0 as usize)?
    }

    #[inline]
    fn field(&self, field: FieldId) -> Option<Kind> {
        *self.fields.get(field.0 as usize)?
    }
}
