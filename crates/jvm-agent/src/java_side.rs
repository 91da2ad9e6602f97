//! The Java side: the classes that instrumented code calls, compiled from `java-runtime/java/lang`.

use std::ffi::CStr;

use jni_sys::jclass;

use crate::vm::Jni;

/// The class that [`define`] gives back.
const RECORDER: &CStr = c"java/lang/AskanceRecorder";

/// What `java-runtime/classes` holds: `build.rs` lists it, by name. None of the classes extends another of
/// them, so they can be defined in any order.
const CLASSES: &[(&CStr, &[u8])] = include!(concat!(env!("OUT_DIR"), "/java_classes.rs"));

/// Defines the classes for the boot loader, and gives the recorder's.
pub(crate) fn define(jni: Jni) -> Result<jclass, String> {
    let mut recorder = None;
    for (name, bytes) in CLASSES {
        let class = jni
            .define_class(name, bytes)
            .ok_or_else(|| format!("this JVM refuses the class {}", name.to_string_lossy()))?;
        if *name == RECORDER {
            recorder = Some(class);
        }
    }
    recorder.ok_or_else(|| "there is no recorder class".to_owned())
}
