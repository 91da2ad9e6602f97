//! Field and method descriptors.

/// A text that is no descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a descriptor is malformed")]
pub struct BadDescriptor;

/// A type as a descriptor spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JavaType<'d> {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Float,
    Long,
    Double,
    /// A class or array, with its whole descriptor: `Ljava/lang/String;`, `[I`.
    Reference(&'d str),
    /// Only as a result.
    Void,
}

/// The parameters and the result of a method, without the receiver.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MethodType<'d> {
    pub parameters: Vec<JavaType<'d>>,
    pub result: JavaType<'d>,
}

impl<'d> JavaType<'d> {
    /// How many locals or stack slots a value takes.
    pub fn slots(self) -> u16 {
        match self {
            JavaType::Void => 0,
            JavaType::Long | JavaType::Double => 2,
            _ => 1,
        }
    }

    pub fn is_reference(self) -> bool {
        matches!(self, JavaType::Reference(_))
    }

    pub fn is_array(self) -> bool {
        matches!(self, JavaType::Reference(text) if text.starts_with('['))
    }

    /// The name that a class constant for it holds: `java/lang/String`, `[I`. `None` for
    /// primitive types.
    pub fn class_name(self) -> Option<&'d str> {
        let JavaType::Reference(text) = self else {
            return None;
        };
        let inside = text.strip_prefix('L').and_then(|t| t.strip_suffix(';'));
        Some(inside.unwrap_or(text))
    }

    pub fn descriptor(self) -> &'d str {
        match self {
            JavaType::Boolean => "Z",
            JavaType::Byte => "B",
            JavaType::Char => "C",
            JavaType::Short => "S",
            JavaType::Int => "I",
            JavaType::Float => "F",
            JavaType::Long => "J",
            JavaType::Double => "D",
            JavaType::Reference(text) => text,
            JavaType::Void => "V",
        }
    }
}

impl MethodType<'_> {
    /// Locals taken by the parameters, the receiver not counted.
    pub fn parameter_slots(&self) -> u32 {
        self.parameters.iter().map(|p| u32::from(p.slots())).sum()
    }
}

/// The type of a field.
pub fn parse_field(descriptor: &str) -> Result<JavaType<'_>, BadDescriptor> {
    match next_type(descriptor)? {
        (JavaType::Void, _) => Err(BadDescriptor),
        (found, "") => Ok(found),
        _ => Err(BadDescriptor),
    }
}

/// The parameters and the result of a method.
pub fn parse_method(descriptor: &str) -> Result<MethodType<'_>, BadDescriptor> {
    let mut rest = descriptor.strip_prefix('(').ok_or(BadDescriptor)?;
    let mut parameters = Vec::new();
    loop {
        if let Some(result) = rest.strip_prefix(')') {
            return match next_type(result)? {
                (result, "") => Ok(MethodType { parameters, result }),
                _ => Err(BadDescriptor),
            };
        }
        match next_type(rest)? {
            (JavaType::Void, _) => return Err(BadDescriptor),
            (parameter, after) => {
                parameters.push(parameter);
                rest = after;
            }
        }
    }
}

fn next_type(text: &str) -> Result<(JavaType<'_>, &str), BadDescriptor> {
    let simple = match text.as_bytes().first() {
        Some(b'Z') => JavaType::Boolean,
        Some(b'B') => JavaType::Byte,
        Some(b'C') => JavaType::Char,
        Some(b'S') => JavaType::Short,
        Some(b'I') => JavaType::Int,
        Some(b'F') => JavaType::Float,
        Some(b'J') => JavaType::Long,
        Some(b'D') => JavaType::Double,
        Some(b'V') => JavaType::Void,
        Some(b'L') => {
            let end = text.find(';').filter(|&end| end > 1);
            let end = end.ok_or(BadDescriptor)? + 1;
            return Ok((JavaType::Reference(&text[..end]), &text[end..]));
        }
        Some(b'[') => {
            let element = text.trim_start_matches('[');
            let dimensions = text.len() - element.len();
            // An element never starts with `[` here, so this recurses once.
            let (kind, rest) = next_type(element)?;
            if kind == JavaType::Void || dimensions > 255 {
                return Err(BadDescriptor);
            }
            let end = text.len() - rest.len();
            return Ok((JavaType::Reference(&text[..end]), rest));
        }
        _ => return Err(BadDescriptor),
    };
    Ok((simple, &text[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_method_of_everything() {
        let found = parse_method("(ZBCSIFJD[[ILa/B;[La/B;)V").unwrap();
        let text: Vec<_> = found.parameters.iter().map(|p| p.descriptor()).collect();
        assert_eq!(text.join(" "), "Z B C S I F J D [[I La/B; [La/B;");
        assert_eq!(found.result, JavaType::Void);
        assert_eq!(found.parameter_slots(), 13);
        assert_eq!(found.parameters[9].class_name(), Some("a/B"));
        assert_eq!(found.parameters[10].class_name(), Some("[La/B;"));
        assert!(found.parameters[10].is_array());
    }

    #[test]
    fn malformed_descriptors_are_refused() {
        for bad in [
            "", "()", "(V)V", "()II", "(L;)V", "(La", "([)V", "([V)V", "I",
        ] {
            assert_eq!(parse_method(bad), Err(BadDescriptor), "{bad}");
        }
        for bad in ["", "V", "II", "L;", "[", "La/B"] {
            assert_eq!(parse_field(bad), Err(BadDescriptor), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "[(\\[LIVJ;)aé]{0,12}") {
            let _ = (parse_field(&text), parse_method(&text));
        }
    }
}
