//! A number for a method's code, so that answers about it are forgotten when it changes.

use std::hash::{Hash as _, Hasher as _};

use classfile::normal_form::{NormalCode, Version};
use classfile::{ClassFile, Renaming};

use crate::stable_hash::StableHasher;

/// The same for the same code, whatever stands around it in the class file.
pub(crate) fn fingerprint(class: &ClassFile, method: usize) -> u64 {
    let mut hash = StableHasher::new();
    let (version, names) = (Version::default(), Renaming::default());
    NormalCode::of(class, method, &version, &names).hash(&mut hash);
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fingerprint of `m` in a class with this method.
    fn check(method: &str) -> u64 {
        let source = format!("class T {{ {method} }}");
        let fixture = test_support::Fixture::new().source("T.java", &source);
        let classes = fixture.release(Some(17)).compile().unwrap();
        let bytes = std::fs::read(classes.dir().join("T.class")).unwrap();
        let class = ClassFile::parse(&bytes).unwrap();
        let named = |method: &classfile::Method| class.method_name(method).unwrap() == "m";
        let method = class.methods.iter().position(named).unwrap();
        fingerprint(&class, method)
    }

    #[test]
    fn text_that_is_put_together_counts() {
        let one = check("String m(int i) { return \"a\" + i; }");
        assert_ne!(one, check("String m(int i) { return \"b\" + i; }"));
        let moved = "int before() { return 12345678; } String m(int i) { return \"a\" + i; }";
        assert_eq!(one, check(moved));
    }

    #[test]
    fn what_is_caught_counts() {
        let catches = |class: &str| {
            check(&format!(
                "int m(int[] a) {{ try {{ return a[1]; }} catch ({class} e) {{ return 0; }} }}"
            ))
        };
        assert_ne!(catches("RuntimeException"), catches("NullPointerException"));
    }
}
