//! Secrets that were described before they were known to be secrets lose their content when the run has
//! ended: in the streams, and in the copies of the class files if code names them.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use classfile::{ClassFile, Constant};
use trace_format::secret::MASK;
use trace_format::{Meta, files};
use trace_store::{StoreError, Symbols};

/// Overwrites what is left of secrets in all JVMs of a run. Returns the texts that were found.
///
/// # Errors
/// If a file of the trace cannot be read or written.
pub fn scrub_run(folder: &Path) -> Result<Vec<String>, StoreError> {
    let mut all = Vec::new();
    for jvm in recorded_jvms(folder) {
        let texts = trace_store::scrub(&jvm)?;
        if !texts.is_empty() {
            let failed = |file: &str| {
                let path = jvm.join(file);
                move |error| StoreError::Io {
                    action: "overwrite a secret in",
                    path,
                    error,
                }
            };
            blank_constants(&jvm, &texts).map_err(failed(files::CLASSES))?;
            blank_command(&jvm.join(files::META), &texts).map_err(failed(files::META))?;
            all.extend(texts);
        }
    }
    Ok(all)
}

/// Notes what the files of all JVMs of a run are known by, so that damage is seen later. A recording without that is
/// as good.
pub fn seal_run(folder: &Path) {
    for jvm in recorded_jvms(folder) {
        let _ = trace_store::seal(&jvm);
    }
}

fn recorded_jvms(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let jvms = entries.filter(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with(files::JVM_PREFIX)
    });
    let folders = jvms.map(|entry| entry.path());
    folders.filter(|jvm| jvm.join(files::SYMBOLS).is_file())
}

/// A command's words without those that turned out to be secrets.
pub fn blank_words(words: &mut [String], texts: &[String]) {
    for word in words.iter_mut().filter(|word| texts.contains(word)) {
        *word = MASK.to_owned();
    }
}

fn blank_command(meta: &Path, texts: &[String]) -> io::Result<()> {
    let Ok(mut parsed) = Meta::parse(&std::fs::read(meta)?) else {
        return Ok(());
    };
    let mut words: Vec<String> = parsed.java_command.split(' ').map(str::to_owned).collect();
    blank_words(&mut words, texts);
    parsed.java_command = words.join(" ");
    for text in texts.iter().filter(|text| text.trim().contains(' ')) {
        parsed.java_command = parsed.java_command.replace(text, MASK);
    }
    std::fs::write(meta, parsed.to_json())
}

fn blank_constants(jvm: &Path, texts: &[String]) -> io::Result<()> {
    let texts: HashSet<&str> = texts.iter().map(String::as_str).collect();
    let symbols = Symbols::of(&std::fs::read(jvm.join(files::SYMBOLS))?);
    let mut open = File::options();
    let file = open.read(true).write(true).open(jvm.join(files::CLASSES))?;
    for symbol in symbols.classes() {
        let mut bytes = vec![0; symbol.length as usize];
        file.read_exact_at(&mut bytes, symbol.offset)?;
        if let Some(blanked) = blanked(&bytes, &texts) {
            file.write_all_at(&blanked, symbol.offset)?;
        }
    }
    Ok(())
}

/// The class file with stars in place of the string constants that are secrets; `None` if it has none.
fn blanked(bytes: &[u8], texts: &HashSet<&str>) -> Option<Vec<u8>> {
    let mut class = ClassFile::parse(bytes).ok()?;
    let mut strings = HashSet::new();
    for (_, constant) in class.constants.iter() {
        if let Constant::String { utf8 } = constant
            && class
                .constants
                .utf8(utf8)
                .is_ok_and(|text| texts.contains(&*text))
        {
            strings.insert(utf8);
        }
    }
    for name in names(&class) {
        strings.remove(&name);
    }
    if strings.is_empty() {
        return None;
    }
    for utf8 in strings {
        class.constants.blank_utf8(utf8);
    }
    let blanked = class.write();
    (blanked.len() == bytes.len()).then_some(blanked)
}

/// Texts that something is called by: a secret that is one of them is none.
fn names(class: &ClassFile) -> Vec<u16> {
    let mut names = Vec::new();
    for (_, constant) in class.constants.iter() {
        match constant {
            Constant::Class { name } | Constant::Module { name } | Constant::Package { name } => {
                names.push(name);
            }
            Constant::NameAndType { name, descriptor } => names.extend([name, descriptor]),
            Constant::MethodType { descriptor } => names.push(descriptor),
            _ => {}
        }
    }
    names.extend(class.attributes.iter().map(|attribute| attribute.name));
    for field in &class.fields {
        names.extend([field.name, field.descriptor]);
        names.extend(field.attributes.iter().map(|attribute| attribute.name));
    }
    for method in &class.methods {
        names.extend([method.name, method.descriptor]);
        names.extend(method.attributes.iter().map(|attribute| attribute.name));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_constants_lose_their_text() {
        let bytes = include_bytes!("../../../java-runtime/classes/AskanceIdentity.class");
        assert_eq!(
            blanked(bytes, &HashSet::from(["IN_HEADER"])),
            None,
            "a name"
        );
        let bytes = include_bytes!("../../../java-runtime/classes/AskanceObjects.class");
        let blanked = blanked(bytes, &HashSet::from(["detailMessage"])).unwrap();
        assert_eq!(blanked.len(), bytes.len());
        let has = |word: &[u8]| blanked.windows(word.len()).any(|window| window == word);
        assert!(!has(b"detailMessage") && has(b"*************") && has(b"describeOne"));
    }
}
