//! Where the JVM calls the agent: when it is loaded, when the VM is ready, when a class is
//! loaded, when the VM ends.

#![expect(
    unsafe_code,
    reason = "entry points that the JVM calls with raw pointers"
)]

use std::ffi::{CStr, OsStr, c_char, c_uchar, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use jni_sys::{JNIEnv, JavaVM, jclass, jint, jobject};
use trace_format::RecordOptions;
use trace_format::hybrids::hybrids_folder;

use crate::children;
use crate::hybrids;
use crate::instrument::{self, InstrumentError, RecordedDetail, library, output, processes, tasks};
use crate::java_side;
use crate::natives::guarded;
use crate::own_code::Origin;
use crate::recording::{self, Recording, Surroundings};
use crate::vm::{Callbacks, Capability, EventKind, JVMTI_VERSIONS, Jni, Jvmti, name_of};
use crate::vm_flags;

/// An object that stays alive for as long as the JVM.
struct GlobalReference(jobject);

// SAFETY: a global reference may be used by any thread.
unsafe impl Send for GlobalReference {}
// SAFETY: as above.
unsafe impl Sync for GlobalReference {}

/// The loader of the JDK's own classes outside java.base.
static PLATFORM_LOADER: OnceLock<GlobalReference> = OnceLock::new();
/// The class that tells where classes come from.
static LOCATIONS: OnceLock<GlobalReference> = OnceLock::new();

/// The JVM goes on without us if this does anything else than return 0; it always does.
#[unsafe(no_mangle)]
extern "system" fn Agent_OnLoad(vm: *mut JavaVM, options: *const c_char, _: *mut c_void) -> jint {
    // A panic in here is reported by us, if at all: standard error belongs to the program.
    std::panic::set_hook(Box::new(|_| {}));
    let failure = guarded(Some("it failed while it was loaded".to_owned()), || {
        Some(load(vm, options).err())
    });
    if let Some(reason) = failure {
        say(&format!("nothing is recorded: {reason}"));
    }
    0
}

#[expect(
    clippy::print_stderr,
    reason = "the only way to tell the user that there will be no trace"
)]
fn say(sentence: &str) {
    eprintln!("askance: {sentence}");
}

fn load(vm: *mut JavaVM, options: *const c_char) -> Result<(), String> {
    let options = if options.is_null() {
        String::new()
    } else {
        // SAFETY: the JVM passes a zero-terminated string.
        unsafe { CStr::from_ptr(options) }
            .to_string_lossy()
            .into_owned()
    };
    if recording::current().is_some() {
        return Ok(()); // named twice, on the command line and in the environment: once is enough
    }
    if let Some(folder) = hybrids_folder(&options) {
        return hybrids::begin(jvmti_of(vm)?, &folder);
    }
    let recorder = children::recorder(OsStr::new(&options));
    let (out, options) = RecordOptions::parse(&options).map_err(|error| error.to_string())?;
    let jvmti = jvmti_of(vm)?;
    if let Some(reason) = unsupported(&jvmti.system_property(c"java.vm.name").unwrap_or_default()) {
        return Err(reason);
    }
    if !jvmti.add_capabilities(&[Capability::AllClassHooks, Capability::RetransformClasses]) {
        return Err("this JVM does not let classes be rewritten".to_owned());
    }
    let callbacks = Callbacks::new(vm_init, vm_death, class_file_load_hook);
    let surroundings = Surroundings::new(recorder, vm_flags::prepare(vm));
    Recording::begin(jvmti, &out, options, surroundings)
        .map_err(|error| format!("failed to make a trace in {}: {error}", out.display()))?;
    if jvmti.set_callbacks(&callbacks)
        && jvmti.enable(EventKind::VmInit)
        && jvmti.enable(EventKind::VmDeath)
    {
        Ok(())
    } else {
        Err("this JVM does not send the events that are needed".to_owned())
    }
}

/// The oldest version of Java whose JVMs can be recorded.
const OLDEST: u32 = 8;

