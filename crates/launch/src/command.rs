//! What to run, and the same with the recorder in it.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use java_launcher::AgentArgument;

/// What the user wants to be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramToRecord {
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

impl ProgramToRecord {
    /// A name for the trace: the main class, the jar, or the command.
    #[must_use]
    pub fn short_name(&self) -> OsString {
        let name = match self {
            ProgramToRecord::JavaFile { file, .. } => file.file_stem().map(OsStr::to_owned),
            ProgramToRecord::Command(words) | ProgramToRecord::Recompiled { words, .. } => {
                match words.split_first() {
                    Some((first, rest)) if java_launcher::is_java(first) => {
                        java_launcher::main_of(rest).map(|main| main.short_name())
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
    /// The command with the recorder in it; `present` tells what environment variables hold now.
    #[must_use]
    pub fn with_recorder(
        words: &[OsString],
        recorder: &AgentArgument,
        present: impl Fn(&str) -> Option<OsString>,
    ) -> CommandLine {
        match words.split_first() {
            Some((java, arguments)) if java_launcher::is_java(java) => {
                let mut words = vec![java.clone()];
                words.extend(recorder.in_arguments(arguments));
                CommandLine {
                    words,
                    environment: Vec::new(),
                }
            }
            _ => {
                let variables = recorder.in_environment(present).into_iter();
                CommandLine {
                    words: words.to_vec(),
                    environment: variables
                        .map(|(name, value)| (name.into(), value))
                        .collect(),
                }
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    fn with_recorder(line: &str) -> CommandLine {
        let recorder = AgentArgument {
            option: "-R".into(),
        };
        CommandLine::with_recorder(&words(line), &recorder, |_| None)
    }

    #[test]
    fn the_recorder_goes_right_behind_java() {
        let line = with_recorder("/opt/bin/java -cp out Main");
        assert_eq!(line.words, words("/opt/bin/java -Xss4096k -R -cp out Main"));
        assert!(line.environment.is_empty());
    }

    #[test]
    fn the_recorder_goes_through_the_environment_of_anything_else() {
        let line = with_recorder("mvn -q test");
        assert_eq!(line.words, words("mvn -q test"));
        let names: Vec<&OsStr> = line.environment.iter().map(|(name, _)| &**name).collect();
        assert_eq!(
            names,
            [java_launcher::TOOL_OPTIONS, java_launcher::JAVA_OPTIONS]
        );
    }

    #[test]
    fn names() {
        let check = |program: ProgramToRecord, name: &str| assert_eq!(program.short_name(), name);
        check(
            ProgramToRecord::JavaFile {
                file: "src/Main.java".into(),
                arguments: vec![],
            },
            "Main",
        );
        check(
            ProgramToRecord::Command(words("java -cp out shop.Till")),
            "Till",
        );
        check(ProgramToRecord::Command(words("java -version")), "run");
        check(ProgramToRecord::Command(words("/usr/bin/mvn test")), "mvn");
    }
}
