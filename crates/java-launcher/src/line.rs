//! Reading and changing a `java …` command line.
//!
//! The launcher's options end at the main class (or `-jar FILE`, `-m MODULE`, `FILE.java`);
//! everything after it belongs to the program and is never touched.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Whether a command's first word is the `java` launcher.
#[must_use]
pub fn is_java(program: &OsStr) -> bool {
    Path::new(program).file_name() == Some(OsStr::new("java"))
}

/// What a `java` command line runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Main {
    /// A class, or a module with its class, or a source file.
    Class(OsString),
    /// `-jar FILE`.
    Jar(OsString),
}

impl Main {
    /// A short name for the trace's folder.
    #[must_use]
    pub fn short_name(&self) -> OsString {
        match self {
            Main::Jar(file) => stem(file),
            Main::Class(name) if name.as_bytes().ends_with(b".java") => stem(name),
            Main::Class(name) => {
                let bytes = name.as_bytes();
                let start = bytes
                    .iter()
                    .rposition(|byte| b"./".contains(byte))
                    .map_or(0, |at| at + 1);
                OsStr::from_bytes(&bytes[start..]).to_owned()
            }
        }
    }
}

fn stem(file: &OsStr) -> OsString {
    Path::new(file).file_stem().unwrap_or(file).to_owned()
}

/// Finds what is run, in the arguments after `java`. `None` if the line names nothing
/// (`java -version`).
#[must_use]
pub fn main_of(arguments: &[OsString]) -> Option<Main> {
    let (first, after) = arguments.get(end_of_options(arguments)..)?.split_first()?;
    match first.as_bytes() {
        b"-jar" => after.first().cloned().map(Main::Jar),
        b"-m" | b"--module" => after.first().cloned().map(Main::Class),
        _ => Some(Main::Class(first.clone())),
    }
}

/// How many of the arguments after `java` stand before what is run.
#[must_use]
pub fn end_of_options(arguments: &[OsString]) -> usize {
    let mut at = 0;
    while let Some(word) = arguments.get(at) {
        match word.as_bytes() {
            b"-jar" | b"-m" | b"--module" => return at,
            bytes if takes_a_value(bytes) => at += 2,
            bytes if bytes.starts_with(b"-") || bytes.starts_with(b"@") => at += 1,
            _ => return at,
        }
    }
    arguments.len()
}

/// The class path that a line names by an option; `None` if it names none, or runs a jar.
#[must_use]
pub fn class_path_of(arguments: &[OsString]) -> Option<OsString> {
    if matches!(main_of(arguments), Some(Main::Jar(_))) {
        return None;
    }
    let options = arguments.get(..end_of_options(arguments))?;
    let mut found = None;
    for (at, word) in options.iter().enumerate() {
        match word.as_bytes() {
            b"-cp" | b"-classpath" | b"--class-path" => found = options.get(at + 1).cloned(),
            bytes => {
                if let Some(path) = bytes.strip_prefix(b"--class-path=") {
                    found = Some(OsStr::from_bytes(path).to_owned());
                }
            }
        }
    }
    found
}

