//! Exceptions and returns: where the code's account of what happened meets the recorded one.

use trace_format::ObjectId;
use trace_store::ObjectContent;

use crate::code::MethodCode;
use crate::error::{ReplayError, ReplayObstacle};
use crate::input::Next;
use crate::machine::Machine;
use crate::slot::{Slot, Tag};
use crate::step::{CallEnding, Flow};

/// Why an exception is expected.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cause {
    /// The JVM must have thrown one of this class.
    Computed(&'static str),
    /// A call threw: anything.
    Called,
    /// The code threw this.
    Thrown(Slot),
    /// Nothing in the code explains it: an error of the JVM itself, or of linking.
    Struck,
}

impl Cause {
    pub(crate) const NULL: Cause = Cause::Computed("java/lang/NullPointerException");
    pub(crate) const BOUNDS: Cause = Cause::Computed("java/lang/ArrayIndexOutOfBoundsException");
    pub(crate) const CAST: Cause = Cause::Computed("java/lang/ClassCastException");
    pub(crate) const STORE: Cause = Cause::Computed("java/lang/ArrayStoreException");
    pub(crate) const NEGATIVE: Cause = Cause::Computed("java/lang/NegativeArraySizeException");
}

const ERROR: &str = "java/lang/Error";

impl Machine<'_> {
    /// An exception strikes at this instruction: the recorded one says which, and where it went.
    #[cold]
    pub(crate) fn raise(&mut self, code: &MethodCode, cause: Cause) -> Result<Flow, ReplayError> {
        // Which handler it goes to depends on classes that these may name for the first time.
        self.loaders();
        let due = self.input.is_due();
        match self.input.next() {
            Next::Catch { exception, handler } if due => {
                self.check_cause(code, cause, exception)?;
                let handler = self.check_handler(code, exception, handler)?;
                self.input.consume();
                self.state.top = code.max_locals;
                self.push(Tag::Reference, u64::from(exception.0));
                Ok(Flow::Caught { exception, handler })
            }
            Next::Throw { exception } if due => {
                self.check_cause(code, cause, exception)?;
                self.check_no_handler(code, exception)?;
                self.input.consume();
                Ok(Flow::Ended(CallEnding::Threw(exception)))
            }
            Next::Nothing if due && self.is_lost => Ok(Flow::Ended(CallEnding::Lost)),
            Next::Nothing if self.is_open => Ok(Flow::Ended(CallEnding::Open)),
            next => {
                let expected = format!("an exception ({cause:?})");
                Err(self.disagreement(ReplayObstacle::Exception, expected, next))
            }
        }
    }

    /// Something that the instruction needs was not recorded: an exception may explain it.
    #[cold]
    pub(crate) fn missing(
        &mut self,
        code: &MethodCode,
        cause: Cause,
        reason: ReplayObstacle,
        what: &str,
    ) -> Result<Flow, ReplayError> {
        if self.input.exception_is_due() {
            return self.raise(code, cause);
        }
        match self.input.next() {
            Next::Nothing if self.is_lost => Ok(Flow::Ended(CallEnding::Lost)),
            Next::Nothing if self.is_open => Ok(Flow::Ended(CallEnding::Open)),
            next => Err(self.disagreement(reason, what, next)),
        }
    }

    fn check_cause(
        &mut self,
        code: &MethodCode,
        cause: Cause,
        exception: ObjectId,
    ) -> Result<(), ReplayError> {
        let class = self.program.class_of(self.trace, exception)?;
        let Some(class) = class else {
            return Ok(());
        };
        let is = |class| self.program.is_instance(self.trace, exception, class);
        // The JVM may run out of stack or memory while it throws.
        let failed = is("java/lang/VirtualMachineError")?;
        let is_error = is(ERROR)? != Some(false);
        let fits = match cause {
            _ if failed != Some(false) => true,
            Cause::Called => true,
            Cause::Computed(expected) => &*class == expected,
            Cause::Thrown(slot) => self.is_object(code, slot, exception)?,
            Cause::Struck => is_error,
        };
        if fits {
            return Ok(());
        }
        let expected = format!("an exception ({cause:?})");
        let found = format!("#{exception} of class {class}");
        Err(self.disagreement(ReplayObstacle::Exception, expected, found))
    }

    /// The handler's instruction, if the code leads there.
    fn check_handler(
        &self,
        code: &MethodCode,
        exception: ObjectId,
        pc: u16,
    ) -> Result<usize, ReplayError> {
        let target = code.instruction_at(u32::from(pc));
        let at = self.state.at as u32;
        for handler in &code.handlers {
            if at < handler.start || at >= handler.end {
                continue;
            }
            let is_it = Some(handler.handler as usize) == target;
            match self.catches(handler.catches.as_deref(), exception)? {
                Some(true) if is_it => return Ok(handler.handler as usize),
                None if is_it => return Ok(handler.handler as usize),
                Some(true) => break,
                _ => {}
            }
        }
        let expected = "an exception that goes elsewhere";
        let found = format!("#{exception} caught at offset {pc}");
        Err(self.disagreement(ReplayObstacle::Exception, expected, found))
    }

    fn check_no_handler(&self, code: &MethodCode, exception: ObjectId) -> Result<(), ReplayError> {
        let at = self.state.at as u32;
        for handler in &code.handlers {
            if at >= handler.start
                && at < handler.end
                && self.catches(handler.catches.as_deref(), exception)? == Some(true)
            {
                let pc = code.instructions[handler.handler as usize].pc;
                let expected = format!("an exception caught at offset {pc}");
                let found = format!("the end by exception #{exception}");
                return Err(self.disagreement(ReplayObstacle::Exception, expected, found));
            }
        }
        Ok(())
    }

    fn catches(
        &self,
        class: Option<&str>,
        exception: ObjectId,
    ) -> Result<Option<bool>, ReplayError> {
        match class {
            None => Ok(Some(true)),
            Some(class) => self.program.is_instance(self.trace, exception, class),
        }
    }

    pub(crate) fn throws(&mut self, code: &MethodCode) -> Result<Flow, ReplayError> {
        let thrown = self.pop();
        if thrown.is_null() {
            self.raise(code, Cause::NULL)
        } else {
            self.raise(code, Cause::Thrown(thrown))
        }
    }

    pub(crate) fn returns(&mut self, code: &MethodCode) -> Result<Flow, ReplayError> {
        match self.input.next() {
            Next::Exit(value) if self.input.is_due() => {
                if let Some(value) = value {
                    let slot = match value.kind().size() {
                        8 => self.pop2(),
                        _ => self.pop(),
                    };
                    if !self.agrees(code, slot, value)? {
                        let expected = format!("the return of {slot:?}");
                        return Err(self.disagreement(ReplayObstacle::Ending, expected, value));
                    }
                }
                self.input.consume();
                Ok(Flow::Ended(CallEnding::Returned(value)))
            }
            Next::Nothing if self.input.is_due() => {
                self.missing(code, Cause::Struck, ReplayObstacle::Ending, "the return")
            }
            _ => {
                if self.input.exception_is_due() {
                    return self.raise(code, Cause::Struck);
                }
                let next = self.input.next();
                let found = if self.input.is_due() {
                    next.to_string()
                } else {
                    format!("values that were not consumed, before {next}")
                };
                Err(self.disagreement(ReplayObstacle::Ending, "the return", found))
            }
        }
    }

    /// The end that was computed must be the recorded one. What was returned or thrown has been
    /// compared with the event that says so.
    pub(crate) fn check_ending(&self, ending: CallEnding) -> Result<(), ReplayError> {
        let as_recorded = match ending {
            CallEnding::Returned(_) | CallEnding::Threw(_) => !self.is_open && !self.is_lost,
            CallEnding::Lost => self.is_lost,
            CallEnding::Open => self.is_open,
        };
        if as_recorded {
            return Ok(());
        }
        let expected = format!("{ending:?}");
        let found = match (self.is_open, self.is_lost) {
            (true, _) => "an unfinished call",
            (_, true) => "a call that was left by an unknown exception",
            _ => "a call that ended",
        };
        Err(self.disagreement(ReplayObstacle::Ending, expected, found))
    }

    /// The class and message of the exception that is due.
    pub(crate) fn due_exception(&self) -> Result<Option<(String, String)>, ReplayError> {
        let (Next::Catch { exception, .. } | Next::Throw { exception }) = self.input.next() else {
            return Ok(None);
        };
        if !self.input.exception_is_due() {
            return Ok(None);
        }
        let Some(description) = self.trace.object(exception)? else {
            return Ok(None);
        };
        let message = match description.content {
            ObjectContent::Throwable { message, .. } => message.unwrap_or_default(),
            _ => String::new(),
        };
        let class = description.class_name.unwrap_or_default();
        Ok(Some((class.replace('.', "/"), message)))
    }

    /// Whether the exception that is due speaks of a class, so that it must have come from an
    /// instruction that refers to it.
    pub(crate) fn due_exception_names(
        &self,
        classes: &[&str],
        named: &str,
    ) -> Result<bool, ReplayError> {
        Ok(match self.due_exception()? {
            Some((class, message)) => {
                classes.contains(&class.as_str())
                    && (message.contains(named) || message.contains(&named.replace('/', ".")))
            }
            None => false,
        })
    }
}
