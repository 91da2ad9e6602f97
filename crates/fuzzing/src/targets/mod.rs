//! The list of targets. A new one is a module here and a line in the list.

#[cfg(feature = "api")]
mod api_bodies;
mod class_file;
#[cfg(feature = "api")]
mod dap_requests;
mod events;
#[cfg(feature = "api")]
mod jdwp_commands;
mod trace_folder;

use std::hash::{DefaultHasher, Hasher as _};

use anyhow::Result;

/// A function that takes any bytes, and inputs to begin with.
pub struct FuzzTarget {
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Inputs that get deep into the function. Some are compiled or recorded, which takes a JDK.
    pub seeds: fn() -> Result<Vec<Vec<u8>>>,
    /// Words of the input's language, which no mutation of single bytes would find.
    pub words: &'static [&'static [u8]],
}

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "class_file",
        run: class_file::run,
        seeds: class_file::seeds,
        words: class_file::WORDS,
    },
    FuzzTarget {
        name: "events",
        run: events::run,
        seeds: events::seeds,
        words: &[],
    },
    FuzzTarget {
        name: "trace_folder",
        run: trace_folder::run,
        seeds: trace_folder::seeds,
        words: trace_folder::WORDS,
    },
    #[cfg(feature = "api")]
    FuzzTarget {
        name: "api_bodies",
        run: api_bodies::run,
        seeds: api_bodies::seeds,
        words: api_bodies::WORDS,
    },
    #[cfg(feature = "api")]
    FuzzTarget {
        name: "dap_requests",
        run: dap_requests::run,
        seeds: dap_requests::seeds,
        words: dap_requests::WORDS,
    },
    #[cfg(feature = "api")]
    FuzzTarget {
        name: "jdwp_commands",
        run: jdwp_commands::run,
        seeds: jdwp_commands::seeds,
        words: jdwp_commands::WORDS,
    },
];

pub fn named(name: &str) -> Option<&'static FuzzTarget> {
    TARGETS.iter().find(|target| target.name == name)
}

/// What decides by an input's content which of several things is done with it.
fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// Runs a target by its name, for a driver that knows no more than that.
///
/// # Panics
/// If there is no such target, and where the target does.
pub fn run(name: &str, bytes: &[u8]) {
    match named(name) {
        Some(target) => (target.run)(bytes),
        None => panic!("there is no target {name}"),
    }
}
