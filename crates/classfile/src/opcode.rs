//! The instruction set: numbers, names, and the shape of the operands.

/// How the operands of an instruction are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// No operands.
    N,
    Byte,
    Short,
    Constant1,
    Constant2,
    /// A two-byte constant index and two more bytes (`invokeinterface`, `invokedynamic`).
    Constant4,
    Local,
    /// The local is part of the opcode (`iload_0`).
    ImplicitLocal(u8),
    Increment,
    Branch2,
    Branch4,
    TableSwitch,
    LookupSwitch,
    ArrayType,
    MultiArray,
    Wide,
}

/// The mnemonic of an opcode, `?` for a byte that is none.
pub fn name(opcode: u8) -> &'static str {
    TABLE.get(usize::from(opcode)).map_or("?", |entry| entry.0)
}

pub(crate) fn format(opcode: u8) -> Option<Format> {
    TABLE.get(usize::from(opcode)).map(|entry| entry.1)
}

macro_rules! opcodes {
    ($($number:literal $constant:ident $name:literal $format:expr;)*) => {
        $(pub const $constant: u8 = $number;)*

        const TABLE: [(&str, Format); 202] = {
            use Format::*;
            [$(($name, $format)),*]
        };
    };
}

opcodes! {
    0x00 NOP "nop" N;
    0x01 ACONST_NULL "aconst_null" N;
    0x02 ICONST_M1 "iconst_m1" N;
    0x03 ICONST_0 "iconst_0" N;
    0x04 ICONST_1 "iconst_1" N;
    0x05 ICONST_2 "iconst_2" N;
    0x06 ICONST_3 "iconst_3" N;
    0x07 ICONST_4 "iconst_4" N;
    0x08 ICONST_5 "iconst_5" N;
    0x09 LCONST_0 "lconst_0" N;
    0x0a LCONST_1 "lconst_1" N;
    0x0b FCONST_0 "fconst_0" N;
    0x0c FCONST_1 "fconst_1" N;
    0x0d FCONST_2 "fconst_2" N;
    0x0e DCONST_0 "dconst_0" N;
    0x0f DCONST_1 "dconst_1" N;
    0x10 BIPUSH "bipush" Byte;
    0x11 SIPUSH "sipush" Short;
    0x12 LDC "ldc" Constant1;
    0x13 LDC_W "ldc_w" Constant2;
    0x14 LDC2_W "ldc2_w" Constant2;
    0x15 ILOAD "iload" Local;
    0x16 LLOAD "lload" Local;
    0x17 FLOAD "fload" Local;
    0x18 DLOAD "dload" Local;
    0x19 ALOAD "aload" Local;
    0x1a ILOAD_0 "iload_0" ImplicitLocal(0);
    0x1b ILOAD_1 "iload_1" ImplicitLocal(1);
    0x1c ILOAD_2 "iload_2" ImplicitLocal(2);
    0x1d ILOAD_3 "iload_3" ImplicitLocal(3);
    0x1e LLOAD_0 "lload_0" ImplicitLocal(0);
    0x1f LLOAD_1 "lload_1" ImplicitLocal(1);
    0x20 LLOAD_2 "lload_2" ImplicitLocal(2);
    0x21 LLOAD_3 "lload_3" ImplicitLocal(3);
    0x22 FLOAD_0 "fload_0" ImplicitLocal(0);
    0x23 FLOAD_1 "fload_1" ImplicitLocal(1);
    0x24 FLOAD_2 "fload_2" ImplicitLocal(2);
    0x25 FLOAD_3 "fload_3" ImplicitLocal(3);
    0x26 DLOAD_0 "dload_0" ImplicitLocal(0);
    0x27 DLOAD_1 "dload_1" ImplicitLocal(1);
    0x28 DLOAD_2 "dload_2" ImplicitLocal(2);
    0x29 DLOAD_3 "dload_3" ImplicitLocal(3);
    0x2a ALOAD_0 "aload_0" ImplicitLocal(0);
    0x2b ALOAD_1 "aload_1" ImplicitLocal(1);
    0x2c ALOAD_2 "aload_2" ImplicitLocal(2);
    0x2d ALOAD_3 "aload_3" ImplicitLocal(3);
    0x2e IALOAD "iaload" N;
    0x2f LALOAD "laload" N;
    0x30 FALOAD "faload" N;
    0x31 DALOAD "daload" N;
    0x32 AALOAD "aaload" N;
    0x33 BALOAD "baload" N;
    0x34 CALOAD "caload" N;
    0x35 SALOAD "saload" N;
    0x36 ISTORE "istore" Local;
    0x37 LSTORE "lstore" Local;
    0x38 FSTORE "fstore" Local;
    0x39 DSTORE "dstore" Local;
    0x3a ASTORE "astore" Local;
    0x3b ISTORE_0 "istore_0" ImplicitLocal(0);
    0x3c ISTORE_1 "istore_1" ImplicitLocal(1);
    0x3d ISTORE_2 "istore_2" ImplicitLocal(2);
    0x3e ISTORE_3 "istore_3" ImplicitLocal(3);
    0x3f LSTORE_0 "lstore_0" ImplicitLocal(0);
    0x40 LSTORE_1 "lstore_1" ImplicitLocal(1);
    0x41 LSTORE_2 "lstore_2" ImplicitLocal(2);
    0x42 LSTORE_3 "lstore_3" ImplicitLocal(3);
    0x43 FSTORE_0 "fstore_0" ImplicitLocal(0);
    0x44 FSTORE_1 "fstore_1" ImplicitLocal(1);
    0x45 FSTORE_2 "fstore_2" ImplicitLocal(2);
    0x46 FSTORE_3 "fstore_3" ImplicitLocal(3);
    0x47 DSTORE_0 "dstore_0" ImplicitLocal(0);
    0x48 DSTORE_1 "dstore_1" ImplicitLocal(1);
    0x49 DSTORE_2 "dstore_2" ImplicitLocal(2);
    0x4a DSTORE_3 "dstore_3" ImplicitLocal(3);
    0x4b ASTORE_0 "astore_0" ImplicitLocal(0);
    0x4c ASTORE_1 "astore_1" ImplicitLocal(1);
    0x4d ASTORE_2 "astore_2" ImplicitLocal(2);
    0x4e ASTORE_3 "astore_3" ImplicitLocal(3);
    0x4f IASTORE "iastore" N;
    0x50 LASTORE "lastore" N;
    0x51 FASTORE "fastore" N;
    0x52 DASTORE "dastore" N;
    0x53 AASTORE "aastore" N;
    0x54 BASTORE "bastore" N;
    0x55 CASTORE "castore" N;
    0x56 SASTORE "sastore" N;
    0x57 POP "pop" N;
    0x58 POP2 "pop2" N;
    0x59 DUP "dup" N;
    0x5a DUP_X1 "dup_x1" N;
    0x5b DUP_X2 "dup_x2" N;
    0x5c DUP2 "dup2" N;
    0x5d DUP2_X1 "dup2_x1" N;
    0x5e DUP2_X2 "dup2_x2" N;
    0x5f SWAP "swap" N;
    0x60 IADD "iadd" N;
    0x61 LADD "ladd" N;
    0x62 FADD "fadd" N;
    0x63 DADD "dadd" N;
    0x64 ISUB "isub" N;
    0x65 LSUB "lsub" N;
    0x66 FSUB "fsub" N;
    0x67 DSUB "dsub" N;
    0x68 IMUL "imul" N;
    0x69 LMUL "lmul" N;
    0x6a FMUL "fmul" N;
    0x6b DMUL "dmul" N;
    0x6c IDIV "idiv" N;
    0x6d LDIV "ldiv" N;
    0x6e FDIV "fdiv" N;
    0x6f DDIV "ddiv" N;
    0x70 IREM "irem" N;
    0x71 LREM "lrem" N;
    0x72 FREM "frem" N;
    0x73 DREM "drem" N;
    0x74 INEG "ineg" N;
    0x75 LNEG "lneg" N;
    0x76 FNEG "fneg" N;
    0x77 DNEG "dneg" N;
    0x78 ISHL "ishl" N;
    0x79 LSHL "lshl" N;
    0x7a ISHR "ishr" N;
    0x7b LSHR "lshr" N;
    0x7c IUSHR "iushr" N;
    0x7d LUSHR "lushr" N;
    0x7e IAND "iand" N;
    0x7f LAND "land" N;
    0x80 IOR "ior" N;
    0x81 LOR "lor" N;
    0x82 IXOR "ixor" N;
    0x83 LXOR "lxor" N;
    0x84 IINC "iinc" Increment;
    0x85 I2L "i2l" N;
    0x86 I2F "i2f" N;
    0x87 I2D "i2d" N;
    0x88 L2I "l2i" N;
    0x89 L2F "l2f" N;
    0x8a L2D "l2d" N;
    0x8b F2I "f2i" N;
    0x8c F2L "f2l" N;
    0x8d F2D "f2d" N;
    0x8e D2I "d2i" N;
    0x8f D2L "d2l" N;
    0x90 D2F "d2f" N;
    0x91 I2B "i2b" N;
    0x92 I2C "i2c" N;
    0x93 I2S "i2s" N;
    0x94 LCMP "lcmp" N;
    0x95 FCMPL "fcmpl" N;
    0x96 FCMPG "fcmpg" N;
    0x97 DCMPL "dcmpl" N;
    0x98 DCMPG "dcmpg" N;
    0x99 IFEQ "ifeq" Branch2;
    0x9a IFNE "ifne" Branch2;
    0x9b IFLT "iflt" Branch2;
    0x9c IFGE "ifge" Branch2;
    0x9d IFGT "ifgt" Branch2;
    0x9e IFLE "ifle" Branch2;
    0x9f IF_ICMPEQ "if_icmpeq" Branch2;
    0xa0 IF_ICMPNE "if_icmpne" Branch2;
    0xa1 IF_ICMPLT "if_icmplt" Branch2;
    0xa2 IF_ICMPGE "if_icmpge" Branch2;
    0xa3 IF_ICMPGT "if_icmpgt" Branch2;
    0xa4 IF_ICMPLE "if_icmple" Branch2;
    0xa5 IF_ACMPEQ "if_acmpeq" Branch2;
    0xa6 IF_ACMPNE "if_acmpne" Branch2;
    0xa7 GOTO "goto" Branch2;
    0xa8 JSR "jsr" Branch2;
    0xa9 RET "ret" Local;
    0xaa TABLESWITCH "tableswitch" TableSwitch;
    0xab LOOKUPSWITCH "lookupswitch" LookupSwitch;
    0xac IRETURN "ireturn" N;
    0xad LRETURN "lreturn" N;
    0xae FRETURN "freturn" N;
    0xaf DRETURN "dreturn" N;
    0xb0 ARETURN "areturn" N;
    0xb1 RETURN "return" N;
    0xb2 GETSTATIC "getstatic" Constant2;
    0xb3 PUTSTATIC "putstatic" Constant2;
    0xb4 GETFIELD "getfield" Constant2;
    0xb5 PUTFIELD "putfield" Constant2;
    0xb6 INVOKEVIRTUAL "invokevirtual" Constant2;
    0xb7 INVOKESPECIAL "invokespecial" Constant2;
    0xb8 INVOKESTATIC "invokestatic" Constant2;
    0xb9 INVOKEINTERFACE "invokeinterface" Constant4;
    0xba INVOKEDYNAMIC "invokedynamic" Constant4;
    0xbb NEW "new" Constant2;
    0xbc NEWARRAY "newarray" ArrayType;
    0xbd ANEWARRAY "anewarray" Constant2;
    0xbe ARRAYLENGTH "arraylength" N;
    0xbf ATHROW "athrow" N;
    0xc0 CHECKCAST "checkcast" Constant2;
    0xc1 INSTANCEOF "instanceof" Constant2;
    0xc2 MONITORENTER "monitorenter" N;
    0xc3 MONITOREXIT "monitorexit" N;
    0xc4 WIDE "wide" Wide;
    0xc5 MULTIANEWARRAY "multianewarray" MultiArray;
    0xc6 IFNULL "ifnull" Branch2;
    0xc7 IFNONNULL "ifnonnull" Branch2;
    0xc8 GOTO_W "goto_w" Branch4;
    0xc9 JSR_W "jsr_w" Branch4;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_at_their_numbers() {
        assert_eq!(name(NOP), "nop");
        assert_eq!(name(DUP2_X2), "dup2_x2");
        assert_eq!(name(GETFIELD), "getfield");
        assert_eq!((GETFIELD, name(JSR_W)), (0xb4, "jsr_w"));
        assert_eq!(name(202), "?");
    }
}
