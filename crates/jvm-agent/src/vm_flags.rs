//! Settings of the JVM that the recorder needs, made from inside.
//!
//! A command line could hold them too, but not every JVM knows every one of them, and a JVM that is told to pass over
//! those that it does not know passes over the user's mistakes as well. HotSpot describes its own structures to
//! debuggers, in tables that its library exports: among them where its flags are. They are set while the agent is
//! loaded, before the JVM compiles, hashes or locks anything. A JVM without the tables, or without the flag, goes on
//! as it is.

#![expect(
    unsafe_code,
    reason = "reads the tables that the JVM exports, and sets its flags"
)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

use jni_sys::JavaVM;

/// A flag, the value that it has unless the user names another, and ours in its place.
struct Replaced {
    flag: &'static CStr,
    usual: isize,
    ours: isize,
}

const REPLACED: [Replaced; 5] = [
    // Identity hashes are small numbers in sequence, which can be told from ours (`AskanceIdentity`).
    Replaced {
        flag: c"hashCode",
        usual: 5,
        ours: 3,
    },
    // Up to this size a method is compiled into its callers. With their probes methods are several times larger, and
    // half of what recording costs is compiling; what is still inlined are the small ones, where it pays.
    Replaced {
        flag: c"FreqInlineSize",
        usual: 325,
        ours: 160,
    },
    // A method that is called often is compiled quickly, then with counters of its calls and branches, then well. With
    // its probes the last costs several times as much, and with counters each probe has some of its own. So a method
    // stays long at what is compiled quickly: 2¹⁸ calls or 2²⁰ rounds of its loops. Counters come at once where fewer
    // methods wait for the last compiler than this, so none are to wait at all.
    Replaced {
        flag: c"Tier3DelayOn",
        usual: 5,
        ours: -1,
    },
    Replaced {
        flag: c"Tier2InvokeNotifyFreqLog",
        usual: 11,
        ours: 18,
    },
    Replaced {
        flag: c"Tier2BackedgeNotifyFreqLog",
        usual: 14,
        ours: 20,
    },
];

/// What the recorder has to know of the JVM's settings.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Known {
    /// The size in bytes of a stack that nobody has given a size; 0 if it is not known.
    pub(crate) usual_stack: u64,
}

/// Makes the settings, as far as this JVM has them.
pub(crate) fn prepare(vm: *mut JavaVM) -> Known {
    let flags = Tables::of(vm).and_then(|tables| tables.flags());
    let Some(flags) = flags else {
        return Known::default();
    };
    // Instrumentation pushes some methods over the size up to which HotSpot compiles. A biased header has no room for
    // the hash; since Java 15 there is no bias anyway.
    for switched_off in [c"DontCompileHugeMethods", c"UseBiasedLocking"] {
        if let Some(variable) = flags.variable::<bool>(switched_off) {
            // SAFETY: no other thread of the JVM reads its flags while agents are loaded.
            unsafe { *variable = false };
        }
    }
    for replaced in &REPLACED {
        if let Some(variable) = flags.variable::<isize>(replaced.flag) {
            // SAFETY: as above.
            unsafe {
                if *variable == replaced.usual {
                    *variable = replaced.ours;
                }
            }
        }
    }
    let kilobytes = match flags.variable::<isize>(c"ThreadStackSize") {
        // SAFETY: as above.
        Some(variable) => unsafe { *variable }.unsigned_abs() as u64,
        None => 0,
    };
    Known {
        usual_stack: kilobytes * 1024,
    }
}

#[repr(C)]
struct SymbolPlace {
    file: *const c_char,
    base: *mut c_void,
    name: *const c_char,
    address: *mut c_void,
}