fn jvmti_of(vm: *mut JavaVM) -> Result<Jvmti, String> {
    for version in JVMTI_VERSIONS {
        let mut raw: *mut c_void = null_mut();
        // SAFETY: the JVM gives us a valid table.
        let status = unsafe { ((**vm).v1_2.GetEnv)(vm, &mut raw, version) };
        if let Some(jvmti) = Jvmti::from_raw(raw).filter(|_| status == 0)
            && jvmti.java_version().is_none_or(|java| java >= OLDEST)
        {
            return Ok(jvmti);
        }
    }
    Err(format!(
        "this JVM is older than Java {OLDEST}, the oldest that can be recorded; run the program with a newer one"
    ))
}

/// Why a JVM of this name cannot be recorded. What the recorder knows of headers and flags is HotSpot's; J9 is known to
/// be another JVM, and any that is not known is tried.
fn unsupported(name: &str) -> Option<String> {
    name.contains("J9").then(|| {
        format!(
            "this JVM is {name}, and only HotSpot can be recorded; run the program with a build of OpenJDK whose \
             `java -version` says Server VM"
        )
    })
}

extern "system" fn vm_init(jvmti: Jvmti, env: *mut JNIEnv, _: jobject) {
    let failure = guarded(Some("it failed when the JVM started".to_owned()), || {
        Some(start(jvmti, Jni::new(env)).err())
    });
    if let Some(reason) = failure {
        say(&format!("nothing is recorded: {reason}"));
    }
}

fn start(jvmti: Jvmti, jni: Jni) -> Result<(), String> {
    let recording = recording::current().ok_or("there is no trace")?;
    let recorder = java_side::define(jni, jvmti.java_version().unwrap_or(LATEST))?;
    let clock = recording.shared.clock.as_ptr() as i64;
    let in_header = jni
        .call_static_int(recorder, c"start", c"(J)I", clock)
        .ok_or("the recorder's Java class does not run on this JVM")?;
    if let Some(loader) = platform_loader(jni)
        && let Some(global) = jni.global(loader)
    {
        // Set once: there is one JVM in a process.
        let _ = PLATFORM_LOADER.set(GlobalReference(global));
    }
    if let Some(class) = jni.find_class(c"java/lang/AskanceLocations")
        && let Some(global) = jni.global(class)
    {
        let _ = LOCATIONS.set(GlobalReference(global));
    }
    recording
        .start(in_header == 1)
        .map_err(|error| format!("failed to write the trace: {error}"))?;
    if !jvmti.enable(EventKind::ClassFileLoadHook) {
        return Err("this JVM does not announce its classes".to_owned());
    }
    // Most such classes of the JDK are seen when they are loaded; these were before.
    for class in jvmti.loaded_classes() {
        let name = jvmti.class_name(class).unwrap_or_default();
        if tasks::hands_over(&name) || processes::starts_processes(&name) || output::prints(&name) {
            jvmti.retransform(class);
        }
    }
    Ok(())
}

/// What a JVM is taken for that does not say its version: one of our time.
const LATEST: u32 = u32::MAX;

/// The loader of the JDK's classes that are not the boot loader's.
fn platform_loader(jni: Jni) -> Option<jobject> {
    const LOADER: &CStr = c"()Ljava/lang/ClassLoader;";
    let class = jni.find_class(c"java/lang/ClassLoader")?;
    if let Some(loader) = jni.call_static_object(class, c"getPlatformClassLoader", LOADER, &[]) {
        return Some(loader);
    }
    // Up to Java 8, the loader of extensions, which is the parent of that of the class path.
    let launcher = jni.find_class(c"sun/misc/Launcher")?;
    let own = c"()Lsun/misc/Launcher;";
    let launcher = jni.call_static_object(launcher, c"getLauncher", own, &[])?;
    let loader = jni.call_object(launcher, c"getClassLoader", LOADER)?;
    jni.call_object(loader, c"getParent", LOADER)
}

extern "system" fn vm_death(_: Jvmti, _: *mut JNIEnv) {
    guarded((), || {
        recording::current()?.end();
        Some(())
    });
}

