//! Where the JDK gives what is printed to the system: `AskanceOutput` sees it there, whoever printed it.

use classfile::{ClassFile, CodeEditor, Snippet};

use super::InstrumentError;
use super::probes::Probes;

const STREAM: &str = "Ljava/io/FileOutputStream;";
const MANY: &str = "([BII)V";

/// The class of the JDK that writes to files and to standard streams, by its internal name.
pub(crate) fn prints(class: &str) -> bool {
    class == "java/io/FileOutputStream"
}

/// What a method that writes is given, beside its object.
fn parameters(descriptor: &str) -> Option<&'static [&'static str]> {
    match descriptor {
        "(I)V" => Some(&["I"]),
        "([B)V" => Some(&["[B"]),
        MANY => Some(&["[B", "I", "I"]),
        _ => None,
    }
}

/// The class, rewritten; `None` if it does not write in the way that we know. What was written is told when the
/// system has taken it.
pub(crate) fn instrument_output(original: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let mut class = ClassFile::parse(original)?;
    let mut probes = Probes::default();
    let mut is_rewritten = false;
    for index in 0..class.methods.len() {
        let method = class.methods[index].clone();
        let descriptor = class.method_descriptor(&method)?.into_owned();
        let Some(parameters) = parameters(&descriptor) else {
            continue;
        };
        let Some(code) = class.code(&method)? else {
            continue;
        };
        if class.method_name(&method)? != "write" {
            continue;
        }
        let mut editor = CodeEditor::new(&class, &method, &code)?;
        if leaves_it_to_another(&class, &editor)? {
            continue;
        }
        let snippet = tell(&mut class, &mut probes, parameters)?;
        for at in 0..editor.instructions().len() {
            if editor.instructions()[at].is_return() {
                editor.before(at, &snippet);
            }
        }
        let edited = editor.finish(&mut class.constants)?;
        class.set_code(index, &edited)?;
        is_rewritten = true;
    }
    Ok(is_rewritten.then(|| class.write()))
}

/// Whether a method calls another one that tells.
fn leaves_it_to_another(
    class: &ClassFile,
    editor: &CodeEditor<'_>,
) -> Result<bool, InstrumentError> {
    for instruction in editor.instructions() {
        let Some(constant) = instruction.cp_index().filter(|_| instruction.is_invoke()) else {
            continue;
        };
        let member = class.constants.member_ref(constant)?;
        if member.name == "write" && member.descriptor == MANY {
            return Ok(true);
        }
    }
    Ok(false)
}

fn tell(
    class: &mut ClassFile,
    probes: &mut Probes,
    parameters: &[&'static str],
) -> Result<Snippet, InstrumentError> {
    let mut snippet = Snippet::new();
    snippet.load_reference(0);
    for (local, parameter) in (1..).zip(parameters) {
        match *parameter {
            "I" => snippet.load_int(local),
            _ => snippet.load_reference(local),
        };
    }
    let mut all = vec![STREAM];
    all.extend(parameters);
    probes.call_output(&mut snippet, &mut class.constants, &all)?;
    Ok(snippet)
}
