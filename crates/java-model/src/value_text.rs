//! Names, numbers and texts as Java writes them.

use std::borrow::Cow;

use debug_engine::view::{Label, render};
use trace_format::Value;

use java_names::names;

/// What frameworks put behind the name of a class when they make one that stands for it, and what that is called.
const STAND_INS: &[(&str, &str)] = &[
    ("$MockitoMock$", "mock of"),
    ("$$SpringCGLIB$$", "proxy of"),
    ("$$EnhancerBy", "proxy of"),
    ("$HibernateProxy$", "proxy of"),
    ("_$$_jvst", "proxy of"),
    ("$ByteBuddy$", "proxy of"),
];

/// `mock of Rates` for a class that a framework made to stand for `shop.Checkout$Rates`.
fn stand_in(class: &str) -> Option<String> {
    let known = STAND_INS.iter();
    let mut named = known.filter_map(|(mark, word)| Some((class.split_once(mark)?.0, word)));
    let (stands_for, word) = named.next()?;
    let simple = stands_for.rsplit(['.', '/', '$']).next()?;
    Some(format!("{word} {simple}"))
}

/// The class as it is shown: arrays as in source, lambdas without their changing number, mocks and proxies by what
/// they stand for.
pub(crate) fn class_label(class: &str) -> String {
    // Each of the marks below has the sign, and few classes have.
    if class.contains('$') {
        if let Some((host, _)) = class.split_once("$$Lambda") {
            return format!("{host}.lambda");
        }
        if let Some(label) = stand_in(class) {
            return label;
        }
    }
    match class.strip_prefix('[') {
        Some(element) => format!("{}[]", element_label(element)),
        None => names::nested(class),
    }
}

fn element_label(descriptor: &str) -> String {
    match descriptor {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "F" => "float".to_owned(),
        "J" => "long".to_owned(),
        "D" => "double".to_owned(),
        nested if nested.starts_with('[') => class_label(nested),
        class => class
            .trim_start_matches('L')
            .trim_end_matches(';')
            .to_owned(),
    }
}

/// Compiler-made fields under the names that a person knows.
pub(crate) fn field_label(name: &str) -> Label {
    Label::Field(if name.starts_with("this$") {
        "outer".to_owned()
    } else {
        name.strip_prefix("val$").unwrap_or(name).to_owned()
    })
}

/// A primitive value as Java prints it; chars in quotes.
#[must_use]
pub fn primitive(value: Value) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Byte(value) => value.to_string(),
        Value::Short(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Long(value) => value.to_string(),
        Value::Float(value) => {
            floating(f64::from(value), &value.to_string(), &format!("{value:E}"))
        }
        Value::Double(value) => floating(value, &value.to_string(), &format!("{value:E}")),
        Value::Char(unit) => {
            let text = String::from_utf16_lossy(&[unit]);
            format!("'{}'", escaped(&text, '\''))
        }
        Value::Ref(object) => format!("#{}", object.0),
    }
}

/// Java prints `1.0`, `1.0E10`, `NaN`, `Infinity`.
fn floating(value: f64, plain: &str, scientific: &str) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let size = value.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        return if plain.contains('.') {
            plain.to_owned()
        } else {
            format!("{plain}.0")
        };
    }
    match scientific.split_once('E') {
        Some((digits, _)) if digits.contains('.') => scientific.to_owned(),
        Some((digits, exponent)) => format!("{digits}.0E{exponent}"),
        None => scientific.to_owned(),
    }
}

/// A string in quotes, with a note about what was not recorded.
#[must_use]
pub fn quoted(text: &str, missing: u64) -> String {
    let text = escaped(text, '"');
    if missing == 0 {
        format!("\"{text}\"")
    } else {
        format!("\"{text}\"…(+{missing} not recorded)")
    }
}

pub(crate) fn escaped(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            sign if sign == quote => {
                out.push('\\');
                out.push(sign);
            }
            sign => out.push(sign),
        }
    }
    match render::visible(&out) {
        Cow::Borrowed(_) => out,
        Cow::Owned(visible) => visible,
    }
}
