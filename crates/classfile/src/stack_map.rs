//! Stack map frames: what the verifier is told about locals and stack at jump targets.
//!
//! The file stores most frames as differences to the one before. They are expanded when read
//! and written in full: with more locals appended to each, differences would not stay small
//! or simple.

use std::ops::Range;

use crate::ParseError;
use crate::bytes::{Reader, Writer};
use java_names::descriptor::{self, JavaType};

/// The type of one local or stack entry, as the verifier sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    /// Long and double stand for two slots.
    Long,
    Double,
    Null,
    UninitializedThis,
    /// Index of a class constant.
    Object(u16),
    /// Made by the `new` at this pc.
    Uninitialized(u16),
}

impl VerificationType {
    /// How many locals it stands for.
    pub fn slots(self) -> u16 {
        match self {
            VerificationType::Long | VerificationType::Double => 2,
            _ => 1,
        }
    }

    /// Whether it is one to an object, initialised or not, or null.
    pub fn is_reference(self) -> bool {
        matches!(
            self,
            VerificationType::Null
                | VerificationType::UninitializedThis
                | VerificationType::Object(_)
                | VerificationType::Uninitialized(_)
        )
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        Ok(match reader.u8()? {
            0 => VerificationType::Top,
            1 => VerificationType::Integer,
            2 => VerificationType::Float,
            3 => VerificationType::Double,
            4 => VerificationType::Long,
            5 => VerificationType::Null,
            6 => VerificationType::UninitializedThis,
            7 => VerificationType::Object(reader.u16()?),
            8 => VerificationType::Uninitialized(reader.u16()?),
            _ => return Err(ParseError::BadStackMap),
        })
    }

    pub(crate) fn write(self, out: &mut Vec<u8>) {
        match self {
            VerificationType::Top => out.put_u8(0),
            VerificationType::Integer => out.put_u8(1),
            VerificationType::Float => out.put_u8(2),
            VerificationType::Double => out.put_u8(3),
            VerificationType::Long => out.put_u8(4),
            VerificationType::Null => out.put_u8(5),
            VerificationType::UninitializedThis => out.put_u8(6),
            VerificationType::Object(class) => {
                out.put_u8(7);
                out.put_u16(class);
            }
            VerificationType::Uninitialized(pc) => {
                out.put_u8(8);
                out.put_u16(pc);
            }
        }
    }
}

/// What a method's locals hold when it starts: its receiver and its parameters. `class` turns a name into a class
/// constant.
pub fn initial_locals<E: From<ParseError>>(
    receiver: Option<VerificationType>,
    descriptor: &str,
    mut class: impl FnMut(&str) -> Result<u16, E>,
) -> Result<Vec<VerificationType>, E> {
    let method = descriptor::parse_method(descriptor).map_err(ParseError::from)?;
    let mut locals = Vec::with_capacity(method.parameters.len() + 1);
    locals.extend(receiver);
    for parameter in method.parameters {
        locals.push(match parameter {
            JavaType::Float => VerificationType::Float,
            JavaType::Long => VerificationType::Long,
            JavaType::Double => VerificationType::Double,
            other => match other.class_name() {
                Some(name) => VerificationType::Object(class(name)?),
                None => VerificationType::Integer,
            },
        });
    }
    Ok(locals)
}

/// A method's frames, expanded.
#[derive(Debug, Clone, Default)]
pub struct StackMap {
    frames: Vec<StoredFrame>,
    /// The types of all frames; neighbours share them where they can.
    types: Vec<VerificationType>,
}

#[derive(Debug, Clone)]
struct StoredFrame {
    pc: u32,
    locals: Range<usize>,
    stack: Range<usize>,
}

/// One frame of a [`StackMap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackMapFrame<'m> {
    pub pc: u32,
    pub locals: &'m [VerificationType],
    pub stack: &'m [VerificationType],
}

/// A corrupt table could otherwise make its expansion grow with the square of its size.
const MOST_TYPES: usize = 1 << 24;

