//! Signs that cannot be seen, made visible.
//!
//! A recorded text may hold what turns the direction of writing round, joins or hides signs, or moves the cursor.
//! Printed as it is, it could show another text than the one that is there.

use std::borrow::Cow;

/// The text with every sign that is not printed written as Java writes it, `\u202e`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for sign in text.chars() {
        if is_invisible(sign) {
            let mut units = [0; 2];
            for unit in sign.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(sign);
        }
    }
    Cow::Owned(out)
}

/// Control characters, and those that only say how others are to be shown (Unicode's categories Cc, Cf, Zl and Zp, and
/// fillers that take room without a sign).
fn is_invisible(sign: char) -> bool {
    sign.is_control()
        || matches!(
            sign,
            '\u{ad}'
                | '\u{600}'..='\u{605}'
                | '\u{61c}'
                | '\u{6dd}'
                | '\u{70f}'
                | '\u{890}'..='\u{891}'
                | '\u{8e2}'
                | '\u{115f}'..='\u{1160}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{110bd}'
                | '\u{110cd}'
                | '\u{13430}'..='\u{1343f}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_turns_text_round_or_moves_the_cursor_is_written_as_java_does() {
        assert_eq!(visible("a\u{202e}b\u{1b}[2J\n"), r"a\u202eb\u001b[2J\u000a");
        assert_eq!(visible("\u{e0041}x\u{200b}"), r"\udb40\udc41x\u200b");
        assert_eq!(visible("Zoë → ✓ 日本"), "Zoë → ✓ 日本");
    }
}
