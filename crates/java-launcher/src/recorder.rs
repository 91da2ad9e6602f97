//! The recorder's options in a command line, and in an environment.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;

use crate::{line, stack};

/// The variable that every JVM reads.
pub const TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// The variable that the `java` launcher reads. It alone decides how large the stack of the main thread is.
pub const JAVA_OPTIONS: &str = "JDK_JAVA_OPTIONS";

/// What makes a JVM load the recorder: `-agentpath:LIBRARY=OPTIONS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentArgument {
    pub option: OsString,
}

impl AgentArgument {
    /// The arguments of the launcher with the recorder in front of them and the sizes of stacks raised. What belongs
    /// to the program stays as it is.
    #[must_use]
    pub fn in_arguments(&self, arguments: &[OsString]) -> Vec<OsString> {
        let of_launcher = line::end_of_options(arguments);
        let (options, rest) = arguments.split_at(of_launcher);
        let mut changed = vec![stack::usual_option(), self.option.clone()];
        changed.extend(
            options
                .iter()
                .map(|option| stack::raised_option(option).unwrap_or_else(|| option.clone())),
        );
        changed.extend(rest.iter().cloned());
        changed
    }

    /// The variables that bring it into every JVM below a command; `present` tells what they hold now. None if it is
    /// in there already.
    #[must_use]
    pub fn in_environment(
        &self,
        present: impl Fn(&str) -> Option<OsString>,
    ) -> Vec<(&'static str, OsString)> {
        let tool_options = present(TOOL_OPTIONS).unwrap_or_default();
        if self.is_in(&tool_options) {
            return Vec::new();
        }
        let stack = stack::usual_option();
        let tool_options = joined(joined(tool_options, &stack), &self.option);
        let mut java_options = present(JAVA_OPTIONS).unwrap_or_default();
        if !words(&java_options).any(|word| stack::is_option(OsStr::from_bytes(word))) {
            java_options = joined(java_options, &stack);
        }
        vec![(TOOL_OPTIONS, tool_options), (JAVA_OPTIONS, java_options)]
    }

    /// Whether a JVM that reads these options loads the recorder.
    #[must_use]
    pub fn is_in(&self, tool_options: &OsStr) -> bool {
        let option = quoted(&self.option);
        let (text, option) = (tool_options.as_bytes(), option.as_bytes());
        text.windows(option.len()).any(|window| window == option)
    }
}

/// The options that a variable holds, with one more.
#[must_use]
pub fn joined(mut options: OsString, option: &OsStr) -> OsString {
    if !options.is_empty() {
        options.push(" ");
    }
    options.push(quoted(option));
    options
}

fn words(options: &OsStr) -> impl Iterator<Item = &[u8]> {
    options.as_bytes().split(u8::is_ascii_whitespace)
}

/// In a variable a JVM splits at white space outside quotes.
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

    fn list(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    fn recorder(option: &str) -> AgentArgument {
        AgentArgument {
            option: option.into(),
        }
    }

    #[test]
    fn it_stands_before_all_other_arguments() {
        let changed = recorder("-R").in_arguments(&list("-cp out Main -Xss1k"));
        assert_eq!(changed, list("-Xss4096k -R -cp out Main -Xss1k"));
    }

    #[test]
    fn stacks_are_raised_where_the_line_says_how_large_they_are() {
        let changed = recorder("-R").in_arguments(&list("-Xss256k -jar a.jar -Xss256k"));
        assert_eq!(changed, list("-Xss4096k -R -Xss1024k -jar a.jar -Xss256k"));
    }

    #[test]
    fn it_stands_behind_what_the_environment_holds() {
        let present = |name: &str| (name == TOOL_OPTIONS).then(|| OsString::from("-Dx=y"));
        let recorder = recorder("-agentpath:/a b.so=x");
        let variables = recorder.in_environment(present);
        let expected = [
            (
                TOOL_OPTIONS,
                "-Dx=y -Xss4096k \"-agentpath:/a b.so=x\"".into(),
            ),
            (JAVA_OPTIONS, "-Xss4096k".into()),
        ];
        assert_eq!(variables, expected);
        assert!(recorder.is_in(&variables[0].1));
        let again = |name: &str| {
            let found = variables.iter().find(|(of, _)| *of == name);
            found.map(|(_, value)| value.clone())
        };
        assert_eq!(recorder.in_environment(again), []);
    }

    #[test]
    fn a_stack_size_of_the_users_is_kept() {
        let present = |name: &str| (name == JAVA_OPTIONS).then(|| OsString::from("-ea -Xss2m"));
        let variables = recorder("-R").in_environment(present);
        assert_eq!(variables[1].1, "-ea -Xss2m");
    }
}
