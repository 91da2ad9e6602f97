//! `java` command lines, and how the recorder gets into them.
//!
//! The tool puts its options into the command that the user names, and the recorder into the commands that a recorded
//! program starts, so that both must agree; this is where it is written once. Nothing here looks at the machine:
//! words go in, words come out.
//!
//! A command that is `java …` itself gets the options right after the first word, and nobody notices. Any other
//! command (a build tool, a script) gets them through the environment, which every JVM below it reads, and says so on
//! standard error.

mod line;
mod recorder;
mod stack;

pub use line::{Main, class_path_of, end_of_options, is_java, main_of, with_class_path};
pub use recorder::{AgentArgument, JAVA_OPTIONS, TOOL_OPTIONS, joined};
pub use stack::{beside_environment as stack_beside_environment, raised as raised_stack};
