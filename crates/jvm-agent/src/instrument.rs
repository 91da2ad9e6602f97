//! Rewrites a class so that it records itself.
//!
//! [`method`] decides what is noted where, [`probes`] knows how the recorder's Java class is called,
//! [`library`] treats the few JDK classes whose content is followed. Everything here works on bytes alone: it needs
//! no JVM, and is tested without one.

pub(crate) mod library;
mod method;
mod probes;

use std::io::{self, Write};

use classfile::{ClassFile, EditError, ParseError, PoolError};
use thiserror::Error;
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
    #[error("its constant pool is full")]
    PoolFull,
    #[error("there are more methods or fields than numbers for them")]
    OutOfNumbers,
    #[error("cannot write to the trace: {0}")]
    Io(#[from] io::Error),
}

impl From<PoolError> for InstrumentError {
    fn from(_: PoolError) -> Self {
        InstrumentError::PoolFull
    }
}

/// The class, rewritten; `None` if it has no code. Methods that cannot be recorded in full are
/// recorded with less, and said so in `symbols`.
pub fn instrument_class<W: Write>(
    original: &[u8],
    loader: &str,
    detail: Detail,
    symbols: &mut SymbolTable<W>,
) -> Result<Option<Vec<u8>>, InstrumentError> {
    let class = ClassFile::parse(original)?;
    let level = match detail {
        Detail::Calls => Level::Calls,
        Detail::Full | Detail::Other => Level::Full,
    };
    let name = class.name()?.into_owned();
    let number = symbols.class(&name, loader, level, original)?;
    match rewrite(class.clone(), &name, number, level, symbols) {
        // A class with a nearly full constant pool has room for fewer kinds of probes.
        Err(InstrumentError::PoolFull) if level == Level::Full => {
            symbols.skipped(
                &name,
                "",
                "",
                "its constant pool has room for its calls only",
            )?;
            rewrite(class, &name, number, Level::Calls, symbols)
        }
        result => result,
    }
}

fn rewrite<W: Write>(
    mut class: ClassFile,
    name: &str,
    number: ClassNumber,
    level: Level,
    symbols: &mut SymbolTable<W>,
) -> Result<Option<Vec<u8>>, InstrumentError> {
    let mut changed = false;
    let mut probes = Probes::default();
    for index in 0..class.methods.len() {
        let mut outcome =
            rewrite_method(&mut class, name, number, index, level, &mut probes, symbols);
        if level == Level::Full
            && matches!(outcome, Err(InstrumentError::Edit(EditError::TooLarge(_))))
        {
            outcome = rewrite_method(
                &mut class,
                name,
                number,
                index,
                Level::Calls,
                &mut probes,
                symbols,
            );
            note_skipped(
                &class,
                name,
                index,
                "too large to be recorded in full: its calls only",
                symbols,
            )?;
        }
        match outcome {
            Ok(rewritten) => changed |= rewritten,
            Err(error @ (InstrumentError::Parse(_) | InstrumentError::Edit(_))) => {
                note_skipped(&class, name, index, &error.to_string(), symbols)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(changed.then(|| class.write()))
}

fn note_skipped<W: Write>(
    class: &ClassFile,
    name: &str,
    index: usize,
    reason: &str,
    symbols: &mut SymbolTable<W>,
) -> Result<(), InstrumentError> {
    let method = &class.methods[index];
    let method_name = class.method_name(method)?;
    let descriptor = class.method_descriptor(method)?;
    Ok(symbols.skipped(name, &method_name, &descriptor, reason)?)
}

fn rewrite_method<W: Write>(
    class: &mut ClassFile,
    class_name: &str,
    number: ClassNumber,
    index: usize,
    level: Level,
    probes: &mut Probes,
    symbols: &mut SymbolTable<W>,
) -> Result<bool, InstrumentError> {
    let method = class.methods[index].clone();
    let Some(code) = class.code(&method)? else {
        return Ok(false);
    };
    let symbol = MethodSymbol {
        method: symbols.next_method().ok_or(InstrumentError::OutOfNumbers)?,
        class: number,
        index: u16::try_from(index).unwrap_or(u16::MAX),
        access: method.access.0,
        level,
        name: class.method_name(&method)?.into_owned(),
        descriptor: class.method_descriptor(&method)?.into_owned(),
    };
    let context = MethodContext {
        class_name,
        symbol: &symbol,
        method: &method,
        code: &code,
    };
    let edited = method::instrument(class, &context, probes, symbols)?;
    class.set_code(index, &edited)?;
    symbols.method(symbol)?;
    Ok(true)
}
