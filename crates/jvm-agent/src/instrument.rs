//! Rewrites a class so that it records itself.
//!
//! [`method`] decides what is noted where, [`probes`] knows how the recorder's Java class is called,
//! [`library`] treats the few JDK classes whose content is followed, [`tasks`] those
//! that hand work over to other threads, [`output`] the one that prints. Everything here works on bytes alone: it needs
//! no JVM, and is tested without one.

mod filled_part;
pub(crate) mod library;
mod method;
pub(crate) mod output;
mod probes;
pub(crate) mod processes;
pub(crate) mod tasks;

use std::collections::HashSet;
use std::io::{self, Write};

use classfile::{AccessFlags, ClassFile, EditError, Method, ParseError, PoolError};
use java_names::descriptor::BadDescriptor;
use thiserror::Error;
use trace_format::secret::SecretNames;
use trace_format::symbol::{Level, MethodSymbol};
use trace_format::{ClassNumber, Detail};

use crate::SymbolTable;
use method::MethodContext;
use probes::Probes;

/// The class that recorded code calls.
pub(crate) const RECORDER: &str = "java/lang/AskanceRecorder";

/// Why a class or method is not recorded (or not in full).
#[derive(Debug, Error)]
pub enum InstrumentError {
    #[error(transparent)]
    Parse(#[from] ParseError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Descriptor(#[from] BadDescriptor),
    #[error("its constant pool is full")]
    PoolFull,
    #[error("there are more methods or fields than numbers for them")]
    OutOfNumbers,
    #[error("the constructor calls `super(…)` with `this` from another local than the first")]
    ThisIsElsewhere,
    #[error("it writes by a handle of an unknown field")]
    UnknownHandle,
    #[error("cannot write to the trace: {0}")]
    Io(#[from] io::Error),
}

impl InstrumentError {
    /// Whether the other methods of the class can be recorded all the same.
    fn is_of_one_method(&self) -> bool {
        use InstrumentError::{Edit, Parse, ThisIsElsewhere};
        matches!(self, Parse(_) | Edit(_) | ThisIsElsewhere)
    }
}

impl From<PoolError> for InstrumentError {
    fn from(_: PoolError) -> Self {
        InstrumentError::PoolFull
    }
}

/// What is to be noted.
#[derive(Debug, Clone, Copy)]
pub struct RecordedDetail<'a> {
    pub detail: Detail,
    /// Names whose values are secrets.
    pub secrets: &'a SecretNames,
    /// Whether some objects are asked what they say of themselves.
    pub texts: bool,
}

/// The class, rewritten; `None` if it has no code. Methods that cannot be recorded in full are
/// recorded with less, and said so in `symbols`.
pub fn instrument_class<W: Write>(
    original: &[u8],
    loader: &str,
    wanted: RecordedDetail<'_>,
    symbols: &mut SymbolTable<W>,
) -> Result<Option<Vec<u8>>, InstrumentError> {
    let class = ClassFile::parse(original)?;
    let level = match wanted.detail {
        Detail::Calls => Level::Calls,
        Detail::Full | Detail::Other => Level::Full,
    };
    let name = class.name()?.into_owned();
    let number = symbols.class(&name, loader, level, original)?;
    let mut attempt = Attempt {
        class: class.clone(),
        name: &name,
        number,
        level,
        own_calls: OwnCalls::of(&class)?,
        wanted,
        probes: Probes::default(),
    };
    match attempt.rewrite(symbols) {
        Ok(Outcome::Rewritten(bytes)) => Ok(Some(bytes)),
        Ok(Outcome::NoCode) => Ok(None),
        // Callers have relied on a method to record itself that cannot be recorded: once more, relying on none.
        Ok(Outcome::SomeSkipped) => {
            attempt.class = class;
            attempt.probes = Probes::default();
            attempt.own_calls = OwnCalls::default();
            symbols.results_noted(number)?;
            match attempt.rewrite(symbols)? {
                Outcome::Rewritten(bytes) => Ok(Some(bytes)),
                Outcome::NoCode | Outcome::SomeSkipped => Ok(None),
            }
        }
        // A class with a nearly full constant pool has room for fewer kinds of probes.
        Err(InstrumentError::PoolFull) if level == Level::Full => {
            symbols.skipped(
                &name,
                "",
                "",
                "its constant pool has room for its calls only",
            )?;
            attempt.class = class;
            attempt.probes = Probes::default();
            attempt.level = Level::Calls;
            match attempt.rewrite(symbols)? {
                Outcome::Rewritten(bytes) => Ok(Some(bytes)),
                Outcome::NoCode | Outcome::SomeSkipped => Ok(None),
            }
        }
        Err(error) => Err(error),
    }
}

enum Outcome {
    Rewritten(Vec<u8>),
    NoCode,
    SomeSkipped,
}

/// One try at rewriting a class.
struct Attempt<'a> {
    class: ClassFile,
    name: &'a str,
    number: ClassNumber,
    level: Level,
    own_calls: OwnCalls,
    wanted: RecordedDetail<'a>,
    probes: Probes,
}

