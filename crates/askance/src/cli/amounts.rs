//! Amounts on the command line: sizes and times.

/// Reads `500M`, `2G`, `64k`, `1000`.
///
/// # Errors
/// A sentence fragment that says what a size looks like.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    const SHAPE: &str = "a size is a number with an optional k, M, G or T, e.g. 500M";
    let trimmed = text
        .trim()
        .trim_end_matches(['b', 'B'])
        .trim_end_matches('i');
    let (digits, factor) = match trimmed.char_indices().last() {
        Some((at, 'k' | 'K')) => (&trimmed[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&trimmed[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&trimmed[..at], 1 << 30),
        Some((at, 't' | 'T')) => (&trimmed[..at], 1 << 40),
        _ => (trimmed, 1u64),
    };
    let number: u64 = digits.trim().parse().map_err(|_| SHAPE.to_owned())?;
    match number.checked_mul(factor) {
        Some(0) | None => Err(SHAPE.to_owned()),
        Some(size) => Ok(size),
    }
}

/// Reads a number of seconds, `10` or `0.5`.
///
/// # Errors
/// A sentence fragment that says what is expected.
pub(crate) fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err("a time limit is a number of seconds above 0, e.g. 10".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, size) in [
            ("1000", 1000),
            ("64k", 65536),
            ("2G", 2 << 30),
            ("500MiB", 500 << 20),
            ("3 M", 3 << 20),
        ] {
            assert_eq!(parse_size(text), Ok(size), "{text}");
        }
        for text in ["", "M", "-1", "0", "ten", "99999999999999T", "1.5G"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn seconds() {
        assert_eq!(parse_seconds("0.5"), Ok(0.5));
        for text in ["", "0", "-3", "inf", "NaN", "soon"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
