//! From a command line to a recorded trace.
//!
//! Everything that touches the machine around the recorded program is here: which JDKs there are,
//! compiling a source file, where the recorder's library lies, how its options get into the
//! command line, and running the program to its end. The rule for all of it: the program must
//! behave as it does without us, so its streams are inherited untouched and its command line
//! changes by nothing but the recorder's own options. Nothing here prints; what a person should
//! hear is returned or handed to a [`Listener`].

pub mod agent;
pub mod captured;
pub mod changes;
pub mod class_path;
pub mod command;
pub mod companion;
pub mod compile;
pub mod folder;
pub mod install;
pub mod interrupt;
pub mod jdk;
pub mod kept_traces;
mod lifeline;
pub mod one_test;
pub mod process;
pub mod project;
pub mod record;
pub mod rerun;
pub mod room;
pub mod scratch;
pub mod scrub;
pub mod settings;
pub mod test_command;
pub mod user_folders;
pub mod worktree;

/// Hears what happens while a program is recorded. The command line says it on stderr.
pub trait Listener {
    /// One sentence that a person may want to read.
    fn say(&mut self, sentence: &str);
}

/// Drops every sentence.
pub struct Silent;

impl Listener for Silent {
    fn say(&mut self, _sentence: &str) {}
}
