//! What the class files say about methods, read when it is asked for.
//!
//! A method's code does not change, so the snapshots of a run that goes on share this.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use classfile::ClassFile;
use trace_format::{ClassNumber, MethodId};
use trace_store::Trace;

use super::method_code::MethodInfo;
use super::spelling;

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

    /// The same for the same code, whatever stands around it in the class file; 0 where there is none. It is worked out
    /// anew each time: nobody but whoever remembers answers asks for it.
    #[must_use]
    pub fn fingerprint(&self, trace: &Trace, method: MethodId) -> u64 {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.fingerprint(trace, method).unwrap_or_default()
    }
}

impl Read {
    fn fingerprint(&mut self, trace: &Trace, method: MethodId) -> Option<u64> {
        let (class, index) = self.declared(trace, method)?;
        Some(spelling::fingerprint(class, index))
    }

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
