//! The commands that a recorded program starts, with the recorder in them.
//!
//! The same rules as for the command that the user records (`java_launcher`): a `java` gets the recorder among its
//! arguments, anything else gets it into its environment, unless it is there already.

use std::ffi::{CStr, OsStr, OsString, c_void};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use java_launcher::{AgentArgument, Main};

use crate::vm_flags;

/// Programs that libraries start to do something to the JVM that they run in: nothing of the user's runs there.
const HELPERS: &[&str] = &["net.bytebuddy.agent.Attacher"];

/// The recorder that this JVM has loaded, for another JVM; `None` if it is not known which file it is from.
pub(crate) fn recorder(options: &OsStr) -> Option<AgentArgument> {
    let library = vm_flags::library_of(recorder as *const c_void)?;
    Some(recorder_from(library, options))
}

/// Whether this JVM has found it in its environment, and not on its command line.
pub(crate) fn came_by_environment(recorder: &AgentArgument) -> bool {
    variable(None, java_launcher::TOOL_OPTIONS).is_some_and(|options| recorder.is_in(&options))
}

fn recorder_from(library: &CStr, options: &OsStr) -> AgentArgument {
    let mut option = OsString::from("-agentpath:");
    option.push(OsStr::from_bytes(library.to_bytes()));
    option.push("=");
    option.push(options);
    AgentArgument { option }
}

/// The block of arguments for a program; `None` if it is to get those that it was given.
pub(crate) fn arguments(
    recorder: &AgentArgument,
    program: &[u8],
    arguments: &[u8],
    environment: Option<&[u8]>,
) -> Option<Vec<u8>> {
    let tool_options = variable(environment, java_launcher::TOOL_OPTIONS);
    let has_it = tool_options.is_some_and(|options| recorder.is_in(&options));
    if has_it || !is_java(program) {
        return None;
    }
    let words: Vec<OsString> = entries(arguments).map(OsStr::to_owned).collect();
    let is_helper = match java_launcher::main_of(&words) {
        Some(Main::Class(class)) => HELPERS.iter().any(|helper| class == *helper),
        _ => false,
    };
    (!is_helper).then(|| block(recorder.in_arguments(&words)))
}

/// The block of environment variables for a program; `None` if it is to get those that it was given.
pub(crate) fn environment(
    recorder: &AgentArgument,
    program: &[u8],
    environment: Option<&[u8]>,
) -> Option<Vec<u8>> {
    if is_java(program) {
        return None;
    }
    let added = recorder.in_environment(|name| variable(environment, name));
    if added.is_empty() {
        return None;
    }
    let is_replaced = |entry: &OsStr| {
        added
            .iter()
            .any(|(name, _)| value_of(entry, name).is_some())
    };
    let mut all = match environment {
        Some(given) => entries(given).map(OsStr::to_owned).collect(),
        None => own_environment(),
    };
    all.retain(|entry| !is_replaced(entry));
    all.extend(added.iter().map(|(name, value)| assignment(name, value)));
    Some(block(all))
}

fn is_java(program: &[u8]) -> bool {
    entries(program).next().is_some_and(java_launcher::is_java)
}

/// What a variable holds in a block, or in this process if there is no block.
fn variable(environment: Option<&[u8]>, name: &str) -> Option<OsString> {
    match environment {
        Some(given) => entries(given)
            .find_map(|entry| value_of(entry, name))
            .map(OsStr::to_owned),
        None => std::env::var_os(name),
    }
}

fn own_environment() -> Vec<OsString> {
    std::env::vars_os()
        .map(|(name, value)| assignment(&name, &value))
        .collect()
}

fn assignment(name: impl AsRef<OsStr>, value: &OsStr) -> OsString {
    let mut entry = name.as_ref().to_owned();
    entry.push("=");
    entry.push(value);
    entry
}

fn value_of<'e>(entry: &'e OsStr, name: &str) -> Option<&'e OsStr> {
    let rest = entry.as_bytes().strip_prefix(name.as_bytes())?;
    Some(OsStr::from_bytes(rest.strip_prefix(b"=")?))
}

fn entries(block: &[u8]) -> impl Iterator<Item = &OsStr> {
    let whole = block.strip_suffix(b"\0").unwrap_or(block);
    let entries = (!block.is_empty()).then(|| whole.split(|byte| *byte == 0));
    entries.into_iter().flatten().map(OsStr::from_bytes)
}

fn block(entries: impl IntoIterator<Item = OsString>) -> Vec<u8> {
    let mut block = Vec::new();
    for entry in entries {
        block.extend(entry.into_vec());
        block.push(0);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this() -> AgentArgument {
        recorder_from(c"/a.so", OsStr::new("out=/t"))
    }

    #[test]
    fn a_java_gets_it_among_its_arguments() {
        let changed = arguments(&this(), b"/jdk/bin/java\0", b"-cp\0x\0Main\0\0", Some(b""));
        let expected = b"-Xss4096k\0-agentpath:/a.so=out=/t\0-cp\0x\0Main\0\0";
        assert_eq!(changed.as_deref(), Some(&expected[..]));
        assert_eq!(
            environment(&this(), b"/jdk/bin/java\0", Some(b"A=b\0")),
            None
        );
        assert!(arguments(&this(), b"java\0", b"", Some(b"")).is_some());
    }

    #[test]
    fn what_a_mocking_library_starts_is_left_alone() {
        let attacher = b"-cp\0a.jar\0net.bytebuddy.agent.Attacher\x007\0\0";
        assert_eq!(arguments(&this(), b"java\0", attacher, Some(b"")), None);
    }

    #[test]
    fn anything_else_gets_it_into_its_environment() {
        assert_eq!(arguments(&this(), b"sh\0", b"-c\0java\0", Some(b"")), None);
        let given = b"JAVA_TOOL_OPTIONS=-ea\0A=b\0";
        let changed = environment(&this(), b"sh\0", Some(given)).unwrap();
        let expected = "A=b\0JAVA_TOOL_OPTIONS=-ea -Xss4096k -agentpath:/a.so=out=/t\0JDK_JAVA_OPTIONS=-Xss4096k\0";
        assert_eq!(changed, expected.as_bytes());
        assert_eq!(environment(&this(), b"sh\0", Some(&changed)), None);
        assert_eq!(
            arguments(&this(), b"java\0", b"Main\0", Some(&changed)),
            None
        );
    }

    #[test]
    fn an_environment_that_is_not_given_is_our_own() {
        let changed = environment(&this(), b"sh\0", None).unwrap();
        let path = variable(Some(&changed), "PATH");
        assert_eq!(path, std::env::var_os("PATH"));
    }
}