extern "system" fn class_file_load_hook(
    jvmti: Jvmti,
    env: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    guarded((), || {
        let recording = recording::current().filter(|recording| recording.is_ready())?;
        if recording.shared.is_stopped() {
            return None;
        }
        // SAFETY: the JVM passes that many bytes, for the time of this call.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, usize::try_from(length).ok()?) };
        let name = name_of(name, bytes)?;
        let rewritten = if !redefined.is_null() && recording.following.wants(&name) {
            rewrite_library_class(recording, &name, bytes)?
        } else if is_library_loader(Jni::new(env), loader) {
            rewrite_jdk_class(recording, &name, bytes)?
        } else if !recording.filter.wants(&name) || !is_own(recording, Jni::new(env), &name, domain)
        {
            return None;
        } else {
            rewrite_class(recording, &name, bytes)?
        };
        let copy = jvmti.allocate_copy(&rewritten)?;
        // SAFETY: the JVM passes two places for the result.
        unsafe {
            *new_length = jint::try_from(rewritten.len()).ok()?;
            *new_bytes = copy;
        }
        Some(())
    });
}

fn is_library_loader(jni: Jni, loader: jobject) -> bool {
    loader.is_null()
        || PLATFORM_LOADER
            .get()
            .is_some_and(|platform| jni.same(platform.0, loader))
}

/// Whether a class is the user's own, or it does not matter. The first class of a library is told of in the trace.
fn is_own(recording: &Recording, jni: Jni, name: &str, domain: jobject) -> bool {
    let Some(own_code) = recording.own_code() else {
        return true;
    };
    let location = location(jni, domain);
    match own_code.origin(name, location.as_deref()) {
        Origin::Own => true,
        Origin::Generated => false,
        Origin::Library { is_first } => {
            if is_first
                && let Some(location) = location
                && let Err(error) = recording.symbols().library(&location)
            {
                recording.warn(&format!("failed to note the library {location}: {error}"));
            }
            false
        }
    }
}

/// Where a class comes from, by its protection domain.
fn location(jni: Jni, domain: jobject) -> Option<String> {
    const DESCRIPTOR: &CStr = c"(Ljava/security/ProtectionDomain;)Ljava/lang/String;";
    if domain.is_null() {
        return None;
    }
    let locations = LOCATIONS.get()?;
    jni.text(jni.call_static_object(locations.0, c"of", DESCRIPTOR, &[domain])?)
}

fn rewrite_class(recording: &Recording, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let wanted = RecordedDetail {
        detail: recording.options.detail,
        secrets: &recording.secrets,
        texts: !recording.options.texts.is_empty(),
    };
    match instrument::instrument_class(bytes, "", wanted, &mut recording.symbols()) {
        Ok(rewritten) => rewritten,
        Err(error) => {
            recording.warn(&format!("class {name} is not recorded: {error}"));
            if matches!(error, InstrumentError::Io(_)) {
                recording.shared.stop_for_lack_of_disk();
            }
            None
        }
    }
}

/// A class of the JDK that does for the program what the recorder has to know of.
fn rewrite_jdk_class(recording: &Recording, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let (rewritten, consequence) = if tasks::hands_over(name) {
        let consequence = "what it hands over to other threads is not known to be";
        (tasks::instrument_tasks(bytes), consequence)
    } else if processes::starts_processes(name) {
        let consequence = "the JVMs that the program starts are not recorded";
        (processes::instrument_processes(bytes), consequence)
    } else if output::prints(name) {
        let consequence = "what the program prints is not recorded";
        (output::instrument_output(bytes), consequence)
    } else {
        return None;
    };
    match rewritten {
        Ok(rewritten) => rewritten,
        Err(error) => {
            recording.warn(&format!(
                "{name} is left as it is, so {consequence}: {error}"
            ));
            None
        }
    }
}

fn rewrite_library_class(recording: &Recording, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    match library::instrument_library_class(bytes, &mut recording.symbols()) {
        Ok(rewritten) => {
            recording.following.rewritten(name);
            Some(rewritten)
        }
        Err(error) => {
            recording.warn(&format!(
                "the content of objects that {name} writes to is not followed: {error}"
            ));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j9_is_told_from_hotspot_by_its_name() {
        for name in ["Eclipse OpenJ9 VM", "IBM J9 VM"] {
            assert!(unsupported(name).is_some_and(|reason| reason.contains(name)));
        }
        for name in [
            "OpenJDK 64-Bit Server VM",
            "Java HotSpot(TM) 64-Bit Server VM",
            "",
        ] {
            assert_eq!(unsupported(name), None);
        }
    }
}
