//! What the class files say about methods, read when it is asked for.
//!
//! A method's code does not change, so the snapshots of a run that goes on share this.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use classfile::ClassFile;
use trace_format::{ClassNumber, MethodId};
use trace_store::{StoreError, Trace};

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
    ///
    /// # Errors
    /// If the class file cannot be read. It is tried again the next time.
    pub fn of(&self, trace: &Trace, method: MethodId) -> Result<Arc<MethodInfo>, StoreError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(code) = read.codes.get(&method) {
            return Ok(Arc::clone(code));
        }
        let code = Arc::new(read.decode(trace, method)?.unwrap_or_default());
        read.codes.insert(method, Arc::clone(&code));
        Ok(code)
    }

    /// The same for the same code, whatever stands around it in the class file; 0 where there is none. It is worked out
    /// anew each time: nobody but whoever remembers answers asks for it.
    ///
    /// # Errors
    /// If the class file cannot be read.
    pub fn fingerprint(&self, trace: &Trace, method: MethodId) -> Result<u64, StoreError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let declared = read.declared(trace, method)?;
        let fingerprint = declared.map(|(class, index)| spelling::fingerprint(class, index));
        Ok(fingerprint.unwrap_or_default())
    }
}

impl Read {
    fn decode(
        &mut self,
        trace: &Trace,
        method: MethodId,
    ) -> Result<Option<MethodInfo>, StoreError> {
        let declared = self.declared(trace, method)?;
        Ok(declared.map(|(class, index)| MethodInfo::of(class, index)))
    }

    /// A method's class, and its place in it; `None` if there is no class file, or it is none.
    fn declared(
        &mut self,
        trace: &Trace,
        method: MethodId,
    ) -> Result<Option<(&ClassFile, usize)>, StoreError> {
        let Some(method) = trace.symbols().method(method) else {
            return Ok(None);
        };
        let symbol = &method.symbol;
        if self.class.as_ref().map(|(class, _)| *class) != Some(symbol.class) {
            let bytes = trace.class_file(symbol.class)?;
            let class = bytes.and_then(|bytes| ClassFile::parse(&bytes).ok());
            self.class = Some((symbol.class, class));
        }
        let class = self.class.as_ref().and_then(|(_, class)| class.as_ref());
        Ok(class.map(|class| (class, symbol.index.into())))
    }
}
