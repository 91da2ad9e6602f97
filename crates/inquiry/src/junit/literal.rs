//! Plain values as Java source.

use std::fmt::Write as _;

use trace_format::Value;

/// A value of a primitive type. `descriptor` is the type that the place has: a trace keeps truth values of
/// arrays as bytes.
pub(super) fn primitive(value: Value, descriptor: &str) -> String {
    match value {
        Value::Byte(bit) if descriptor == "Z" => (bit != 0).to_string(),
        Value::Int(bit) if descriptor == "Z" => (bit != 0).to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Byte(number) => format!("(byte) {number}"),
        Value::Short(number) => format!("(short) {number}"),
        Value::Char(unit) => format!("'{}'", char_unit(unit, '\'')),
        Value::Int(number) => number.to_string(),
        Value::Long(number) => format!("{number}L"),
        Value::Float(number) => float(number),
        Value::Double(number) => double(number),
        Value::Ref(_) => "null".to_owned(),
    }
}

fn float(number: f32) -> String {
    match number {
        _ if number.is_nan() => "Float.NaN".to_owned(),
        f32::INFINITY => "Float.POSITIVE_INFINITY".to_owned(),
        f32::NEG_INFINITY => "Float.NEGATIVE_INFINITY".to_owned(),
        _ => format!("{number:?}f"),
    }
}

fn double(number: f64) -> String {
    match number {
        _ if number.is_nan() => "Double.NaN".to_owned(),
        f64::INFINITY => "Double.POSITIVE_INFINITY".to_owned(),
        f64::NEG_INFINITY => "Double.NEGATIVE_INFINITY".to_owned(),
        _ => format!("{number:?}"),
    }
}

/// A boxed value, as an object.
pub(super) fn boxed(value: Value) -> String {
    let class = match value {
        Value::Boolean(_) => "Boolean",
        Value::Byte(_) => "Byte",
        Value::Char(_) => "Character",
        Value::Short(_) => "Short",
        Value::Int(_) => "Integer",
        Value::Float(_) => "Float",
        Value::Long(_) => "Long",
        Value::Double(_) => "Double",
        Value::Ref(_) => return "null".to_owned(),
    };
    format!("{class}.valueOf({})", primitive(value, ""))
}

/// A string in its quotes.
pub(super) fn string(text: &str) -> String {
    let units = text.encode_utf16();
    format!(
        "\"{}\"",
        units.map(|unit| char_unit(unit, '"')).collect::<String>()
    )
}

/// One UTF-16 unit inside quotes of this sort.
fn char_unit(unit: u16, quote: char) -> String {
    let sign = char::from_u32(unit.into());
    match sign {
        Some('\n') => "\\n".to_owned(),
        Some('\r') => "\\r".to_owned(),
        Some('\t') => "\\t".to_owned(),
        Some('\\') => "\\\\".to_owned(),
        Some(sign) if sign == quote => format!("\\{sign}"),
        Some(sign @ ' '..='~') => sign.to_string(),
        // Octal, because Java reads \u000a before it sees the quotes.
        _ if unit < 0o40 => format!("\\{unit:03o}"),
        _ => {
            let mut text = String::new();
            let _ = write!(text, "\\u{unit:04x}");
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_java_reads_them() {
        for (value, descriptor, source) in [
            (Value::Byte(1), "Z", "true"),
            (Value::Byte(-3), "B", "(byte) -3"),
            (Value::Char(b'\''.into()), "C", "'\\''"),
            (Value::Char(7), "C", "'\\007'"),
            (Value::Long(i64::MIN), "J", "-9223372036854775808L"),
            (Value::Int(i32::MIN), "I", "-2147483648"),
            (Value::Float(0.1), "F", "0.1f"),
            (Value::Double(1e300), "D", "1e300"),
            (Value::Double(-0.0), "D", "-0.0"),
            (Value::Double(f64::NAN), "D", "Double.NaN"),
        ] {
            assert_eq!(primitive(value, descriptor), source);
        }
        assert_eq!(boxed(Value::Char(65)), "Character.valueOf('A')");
        assert_eq!(
            string("a\"\\\n é 😀"),
            "\"a\\\"\\\\\\n \\u00e9 \\ud83d\\ude00\""
        );
    }
}
