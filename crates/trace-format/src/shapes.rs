//! The sizes that symbols give to events: what a decoder needs of them, and no more.

use crate::descriptor;
use crate::event::{CallLengths, FIRST_FAR_METHOD};
use crate::symbol::MethodSymbol;
use crate::{FieldId, FrameShape, Kind, MethodId, Signatures, Symbol};

/// Tables indexed by number: numbers are handed out one after the other.
#[derive(Debug, Default, Clone)]
pub struct Shapes {
    frames: Vec<Option<FrameShape>>,
    fields: Vec<Option<Kind>>,
    /// What most events need, worked out; methods only up to the first that is far.
    call_lengths: Vec<CallLengths>,
    field_sizes: Vec<u8>,
}

impl Shapes {
    /// Takes in a symbol. A number of `limit` or more cannot be right (a damaged file could name any).
    pub fn add(&mut self, symbol: &Symbol, limit: usize) {
        match symbol {
            Symbol::Method(method) => {
                if let Some(shape) = shape_of(method) {
                    let number = method.method.0;
                    set(&mut self.frames, number, Some(shape), None, limit);
                    let (lengths, unknown) = (shape.lengths(), CallLengths::UNKNOWN);
                    let near = limit.min(FIRST_FAR_METHOD.0 as usize);
                    set(&mut self.call_lengths, number, lengths, unknown, near);
                }
            }
            Symbol::Field(field) => {
                if let Some(kind) = descriptor::field_kind(&field.descriptor) {
                    let number = field.field.0;
                    set(&mut self.fields, number, Some(kind), None, limit);
                    set(&mut self.field_sizes, number, kind.size() as u8, 0, limit);
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

fn set<T: Clone>(table: &mut Vec<T>, number: u32, entry: T, absent: T, limit: usize) {
    let at = number as usize;
    if at >= limit {
        return;
    }
    if table.len() <= at {
        table.resize(at + 1, absent);
    }
    table[at] = entry;
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

    #[inline(always)]
    fn call_lengths(&self, method: MethodId) -> CallLengths {
        let found = self.call_lengths.get(method.0 as usize);
        found.copied().unwrap_or(CallLengths::UNKNOWN)
    }

    #[inline(always)]
    fn field_size(&self, field: FieldId) -> u8 {
        let found = self.field_sizes.get(field.0 as usize);
        found.copied().unwrap_or_default()
    }
}
