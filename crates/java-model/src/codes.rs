//! What the class files say about methods, read when it is asked for.
//!
//! A method's code does not change, so the snapshots of a run that goes on share this.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use classfile::ClassFile;
use trace_format::{ClassNumber, MethodId};
use trace_store::Trace;

use super::method_code::{self, MethodInfo};

#[derive(Debug, Default)]
pub struct Codes {
    read: Mutex<Read>,
}

#[derive(Debug, Default)]
struct Read {
    codes: HashMap<MethodId, Arc<MethodInfo>>,
    /// The class that was read last: mostly the next method is one of the same.
    class: Option<(ClassNumber, Option<ClassFile>)>,
}

impl Codes {
    /// Of a method of a trace, always of the same run; empty where there is no class file.
    #[must_use]
    pub fn of(&self, trace: &Trace, method: MethodId) -> Arc<MethodInfo> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = read.codes.get(&method) {
            return Arc::clone(code);
        }
        let code = Arc::new(read.decode(trace, method).unwrap_or_default());
        read.codes.insert(method, Arc::clone(&code));
        code
    }

    /// Whether a compiler made a method. Asked of every method of a run before its first question, so no more of a
    /// class file is read than that needs.
    #[must_use]
    pub fn is_compiler_made(&self, trace: &Trace, method: MethodId) -> bool {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = read.codes.get(&method) {
            return code.compiler_made;
        }
        let declared = read.declared(trace, method);
        declared.is_some_and(|(class, index)| method_code::is_compiler_made(class, index))
    }
}

impl Read {
    fn decode(&mut self, trace: &Trace, method: MethodId) -> Option<MethodInfo> {
        let (class, index) = self.declared(trace, method)?;
        Some(MethodInfo::of(class, index))
    }

    /// A method's class, and its place in it.
    fn declared(&mut self, trace: &Trace, method: MethodId) -> Option<(&ClassFile, usize)> {
        let symbol = &trace.symbols().method(method)?.symbol;
        if self.class.as_ref().map(|(class, _)| *class) != Some(symbol.class) {
            let bytes = trace.class_file(symbol.class).ok().flatten();
            let class = bytes.and_then(|bytes| ClassFile::parse(&bytes).ok());
            self.class = Some((symbol.class, class));
        }
        let (_, class) = self.class.as_ref()?;
        Some((class.as_ref()?, symbol.index.into()))
    }
}
