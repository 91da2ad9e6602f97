//! Stack map frames: what the verifier is told about locals and stack at jump targets.

/// The type of one local or stack entry, as the verifier sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    /// Long and double stand for two slots.
    Long,
    Double,
    Null,
    UninitializedThis,
    /// Index of a class constant.
    Object(u16),
    /// Made by the `new` at this pc.
    Uninitialized(u16),
}

/// One frame; the types are in [`StackMap`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub pc: u32,
    locals: std::ops::Range<u32>,
    stack: std::ops::Range<u32>,
}

/// A method's frames in full, in the order of the code.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StackMap {
    pub(crate) frames: Vec<Frame>,
    pub(crate) types: Vec<VerificationType>,
}

impl VerificationType {
    /// How many locals it stands for.
    pub fn slots(self) -> u16 {
        match self {
            VerificationType::Long | VerificationType::Double => 2,
            _ => 1,
        }
    }
}
