//! Patterns over class names: dots separate packages, `*` stands for any characters.

use std::fmt;

use crate::wildcard;

/// A pattern such as `shop.*` or `*Test`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob(String);

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a pattern is a class name such as shop.Cart or shop.*, with * for any characters")]
pub struct BadGlob;

impl Glob {
    /// Takes a pattern; slashes are read as dots.
    ///
    /// # Errors
    /// If it holds a character that no class name has.
    pub fn new(text: &str) -> Result<Glob, BadGlob> {
        let text = text.replace('/', ".");
        let in_name = |c: char| c.is_alphanumeric() || "._$*-".contains(c);
        if text.is_empty() || !text.chars().all(in_name) {
            return Err(BadGlob);
        }
        Ok(Glob(text))
    }

    /// Whether the whole of `name` matches.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        wildcard::matches(&self.0, name)
    }
}

impl fmt::Display for Glob {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        let check = |pattern: &str, name: &str, expected: bool| {
            assert_eq!(
                Glob::new(pattern).unwrap().matches(name),
                expected,
                "{pattern} {name}"
            );
        };
        check("shop.Cart", "shop.Cart", true);
        check("shop.Cart", "shop.Cart$Line", false);
        check("shop.*", "shop.cart.Line", true);
        check("shop.*", "shopping.Cart", false);
        check("*Test", "shop.CartTest", true);
        check("*Test", "shop.CartTests", false);
        check("a*b*c", "aXbXbXc", true);
        check("a*bc*c", "abc", false);
        check("*", "anything", true);
        check("shop/cart/*", "shop.cart.Line", true);
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "a;b", "a,b", "a b"] {
            assert_eq!(Glob::new(text), Err(BadGlob), "{text}");
        }
    }
}
