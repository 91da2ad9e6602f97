//! Class initialisers of both versions in one class.
//!
//! Each sets fields that the other version does not have, so both run: first the one that counts less,
//! then the one whose fields and values are to stay. Static fields cannot be final then, for a method
//! that is no initialiser writes them.

use super::{GraftError, Grafting, without_final};
use crate::{AccessFlags, Attribute, Code, CodeEditor, Method, Snippet, opcode};

const INITIALISER: &str = "<clinit>";
const DESCRIPTOR: &str = "()V";
/// What the one that runs first is called.
const FIRST: &str = "initialise$reference";

impl Grafting<'_> {
    /// Runs the donor's class initialiser before the host's, for what only the donor has.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn put_initialiser_before(&mut self, method: usize) -> Result<(), GraftError> {
        self.put_method_as(method, FIRST, DESCRIPTOR)?;
        self.call_first()
    }

    /// Runs the donor's class initialiser after the host's, which still sets what only the host has.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn put_initialiser_after(&mut self, method: usize) -> Result<(), GraftError> {
        let Some(own) = self.position_of_method(INITIALISER, DESCRIPTOR) else {
            return self.put_method_as(method, INITIALISER, DESCRIPTOR);
        };
        self.host.methods[own].name = self.host.constants.add_utf8(FIRST)?;
        self.put_method_as(method, INITIALISER, DESCRIPTOR)?;
        self.call_first()
    }

    fn call_first(&mut self) -> Result<(), GraftError> {
        let name = self.host.name()?.into_owned();
        let call = self
            .host
            .constants
            .add_method_ref(&name, FIRST, DESCRIPTOR)?;
        match self.position_of_method(INITIALISER, DESCRIPTOR) {
            Some(at) => {
                let method = &self.host.methods[at];
                let code = self.host.code(method)?.unwrap_or_default();
                let mut editor = CodeEditor::new(&self.host, method, &code)?;
                editor.at_entry(Snippet::new().invoke_static(call, 0, 0));
                let code = editor.finish(&mut self.host.constants)?;
                self.host.set_code(at, &code)?;
            }
            None => self.add_initialiser(call)?,
        }
        for field in &mut self.host.fields {
            if field.access.is_static() {
                field.access = without_final(field.access);
            }
        }
        Ok(())
    }

    fn add_initialiser(&mut self, call: u16) -> Result<(), GraftError> {
        let [a, b] = call.to_be_bytes();
        let code = Code {
            bytes: vec![opcode::INVOKESTATIC, a, b, opcode::RETURN],
            ..Code::default()
        };
        let attribute = Attribute {
            name: self.host.constants.add_utf8("Code")?,
            bytes: code.write(),
        };
        let method = Method {
            access: AccessFlags(AccessFlags::STATIC),
            name: self.host.constants.add_utf8(INITIALISER)?,
            descriptor: self.host.constants.add_utf8(DESCRIPTOR)?,
            attributes: vec![attribute],
        };
        self.host.methods.push(method);
        Ok(())
    }
}