impl StackMap {
    /// `initial` are the locals when the method starts, which the first frame builds upon.
    pub fn parse(table: &[u8], initial: &[VerificationType]) -> Result<StackMap, ParseError> {
        let mut reader = Reader::new(table, "a StackMapTable");
        let count = reader.u16()?;
        let mut map = StackMap {
            frames: Vec::with_capacity(usize::from(count).min(table.len())),
            types: initial.to_vec(),
        };
        let mut locals = 0..initial.len();
        let mut next_pc = 0;
        for _ in 0..count {
            let tag = reader.u8()?;
            let delta = match tag {
                0..=63 => u16::from(tag),
                64..=127 => u16::from(tag - 64),
                128..=246 => return Err(ParseError::BadStackMap),
                247..=255 => reader.u16()?,
            };
            match tag {
                248..=250 => {
                    let fewer = usize::from(251 - tag);
                    if locals.len() < fewer {
                        return Err(ParseError::BadStackMap);
                    }
                    locals.end -= fewer;
                }
                252..=254 => {
                    let start = map.types.len();
                    map.types.extend_from_within(locals);
                    map.read_types(usize::from(tag - 251), &mut reader)?;
                    locals = start..map.types.len();
                }
                255 => {
                    let count = reader.u16()?;
                    locals = map.read_types(usize::from(count), &mut reader)?;
                }
                _ => {}
            }
            let on_stack = match tag {
                64..=127 | 247 => 1,
                255 => usize::from(reader.u16()?),
                _ => 0,
            };
            let stack = map.read_types(on_stack, &mut reader)?;
            let pc = next_pc + u32::from(delta);
            next_pc = pc + 1;
            map.frames.push(StoredFrame {
                pc,
                locals: locals.clone(),
                stack,
            });
        }
        reader.finish()?;
        Ok(map)
    }

    fn read_types(
        &mut self,
        count: usize,
        reader: &mut Reader<'_>,
    ) -> Result<Range<usize>, ParseError> {
        let start = self.types.len();
        for _ in 0..count {
            self.types.push(VerificationType::read(reader)?);
        }
        if self.types.len() > MOST_TYPES {
            return Err(ParseError::BadStackMap);
        }
        Ok(start..self.types.len())
    }

    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    pub fn frames(&self) -> impl Iterator<Item = StackMapFrame<'_>> {
        self.frames.iter().map(|frame| StackMapFrame {
            pc: frame.pc,
            locals: &self.types[frame.locals.clone()],
            stack: &self.types[frame.stack.clone()],
        })
    }
}

/// Writes a `StackMapTable`, all frames in full. They must come in ascending order.
#[derive(Debug, Default)]
pub struct StackMapWriter {
    count: u16,
    next_pc: u32,
    frames: Vec<u8>,
}

impl StackMapWriter {
    pub fn frame(&mut self, pc: u32, locals: &[VerificationType], stack: &[VerificationType]) {
        self.frames.put_u8(255);
        self.frames.put_u16((pc - self.next_pc) as u16);
        for list in [locals, stack] {
            self.frames.put_u16(list.len() as u16);
            for &each in list {
                each.write(&mut self.frames);
            }
        }
        self.next_pc = pc + 1;
        self.count += 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    /// `None` when there are no frames.
    pub fn finish(self) -> Option<Vec<u8>> {
        (self.count > 0).then(|| {
            let mut table = Vec::with_capacity(2 + self.frames.len());
            table.put_u16(self.count);
            table.put_slice(&self.frames);
            table
        })
    }
}

#[cfg(test)]
mod tests {
    use super::VerificationType::*;
    use super::*;

    #[test]
    fn differences_are_expanded() {
        let table = [
            0, 6, // six frames
            5, // same, at 5
            252, 0, 1, 1, // append an int, at 7
            64, 7, 0, 9, // one on the stack, at 8
            250, 0, 0, // chop one, at 9
            255, 0, 2, 0, 1, 4, 0, 1, 5, // full: long | null, at 12
            251, 1, 0, // same, extended, at 269
        ];
        let map = StackMap::parse(&table, &[Object(3)]).unwrap();
        let found: Vec<_> = map.frames().map(|f| (f.pc, f.locals, f.stack)).collect();
        let expected: [(u32, &[VerificationType], &[VerificationType]); 6] = [
            (5, &[Object(3)], &[]),
            (7, &[Object(3), Integer], &[]),
            (8, &[Object(3), Integer], &[Object(9)]),
            (9, &[Object(3)], &[]),
            (12, &[Long], &[Null]),
            (269, &[Long], &[]),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn written_frames_read_back() {
        let locals = [
            Top,
            Integer,
            Float,
            Long,
            Double,
            Null,
            UninitializedThis,
            Object(9),
            Uninitialized(77),
        ];
        let mut writer = StackMapWriter::default();
        writer.frame(0, &locals, &[]);
        writer.frame(300, &[], &locals);
        let map = StackMap::parse(&writer.finish().unwrap(), &[]).unwrap();
        let found: Vec<_> = map.frames().map(|f| (f.pc, f.locals, f.stack)).collect();
        assert_eq!(found, [(0, &locals[..], &[][..]), (300, &[], &locals)]);
    }

    #[test]
    fn chopping_what_is_not_there_is_an_error() {
        let table = [0, 1, 250, 0, 0];
        assert!(matches!(
            StackMap::parse(&table, &[]),
            Err(ParseError::BadStackMap)
        ));
    }
}