unsafe extern "C" {
    fn dladdr(address: *const c_void, place: *mut SymbolPlace) -> c_int;
    fn dlopen(file: *const c_char, mode: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const RTLD_LAZY: c_int = 1;
const RTLD_NOLOAD: c_int = if cfg!(target_os = "macos") { 0x10 } else { 4 };

/// The file of the library that some code is in. Libraries that are asked about here are never unloaded.
pub(crate) fn library_of(code: *const c_void) -> Option<&'static CStr> {
    let mut place = SymbolPlace {
        file: null_mut(),
        base: null_mut(),
        name: null_mut(),
        address: null_mut(),
    };
    // SAFETY: any address may be asked about; `place` is filled in if the answer is not 0, and stays as it is
    // otherwise.
    unsafe {
        dladdr(code, &mut place);
        (!place.file.is_null()).then(|| CStr::from_ptr(place.file))
    }
}

/// What HotSpot calls a flag; up to Java 9 by the second name.
const FLAG: [&CStr; 2] = [c"JVMFlag", c"Flag"];

/// The library of the JVM, which exports `gHotSpotVMStructs` and `gHotSpotVMTypes`.
struct Tables {
    library: *mut c_void,
}

impl Tables {
    /// The JVM may have been loaded in a way that hides its symbols from others, so they are asked of the library that
    /// its function table points into.
    fn of(vm: *mut JavaVM) -> Option<Tables> {
        // SAFETY: the JVM gives us a valid table.
        let file = library_of(unsafe { (**vm).v1_2.GetEnv } as *const c_void)?;
        // SAFETY: the name is zero-terminated, and the library is in use already.
        let library = unsafe { dlopen(file.as_ptr(), RTLD_LAZY | RTLD_NOLOAD) };
        (!library.is_null()).then_some(Tables { library })
    }

    /// The value of an exported variable of eight bytes.
    fn word(&self, name: &CStr) -> Option<usize> {
        // SAFETY: the library is open, and what it exports by these names are variables of this size.
        let address = unsafe { dlsym(self.library, name.as_ptr()) };
        // SAFETY: as above.
        (!address.is_null()).then(|| unsafe { *address.cast::<usize>() })
    }

    fn flags(&self) -> Option<Flags> {
        let fields = Fields {
            first: self.word(c"gHotSpotVMStructs")?,
            stride: self.word(c"gHotSpotVMStructEntryArrayStride")?,
            type_name: self.word(c"gHotSpotVMStructEntryTypeNameOffset")?,
            field_name: self.word(c"gHotSpotVMStructEntryFieldNameOffset")?,
            offset: self.word(c"gHotSpotVMStructEntryOffsetOffset")?,
            address: self.word(c"gHotSpotVMStructEntryAddressOffset")?,
        };
        let of_flag = |name| FLAG.iter().find_map(|flag| fields.find(flag, name));
        let at_address = |name| {
            // SAFETY: a static field has its address in the table.
            of_flag(name).map(|(_, address)| unsafe { *(address as *const usize) })
        };
        Some(Flags {
            first: at_address(c"flags")?,
            count: at_address(c"numFlags")?,
            stride: self.size_of_a_flag()?,
            name: of_flag(c"_name")?.0,
            address: of_flag(c"_addr")?.0,
        })
    }

    fn size_of_a_flag(&self) -> Option<usize> {
        let mut entry = self.word(c"gHotSpotVMTypes")?;
        let stride = self.word(c"gHotSpotVMTypeEntryArrayStride")?;
        let name = self.word(c"gHotSpotVMTypeEntryTypeNameOffset")?;
        let size = self.word(c"gHotSpotVMTypeEntrySizeOffset")?;
        while let Some(found) = text_at(entry + name) {
            if FLAG.contains(&found) {
                // SAFETY: every entry has its size at this place.
                return Some(unsafe { *((entry + size) as *const u64) } as usize);
            }
            entry += stride;
        }
        None
    }
}

/// The table of fields, with the places of what an entry tells. The last entry has no names.
struct Fields {
    first: usize,
    stride: usize,
    type_name: usize,
    field_name: usize,
    offset: usize,
    address: usize,
}

impl Fields {
    /// Offset and address of a field; one of the two is meant.
    fn find(&self, type_name: &CStr, field_name: &CStr) -> Option<(usize, usize)> {
        let mut entry = self.first;
        while let Some(found) = text_at(entry + self.type_name) {
            if found == type_name && text_at(entry + self.field_name) == Some(field_name) {
                // SAFETY: every entry has both at these places.
                return Some(unsafe {
                    let offset = *((entry + self.offset) as *const u64) as usize;
                    (offset, *((entry + self.address) as *const usize))
                });
            }
            entry += self.stride;
        }
        None
    }
}

/// The text that a pointer at this place leads to, if it leads anywhere.
fn text_at(place: usize) -> Option<&'static CStr> {
    // SAFETY: the tables hold pointers to zero-terminated texts of the library, which is never unloaded.
    unsafe {
        let text = *(place as *const *const c_char);
        (!text.is_null()).then(|| CStr::from_ptr(text))
    }
}

/// The JVM's flags, and the places of name and address in each.
struct Flags {
    first: usize,
    count: usize,
    stride: usize,
    name: usize,
    address: usize,
}

impl Flags {
    /// Where the value of a flag is, which has this type in every JVM that has the flag.
    fn variable<T>(&self, name: &CStr) -> Option<*mut T> {
        let mut flags = (0..self.count).map(|index| self.first + index * self.stride);
        let flag = flags.find(|flag| text_at(flag + self.name) == Some(name))?;
        // SAFETY: every flag has the address of its variable at this place.
        Some(unsafe { *((flag + self.address) as *const *mut T) })
    }
}
