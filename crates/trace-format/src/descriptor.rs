//! Descriptors of methods and fields, as far as the sizes of values need them.

use crate::Kind;
use crate::symbol::MethodSymbol;

/// The kinds of a method's parameters and of its result (`None`: void).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodKinds {
    pub parameters: Vec<Kind>,
    pub returned: Option<Kind>,
}

/// Parses `(I[JLjava/lang/String;)V`; `None` if it is not a method descriptor.
pub fn method_kinds(descriptor: &str) -> Option<MethodKinds> {
    let mut rest = descriptor.as_bytes().strip_prefix(b"(")?;
    let mut parameters = Vec::new();
    loop {
        if let Some(returned) = rest.strip_prefix(b")") {
            let returned = if returned == b"V" {
                None
            } else {
                Some(whole(returned)?)
            };
            return Some(MethodKinds {
                parameters,
                returned,
            });
        }
        let (kind, length) = first_type(rest)?;
        parameters.push(kind);
        rest = &rest[length..];
    }
}

/// The kind of a field's descriptor.
pub fn field_kind(descriptor: &str) -> Option<Kind> {
    whole(descriptor.as_bytes())
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

fn whole(descriptor: &[u8]) -> Option<Kind> {
    let (kind, length) = first_type(descriptor)?;
    (length == descriptor.len()).then_some(kind)
}

/// The type at the front and the length of its descriptor.
fn first_type(descriptor: &[u8]) -> Option<(Kind, usize)> {
    let dimensions = descriptor.iter().take_while(|&&byte| byte == b'[').count();
    let element = *descriptor.get(dimensions)?;
    let kind = Kind::from_descriptor(element)?;
    let length = match element {
        b'L' => {
            dimensions
                + descriptor[dimensions..]
                    .iter()
                    .position(|&byte| byte == b';')?
                + 1
        }
        _ => dimensions + 1,
    };
    let kind = if dimensions > 0 {
        Kind::Reference
    } else {
        kind
    };
    Some((kind, length))
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
