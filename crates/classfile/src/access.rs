//! Access flags of classes, fields and methods.
//!
//! Some bits mean different things in different places (0x20 is `synchronized` on a method and
//! an invokespecial relic on a class), so this is the raw number with named questions.

/// The `access_flags` of a class, a field or a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AccessFlags(pub u16);

impl AccessFlags {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const SYNCHRONIZED: u16 = 0x0020;
    pub const VOLATILE: u16 = 0x0040;
    pub const BRIDGE: u16 = 0x0040;
    pub const VARARGS: u16 = 0x0080;
    pub const TRANSIENT: u16 = 0x0080;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const STRICT: u16 = 0x0800;
    pub const SYNTHETIC: u16 = 0x1000;
    pub const ANNOTATION: u16 = 0x2000;
    pub const ENUM: u16 = 0x4000;
    pub const MODULE: u16 = 0x8000;

    /// Whether all of the given bits are set.
    pub fn contains(self, bits: u16) -> bool {
        self.0 & bits == bits
    }

    pub fn is_static(self) -> bool {
        self.contains(Self::STATIC)
    }

    pub fn is_native(self) -> bool {
        self.contains(Self::NATIVE)
    }

    pub fn is_abstract(self) -> bool {
        self.contains(Self::ABSTRACT)
    }

    pub fn is_synthetic(self) -> bool {
        self.contains(Self::SYNTHETIC)
    }

    /// Only meaningful on a method.
    pub fn is_bridge(self) -> bool {
        self.contains(Self::BRIDGE)
    }

    /// Only meaningful on a method.
    pub fn is_synchronized(self) -> bool {
        self.contains(Self::SYNCHRONIZED)
    }

    /// Only meaningful on a class.
    pub fn is_interface(self) -> bool {
        self.contains(Self::INTERFACE)
    }

    /// Only meaningful on a class.
    pub fn is_module(self) -> bool {
        self.contains(Self::MODULE)
    }
}
