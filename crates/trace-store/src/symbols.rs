//! The symbols of a trace, as tables indexed by number.
//!
//! Numbers are handed out one after the other, so tables are vectors. A damaged file could name
//! any number; one that is larger than the file is long cannot be right and is left out, which
//! bounds the tables by the size of the input.

use std::collections::{HashMap, HashSet};

use trace_format::descriptor;
use trace_format::event::CallLengths;
use trace_format::symbol::{
    ClassSymbol, FieldSymbol, MethodSymbol, SkippedSymbol, Symbol, ThreadSymbol,
};
use trace_format::{
    ClassNumber, FieldId, FrameShape, Kind, MethodId, ObjectId, Shapes, Signatures, ThreadNumber,
};

#[derive(Debug, Default, Clone)]
pub struct Symbols {
    /// What decoding needs, apart from the rest.
    shapes: Shapes,
    classes: Vec<Option<ClassSymbol>>,
    methods: Vec<Option<TypedMethod>>,
    fields: Vec<Option<FieldSymbol>>,
    threads: HashMap<ThreadNumber, ThreadSymbol>,
    skipped: Vec<SkippedSymbol>,
    libraries: Vec<String>,
    results_noted: HashSet<ClassNumber>,
    masked: HashSet<ObjectId>,
    by_class_name: HashMap<String, Vec<ClassNumber>>,
    /// How much of the file has been read.
    pub(crate) read: u64,
    /// Records that could not be used.
    pub(crate) damaged: u64,
}

/// A method with the kinds that its descriptor says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedMethod {
    pub symbol: MethodSymbol,
    /// Of what ENTER carries: `this` (instance methods, not constructors), then the arguments.
    pub entry_kinds: Vec<Kind>,
    pub returned: Option<Kind>,
}

impl std::ops::Deref for TypedMethod {
    type Target = MethodSymbol;

    fn deref(&self) -> &MethodSymbol {
        &self.symbol
    }
}

impl Symbols {
    /// Differs whenever there are more.
    pub fn size(&self) -> u64 {
        self.read
    }

    /// Of a whole file.
    pub fn of(file: &[u8]) -> Self {
        let mut symbols = Self {
            read: trace_format::files::SIGNATURE_SIZE as u64,
            ..Self::default()
        };
        symbols.read(file);
        symbols
    }

    pub fn class(&self, class: ClassNumber) -> Option<&ClassSymbol> {
        self.classes.get(class.0 as usize)?.as_ref()
    }

    pub fn method(&self, method: MethodId) -> Option<&TypedMethod> {
        self.methods.get(method.0 as usize)?.as_ref()
    }

    pub fn field(&self, field: FieldId) -> Option<&FieldSymbol> {
        self.fields.get(field.0 as usize)?.as_ref()
    }

    pub fn thread(&self, thread: ThreadNumber) -> Option<&ThreadSymbol> {
        self.threads.get(&thread)
    }

    /// Whether an object turned out to be a secret after it was described.
    pub fn is_masked(&self, object: ObjectId) -> bool {
        self.masked.contains(&object)
    }

    pub fn classes(&self) -> impl Iterator<Item = &ClassSymbol> {
        self.classes.iter().flatten()
    }

    pub fn methods(&self) -> impl Iterator<Item = &TypedMethod> {
        self.methods.iter().flatten()
    }

    pub fn fields(&self) -> impl Iterator<Item = &FieldSymbol> {
        self.fields.iter().flatten()
    }

    pub fn skipped(&self) -> &[SkippedSymbol] {
        &self.skipped
    }

    /// Where the classes come from that were not recorded because they are not the user's own.
    pub fn libraries(&self) -> &[String] {
        &self.libraries
    }

    /// Whether calls within the class note their results although the callees do so too.
    pub fn notes_own_results(&self, class: ClassNumber) -> bool {
        self.results_noted.contains(&class)
    }

    /// Classes with this internal name, one per loader that defined it.
    pub fn classes_named(&self, name: &str) -> &[ClassNumber] {
        self.by_class_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The internal name of the class that declares a method.
    pub fn class_name_of(&self, method: MethodId) -> Option<&str> {
        Some(&self.class(self.method(method)?.class)?.name)
    }

    /// Reads the records after those already read. `file` is the whole file.
    pub(crate) fn read(&mut self, file: &[u8]) {
        let limit = file.len();
        while let Some(rest) = file.get(self.read as usize..) {
            match Symbol::decode(rest) {
                Ok(None) => break,
                Ok(Some((symbol, length))) => {
                    self.add(symbol, limit);
                    self.read += length as u64;
                }
                Err(_) => {
                    self.damaged += 1;
                    let Some(length) = record_length(rest) else {
                        break;
                    };
                    self.read += length;
                }
            }
        }
    }

    fn add(&mut self, symbol: Symbol, limit: usize) {
        self.shapes.add(&symbol, limit);
        match symbol {
            Symbol::Class(class) => {
                let numbers = self.by_class_name.entry(class.name.clone()).or_default();
                if !numbers.contains(&class.class) {
                    numbers.push(class.class);
                }
                let number = class.class.0;
                self.damaged += set(&mut self.classes, number, class, limit);
            }
            Symbol::Method(symbol) => {
                let Some(kinds) = descriptor::entry_kinds(&symbol) else {
                    self.damaged += 1;
                    return;
                };
                let number = symbol.method.0;
                let method = TypedMethod {
                    symbol,
                    entry_kinds: kinds.parameters,
                    returned: kinds.returned,
                };
                self.damaged += set(&mut self.methods, number, method, limit);
            }
            Symbol::Field(field) => {
                if descriptor::field_kind(&field.descriptor).is_none() {
                    self.damaged += 1;
                    return;
                }
                let number = field.field.0;
                self.damaged += set(&mut self.fields, number, field, limit);
            }
            Symbol::Thread(thread) => {
                self.threads.insert(thread.thread, thread);
            }
            Symbol::Skipped(skipped) => self.skipped.push(skipped),
            Symbol::ResultsNoted { class } => {
                self.results_noted.insert(class);
            }
            Symbol::Masked { object } => {
                self.masked.insert(object);
            }
            Symbol::Library { location } => self.libraries.push(location),
            Symbol::Other { .. } => {}
        }
    }
}

impl Signatures for Symbols {
    #[inline]
    fn frame(&self, method: MethodId) -> Option<FrameShape> {
        self.shapes.frame(method)
    }

    #[inline]
    fn field(&self, field: FieldId) -> Option<Kind> {
        self.shapes.field(field)
    }

    #[inline(always)]
    fn call_lengths(&self, method: MethodId) -> CallLengths {
        self.shapes.call_lengths(method)
    }

    #[inline(always)]
    fn field_size(&self, field: FieldId) -> u8 {
        self.shapes.field_size(field)
    }
}

/// Returns how many records were refused: 0 or 1.
fn set<T: Clone>(table: &mut Vec<Option<T>>, number: u32, symbol: T, limit: usize) -> u64 {
    let at = number as usize;
    if at >= limit {
        return 1;
    }
    if table.len() <= at {
        table.resize(at + 1, None);
    }
    table[at] = Some(symbol);
    0
}

fn record_length(record: &[u8]) -> Option<u64> {
    let length = record.get(1..)?.first_chunk()?;
    Some(trace_format::symbol::RECORD_HEADER_SIZE as u64 + u64::from(u32::from_le_bytes(*length)))
}
