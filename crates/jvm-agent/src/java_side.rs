//! The Java side: the classes that instrumented code calls, compiled from `java-runtime/java/lang`.
//!
//! They are compiled against a recent JDK, and what they call of it had other names before. An older JVM gets them
//! with the names that it knows, and as class files of its own version.

use std::borrow::Cow;
use std::ffi::CStr;

use classfile::{ClassFile, ParseError};
use jni_sys::jclass;

use crate::vm::Jni;

/// The class that [`define`] gives back.
const RECORDER: &CStr = c"java/lang/AskanceRecorder";

/// What `java-runtime/classes` holds: `build.rs` lists it, by name. None of the classes extends another of
/// them, so they can be defined in any order.
const CLASSES: &[(&CStr, &[u8])] = include!(concat!(env!("OUT_DIR"), "/java_classes.rs"));

/// A part of the constants of the classes: what it is called from a version of Java on, and before.
struct Renamed {
    since: u32,
    now: &'static str,
    before: &'static str,
}

const RENAMED: &[Renamed] = &[
    renamed(12, "getReference", "getObject"),
    renamed(9, "jdk/internal/misc/Unsafe", "sun/misc/Unsafe"),
    renamed(9, "compareAndSetInt", "compareAndSwapInt"),
    renamed(9, "compareAndSetLong", "compareAndSwapLong"),
    renamed(
        9,
        "jdk/internal/vm/annotation/DontInline",
        "java/lang/invoke/DontInline",
    ),
];

const fn renamed(since: u32, now: &'static str, before: &'static str) -> Renamed {
    Renamed { since, now, before }
}

/// The version of class files of Java 8; those of each later Java have the next.
const CLASS_FILES_OF_8: u16 = 52;

/// Defines the classes for the boot loader of a JVM of this version of Java, and gives the recorder's.
pub(crate) fn define(jni: Jni, java: u32) -> Result<jclass, String> {
    let mut recorder = None;
    for (name, bytes) in CLASSES {
        let class = adapted(bytes, java)
            .ok()
            .and_then(|bytes| jni.define_class(name, &bytes))
            .ok_or_else(|| format!("this JVM refuses the class {}", name.to_string_lossy()))?;
        if *name == RECORDER {
            recorder = Some(class);
        }
    }
    recorder.ok_or_else(|| "there is no recorder class".to_owned())
}

/// A class as this version of Java takes it.
fn adapted(bytes: &[u8], java: u32) -> Result<Cow<'_, [u8]>, ParseError> {
    let renamed: Vec<&Renamed> = RENAMED.iter().filter(|each| java < each.since).collect();
    if renamed.is_empty() {
        return Ok(bytes.into());
    }
    let mut class = ClassFile::parse(bytes)?;
    let known = u16::try_from(java).unwrap_or(u16::MAX).saturating_sub(8);
    class.major = class.major.min(CLASS_FILES_OF_8.saturating_add(known));
    class.constants.replace_utf8(|text| {
        let text = std::str::from_utf8(text).ok()?;
        let mut changed = text.to_owned();
        for each in &renamed {
            changed = changed.replace(each.now, each.before);
        }
        (changed != text).then(|| changed.into_bytes())
    });
    Ok(class.write().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(bytes: &[u8]) -> Vec<String> {
        let class = ClassFile::parse(bytes).unwrap();
        let all = class.constants.iter();
        all.filter_map(|(index, _)| class.constants.member_ref(index).ok())
            .map(|member| format!("{}.{}", member.owner, member.name))
            .collect()
    }

    fn recorder() -> &'static [u8] {
        CLASSES
            .iter()
            .find(|(name, _)| *name == RECORDER)
            .unwrap()
            .1
    }

    #[test]
    fn an_old_jvm_gets_class_files_and_names_that_it_knows() {
        let old = adapted(recorder(), 8).unwrap();
        let class = ClassFile::parse(&old).unwrap();
        assert_eq!(class.major, 52);
        let names = names(&old);
        assert!(names.contains(&"sun/misc/Unsafe.compareAndSwapInt".to_owned()));
        assert!(!names.iter().any(|name| name.contains("jdk/internal")));
        // Nothing but names has changed.
        let mut back = class;
        back.major = 55;
        back.constants.replace_utf8(|text| {
            let mut text = String::from_utf8(text.to_vec()).ok()?;
            for each in RENAMED {
                text = text.replace(each.before, each.now);
            }
            Some(text.into_bytes())
        });
        assert_eq!(back.write(), recorder());
    }

    #[test]
    fn a_jvm_of_our_time_gets_them_as_they_are() {
        assert_eq!(adapted(recorder(), 17).unwrap(), recorder());
        let unsafe_11 = names(&adapted(recorder(), 11).unwrap());
        assert!(unsafe_11.contains(&"jdk/internal/misc/Unsafe.compareAndSetInt".to_owned()));
    }
}