/// The same line with another class path: replaced where the line has one (`-cp`, `-jar`, or the module path of one
/// that runs a module and has no class path), put in front where it has none. `keep_old` keeps what was there behind
/// the new one.
#[must_use]
pub fn with_class_path(
    arguments: &[OsString],
    class_path: &OsStr,
    keep_old: bool,
) -> Vec<OsString> {
    let joined = |old: &OsStr| {
        let mut path = class_path.to_owned();
        if keep_old {
            path.push(":");
            path.push(old);
        }
        path
    };
    let main = arguments.get(end_of_options(arguments));
    let is_module = main.is_some_and(|word| matches!(word.as_bytes(), b"-m" | b"--module"));
    let is_module = is_module && class_path_of(arguments).is_none();
    let options: [&[u8]; 3] = match is_module && !keep_old {
        true => [b"-p", b"--module-path", b"--module-path"],
        false => [b"-cp", b"-classpath", b"--class-path"],
    };
    let mut changed = Vec::with_capacity(arguments.len() + 2);
    let mut words = arguments.iter();
    let mut replaced = false;
    while let Some(word) = words.next() {
        match word.as_bytes() {
            bytes if options.contains(&bytes) => {
                changed.push(word.clone());
                if let Some(old) = words.next() {
                    changed.push(joined(old));
                }
                replaced = true;
            }
            bytes
                if bytes
                    .strip_prefix(options[2])
                    .is_some_and(|rest| rest.starts_with(b"=")) =>
            {
                let (option, old) = bytes.split_at(options[2].len() + 1);
                let mut option = OsStr::from_bytes(option).to_owned();
                option.push(joined(OsStr::from_bytes(old)));
                changed.push(option);
                replaced = true;
            }
            b"-jar" if !keep_old => {
                changed.push(word.clone());
                if words.next().is_some() {
                    changed.push(class_path.to_owned());
                }
                replaced = true;
                break;
            }
            bytes if takes_a_value(bytes) => {
                changed.push(word.clone());
                changed.extend(words.next().cloned());
            }
            bytes => {
                changed.push(word.clone());
                if !bytes.starts_with(b"-") && !bytes.starts_with(b"@") {
                    break;
                }
            }
        }
    }
    changed.extend(words.cloned());
    if !replaced {
        let option = OsStr::from_bytes(options[0]).to_owned();
        changed.splice(0..0, [option, class_path.to_owned()]);
    }
    changed
}

/// Launcher options whose value is the next word.
fn takes_a_value(option: &[u8]) -> bool {
    const OPTIONS: [&str; 17] = [
        "-cp",
        "-classpath",
        "--class-path",
        "-p",
        "--module-path",
        "--upgrade-module-path",
        "--add-modules",
        "--limit-modules",
        "--add-exports",
        "--add-opens",
        "--add-reads",
        "--patch-module",
        "--enable-native-access",
        "--describe-module",
        "-d",
        "--source",
        "--finalization",
    ];
    OPTIONS.iter().any(|known| known.as_bytes() == option)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn finds_what_is_run() {
        let check = |line: &str, expected: Option<&str>| {
            let name = main_of(&words(line)).map(|main| main.short_name());
            assert_eq!(name.as_deref(), expected.map(OsStr::new), "{line}");
        };
        check("-cp lib/a.jar:out -Xmx1g shop.Main -cp x", Some("Main"));
        check("-jar build/app.jar run", Some("app"));
        check("--module-path mods -m shop/shop.Main", Some("Main"));
        check("-ea Hello.java", Some("Hello"));
        check("-version", None);
        check("-cp", None);
    }

    #[test]
    fn replaces_the_class_path_of_the_launcher_only() {
        let check = |line: &str, expected: &str| {
            assert_eq!(
                with_class_path(&words(line), OsStr::new("NEW"), false),
                words(expected),
                "{line}"
            );
        };
        check("-cp old -ea Main -cp mine", "-cp NEW -ea Main -cp mine");
        check("--class-path=old Main", "--class-path=NEW Main");
        check("-jar old.jar -jar x", "-jar NEW -jar x");
        check("-Da=b Main", "-cp NEW -Da=b Main");
        check("-p mods -cp old -m a/b.C", "-p mods -cp NEW -m a/b.C");
        check("-p mods -ea -m a/b.C -p x", "-p NEW -ea -m a/b.C -p x");
        check("--module-path=mods -m a/b.C", "--module-path=NEW -m a/b.C");
    }

    #[test]
    fn can_keep_the_old_class_path_behind_the_new_one() {
        let kept = with_class_path(&words("-cp old Main"), OsStr::new("NEW"), true);
        assert_eq!(kept, words("-cp NEW:old Main"));
    }

    #[test]
    fn knows_the_launcher() {
        assert!(is_java(OsStr::new("java")) && is_java(OsStr::new("/opt/jdk/bin/java")));
        assert!(!is_java(OsStr::new("javac")) && !is_java(OsStr::new("mvn")));
    }
}
