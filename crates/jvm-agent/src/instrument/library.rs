//! What we know of the JDK: calls that order threads, calls that fill arrays, and the
//! classes whose content is followed.
//!
//! A followed class is described field by field when one of its objects is first seen, and its
//! own code is rewritten (once, at that moment) to note its later writes.

mod builders;
mod followed;
mod handles;
mod rewrite;

use classfile::Snippet;
use java_names::descriptor::{JavaType, MethodType};

use super::filled_part::{Count, FilledPart};
pub(crate) use followed::{Followed, followed};
pub(crate) use rewrite::instrument_library_class;

/// Whether a call of this method may hand something over to another thread, or get it from one.
pub(super) fn synchronises(owner: &str, name: &str) -> bool {
    owner == "java/lang/Thread"
        || owner.starts_with("java/util/concurrent/")
        // The program's own kinds of threads are waited for by their own names.
        || matches!(name, "wait" | "notify" | "notifyAll" | "join")
}

/// An array argument that a library method writes to.
pub(super) struct FilledArray {
    pub(super) parameter: usize,
    /// `None`: it may write anywhere.
    pub(super) part: Option<FilledPart<usize>>,
}

/// Names of library methods that write into an array they are given.
const FILLERS: &[&str] = &[
    "arraycopy",
    "read",
    "readFully",
    "readNBytes",
    "fill",
    "sort",
    "parallelSort",
    "setAll",
    "parallelSetAll",
    "parallelPrefix",
    "getChars",
    "getBytes",
    "toArray",
    "nextBytes",
    "inflate",
    "deflate",
    "digest",
    "get",
    "copyInto",
];

pub(super) fn may_fill_arrays(owner: &str, name: &str, signature: &MethodType<'_>) -> bool {
    is_library(owner) && FILLERS.contains(&name) && !filled_arrays(name, signature).is_empty()
}

fn is_library(owner: &str) -> bool {
    ["java/", "javax/", "jdk/", "sun/"]
        .iter()
        .any(|package| owner.starts_with(package))
}

pub(super) fn filled_arrays(name: &str, signature: &MethodType<'_>) -> Vec<FilledArray> {
    let parameters = &signature.parameters;
    if name == "arraycopy" {
        return vec![FilledArray {
            parameter: 2,
            part: Some(FilledPart {
                start: 3,
                count: Count::Given(4),
            }),
        }];
    }
    let is_int = |index: usize| parameters.get(index) == Some(&JavaType::Int);
    let part = |array: usize| {
        let start = array + 1;
        let count = if is_int(start + 1) {
            Count::Given(start + 1)
        } else if matches!(name, "getChars" | "getBytes") && array == 2 && is_int(0) && is_int(1) {
            // `getChars(from, to, array, start)` of strings and their builders.
            Count::Between { begin: 0, end: 1 }
        } else {
            return None;
        };
        is_int(start).then_some(FilledPart { start, count })
    };
    parameters
        .iter()
        .enumerate()
        .filter(|(_, parameter)| parameter.is_array())
        .map(|(index, _)| FilledArray {
            parameter: index,
            part: part(index),
        })
        .collect()
}

/// The arguments of a call, kept in locals across it: what to do before the call, and where they are.
pub(super) struct Spilled<'d> {
    pub(super) snippet: Snippet,
    pub(super) arguments: Vec<(JavaType<'d>, u16)>,
    /// How many locals that takes.
    pub(super) slots: u16,
}

impl<'d> Spilled<'d> {
    pub(super) fn new(signature: &MethodType<'d>, first_local: u16) -> Self {
        let mut arguments = Vec::new();
        let mut slots = 0;
        for parameter in &signature.parameters {
            arguments.push((*parameter, first_local + slots));
            slots += parameter.slots();
        }
        let mut snippet = Snippet::new();
        for (kind, local) in arguments.iter().rev() {
            snippet.store(*kind, *local);
        }
        for (kind, local) in &arguments {
            snippet.load(*kind, *local);
        }
        Spilled {
            snippet,
            arguments,
            slots,
        }
    }
}
