//! The few functions of JVMTI and JNI that the agent needs.
//!
//! JVMTI's function table is declared by position: the numbers are those of its specification,
//! and they never change. Wrappers return `None` or `false` where the JVM reports an error: no
//! caller here could do better than to go without.

#![expect(unsafe_code, reason = "calls through the JVM's function tables")]

use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_void};
use std::ptr::{null, null_mut};

use jni_sys::{JNIEnv, jclass, jint, jmethodID, jobject, jvalue};

type Functions = *const [*const c_void; 156];

/// A JVMTI environment. The JVM keeps it alive until it ends.
#[repr(transparent)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jvmti(*mut Functions);

// SAFETY: JVMTI environments may be used from any thread.
unsafe impl Send for Jvmti {}
// SAFETY: as above.
unsafe impl Sync for Jvmti {}

/// Versions of the interface, the newest first: that of Java 11, and the one that Java 8 has.
pub(crate) const JVMTI_VERSIONS: [jint; 2] = [0x300B_0000, 0x3001_0200];

/// Capabilities, by their bit in `jvmtiCapabilities`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Capability {
    AllClassHooks = 26,
    RetransformClasses = 37,
}

/// Events, by number.
#[derive(Debug, Clone, Copy)]
#[repr(i32)]
pub(crate) enum EventKind {
    VmInit = 50,
    VmDeath = 51,
    ClassFileLoadHook = 54,
    ClassLoad = 55,
}

/// A field of objects.
#[derive(Debug, Clone)]
pub(crate) struct InstanceField {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    /// The JVM's own number of it.
    pub(crate) number: usize,
}

impl InstanceField {
    /// Where objects have it, if numbers of fields are what they are in HotSpot: the offset above two bits, of which
    /// the lower one says that the field is not static, and the other one is set in builds that check.
    pub(crate) fn offset(&self) -> Option<usize> {
        (self.number & 3 == 1).then_some(self.number >> 2)
    }
}

/// `jvmtiEventCallbacks`, as far as we use it: positions count from event 50.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Callbacks([*const c_void; 39]);

pub(crate) type VmInit = extern "system" fn(Jvmti, *mut JNIEnv, jobject);
pub(crate) type VmDeath = extern "system" fn(Jvmti, *mut JNIEnv);
pub(crate) type ClassFileLoadHook = extern "system" fn(
    Jvmti,
    *mut JNIEnv,
    jclass,
    jobject,
    *const c_char,
    jobject,
    jint,
    *const c_uchar,
    *mut jint,
    *mut *mut c_uchar,
);

/// Called with the thread and the class.
pub(crate) type ClassLoad = extern "system" fn(Jvmti, *mut JNIEnv, jobject, jclass);

impl Callbacks {
    pub(crate) fn new(init: VmInit, death: VmDeath, class: ClassFileLoadHook) -> Self {
        let mut callbacks = [null(); 39];
        callbacks[0] = init as *const c_void;
        callbacks[1] = death as *const c_void;
        callbacks[4] = class as *const c_void;
        Callbacks(callbacks)
    }

    /// For an agent that only looks at classes: before one is made, and when it is there.
    pub(crate) fn of_classes(class: ClassFileLoadHook, loaded: ClassLoad) -> Self {
        let mut callbacks = [null(); 39];
        callbacks[4] = class as *const c_void;
        callbacks[5] = loaded as *const c_void;
        Callbacks(callbacks)
    }
}

/// Calls the JVMTI function of that number and tells whether it succeeded.
macro_rules! jvmti {
    ($env:expr, $number:literal, ($($type:ty),*), ($($argument:expr),*)) => {{
        // SAFETY: the table has the layout of the specification, and the function of this number
        // has this signature.
        unsafe {
            let function: unsafe extern "system" fn(*mut Functions $(, $type)*) -> c_int =
                std::mem::transmute((**$env.0)[$number - 1]);
            function($env.0 $(, $argument)*) == 0
        }
    }};
}

impl Jvmti {
    /// From the pointer that `GetEnv` gives.
    pub(crate) fn from_raw(raw: *mut c_void) -> Option<Self> {
        (!raw.is_null()).then_some(Jvmti(raw.cast()))
    }

    pub(crate) fn add_capabilities(self, wanted: &[Capability]) -> bool {
        let mut bits = [0u8; 16];
        for capability in wanted {
            let bit = *capability as usize;
            bits[bit / 8] |= 1 << (bit % 8);
        }
        jvmti!(self, 142, (*const u8), (bits.as_ptr()))
    }

    pub(crate) fn set_callbacks(self, callbacks: &Callbacks) -> bool {
        let size = size_of::<Callbacks>() as jint;
        jvmti!(self, 122, (*const Callbacks, jint), (callbacks, size))
    }

