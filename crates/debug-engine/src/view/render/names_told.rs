//! Objects that come again in lines below each other: who has read `ExtendedBufferedReader#90` knows what `#90` is.

use std::collections::BTreeSet;

/// The names of objects that were read, as they were written.
#[derive(Default)]
pub(super) struct NamesTold(BTreeSet<String>);

impl NamesTold {
    /// A line in which objects that were named before are named by their numbers alone. What stands in texts of the
    /// program is left as it is.
    pub(super) fn shorten(&mut self, line: &str) -> String {
        let mut short = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' | '\'' => quoted(rest, first),
                _ if is_of_name(first) => self.name(rest, &mut short),
                _ => first.len_utf8(),
            };
            if !is_of_name(first) {
                short.push_str(&rest[..length]);
            }
            rest = &rest[length..];
        }
        short
    }

    /// Writes the word that a line begins with, without what is known of it; how long it is in the line.
    fn name(&mut self, line: &str, short: &mut String) -> usize {
        let word = prefix(line, is_of_name);
        let number = line[word..].strip_prefix('#');
        let digits = number.map_or(0, |number| prefix(number, |sign| sign.is_ascii_digit()));
        if digits == 0 {
            short.push_str(&line[..word]);
            return word;
        }
        let length = word + 1 + digits;
        let is_new = self.0.insert(line[..length].to_owned());
        short.push_str(&line[if is_new { 0 } else { word }..length]);
        match is_new {
            true => length,
            false => length + said_of_lambda(&line[..word], &line[length..]),
        }
    }
}

/// How long it is what stands behind the name of a lambda's object: what it runs, which is always the same.
fn said_of_lambda(name: &str, rest: &str) -> usize {
    let is_told = name == "lambda" && rest.starts_with('(');
    let end = rest.find(')').filter(|_| is_told);
    end.map_or(0, |end| end + 1)
}

fn is_of_name(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '$'
}

/// How many bytes of a text are such signs.
fn prefix(text: &str, is_such: impl Fn(char) -> bool) -> usize {
    text.find(|sign| !is_such(sign)).unwrap_or(text.len())
}

/// How long a text in quotes is, with both of them; all of it if it does not end.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (place, sign) in text.char_indices().skip(1) {
        if sign == quote && !is_escaped {
            return place + sign.len_utf8();
        }
        is_escaped = sign == '\\' && !is_escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_time_an_object_is_a_number() {
        let mut names = NamesTold::default();
        let first = names.shorten("Order#7{of=Customer#8}.total() → 3");
        assert_eq!(first, "Order#7{of=Customer#8}.total() → 3");
        let second = names.shorten("Order#7.add(Customer#8, Item#9); last: null → Item#9");
        assert_eq!(second, "#7.add(#8, Item#9); last: null → #9");
    }

    #[test]
    fn what_a_lambda_runs_is_told_once() {
        let mut names = NamesTold::default();
        let first =
            names.shorten("Bus#3.on(lambda#7(Door::toggle)); last: null → lambda#7(Door::toggle)");
        assert_eq!(first, "Bus#3.on(lambda#7(Door::toggle)); last: null → #7");
        assert_eq!(names.shorten("f(lambda#7(Door::toggle), 2)"), "f(#7, 2)");
        assert_eq!(names.shorten("g(lambda#7)"), "g(#7)");
    }

    #[test]
    fn texts_of_the_program_are_left_alone() {
        let mut names = NamesTold::default();
        let line = r#"f(Order#7, "Order#7 \"Order#7\"", '"', Order#71) → "Order#7"#;
        assert_eq!(names.shorten(line), line);
        assert_eq!(names.shorten("Order#7 'x"), "#7 'x");
    }
}
