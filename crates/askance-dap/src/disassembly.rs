//! Byte code, as clients show it beside the source: one method after the other, as if they lay in a memory.
//!
//! An address is made up: the method's number and the offset in its code, so that instructions of a method lie in order
//! and those of two methods never mix.

use java_model::run::JavaRun;
use serde_json::{Value, json};
use time_travel::frames::Frame;
use trace_format::MethodId;

use crate::requests::DisassembleArguments;
use crate::session::{Answer, Session};

/// Code of a method has fewer bytes than two to this.
const OFFSET_BITS: u32 = 17;
/// No client shows more at once.
const MOST_INSTRUCTIONS: usize = 2000;

/// The address of an instruction.
fn address(method: MethodId, offset: u32) -> String {
    let number = (u64::from(method.0) + 1) << OFFSET_BITS | u64::from(offset);
    format!("0x{number:x}")
}

/// The address of the instruction that a frame goes on with, if that is known.
pub(crate) fn address_of(run: &JavaRun, frame: &Frame) -> Option<String> {
    Some(address(run.method(frame.node()), frame.moment.offset?))
}

impl Session<'_> {
    pub(crate) fn disassemble(&mut self, wanted: &DisassembleArguments) -> Answer {
        let held = self.held()?;
        let run = held.run()?;
        let digits = wanted.memory_reference.trim_start_matches("0x");
        let number = u64::from_str_radix(digits, 16).map_err(|_| "this is no address of code")?;
        let number = number.checked_add_signed(wanted.offset);
        let number = number.ok_or("this is no address of code")?;
        let method = u32::try_from(number >> OFFSET_BITS).ok();
        let method = method
            .and_then(|method| method.checked_sub(1))
            .map(MethodId);
        let method = method.and_then(|wanted| run.methods().find(|known| *known == wanted));
        let method = method.ok_or("there is no code at this address")?;
        let listed = self.listed(run, method)?;
        let offset = number & ((1 << OFFSET_BITS) - 1);
        let at = listed.partition_point(|(start, _)| u64::from(*start) < offset);
        let first = i64::try_from(at).unwrap_or(0) + wanted.instruction_offset;
        let count = wanted.instruction_count.min(MOST_INSTRUCTIONS);
        let told = (0..count).map(|place| {
            let place = first + i64::try_from(place).unwrap_or(0);
            let known = usize::try_from(place)
                .ok()
                .and_then(|place| listed.get(place));
            match known {
                Some((_, told)) => told.clone(),
                // As many are expected as were asked for.
                None => json!({
                    "address": "0x0",
                    "instruction": "",
                    "presentationHint": "invalid",
                }),
            }
        });
        Ok(json!({"instructions": told.collect::<Vec<Value>>()}))
    }

    /// All instructions of a method.
    fn listed(&mut self, run: &JavaRun, method: MethodId) -> Result<Vec<(u32, Value)>, String> {
        let code = run.program().code(run.trace(), method);
        let code = code.map_err(|error| format!("the code cannot be read: {error}"))?;
        let source = self.file_of(run, method).map(|file| {
            let name = file
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            json!({"name": name, "path": file.display().to_string()})
        });
        let routine = run.routine_named(method);
        let mut listed = Vec::new();
        for (at, instruction) in code.instructions().iter().enumerate() {
            let operand = code
                .field_of(at)
                .map(|field| format!("{}.{}", java_names::names::class(&field.owner), field.name))
                .or_else(|| {
                    let invoked = code.invoked_by(at)?;
                    let owner = java_names::names::class(&invoked.owner);
                    Some(format!("{owner}.{}{}", invoked.name, invoked.descriptor))
                })
                .or_else(|| Some(format!("→ {}", instruction.branch_target()?)))
                .or_else(|| {
                    instruction
                        .local_index()
                        .map(|slot| format!("local {slot}"))
                });
            let text = match operand {
                Some(operand) => format!("{:4}: {} {operand}", instruction.pc, instruction.name()),
                None => format!("{:4}: {}", instruction.pc, instruction.name()),
            };
            let bytes = code
                .code()
                .bytes
                .get(instruction.pc as usize..instruction.end() as usize);
            let bytes = bytes.unwrap_or_default().iter();
            let bytes: Vec<String> = bytes.map(|byte| format!("{byte:02x}")).collect();
            let mut told = json!({
                "address": address(method, instruction.pc),
                "instructionBytes": bytes.join(" "),
                "instruction": text,
            });
            if at == 0 {
                told["symbol"] = routine.clone().into();
            }
            if let Some(line) = code.line(at) {
                told["line"] = (i64::from(line) - 1 + self.first_line).into();
                if let Some(source) = &source {
                    told["location"] = source.clone();
                }
            }
            listed.push((instruction.pc, told));
        }
        Ok(listed)
    }
}
