//! What stands for a value or a text where there is no room for it.

use crate::view::{ValueKind, ValueView};

/// `Account#12`, without the package; a constant by its own name.
pub(super) fn name(value: &ValueView) -> String {
    if value.kind == ValueKind::Constant {
        return value.text.clone();
    }
    let class = value.class.as_deref().unwrap_or("object");
    let short = class.rsplit(['.', '/']).next().unwrap_or(class);
    match value.id {
        Some(id) => format!("{short}#{id}"),
        None => short.to_owned(),
    }
}

/// At most `bound` characters of a text, with a note about the rest. A closing quote is kept.
pub fn shortened(text: &str, bound: usize) -> String {
    let Some((cut, _)) = text.char_indices().nth(bound) else {
        return text.to_owned();
    };
    let quote = if text.len() > 1 && text.ends_with('"') {
        "\""
    } else {
        ""
    };
    let left_out = text[cut..].chars().count() - quote.len();
    let note = format!("…+{left_out}");
    if left_out <= note.chars().count() {
        return text.to_owned();
    }
    format!("{}{quote}{note}", &text[..cut])
}
