//! The tables that go with a finished layout: exception ranges, frames, lines, variables.

use super::layout::{Layout, StubPlace};
use super::{CodeEditor, EditError};
use crate::bytes::{Reader, Writer};
use crate::stack_map::{self, StackMap, StackMapFrame, StackMapWriter};
use crate::{Attribute, ConstantPool, ExceptionRange, ParseError, PoolError, VerificationType};

/// Frames are padded to the number of locals, so a method with very many of both could ask for
/// more than is sensible.
const MOST_FRAME_BYTES: usize = 1 << 26;

impl CodeEditor<'_> {
    pub(super) fn exception_table(&self, layout: &Layout) -> Vec<ExceptionRange> {
        let own = self.code.exceptions.iter();
        let own = own.flat_map(|range| self.covered_parts(range, layout));
        let all = self.handler.iter().flat_map(|handler| {
            let parts = handler.parts.iter().enumerate();
            parts.map(|(number, part)| ExceptionRange {
                start: layout.labels[part.start] as u16,
                end: layout.labels[part.end] as u16,
                handler: (layout.handler as usize + number * handler.bytes.len()) as u16,
                catch_type: 0,
            })
        });
        own.chain(all).collect()
    }

    /// The range in the new code, without what [`CodeEditor::uncover_before`] takes out of it.
    fn covered_parts(&self, range: &ExceptionRange, layout: &Layout) -> Vec<ExceptionRange> {
        let first = self.index_checked(range.start.into());
        let end = self.index_checked(range.end.into());
        let handler = layout.labels[self.index_checked(range.handler.into())] as u16;
        let mut parts = Vec::new();
        let mut start = layout.labels[first];
        let mut add = |start: u32, end: u32| {
            if start < end {
                let (start, end) = (start as u16, end as u16);
                let catch_type = range.catch_type;
                parts.push(ExceptionRange {
                    start,
                    end,
                    handler,
                    catch_type,
                });
            }
        };
        for &hole in self.uncovered.range(first..end) {
            add(start, layout.labels[hole]);
            start = layout.positions[hole];
        }
        add(start, layout.labels[end]);
        parts
    }

    pub(super) fn tables(
        &self,
        layout: &Layout,
        constants: &mut ConstantPool,
    ) -> Result<Vec<Attribute>, EditError> {
        let mut attributes = Vec::with_capacity(4);
        for &(name, table) in &self.attributes.lines {
            let bytes = self.line_table(table, layout)?;
            attributes.push(Attribute { name, bytes });
        }
        for &(name, table) in &self.attributes.variables {
            let bytes = self.variable_table(table, layout)?;
            attributes.push(Attribute { name, bytes });
        }
        if self.has_frames()
            && let Some(bytes) = self.frame_table(layout, constants)?
        {
            let name = match self.attributes.stack_map {
                Some((name, _)) => name,
                None => constants.add_utf8("StackMapTable")?,
            };
            attributes.push(Attribute { name, bytes });
        }
        Ok(attributes)
    }

    fn line_table(&self, table: &[u8], layout: &Layout) -> Result<Vec<u8>, ParseError> {
        let mut reader = Reader::new(table, "a LineNumberTable");
        let mut out = Vec::with_capacity(table.len());
        let count = reader.u16()?;
        out.put_u16(count);
        for _ in 0..count {
            let pc = reader.u16()?;
            out.put_u16(self.debug_pc(pc.into(), layout));
            out.put_u16(reader.u16()?);
        }
        Ok(out)
    }

    fn variable_table(&self, table: &[u8], layout: &Layout) -> Result<Vec<u8>, ParseError> {
        let mut reader = Reader::new(table, "a LocalVariableTable");
        let mut out = Vec::with_capacity(table.len());
        let count = reader.u16()?;
        out.put_u16(count);
        for _ in 0..count {
            let start = u32::from(reader.u16()?);
            let end = start + u32::from(reader.u16()?);
            let start = self.debug_pc(start, layout);
            out.put_u16(start);
            out.put_u16(self.debug_pc(end, layout).saturating_sub(start));
            out.put_slice(reader.take(6)?);
        }
        Ok(out)
    }

    /// What starts with the method also does so with the entry snippet before it: a stack
    /// overflow there must not show a stack trace without line numbers. Debug tables need not
    /// be exact, so a pc inside an instruction is taken for the next.
    fn debug_pc(&self, pc: u32, layout: &Layout) -> u16 {
        if pc == 0 {
            return 0;
        }
        let index = self
            .index_of(pc)
            .unwrap_or_else(|| self.instructions.partition_point(|each| each.pc < pc));
        layout.labels[index] as u16
    }
}

