//! The native methods of the Java classes in `java-runtime/`. The JVM finds them by their
//! names among the symbols of this library.

#![expect(
    unsafe_code,
    reason = "exported to the JVM; the control block's address comes back from Java"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

use java_names::wildcard;
use jni_sys::{JNIEnv, jboolean, jclass, jint, jlong, jobject};
use trace_format::{Detail, JdkState, Kind, ObjectId, StandardStream, Stream};

use crate::children;
use crate::instrument::library;
use crate::recording::{self, Recording};
use crate::streams::ThreadStreams;
use crate::vm::Jni;

/// The address of the thread's control block: Java reads its buffers from there.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceRecorder_openThread(
    _: *mut JNIEnv,
    _: jclass,
    thread: jobject,
    thread_id: jlong,
) -> jlong {
    guarded(0, || {
        let recording = recording::current()?;
        let name = recording.jvmti.thread_name(thread).unwrap_or_default();
        let streams = match recording.open_thread(thread_id.cast_unsigned(), name) {
            Ok(streams) => streams,
            Err(error) => {
                recording.warn(&format!("a thread is not recorded: {error}"));
                recording.shared.stop_for_lack_of_disk();
                recording.shared.unrecorded_thread()?
            }
        };
        Some(Box::into_raw(streams) as jlong)
    })
}

/// See `AskanceRecorder.openNowhere`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceRecorder_openNowhere(_: *mut JNIEnv, _: jclass) -> jlong {
    guarded(0, || {
        let streams = recording::current()?.shared.unrecorded_thread()?;
        Some(Box::into_raw(streams) as jlong)
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceRecorder_flush(
    _: *mut JNIEnv,
    _: jclass,
    control: jlong,
    stream: jint,
    needed: jlong,
    events: jlong,
    values: jlong,
    objects: jlong,
) {
    guarded((), || {
        let stream = Stream::from_number(u8::try_from(stream).ok()?)?;
        // SAFETY: the address is from openThread, and only the thread that owns it calls this.
        let streams = unsafe { &mut *(control as *mut ThreadStreams) };
        let ends = [events, values, objects].map(jlong::cast_unsigned);
        recording::current()?
            .shared
            .flush(streams, stream, ends, needed.cast_unsigned());
        Some(())
    });
}

/// See `AskanceRecorder.pack`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceRecorder_pack(
    _: *mut JNIEnv,
    _: jclass,
    control: jlong,
    stream: jint,
    record: jlong,
    at: jlong,
    bytes: jint,
    width: jint,
) -> jint {
    guarded(0, || {
        let stream = Stream::from_number(u8::try_from(stream).ok()?)?;
        // SAFETY: the address is from openThread, and only the thread that owns it calls this.
        let streams = unsafe { &mut *(control as *mut ThreadStreams) };
        let (record, at) = (record.cast_unsigned(), at.cast_unsigned());
        let (bytes, width) = (usize::try_from(bytes).ok()?, usize::try_from(width).ok()?);
        let shared = &recording::current()?.shared;
        let packed = shared.pack(streams, stream, record, at, bytes, width)?;
        jint::try_from(packed).ok()
    })
}

/// The thread has ended; `events`, `values` and `objects` are how far it wrote.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceRecorder_closeThread(
    _: *mut JNIEnv,
    _: jclass,
    control: jlong,
    events: jlong,
    values: jlong,
    objects: jlong,
) {
    guarded((), || {
        // SAFETY: the address is from openThread; Java calls this once, for a thread that is no more.
        let streams = unsafe { Box::from_raw(control as *mut ThreadStreams) };
        let ends = [events, values, objects].map(jlong::cast_unsigned);
        recording::current()?.shared.close_thread(streams, ends);
        Some(())
    });
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceRecorder_takeIdBlock(_: *mut JNIEnv, _: jclass) -> jint {
    guarded(0, || {
        Some(recording::current()?.take_id_block().cast_signed())
    })
}

/// See `AskanceSpans`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceSpans_beginAddress(_: *mut JNIEnv, _: jclass) -> jlong {
    guarded(0, || {
        let numbers = &recording::current()?.numbers;
        Some(numbers.span_addresses().begin.cast_signed())
    })
}

