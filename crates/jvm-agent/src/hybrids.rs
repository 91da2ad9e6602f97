//! Classes with other bytes than the JVM finds: an experiment with the code of another version.
//!
//! A class is replaced if it has the listed name and the listed bytes, whoever loads it. Classes that
//! only the other version has are found by no loader, so they are defined for the loader of the class
//! that mentions them, as soon as that class is there: before, one that extends it could not be
//! defined, and later its code might run. The JVM does not check signatures of jars for either.

#![expect(
    unsafe_code,
    reason = "entry points that the JVM calls with raw pointers"
)]

use std::collections::HashMap;
use std::ffi::{c_char, c_uchar};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::ptr::null_mut;
use std::sync::{Mutex, OnceLock, PoisonError};

use jni_sys::{JNIEnv, jclass, jint, jobject};
use trace_format::hybrids::{HybridEntry, LIST, REPLACED};

use crate::natives::guarded;
use crate::vm::{Callbacks, Capability, EventKind, Jni, Jvmti, name_of};

struct Hybrid {
    original: Vec<u8>,
    bytes: Vec<u8>,
    added: Vec<Vec<u8>>,
}

struct Hybrids {
    classes: HashMap<String, Vec<Hybrid>>,
    /// Where the names of replaced classes go.
    replaced: Mutex<File>,
}

static HYBRIDS: OnceLock<Hybrids> = OnceLock::new();

/// Reads the list, and has the JVM tell of classes.
pub(crate) fn begin(jvmti: Jvmti, folder: &Path) -> Result<(), String> {
    let hybrids = read(folder).map_err(|error| {
        format!(
            "failed to read the hybrids in {}: {error}",
            folder.display()
        )
    })?;
    if HYBRIDS.set(hybrids).is_err() {
        return Ok(()); // named twice, on the command line and in the environment
    }
    let callbacks = Callbacks::of_classes(class_file_load_hook, class_load);
    let is_heard = jvmti.add_capabilities(&[Capability::AllClassHooks])
        && jvmti.set_callbacks(&callbacks)
        && jvmti.enable(EventKind::ClassFileLoadHook)
        && jvmti.enable(EventKind::ClassLoad);
    match is_heard {
        true => Ok(()),
        false => Err("this JVM does not let classes be replaced".to_owned()),
    }
}

fn read(folder: &Path) -> std::io::Result<Hybrids> {
    let list = std::fs::read_to_string(folder.join(LIST))?;
    let mut classes: HashMap<String, Vec<Hybrid>> = HashMap::new();
    for entry in HybridEntry::parse_all(&list) {
        let bytes = |file: &String| std::fs::read(folder.join(file));
        let hybrid = Hybrid {
            original: bytes(&entry.original)?,
            bytes: bytes(&entry.hybrid)?,
            added: entry.added.iter().map(bytes).collect::<Result<_, _>>()?,
        };
        classes.entry(entry.class).or_default().push(hybrid);
    }
    let replaced = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join(REPLACED))?;
    Ok(Hybrids {
        classes,
        replaced: Mutex::new(replaced),
    })
}

extern "system" fn class_file_load_hook(
    jvmti: Jvmti,
    _: *mut JNIEnv,
    redefined: jclass,
    _: jobject,
    name: *const c_char,
    _: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    guarded((), || {
        if !redefined.is_null() {
            return None;
        }
        // SAFETY: the JVM passes that many bytes, for the time of this call.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, usize::try_from(length).ok()?) };
        let hybrids = HYBRIDS.get()?;
        let name = name_of(name, bytes)?;
        let mut found = hybrids.classes.get(&name)?.iter();
        let hybrid = found.find(|hybrid| hybrid.original == bytes)?;
        let copy = jvmti.allocate_copy(&hybrid.bytes)?;
        // SAFETY: the JVM passes two places for the result.
        unsafe {
            *new_length = jint::try_from(hybrid.bytes.len()).ok()?;
            *new_bytes = copy;
        }
        let mut replaced = hybrids
            .replaced
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // If it cannot be noted, the experiment counts as one that did not happen.
        let _ = replaced.write_all(format!("{name}\n").as_bytes());
        Some(())
    });
}

extern "system" fn class_load(jvmti: Jvmti, env: *mut JNIEnv, _: jobject, class: jclass) {
    guarded((), || {
        let hybrids = HYBRIDS.get()?;
        let name = jvmti.class_name(class)?;
        let hybrids = hybrids.classes.get(&name)?;
        let loader = jvmti.loader(class).unwrap_or(null_mut());
        for bytes in hybrids.iter().flat_map(|hybrid| &hybrid.added) {
            // Another class may have brought it already.
            Jni::new(env).define_unnamed(loader, bytes);
        }
        Some(())
    });
}
