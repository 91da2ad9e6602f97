//! What to run, and the same with the recorder in it.
//!
//! A command that is `java …` itself gets the recorder's options right after the first word; any
//! other command (a build tool, a script) gets them through `JAVA_TOOL_OPTIONS`, which every JVM
//! below it reads, behind what stands there already.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::java_line;

/// The variable that every JVM reads.
pub const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// What the user wants to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A source file, compiled first, with the program's arguments.
    JavaFile {
        file: PathBuf,
        arguments: Vec<OsString>,
    },
    /// Any command line; never empty.
    Command(Vec<OsString>),
    /// A `java` command line with the classes of a source file in front of its class path.
    Recompiled { file: PathBuf, words: Vec<OsString> },
}

impl Program {
    /// A name for the trace: the main class, the jar, or the command.
    #[must_use]
    pub fn short_name(&self) -> OsString {
        let name = match self {
            Program::JavaFile { file, .. } => file.file_stem().map(OsStr::to_owned),
            Program::Command(words) | Program::Recompiled { words, .. } => {
                match words.split_first() {
                    Some((first, rest)) if java_line::is_java(first) => {
                        java_line::main_of(rest).map(|main| main.short_name())
                    }
                    Some((first, _)) => Path::new(first).file_name().map(OsStr::to_owned),
                    None => None,
                }
            }
        };
        name.filter(|name| !name.is_empty())
            .unwrap_or_else(|| "run".into())
    }
}

/// A command line that is ready to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program and its arguments; never empty.
    pub words: Vec<OsString>,
    /// Environment variables that are set for it.
    pub environment: Vec<(OsString, OsString)>,
}

impl CommandLine {
    /// The command with the recorder's options in it. `tool_options` is what `JAVA_TOOL_OPTIONS`
    /// holds now.
    #[must_use]
    pub fn with_recorder(
        words: &[OsString],
        jvm_options: &[OsString],
        tool_options: Option<&OsStr>,
    ) -> CommandLine {
        let mut words = words.to_vec();
        let mut environment = Vec::new();
        if words.first().is_some_and(|first| java_line::is_java(first)) {
            words.splice(1..1, jvm_options.iter().cloned());
        } else {
            let mut all = tool_options.unwrap_or_default().to_owned();
            for option in jvm_options {
                if !all.is_empty() {
                    all.push(" ");
                }
                all.push(quoted(option));
            }
            environment.push((TOOL_OPTIONS.into(), all));
        }
        CommandLine { words, environment }
    }

    /// The process to be.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut words = self.words.iter();
        let mut command = Command::new(words.next().map_or(OsStr::new(""), OsString::as_os_str));
        command.args(words);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// In the variable a JVM splits at white space outside quotes.
fn quoted(option: &OsStr) -> OsString {
    if !option.as_bytes().iter().any(u8::is_ascii_whitespace) {
        return option.to_owned();
    }
    let mut text = OsString::from("\"");
    text.push(option);
    text.push("\"");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn options_go_right_behind_java() {
        let line =
            CommandLine::with_recorder(&words("/opt/bin/java -cp out Main"), &words("-A -B"), None);
        assert_eq!(line.words, words("/opt/bin/java -A -B -cp out Main"));
        assert!(line.environment.is_empty());
    }

    #[test]
    fn options_go_through_the_environment_of_anything_else() {
        let options = [OsString::from("-A"), OsString::from("-agentpath:/a b.so=x")];
        let line =
            CommandLine::with_recorder(&words("mvn -q test"), &options, Some(OsStr::new("-Dx=y")));
        assert_eq!(line.words, words("mvn -q test"));
        assert_eq!(
            line.environment,
            [(
                TOOL_OPTIONS.into(),
                OsString::from("-Dx=y -A \"-agentpath:/a b.so=x\"")
            )]
        );
    }

    #[test]
    fn names() {
        let check = |program: Program, name: &str| assert_eq!(program.short_name(), name);
        check(
            Program::JavaFile {
                file: "src/Main.java".into(),
                arguments: vec![],
            },
            "Main",
        );
        check(Program::Command(words("java -cp out shop.Till")), "Till");
        check(Program::Command(words("java -version")), "run");
        check(Program::Command(words("/usr/bin/mvn test")), "mvn");
    }
}