/// See `AskanceSpans`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceSpans_bitsAddress(_: *mut JNIEnv, _: jclass) -> jlong {
    guarded(0, || {
        let numbers = &recording::current()?.numbers;
        Some(numbers.span_addresses().bits.cast_signed())
    })
}

#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceSecrets_describedBefore(
    _: *mut JNIEnv,
    _: jclass,
    object: jint,
) {
    guarded((), || {
        recording::current()?.described_before(ObjectId(object.cast_unsigned()));
        Some(())
    });
}

/// See `AskanceSecrets.keepOut`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceSecrets_keepOut(
    env: *mut JNIEnv,
    _: jclass,
    text: jobject,
    form: jint,
    is_made: jboolean,
) {
    const STRING: jint = 0;
    guarded((), || {
        let (jni, recording) = (Jni::new(env), recording::current()?);
        let text = match form {
            STRING => jni.text(text)?.into_bytes(),
            _ => jni.bytes(text)?,
        };
        recording.keep_out(&text, is_made);
        Some(())
    });
}

/// See `AskanceOutput.keep`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceOutput_keep(
    env: *mut JNIEnv,
    _: jclass,
    control: jlong,
    at: jlong,
    descriptor: jint,
    bytes: jobject,
    offset: jint,
    length: jint,
    single: jint,
) -> jint {
    guarded(0, || {
        let stream = StandardStream::from_descriptor(descriptor)?;
        let place = (control != 0).then(|| {
            // SAFETY: the address is from openThread, and only the thread that owns it calls this.
            let streams = unsafe { &*(control as *const ThreadStreams) };
            streams.place(at.cast_unsigned())
        });
        let mut kept = match bytes.is_null() {
            true => vec![single as u8],
            false => Jni::new(env).byte_region(bytes, offset, length)?,
        };
        let number = recording::current()?.printed(stream, place, &mut kept);
        Some(number as u32 as jint)
    })
}

/// See `AskanceStacks`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceStacks_raised(
    _: *mut JNIEnv,
    _: jclass,
    size: jlong,
) -> jlong {
    guarded(size, || {
        let surroundings = &recording::current()?.surroundings;
        let raised = surroundings.stack(u64::try_from(size).ok()?);
        jlong::try_from(raised).ok()
    })
}

/// See `AskanceChildren`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceChildren_argumentsWithRecorder(
    env: *mut JNIEnv,
    _: jclass,
    program: jobject,
    arguments: jobject,
    environment: jobject,
) -> jobject {
    guarded(null_mut(), || {
        let jni = Jni::new(env);
        let recorder = recording::current()?.surroundings.recorder.as_ref()?;
        let (program, arguments) = (jni.bytes(program)?, jni.bytes(arguments)?);
        let environment = jni.bytes(environment);
        let changed = children::arguments(recorder, &program, &arguments, environment.as_deref())?;
        jni.byte_array(&changed)
    })
}

/// See `AskanceChildren`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceChildren_environmentWithRecorder(
    env: *mut JNIEnv,
    _: jclass,
    program: jobject,
    environment: jobject,
) -> jobject {
    guarded(null_mut(), || {
        let jni = Jni::new(env);
        let recorder = recording::current()?.surroundings.recorder.as_ref()?;
        let (program, environment) = (jni.bytes(program)?, jni.bytes(environment));
        let changed = children::environment(recorder, &program, environment.as_deref())?;
        jni.byte_array(&changed)
    })
}

/// See `AskanceTypes.saysText`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceTypes_saysText(
    _: *mut JNIEnv,
    _: jclass,
    class: jclass,
) -> jboolean {
    guarded(false, || {
        let recording = recording::current()?;
        let patterns = &recording.options.texts;
        if patterns.is_empty() {
            return None;
        }
        let name = with_dots(&recording.jvmti.class_name(class)?);
        let matches = |pattern: &String| wildcard::matches(&with_dots(pattern), &name);
        Some(patterns.iter().any(matches))
    })
}

