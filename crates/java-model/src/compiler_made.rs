//! Which methods nobody wrote: what a compiler made by itself has no source that could be wrong, so nobody is asked
//! about it.

use classfile::{ClassFile, Instruction, opcode};
use java_names::descriptor;
use java_names::names;

/// Whether a compiler made the method with this index; what cannot be read was written by somebody.
pub(super) fn is_compiler_made(class: &ClassFile, index: usize) -> bool {
    let Some(method) = class.methods.get(index) else {
        return false;
    };
    let Ok(name) = class.method_name(method) else {
        return false;
    };
    if names::lambda_host(&name).is_some() {
        return false;
    }
    if method.access.is_synthetic() || method.access.is_bridge() || class.access.is_synthetic() {
        return true;
    }
    let descriptor = class.method_descriptor(method).unwrap_or_default();
    match class.super_name().as_deref() {
        Some("java/lang/Enum") => {
            method.access.is_static()
                && ((name == "values" && descriptor.starts_with("()["))
                    || (name == "valueOf" && descriptor.starts_with("(Ljava/lang/String;)")))
        }
        Some("java/lang/Record") => {
            let code = class.code(method).ok().flatten();
            let instructions = code.and_then(|code| code.instructions().ok());
            let instructions = instructions.unwrap_or_default();
            match &*name {
                "<init>" => is_record_constructor(class, &descriptor, &instructions),
                _ => is_record_accessor(class, &name, &instructions),
            }
        }
        _ => false,
    }
}

/// Loads the field of its own name and returns it, or leaves the work to `ObjectMethods`.
fn is_record_accessor(class: &ClassFile, name: &str, code: &[Instruction]) -> bool {
    let accessor = |load: &Instruction, get: &Instruction, end: &Instruction| {
        load.opcode == opcode::ALOAD_0
            && get.opcode == opcode::GETFIELD
            && end.is_return()
            && class.named_by(get).is_some_and(|field| field.name == name)
    };
    let is_accessor = matches!(code, [load, get, end] if accessor(load, get, end));
    let is_left_to_library = matches!(name, "toString" | "hashCode" | "equals")
        && code.len() <= 5
        && code
            .iter()
            .any(|instruction| instruction.opcode == opcode::INVOKEDYNAMIC);
    is_accessor || is_left_to_library
}

/// Puts its parameters, each as it is, into the record's fields in their order, and does nothing else.
fn is_record_constructor(class: &ClassFile, descriptor: &str, code: &[Instruction]) -> bool {
    let [load_this, construct, assignments @ .., end] = code else {
        return false;
    };
    let frame = load_this.opcode == opcode::ALOAD_0
        && construct.opcode == opcode::INVOKESPECIAL
        && end.is_return();
    let Ok(types) = descriptor::parse_method(descriptor) else {
        return false;
    };
    let parameters = types.parameters;
    let fields = class
        .fields
        .iter()
        .filter(|field| !field.access.is_static());
    let fields: Vec<_> = fields.map(|field| class.field_name(field)).collect();
    let counts = [parameters.len() * 3, fields.len() * 3];
    if !frame || counts != [assignments.len(); 2] {
        return false;
    }
    let mut slot = 1;
    let steps = assignments.chunks_exact(3).zip(fields).zip(parameters);
    for ((step, field), parameter) in steps {
        let [this, load, put] = step else {
            return false;
        };
        let is_assignment = this.opcode == opcode::ALOAD_0
            && load.is_local_load()
            && load.local_index() == Some(slot)
            && put.opcode == opcode::PUTFIELD
            && class
                .named_by(put)
                .is_some_and(|put| field.is_ok_and(|field| put.name == field));
        if !is_assignment {
            return false;
        }
        slot += parameter.slots();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
class T {
    int add(int a, int b) { return a + b; }
    Runnable later() { return () -> add(1, 2); }
    enum Colour { RED }
    record Point(int x, long far, int y) { int sum() { return x + y; } }
    record Range(int from, int to) {
        Range { if (from > to) throw new IllegalArgumentException(); }
        Range(int only) { this(only, only); }
    }
    record Swapped(int x, int y) {
        Swapped(int x, int y) { this.x = y; this.y = x; }
    }
    record Nothing() { }
}";

    #[test]
    fn what_compilers_make() {
        let fixture = test_support::Fixture::new()
            .source("T.java", SOURCE)
            .release(Some(17));
        let classes = fixture.compile().unwrap();
        let made = |class: &str| {
            let bytes = std::fs::read(classes.dir().join(format!("{class}.class"))).unwrap();
            let class = ClassFile::parse(&bytes).unwrap();
            let methods = class.methods.iter().enumerate();
            let made = methods.filter(|(index, _)| is_compiler_made(&class, *index));
            let mut made: Vec<String> = made
                .map(|(_, method)| {
                    class.method_name(method).unwrap().to_string()
                        + &class.method_descriptor(method).unwrap()
                })
                .collect();
            made.sort();
            made.join(" ")
        };
        assert_eq!(made("T"), "");
        assert_eq!(
            made("T$Colour"),
            "$values()[LT$Colour; valueOf(Ljava/lang/String;)LT$Colour; values()[LT$Colour;"
        );
        let of_all = "equals(Ljava/lang/Object;)Z";
        let rest = "hashCode()I toString()Ljava/lang/String;";
        assert_eq!(
            made("T$Point"),
            format!("<init>(IJI)V {of_all} far()J {rest} x()I y()I")
        );
        assert_eq!(
            made("T$Range"),
            format!("{of_all} from()I hashCode()I to()I toString()Ljava/lang/String;")
        );
        assert_eq!(made("T$Swapped"), format!("{of_all} {rest} x()I y()I"));
        assert_eq!(made("T$Nothing"), format!("<init>()V {of_all} {rest}"));
    }
}