    pub(crate) fn enable(self, event: EventKind) -> bool {
        // SAFETY: number 2 is SetEventNotificationMode, which is variadic; no further argument is read.
        unsafe {
            let function: unsafe extern "C" fn(
                *mut Functions,
                c_int,
                c_int,
                jobject,
                ...
            ) -> c_int = std::mem::transmute((**self.0)[1]);
            function(self.0, 1, event as c_int, null_mut()) == 0
        }
    }

    /// Memory that the JVM will free.
    pub(crate) fn allocate_copy(self, bytes: &[u8]) -> Option<*mut c_uchar> {
        let mut memory: *mut c_uchar = null_mut();
        if !jvmti!(
            self,
            46,
            (i64, *mut *mut c_uchar),
            (bytes.len() as i64, &mut memory)
        ) {
            return None;
        }
        // SAFETY: Allocate gave us that many bytes.
        unsafe { memory.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Some(memory)
    }

    fn deallocate<T>(self, memory: *mut T) {
        if !memory.is_null() {
            let _ = jvmti!(self, 47, (*mut c_uchar), (memory.cast()));
        }
    }

    /// A string that the JVM allocated for us.
    fn take_text(self, text: *mut c_char) -> Option<String> {
        if text.is_null() {
            return None;
        }
        // SAFETY: JVMTI returns zero-terminated strings.
        let copied = unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned();
        self.deallocate(text);
        Some(copied)
    }

    pub(crate) fn system_property(self, name: &CStr) -> Option<String> {
        let mut value: *mut c_char = null_mut();
        jvmti!(
            self,
            131,
            (*const c_char, *mut *mut c_char),
            (name.as_ptr(), &mut value)
        )
        .then(|| self.take_text(value))?
    }

    /// The internal name (`a/b/C`) of a class that is not an array.
    pub(crate) fn class_name(self, class: jclass) -> Option<String> {
        let mut signature: *mut c_char = null_mut();
        let generic: *mut *mut c_char = null_mut();
        let found = jvmti!(
            self,
            48,
            (jclass, *mut *mut c_char, *mut *mut c_char),
            (class, &mut signature, generic)
        );
        let signature = found.then(|| self.take_text(signature))??;
        Some(signature.strip_prefix('L')?.strip_suffix(';')?.to_owned())
    }

    /// The loader that defined a class; `None` for the boot loader.
    pub(crate) fn loader(self, class: jclass) -> Option<jobject> {
        let mut loader: jobject = null_mut();
        let found = jvmti!(self, 57, (jclass, *mut jobject), (class, &mut loader));
        (found && !loader.is_null()).then_some(loader)
    }

    /// The classes that have been loaded so far. Local references: they are gone when the JVM gets
    /// control back.
    pub(crate) fn loaded_classes(self) -> Vec<jclass> {
        let mut count: jint = 0;
        let mut classes: *mut jclass = null_mut();
        if !jvmti!(
            self,
            78,
            (*mut jint, *mut *mut jclass),
            (&mut count, &mut classes)
        ) {
            return Vec::new();
        }
        let count = usize::try_from(count).unwrap_or(0);
        // SAFETY: GetLoadedClasses returned an array of `count` classes.
        let found = (0..count).map(|index| unsafe { *classes.add(index) });
        let found = found.collect();
        self.deallocate(classes);
        found
    }

    /// The version of Java, such as 8 or 17; `None` if the JVM does not say it in a way that we know.
    pub(crate) fn java_version(self) -> Option<u32> {
        let text = self.system_property(c"java.vm.specification.version")?;
        text.strip_prefix("1.").unwrap_or(&text).parse().ok()
    }

    /// The instance fields that the class itself declares.
    pub(crate) fn instance_fields(self, class: jclass) -> Vec<InstanceField> {
        const STATIC: jint = 8;
        let mut count: jint = 0;
        let mut fields: *mut *mut c_void = null_mut();
        if !jvmti!(
            self,
            53,
            (jclass, *mut jint, *mut *mut *mut c_void),
            (class, &mut count, &mut fields)
        ) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for index in 0..usize::try_from(count).unwrap_or(0) {
            // SAFETY: GetClassFields returned an array of `count` field ids.
            let field = unsafe { *fields.add(index) };
            let mut modifiers: jint = 0;
            let has_modifiers = jvmti!(
                self,
                62,
                (jclass, *mut c_void, *mut jint),
                (class, field, &mut modifiers)
            );
            if !has_modifiers || modifiers & STATIC != 0 {
                continue;
            }
            let (mut name, mut signature): (*mut c_char, *mut c_char) = (null_mut(), null_mut());
            let generic: *mut *mut c_char = null_mut();
            let named = jvmti!(
                self,
                60,
                (
                    jclass,
                    *mut c_void,
                    *mut *mut c_char,
                    *mut *mut c_char,
                    *mut *mut c_char
                ),
                (class, field, &mut name, &mut signature, generic)
            );
            if named
                && let (Some(name), Some(descriptor)) =
                    (self.take_text(name), self.take_text(signature))
            {
                found.push(InstanceField {
                    name,
                    descriptor,
                    number: field as usize,
                });
            }
        }
        self.deallocate(fields);
        found
    }

    /// The class that declares a method.
    pub(crate) fn declaring_class(self, method: jmethodID) -> Option<jclass> {
        let mut class: jclass = null_mut();
        jvmti!(self, 65, (jmethodID, *mut jclass), (method, &mut class))
            .then_some(class)
            .filter(|class| !class.is_null())
    }

    pub(crate) fn thread_name(self, thread: jobject) -> Option<String> {
        #[repr(C)]
        struct ThreadInfo {
            name: *mut c_char,
            priority: jint,
            is_daemon: u8,
            group: jobject,
            loader: jobject,
        }
        let mut info = ThreadInfo {
            name: null_mut(),
            priority: 0,
            is_daemon: 0,
            group: null_mut(),
            loader: null_mut(),
        };
        jvmti!(self, 9, (jobject, *mut ThreadInfo), (thread, &mut info))
            .then(|| self.take_text(info.name))?
    }

    pub(crate) fn retransform(self, class: jclass) -> bool {
        jvmti!(self, 152, (jint, *const jclass), (1, &class))
    }
}

/// JNI, for the calling thread. A pending exception is cleared wherever one may have arisen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jni(*mut JNIEnv);

/// Calls a JNI function.
macro_rules! jni {
    ($env:expr, $version:ident . $function:ident $(, $argument:expr)*) => {
        // SAFETY: the environment belongs to this thread, which is in native code, and the arguments
        // are of the function's types and alive.
        unsafe { ((**$env.0).$version.$function)($env.0 $(, $argument)*) }
    };
}

impl Jni {
    pub(crate) fn new(env: *mut JNIEnv) -> Self {
        Jni(env)
    }

