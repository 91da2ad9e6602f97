//! Descriptors of methods and fields, as far as the sizes of values need them.

use java_names::descriptor::{JavaType, parse_field, parse_method};

use crate::Kind;
use crate::symbol::MethodSymbol;

/// The kinds of a method's parameters and of its result (`None`: void).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodKinds {
    pub parameters: Vec<Kind>,
    pub returned: Option<Kind>,
}

/// The kinds of `(I[JLjava/lang/String;)V`; `None` if it is not a method descriptor.
pub fn method_kinds(descriptor: &str) -> Option<MethodKinds> {
    let found = parse_method(descriptor).ok()?;
    Some(MethodKinds {
        parameters: found
            .parameters
            .iter()
            .filter_map(|parameter| kind_of(*parameter))
            .collect(),
        returned: kind_of(found.result),
    })
}

/// The kind of a field's descriptor.
pub fn field_kind(descriptor: &str) -> Option<Kind> {
    kind_of(parse_field(descriptor).ok()?)
}

/// The kinds of what an ENTER of this method carries: `this` where there is one, then the
/// arguments.
pub fn entry_kinds(method: &MethodSymbol) -> Option<MethodKinds> {
    let mut kinds = method_kinds(&method.descriptor)?;
    if method.enters_with_this() {
        kinds.parameters.insert(0, Kind::Reference);
    }
    Some(kinds)
}

/// `None`: void.
fn kind_of(found: JavaType<'_>) -> Option<Kind> {
    Kind::from_descriptor(*found.descriptor().as_bytes().first()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(descriptor: &str, expected: &str) {
        let written = method_kinds(descriptor).map(|kinds| {
            let parameters: String = kinds.parameters.iter().map(|kind| kind.letter()).collect();
            format!("{parameters}>{}", kinds.returned.map_or('V', Kind::letter))
        });
        assert_eq!(
            written.as_deref().unwrap_or("none"),
            expected,
            "{descriptor}"
        );
    }

    #[test]
    fn parses_descriptors() {
        check("()V", ">V");
        check("(IJ)D", "IJ>D");
        check("([[ILjava/lang/String;ZBCSF)[J", "LLZBCSF>L");
        check("(Ljava/lang/String;)Ljava/lang/Object;", "L>L");
    }

    #[test]
    fn refuses_what_is_no_descriptor() {
        for text in [
            "", "(", "()", "(I", "()VV", "(V)V", "(L)V", "(Lx)V", "()Lx", "I", "([)V",
        ] {
            check(text, "none");
        }
    }
}