/// Frames.
impl CodeEditor<'_> {
    /// Whether the class is of a version whose verifier wants frames. Version 50 may do
    /// without, if the compiler had its reasons; then adding some would not help.
    pub(super) fn has_frames(&self) -> bool {
        match self.method.major {
            ..50 => false,
            50 => {
                let mut jumps = self.instructions.iter().flat_map(|each| each.targets());
                self.attributes.stack_map.is_some()
                    || (self.code.exceptions.is_empty() && jumps.next().is_none())
            }
            _ => true,
        }
    }

    /// Which instructions have a frame; `None` if the method needs none.
    pub(super) fn frame_places(&self) -> Result<Option<Vec<bool>>, EditError> {
        if !self.has_frames() {
            return Ok(None);
        }
        let mut places = vec![false; self.instructions.len()];
        if let Some((_, table)) = self.attributes.stack_map {
            // The locals do not matter here.
            let locals = vec![VerificationType::Top; usize::from(u8::MAX) + 1];
            for frame in StackMap::parse(table, &locals)?.frames() {
                let index = self.frame_index(frame.pc)?;
                places[index] = true;
            }
        }
        Ok(Some(places))
    }

    fn frame_index(&self, pc: u32) -> Result<usize, ParseError> {
        self.index_of(pc)
            .filter(|&index| index < self.instructions.len())
            .ok_or(ParseError::BadPc {
                pc,
                what: "a stack map frame",
            })
    }

    fn frame_table(
        &self,
        layout: &Layout,
        constants: &mut ConstantPool,
    ) -> Result<Option<Vec<u8>>, EditError> {
        let initial = match self.attributes.stack_map {
            Some(_) => self.initial_locals(|name| constants.add_class(name))?,
            None => Vec::new(),
        };
        let map = match self.attributes.stack_map {
            Some((_, table)) => StackMap::parse(table, &initial)?,
            None => StackMap::default(),
        };
        let mut places = Vec::with_capacity(map.len() + layout.stubs.len() + 1);
        let mut frame_of = vec![None; self.instructions.len()];
        for frame in map.frames() {
            let index = self.frame_index(frame.pc)?;
            places.push((layout.labels[index], frame));
            frame_of[index] = Some(frame);
        }
        for (&(_, target), &pc) in &layout.stubs {
            let target = target as usize;
            let missing = EditError::MissingFrame(self.instructions[target].pc);
            places.push((pc, frame_of[target].ok_or(missing)?));
        }
        let led_around = layout.stubs_at(StubPlace::Start).next().is_some();
        if led_around && frame_of[0].is_none() {
            let start = StackMapFrame {
                pc: 0,
                locals: &initial,
                stack: &[],
            };
            places.push((layout.labels[0], start));
        }
        places.sort_by_key(|&(pc, _)| pc);

        let mut writer = StackMapWriter::default();
        let mut locals = Vec::new();
        let mut stack = Vec::new();
        for (pc, frame) in places {
            self.moved_frame(frame, layout, &mut locals, &mut stack)?;
            writer.frame(pc, &locals, &stack);
            if writer.len() > MOST_FRAME_BYTES {
                return Err(EditError::StackMapTooLarge);
            }
        }
        if self.handler.is_some() {
            locals.clear();
            self.append_extra_locals(&mut locals)?;
            let throwable = constants.add_class("java/lang/Throwable")?;
            writer.frame(
                layout.handler,
                &locals,
                &[VerificationType::Object(throwable)],
            );
        }
        Ok(writer.finish())
    }

    /// The locals when the method starts; `class` turns a name into a class constant.
    pub(super) fn initial_locals(
        &self,
        mut class: impl FnMut(&str) -> Result<u16, PoolError>,
    ) -> Result<Vec<VerificationType>, EditError> {
        let class = |name: &str| class(name).map_err(EditError::from);
        stack_map::initial_locals(self.method.receiver, &self.method.descriptor, class)
    }

    /// The frame's types as they are in the new code, in two lists to be reused.
    fn moved_frame(
        &self,
        frame: StackMapFrame<'_>,
        layout: &Layout,
        locals: &mut Vec<VerificationType>,
        stack: &mut Vec<VerificationType>,
    ) -> Result<(), EditError> {
        for (from, to) in [(frame.locals, &mut *locals), (frame.stack, stack)] {
            to.clear();
            for &each in from {
                to.push(match each {
                    VerificationType::Uninitialized(pc) => {
                        let index = self.frame_index(pc.into())?;
                        VerificationType::Uninitialized(layout.positions[index] as u16)
                    }
                    other => other,
                });
            }
        }
        self.append_extra_locals(locals)
    }

    fn append_extra_locals(&self, locals: &mut Vec<VerificationType>) -> Result<(), EditError> {
        let mut slots: usize = locals.iter().map(|each| usize::from(each.slots())).sum();
        for &(slot, extra) in &self.extra_locals {
            let slot = usize::from(slot);
            if slots > slot {
                return Err(ParseError::BadStackMap.into());
            }
            locals.resize(locals.len() + slot - slots, VerificationType::Top);
            locals.push(extra);
            slots = slot + usize::from(extra.slots());
        }
        Ok(())
    }
}