/// A class's name as people write it, nested classes included.
fn with_dots(name: &str) -> String {
    name.replace(['/', '$'], ".")
}

/// See `AskanceHashes.ofIdentity`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceHashes_ofIdentity(
    env: *mut JNIEnv,
    _: jclass,
    class: jclass,
) -> jint {
    guarded(0, || {
        let (jni, jvmti) = (Jni::new(env), recording::current()?.jvmti);
        let declared_by = |name, signature| {
            let method = jni.method(class, name, signature)?;
            jvmti.class_name(jvmti.declaring_class(method)?)
        };
        let hash = declared_by(c"hashCode", c"()I")?;
        let text = declared_by(c"toString", c"()Ljava/lang/String;")?;
        // Constants of an enum cannot have another one.
        let is_hash = matches!(hash.as_str(), "java/lang/Object" | "java/lang/Enum");
        Some(jint::from(is_hash) | jint::from(text == "java/lang/Object") << 1)
    })
}

/// See `AskanceHashes.tell`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceHashes_tell(
    env: *mut JNIEnv,
    _: jclass,
    sentence: jobject,
) {
    guarded((), || {
        let sentence = Jni::new(env).text(sentence)?;
        recording::current()?.warn(&sentence);
        Some(())
    });
}

/// See `AskanceFields.byNumber`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceFields_byNumber(
    env: *mut JNIEnv,
    _: jclass,
    class: jclass,
    name: jobject,
) -> jlong {
    guarded(-1, || {
        let name = Jni::new(env).text(name)?;
        let mut fields = recording::current()?
            .jvmti
            .instance_fields(class)
            .into_iter();
        let offset = fields.find(|field| field.name == name)?.offset()?;
        jlong::try_from(offset).ok()
    })
}

/// See `AskanceTypes.fieldsToNote`.
#[unsafe(no_mangle)]
extern "system" fn Java_java_lang_AskanceTypes_fieldsToNote(
    env: *mut JNIEnv,
    _: jclass,
    class: jclass,
) -> jobject {
    guarded(null_mut(), || {
        fields_to_note(Jni::new(env), recording::current()?, class)
    })
}

fn fields_to_note(jni: Jni, recording: &Recording, class: jclass) -> Option<jobject> {
    let mut elements = Vec::new();
    let mut by_library = false;
    let mut next = Some(class);
    while let Some(class) = next {
        next = jni.superclass(class);
        let Some(name) = recording.jvmti.class_name(class) else {
            continue;
        };
        let followed = library::followed(&name).filter(|followed| {
            // Without its later writes, what a changing object held at first would mislead.
            let writes_are_noted = recording.options.detail == Detail::Full;
            let following = &recording.following;
            recording.options.jdk_state == JdkState::On
                && (!followed.changes
                    || writes_are_noted && following.follow(recording.jvmti, jni, class, followed))
        });
        if followed.is_some() {
            by_library = true;
        } else if !recording.filter.wants(&name) {
            continue;
        }
        for declared in recording.jvmti.instance_fields(class) {
            let (field, descriptor) = (declared.name, declared.descriptor);
            if followed.is_some_and(|followed| !followed.notes(&field)) {
                continue;
            }
            let kind = Kind::from_descriptor(*descriptor.as_bytes().first()?)?;
            let number = recording
                .symbols()
                .field(false, &name, &field, &descriptor)
                .ok()??;
            let word = number.0 << 8 | u32::from(kind.code());
            elements.push(class);
            elements.push(jni.string(&field)?);
            elements.push(jni.int_array(word.cast_signed())?);
        }
    }
    if elements.is_empty() {
        return None;
    }
    elements.push(jni.int_array(i32::from(by_library))?);
    jni.object_array(&elements)
}

/// Runs `action`; if it has nothing to say, or panics, the JVM gets `otherwise`.
pub(crate) fn guarded<T>(otherwise: T, action: impl FnOnce() -> Option<T>) -> T {
    catch_unwind(AssertUnwindSafe(action))
        .ok()
        .flatten()
        .unwrap_or(otherwise)
}
