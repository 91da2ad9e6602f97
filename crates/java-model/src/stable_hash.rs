//! A hash that is the same tomorrow: for what is kept in files.
//!
//! The standard library's hasher may be another one in the next version of Rust, and answers that were remembered
//! would be forgotten without a word. This one is SipHash-1-3 with a key of zeros, whatever the version.

pub use siphasher::sip::SipHasher13 as StableHasher;

#[cfg(test)]
mod tests {
    use std::hash::{Hash as _, Hasher as _};

    use super::*;

    /// If this fails, all remembered answers are lost with the change that made it fail.
    #[test]
    fn it_never_changes() {
        let mut hash = StableHasher::new();
        ("shop/Cart", 7u32, ["total"].as_slice()).hash(&mut hash);
        assert_eq!(hash.finish(), 7_986_849_155_626_773_912);
    }
}