    /// `None` if the value is null or an exception was thrown, which is forgotten.
    fn checked(self, object: jobject) -> Option<jobject> {
        if jni!(self, v1_2.ExceptionCheck) {
            jni!(self, v1_1.ExceptionClear);
            return None;
        }
        (!object.is_null()).then_some(object)
    }

    /// Defines a class for the boot loader.
    pub(crate) fn define_class(self, name: &CStr, bytes: &[u8]) -> Option<jclass> {
        self.define_class_for(null_mut(), name.as_ptr(), bytes)
    }

    /// Defines a class, whose name is in its bytes, for a loader.
    pub(crate) fn define_unnamed(self, loader: jobject, bytes: &[u8]) -> Option<jclass> {
        self.define_class_for(loader, null(), bytes)
    }

    fn define_class_for(
        self,
        loader: jobject,
        name: *const c_char,
        bytes: &[u8],
    ) -> Option<jclass> {
        let length = jint::try_from(bytes.len()).ok()?;
        let class = jni!(
            self,
            v1_1.DefineClass,
            name,
            loader,
            bytes.as_ptr().cast(),
            length
        );
        self.checked(class)
    }

    pub(crate) fn find_class(self, name: &CStr) -> Option<jclass> {
        self.checked(jni!(self, v1_1.FindClass, name.as_ptr()))
    }

    /// The same, for a name that is no literal.
    pub(crate) fn find_class_named(self, name: &str) -> Option<jclass> {
        self.find_class(&CString::new(name).ok()?)
    }

    pub(crate) fn superclass(self, class: jclass) -> Option<jclass> {
        self.checked(jni!(self, v1_1.GetSuperclass, class))
    }

    pub(crate) fn global(self, object: jobject) -> Option<jobject> {
        self.checked(jni!(self, v1_1.NewGlobalRef, object))
    }

    pub(crate) fn same(self, a: jobject, b: jobject) -> bool {
        jni!(self, v1_1.IsSameObject, a, b)
    }

    /// The method that a call of an object of this class reaches.
    pub(crate) fn method(self, class: jclass, name: &CStr, signature: &CStr) -> Option<jmethodID> {
        let method = jni!(
            self,
            v1_1.GetMethodID,
            class,
            name.as_ptr(),
            signature.as_ptr()
        );
        self.checked(method.cast())?;
        Some(method)
    }

