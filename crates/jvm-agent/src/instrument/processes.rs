//! Where the JDK starts processes: what a recorded program starts is recorded too.

use classfile::{ClassFile, CodeEditor, Snippet};

use super::InstrumentError;
use super::probes::Probes;

const BYTES: &str = "[B";

/// The class of the JDK that starts processes, by its internal name; up to Java 8 by the second one.
pub(crate) fn starts_processes(class: &str) -> bool {
    matches!(class, "java/lang/ProcessImpl" | "java/lang/UNIXProcess")
}

/// The constructor's parameters begin with the program, its arguments and how many they are, its environment and how
/// many variables that has.
const CONSTRUCTOR: &str = "([B[BI[BI";

/// Where they are.
mod local {
    pub(super) const PROGRAM: u16 = 1;
    pub(super) const ARGUMENTS: u16 = 2;
    pub(super) const ARGUMENT_COUNT: u16 = 3;
    pub(super) const ENVIRONMENT: u16 = 4;
    pub(super) const VARIABLE_COUNT: u16 = 5;
}

/// The class, rewritten; `None` if it does not start processes in the way that we know.
pub(crate) fn instrument_processes(original: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let mut class = ClassFile::parse(original)?;
    let mut probes = Probes::default();
    for index in 0..class.methods.len() {
        let method = class.methods[index].clone();
        let is_constructor = class.method_name(&method)? == "<init>"
            && class.method_descriptor(&method)?.starts_with(CONSTRUCTOR);
        let Some(code) = class.code(&method)?.filter(|_| is_constructor) else {
            continue;
        };
        let mut editor = CodeEditor::new(&class, &method, &code)?;
        let snippet = with_recorder(&mut class, &mut probes)?;
        editor.at_entry(&snippet);
        let edited = editor.finish(&mut class.constants)?;
        class.set_code(index, &edited)?;
        return Ok(Some(class.write()));
    }
    Ok(None)
}

/// Replaces the parameters. The arguments come first: they are told from the environment that was given.
fn with_recorder(class: &mut ClassFile, probes: &mut Probes) -> Result<Snippet, InstrumentError> {
    let mut snippet = Snippet::new();
    let pool = &mut class.constants;
    snippet
        .load_reference(local::PROGRAM)
        .load_reference(local::ARGUMENTS)
        .load_reference(local::ENVIRONMENT);
    probes.call_children(&mut snippet, pool, "arguments", &[BYTES; 3], BYTES)?;
    snippet.store_reference(local::ARGUMENTS);
    snippet
        .load_reference(local::PROGRAM)
        .load_reference(local::ENVIRONMENT);
    probes.call_children(&mut snippet, pool, "environment", &[BYTES; 2], BYTES)?;
    snippet.store_reference(local::ENVIRONMENT);
    for (block, count) in [
        (local::ARGUMENTS, local::ARGUMENT_COUNT),
        (local::ENVIRONMENT, local::VARIABLE_COUNT),
    ] {
        snippet.load_reference(block).load_int(count);
        probes.call_children(&mut snippet, pool, "count", &[BYTES, "I"], "I")?;
        snippet.store_int(count);
    }
    Ok(snippet)
}
