//! The texts of secrets, to be found in what a program prints: nothing but the text tells there what it is.

/// A shorter text is a secret only where no letter or digit stands beside it: `7` is a part of many numbers.
const LONG_ENOUGH: usize = 4;
/// So much is remembered. A program with more secrets must do without its output in the trace.
const MOST_TEXTS: usize = 4096;
const MOST_BYTES: usize = 1 << 20;

/// Texts, by the byte with which they begin, longer ones first.
#[derive(Debug, Clone)]
pub struct SecretTexts {
    by_start: Vec<Vec<Box<[u8]>>>,
    count: usize,
    bytes: usize,
}

/// There are more secrets than can be looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

impl Default for SecretTexts {
    fn default() -> Self {
        Self {
            by_start: vec![Vec::new(); 1 << u8::BITS],
            count: 0,
            bytes: 0,
        }
    }
}

impl SecretTexts {
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a text.
    ///
    /// # Errors
    /// If there are too many.
    pub fn add(&mut self, text: &[u8]) -> Result<(), TooMany> {
        let text = text.trim_ascii();
        // An array that is yet to be filled has nothing in it.
        let Some(&start) = text.first().filter(|_| text.iter().any(|&byte| byte != 0)) else {
            return Ok(());
        };
        let same_start = &mut self.by_start[usize::from(start)];
        if same_start.iter().any(|known| **known == *text) {
            return Ok(());
        }
        if self.count == MOST_TEXTS || self.bytes + text.len() > MOST_BYTES {
            return Err(TooMany);
        }
        self.count += 1;
        self.bytes += text.len();
        let place = same_start.partition_point(|known| known.len() >= text.len());
        same_start.insert(place, text.into());
        Ok(())
    }

    /// Whether one of the texts stands in this one.
    pub fn is_in(&self, text: &[u8]) -> bool {
        (0..text.len()).any(|at| self.length_at(text, at).is_some())
    }

    /// Puts stars over all that is found; whether there was something.
    pub fn mask(&self, text: &mut [u8]) -> bool {
        let mut at = 0;
        let mut is_masked = false;
        while at < text.len() {
            match self.length_at(text, at) {
                Some(length) => {
                    text[at..at + length].fill(b'*');
                    at += length;
                    is_masked = true;
                }
                None => at += 1,
            }
        }
        is_masked
    }

    fn length_at(&self, text: &[u8], at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        let same_start = &self.by_start[usize::from(*rest.first()?)];
        let found = same_start.iter().find(|secret| {
            let is_here = rest.starts_with(secret);
            is_here && (secret.len() >= LONG_ENOUGH || stands_alone(text, at, secret.len()))
        });
        found.map(|secret| secret.len())
    }
}

fn stands_alone(text: &[u8], at: usize, length: usize) -> bool {
    let is_of_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    !is_of_word(before) && !is_of_word(text.get(at + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(secrets: &[&str], printed: &str, masked: &str) {
        let mut texts = SecretTexts::default();
        for secret in secrets {
            assert_eq!(texts.add(secret.as_bytes()), Ok(()));
        }
        let mut bytes = printed.as_bytes().to_vec();
        assert_eq!(texts.mask(&mut bytes), printed != masked);
        assert_eq!(String::from_utf8_lossy(&bytes), masked);
    }

    #[test]
    fn secrets_are_found_wherever_they_stand() {
        check(
            &["hunter2"],
            "it is hunter2, hunter2!",
            "it is *******, *******!",
        );
        check(&["hunter", "hunter2"], "hunter2hunter", "*************");
        check(&["hunter2"], "hunter", "hunter");
        check(&[], "hunter2", "hunter2");
        check(&["\0\0\0", "", " "], "a \0\0\0 b", "a \0\0\0 b");
    }

    #[test]
    fn short_secrets_are_no_parts_of_words() {
        check(&["7"], "7 of 17, 7.", "* of 17, *.");
    }

    #[test]
    fn there_is_a_most() {
        let mut texts = SecretTexts::default();
        let long = vec![b'x'; MOST_BYTES];
        assert_eq!(texts.add(&long), Ok(()));
        assert_eq!(texts.add(&long), Ok(()));
        assert_eq!(texts.add(b"more"), Err(TooMany));
    }
}