impl Attempt<'_> {
    fn rewrite<W: Write>(
        &mut self,
        symbols: &mut SymbolTable<W>,
    ) -> Result<Outcome, InstrumentError> {
        let mut changed = false;
        for index in 0..self.class.methods.len() {
            let mut outcome = self.rewrite_method(index, self.level, symbols);
            if self.level == Level::Full
                && matches!(outcome, Err(InstrumentError::Edit(EditError::TooLarge(_))))
            {
                outcome = self.rewrite_method(index, Level::Calls, symbols);
                let reason = "too large to be recorded in full: its calls only";
                self.note_skipped(index, reason, symbols)?;
            }
            match outcome {
                Ok(rewritten) => changed |= rewritten,
                Err(error) if error.is_of_one_method() => {
                    if !self.own_calls.is_empty() {
                        return Ok(Outcome::SomeSkipped);
                    }
                    self.note_skipped(index, &error.to_string(), symbols)?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(if changed {
            Outcome::Rewritten(self.class.write())
        } else {
            Outcome::NoCode
        })
    }

    /// Whether the method has code, which is then rewritten.
    fn rewrite_method<W: Write>(
        &mut self,
        index: usize,
        level: Level,
        symbols: &mut SymbolTable<W>,
    ) -> Result<bool, InstrumentError> {
        let method = self.class.methods[index].clone();
        let Some(code) = self.class.code(&method)? else {
            return Ok(false);
        };
        if is_of_another_agent(&self.class, &method)? {
            return Ok(false);
        }
        let symbol = MethodSymbol {
            method: symbols.next_method().ok_or(InstrumentError::OutOfNumbers)?,
            class: self.number,
            index: u16::try_from(index).unwrap_or(u16::MAX),
            access: method.access.0,
            level,
            name: self.class.method_name(&method)?.into_owned(),
            descriptor: self.class.method_descriptor(&method)?.into_owned(),
        };
        let context = MethodContext {
            class_name: self.name,
            own_calls: &self.own_calls,
            wanted: self.wanted,
            symbol: &symbol,
            method: &method,
            code: &code,
        };
        let edited = method::instrument(&mut self.class, &context, &mut self.probes, symbols)?;
        self.class.set_code(index, &edited)?;
        symbols.method(symbol)?;
        Ok(true)
    }

    fn note_skipped<W: Write>(
        &self,
        index: usize,
        reason: &str,
        symbols: &mut SymbolTable<W>,
    ) -> Result<(), InstrumentError> {
        let method = &self.class.methods[index];
        let method_name = self.class.method_name(method)?;
        let descriptor = self.class.method_descriptor(method)?;
        Ok(symbols.skipped(self.name, &method_name, &descriptor, reason)?)
    }
}

/// Whether a coverage tool has put the method into the class: it is not the user's. No compiler makes an initialiser
/// that is synthetic.
fn is_of_another_agent(class: &ClassFile, method: &Method) -> Result<bool, InstrumentError> {
    let name = class.method_name(method)?;
    let is_its_name = name.starts_with("$jacoco") || name == "<clinit>";
    Ok(is_its_name && method.access.contains(AccessFlags::SYNTHETIC))
}

/// The methods of a class that a call from within the class is sure to reach: static, private and
/// final ones. Their own EXIT tells the result, so the caller need not note it.
#[derive(Debug, Default)]
struct OwnCalls(HashSet<(String, String)>);

impl OwnCalls {
    fn of(class: &ClassFile) -> Result<Self, InstrumentError> {
        let sure = AccessFlags::STATIC | AccessFlags::PRIVATE | AccessFlags::FINAL;
        let class_is_final = class.access.contains(AccessFlags::FINAL);
        let mut methods = HashSet::new();
        for method in &class.methods {
            let bodiless = method.access.is_native() || method.access.is_abstract();
            let name = class.method_name(method)?;
            let records_itself = !bodiless && !is_of_another_agent(class, method)?;
            if records_itself && name != "<init>" && (class_is_final || method.access.0 & sure != 0)
            {
                methods.insert((
                    name.into_owned(),
                    class.method_descriptor(method)?.into_owned(),
                ));
            }
        }
        Ok(OwnCalls(methods))
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn reaches(&self, name: &str, descriptor: &str) -> bool {
        self.0.contains(&(name.to_owned(), descriptor.to_owned()))
    }
}
