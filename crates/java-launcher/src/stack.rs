//! Stacks that hold recorded frames.
//!
//! A recorded frame is larger than the same one unrecorded, and it is compiled later: a program that just fits into its
//! stack must still fit. So every stack size that passes through us is raised by one factor.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

/// Interpreted frames grow by up to a third and compiled ones to three times their size. Much more would make a
/// recursion without an end take far too long (decision 13).
const FACTOR: u64 = 4;

/// No JVM takes more.
const LARGEST: u64 = 1 << 30;

/// A stack without a size of its own has 1 MB, nearly everywhere.
const USUAL: u64 = 1 << 20;

/// The size that a stack of this size gets.
#[must_use]
pub fn raised(size: u64) -> u64 {
    size.saturating_mul(FACTOR).min(LARGEST.max(size))
}

/// The size for stacks that nobody has given a size, in a JVM that reads ours from its environment: what its command
/// line says has not come by us. 0 if it is as large as it should be.
#[must_use]
pub fn beside_environment(usual: u64) -> u64 {
    if usual == raised(USUAL) {
        0
    } else {
        raised(usual)
    }
}

/// The option for stacks that nobody has given a size.
pub(crate) fn usual_option() -> OsString {
    format!("-Xss{}k", raised(USUAL) / 1024).into()
}

/// A launcher's option with the stack size in it raised; `None` if it is no such option. What is no size is left to
/// the JVM, which says so.
pub(crate) fn raised_option(option: &OsStr) -> Option<OsString> {
    let text = option.to_str()?;
    if let Some(size) = text.strip_prefix("-Xss") {
        let bytes = raised(bytes(size)?);
        return Some(format!("-Xss{}k", bytes.div_ceil(1024)).into());
    }
    let size = text.strip_prefix("-XX:ThreadStackSize=")?;
    let kilobytes = raised(bytes(size)?.checked_mul(1024)?) / 1024;
    (kilobytes > 0).then(|| format!("-XX:ThreadStackSize={kilobytes}").into())
}

/// Whether the option gives a size to stacks.
pub(crate) fn is_option(option: &OsStr) -> bool {
    option.as_bytes().starts_with(b"-Xss")
}

fn bytes(size: &str) -> Option<u64> {
    let (digits, factor) = match size.char_indices().last()? {
        (at, 'k' | 'K') => (&size[..at], 1 << 10),
        (at, 'm' | 'M') => (&size[..at], 1 << 20),
        (at, 'g' | 'G') => (&size[..at], 1 << 30),
        (at, 't' | 'T') => (&size[..at], 1 << 40),
        _ => (size, 1u64),
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_raised_and_the_rest_is_left_to_the_jvm() {
        let check = |option: &str, expected: Option<&str>| {
            let raised = raised_option(OsStr::new(option));
            assert_eq!(raised.as_deref(), expected.map(OsStr::new), "{option}");
        };
        check("-Xss256k", Some("-Xss1024k"));
        check("-Xss1M", Some("-Xss4096k"));
        check("-Xss262144", Some("-Xss1024k"));
        check("-Xss512m", Some("-Xss1048576k"));
        check("-Xss0", Some("-Xss0k"));
        check("-XX:ThreadStackSize=512", Some("-XX:ThreadStackSize=2048"));
        check("-XX:ThreadStackSize=0", None);
        check("-Xss", None);
        check("-Xsslots", None);
        check("-Xmx1g", None);
        assert_eq!(usual_option(), "-Xss4096k");
    }

    #[test]
    fn no_size_becomes_smaller() {
        for size in [0, 1, 1 << 26, LARGEST, LARGEST + 1, u64::MAX] {
            assert!(raised(size) >= size);
        }
    }
}