    pub(crate) fn call_static_int(
        self,
        class: jclass,
        name: &CStr,
        signature: &CStr,
        argument: i64,
    ) -> Option<jint> {
        let method = jni!(
            self,
            v1_1.GetStaticMethodID,
            class,
            name.as_ptr(),
            signature.as_ptr()
        );
        self.checked(method.cast())?;
        let arguments = [jvalue { j: argument }];
        let result = jni!(
            self,
            v1_1.CallStaticIntMethodA,
            class,
            method,
            arguments.as_ptr()
        );
        self.checked(class)?;
        Some(result)
    }

    pub(crate) fn call_static_object(
        self,
        class: jclass,
        name: &CStr,
        signature: &CStr,
        arguments: &[jobject],
    ) -> Option<jobject> {
        let method = jni!(
            self,
            v1_1.GetStaticMethodID,
            class,
            name.as_ptr(),
            signature.as_ptr()
        );
        self.checked(method.cast())?;
        let arguments: Vec<jvalue> = arguments.iter().map(|&l| jvalue { l }).collect();
        self.checked(jni!(
            self,
            v1_1.CallStaticObjectMethodA,
            class,
            method,
            arguments.as_ptr()
        ))
    }

    /// What a method of an object gives that takes nothing.
    pub(crate) fn call_object(
        self,
        object: jobject,
        name: &CStr,
        signature: &CStr,
    ) -> Option<jobject> {
        let class = self.checked(jni!(self, v1_1.GetObjectClass, object))?;
        let method = self.method(class, name, signature)?;
        self.checked(jni!(self, v1_1.CallObjectMethodA, object, method, null()))
    }

    /// The content of a string.
    pub(crate) fn text(self, string: jobject) -> Option<String> {
        let chars = jni!(self, v1_1.GetStringUTFChars, string, null_mut());
        if chars.is_null() {
            let _ = self.checked(string);
            return None;
        }
        // SAFETY: the JVM returns zero-terminated modified UTF-8.
        let bytes = unsafe { CStr::from_ptr(chars) }.to_bytes();
        let text = java_names::modified_utf8::decode(bytes).into_owned();
        jni!(self, v1_1.ReleaseStringUTFChars, string, chars);
        Some(text)
    }

    pub(crate) fn object_array(self, elements: &[jobject]) -> Option<jobject> {
        let class = self.find_class(c"java/lang/Object")?;
        let length = jint::try_from(elements.len()).ok()?;
        let array = self.checked(jni!(self, v1_1.NewObjectArray, length, class, null_mut()))?;
        for (index, element) in (0..length).zip(elements) {
            jni!(self, v1_1.SetObjectArrayElement, array, index, *element);
        }
        self.checked(array)
    }

    pub(crate) fn string(self, text: &str) -> Option<jobject> {
        let text = CString::new(text).ok()?;
        self.checked(jni!(self, v1_1.NewStringUTF, text.as_ptr()))
    }

    pub(crate) fn int_array(self, value: jint) -> Option<jobject> {
        let array = self.checked(jni!(self, v1_1.NewIntArray, 1))?;
        jni!(self, v1_1.SetIntArrayRegion, array, 0, 1, &value);
        Some(array)
    }
    /// The content of an array of bytes; `None` if there is no array.
    pub(crate) fn bytes(self, array: jobject) -> Option<Vec<u8>> {
        if array.is_null() {
            return None;
        }
        let length = jni!(self, v1_1.GetArrayLength, array);
        self.byte_region(array, 0, length)
    }

    /// A part of an array that is there.
    pub(crate) fn byte_region(self, array: jobject, at: jint, length: jint) -> Option<Vec<u8>> {
        let mut bytes = vec![0u8; usize::try_from(length).ok()?];
        jni!(
            self,
            v1_1.GetByteArrayRegion,
            array,
            at,
            length,
            bytes.as_mut_ptr().cast()
        );
        self.checked(array)?;
        Some(bytes)
    }

    pub(crate) fn byte_array(self, bytes: &[u8]) -> Option<jobject> {
        let length = jint::try_from(bytes.len()).ok()?;
        let array = self.checked(jni!(self, v1_1.NewByteArray, length))?;
        jni!(
            self,
            v1_1.SetByteArrayRegion,
            array,
            0,
            length,
            bytes.as_ptr().cast()
        );
        self.checked(array)
    }
}

/// The internal name of a class that is loaded.
pub(crate) fn name_of(name: *const c_char, bytes: &[u8]) -> Option<String> {
    if name.is_null() {
        let class = classfile::ClassFile::parse(bytes).ok()?;
        return Some(class.name().ok()?.into_owned());
    }
    // SAFETY: the JVM passes a zero-terminated string.
    let name = unsafe { CStr::from_ptr(name) };
    Some(name.to_string_lossy().into_owned())
}
