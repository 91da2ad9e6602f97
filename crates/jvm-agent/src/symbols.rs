//! Numbers for classes, methods and fields, and the log in which they are explained.
//!
//! A symbol is in the file before code that uses its number can run: the class hook registers it
//! while the class is being loaded.

use std::collections::HashMap;
use std::io::{self, Write};

use trace_format::symbol::{
    ClassSymbol, FieldSymbol, Level, MethodSymbol, SkippedSymbol, ThreadSymbol,
};
use trace_format::{ClassNumber, FieldId, MAX_SYMBOL_NUMBER, MethodId, ObjectId, Symbol};

/// Writes to `symbols` and `classes`. Generic over the writers so that rewriting can be tested without
/// files and without a JVM.
#[derive(Debug)]
pub struct SymbolTable<W> {
    symbols: W,
    classes: W,
    classes_length: u64,
    next_class: u32,
    next_method: u32,
    fields: HashMap<FieldKey, FieldId>,
    record: Vec<u8>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct FieldKey {
    is_static: bool,
    owner: String,
    name: String,
    descriptor: String,
}

impl<W: Write> SymbolTable<W> {
    pub fn new(symbols: W, classes: W) -> Self {
        SymbolTable {
            symbols,
            classes,
            classes_length: 0,
            next_class: 0,
            next_method: 0,
            fields: HashMap::new(),
            record: Vec::new(),
        }
    }

    /// Keeps the original class file and gives the class its number.
    pub(crate) fn class(
        &mut self,
        name: &str,
        loader: &str,
        level: Level,
        bytes: &[u8],
    ) -> io::Result<ClassNumber> {
        self.classes.write_all(bytes)?;
        let class = ClassNumber(self.next_class);
        let symbol = ClassSymbol {
            class,
            offset: self.classes_length,
            length: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            level,
            name: name.to_owned(),
            loader: loader.to_owned(),
        };
        self.classes_length += bytes.len() as u64;
        self.next_class += 1;
        self.write(&Symbol::Class(symbol))?;
        Ok(class)
    }

    /// The number that the next method will get, if there is one left.
    pub(crate) fn next_method(&self) -> Option<MethodId> {
        (self.next_method <= MAX_SYMBOL_NUMBER).then_some(MethodId(self.next_method))
    }

    /// Uses up [`SymbolTable::next_method`], which must be the number in `symbol`.
    pub(crate) fn method(&mut self, symbol: MethodSymbol) -> io::Result<()> {
        debug_assert_eq!(symbol.method.0, self.next_method);
        self.next_method += 1;
        self.write(&Symbol::Method(symbol))
    }

    /// The number of a field as some code names it; `None` when numbers have run out.
    pub(crate) fn field(
        &mut self,
        is_static: bool,
        owner: &str,
        name: &str,
        descriptor: &str,
    ) -> io::Result<Option<FieldId>> {
        let key = FieldKey {
            is_static,
            owner: owner.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        };
        if let Some(field) = self.fields.get(&key) {
            return Ok(Some(*field));
        }
        let number = u32::try_from(self.fields.len()).unwrap_or(u32::MAX);
        if number > MAX_SYMBOL_NUMBER {
            return Ok(None);
        }
        let field = FieldId(number);
        self.fields.insert(key, field);
        self.write(&Symbol::Field(FieldSymbol {
            field,
            is_static,
            owner: owner.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        }))?;
        Ok(Some(field))
    }

    pub(crate) fn thread(&mut self, symbol: ThreadSymbol) -> io::Result<()> {
        self.write(&Symbol::Thread(symbol))
    }

    /// See `OwnCalls`: in this class callers do not rely on callees.
    pub(crate) fn results_noted(&mut self, class: ClassNumber) -> io::Result<()> {
        self.write(&Symbol::ResultsNoted { class })
    }

    pub(crate) fn masked(&mut self, object: ObjectId) -> io::Result<()> {
        self.write(&Symbol::Masked { object })
    }

    /// Classes from this location are not recorded.
    pub(crate) fn library(&mut self, location: &str) -> io::Result<()> {
        self.write(&Symbol::Library {
            location: location.to_owned(),
        })
    }

    pub(crate) fn skipped(
        &mut self,
        class: &str,
        method: &str,
        descriptor: &str,
        reason: &str,
    ) -> io::Result<()> {
        self.write(&Symbol::Skipped(SkippedSymbol {
            class: class.to_owned(),
            method: method.to_owned(),
            descriptor: descriptor.to_owned(),
            reason: reason.to_owned(),
        }))
    }

    /// One write a record: a reader, or a kill, never sees half of one for long.
    fn write(&mut self, symbol: &Symbol) -> io::Result<()> {
        self.record.clear();
        symbol.encode(&mut self.record);
        self.symbols.write_all(&self.record)
    }
}
