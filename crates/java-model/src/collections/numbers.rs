//! Big numbers and the like, as Java prints them.

use super::super::heap::Heap;
use super::LibraryContent;
use super::look::{Look, Parts};
use super::text::words;

pub(super) fn printed<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    class: &str,
) -> Option<LibraryContent> {
    let text = match class {
        "java.math.BigInteger" => big_integer(look, parts)?,
        "java.math.BigDecimal" => {
            let unscaled = match parts.get("intVal")?.object() {
                Some(unscaled) => big_integer(look, &look.parts(unscaled))?,
                None => parts.int("intCompact")?.to_string(),
            };
            decimal(&unscaled, parts.int("scale")?)
        }
        "java.util.UUID" => {
            let (high, low) = (parts.int("mostSigBits")?, parts.int("leastSigBits")?);
            let digits = format!("{high:016x}{low:016x}");
            let groups = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)];
            groups.map(|(from, to)| &digits[from..to]).join("-")
        }
        _ => return None,
    };
    Some(LibraryContent::Printed(text))
}

fn big_integer<H: Heap + ?Sized>(look: &Look<'_, H>, parts: &Parts) -> Option<String> {
    /// Longer numbers are not turned into decimals: that takes time, and nobody reads them.
    const MOST_WORDS: usize = 1000;
    let magnitude = words(look, parts.object("mag")?)?;
    let digits = (magnitude.len() <= MOST_WORDS).then(|| decimal_digits(magnitude))?;
    Some(match parts.int("signum")? {
        ..0 => format!("-{digits}"),
        _ => digits,
    })
}

/// A number, given in words of 32 bits from the highest on, in decimal.
fn decimal_digits(mut words: Vec<u32>) -> String {
    const GROUP: u64 = 1_000_000_000;
    let mut groups = Vec::new();
    while words.iter().any(|word| *word != 0) {
        let mut rest = 0;
        for word in &mut words {
            let value = rest << 32 | u64::from(*word);
            *word = (value / GROUP) as u32;
            rest = value % GROUP;
        }
        groups.push(rest);
    }
    let Some(first) = groups.pop() else {
        return "0".to_owned();
    };
    let rest = groups.iter().rev().map(|group| format!("{group:09}"));
    std::iter::once(first.to_string()).chain(rest).collect()
}

/// As `BigDecimal.toString` has it.
fn decimal(unscaled: &str, scale: i64) -> String {
    let (sign, digits) = match unscaled.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", unscaled),
    };
    let count = digits.len() as i64;
    let exponent = count - 1 - scale;
    if scale == 0 {
        return unscaled.to_owned();
    }
    if scale > 0 && exponent >= -6 {
        let whole = usize::try_from(count - scale).unwrap_or(0);
        let zeros = usize::try_from(scale - count).unwrap_or(0);
        let fraction = &digits[whole..];
        let whole = if whole == 0 { "0" } else { &digits[..whole] };
        return format!("{sign}{whole}.{}{fraction}", "0".repeat(zeros));
    }
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let exponent = match exponent {
        0 => String::new(),
        exponent => format!("E{exponent:+}"),
    };
    format!("{sign}{first}{point}{rest}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_as_java_prints_them() {
        assert_eq!(decimal_digits(vec![]), "0");
        assert_eq!(decimal_digits(vec![7]), "7");
        assert_eq!(decimal_digits(vec![1, 0]), "4294967296");
        assert_eq!(decimal_digits(vec![0xffff_ffff; 2]), "18446744073709551615");
        for (unscaled, scale, text) in [
            ("123", 0, "123"),
            ("123", 1, "12.3"),
            ("-123", 3, "-0.123"),
            ("123", 5, "0.00123"),
            ("123", 10, "1.23E-8"),
            ("-123", -3, "-1.23E+5"),
            ("0", 2, "0.00"),
            ("1", -2, "1E+2"),
        ] {
            assert_eq!(decimal(unscaled, scale), text);
        }
    }
}
