//! Settings: what two commands that run the same program give it besides code. Properties, environment variables that
//! the command sets (`env NAME=VALUE java …`), options of the JVM, arguments.
//!
//! The class path is none: what differs there is code, or a file. Nor is the environment that a command inherits: both
//! runs have the same.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;

/// Two lists of words with more pairs than this are one difference.
const MOST_PAIRS: usize = 4_000_000;

/// The program that sets variables for another one.
const ENV: &str = "env";

/// What a command gives a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// `-Dname=value`.
    Property,
    /// `NAME=VALUE` before the program that is run.
    Environment,
    /// Another word before what is run.
    JvmOption,
    /// A word after it.
    Argument,
}

/// A setting that one command gives and the other does not, or otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingChange {
    pub kind: SettingKind,
    /// The name of a property or a variable.
    pub name: Option<String>,
    /// What this command gives, if it does.
    pub ours: Option<String>,
    /// What the other one gives.
    pub theirs: Option<String>,
    /// Which words of this command stand for it.
    place: Range<usize>,
    /// What the other command has in their place.
    words: Vec<OsString>,
}

/// What a command gives besides code, and another one otherwise. Nothing if they do not run the same program.
#[must_use]
pub fn differing(ours: &[OsString], theirs: &[OsString]) -> Vec<SettingChange> {
    let both = Parts::of(ours).zip(Parts::of(theirs));
    let Some((mine, other)) = both.filter(|(mine, other)| mine.main == other.main) else {
        return Vec::new();
    };
    let mut all = mine.properties_unlike(&other);
    all.extend(mine.variables_unlike(&other));
    // Another command before the program (`nice`, `timeout 10`) is an argument of the whole.
    let parts = [
        (SettingKind::Argument, &mine.before, &other.before, 0),
        (
            SettingKind::JvmOption,
            &mine.options,
            &other.options,
            mine.first_option,
        ),
        (
            SettingKind::Argument,
            &mine.arguments,
            &other.arguments,
            ours.len(),
        ),
    ];
    for (kind, words, others, start) in parts {
        for (own, foreign) in blocks(words, others) {
            all.push(change(kind, (words, start), own, &others[foreign]));
        }
    }
    all
}

/// The command with the other one's side of some of its differences.
#[must_use]
pub fn with_theirs(words: &[OsString], changes: &[&SettingChange]) -> Vec<OsString> {
    let mut changes = changes.to_vec();
    changes.sort_by_key(|change| (change.place.start, change.place.end));
    let mut changed = words.to_vec();
    for change in changes.into_iter().rev() {
        changed.splice(change.place.clone(), change.words.iter().cloned());
    }
    changed
}

/// A word, and where it stands in its command.
type Word<'w> = (usize, &'w OsString);

/// A command in pieces.
#[derive(Debug, Default)]
struct Parts<'w> {
    /// Whether `env` runs the program.
    has_env: bool,
    /// What `env` sets.
    variables: BTreeMap<String, Word<'w>>,
    /// What else stands before the program.
    before: Vec<Word<'w>>,
    properties: BTreeMap<String, Word<'w>>,
    /// Where one more property can stand.
    first_option: usize,
    /// Other options of the JVM, without the class path.
    options: Vec<Word<'w>>,
    /// What is run; a jar is a class path.
    main: Option<&'w OsStr>,
    arguments: Vec<Word<'w>>,
}

impl<'w> Parts<'w> {
    fn of(words: &'w [OsString]) -> Option<Parts<'w>> {
        let numbered: Vec<Word<'w>> = words.iter().enumerate().collect();
        let is_program = |word: &OsString| java_launcher::is_java(word);
        let Some(java) = words.iter().position(is_program) else {
            let (program, arguments) = numbered.split_first()?;
            return Some(Parts {
                main: Some(program.1),
                arguments: arguments.to_vec(),
                ..Parts::default()
            });
        };
        let main = java + 1 + java_launcher::end_of_options(&words[java + 1..]);
        let has_env = java > 0 && words[0] == ENV;
        let mut parts = Parts {
            has_env,
            first_option: java + 1,
            ..Parts::default()
        };
        for &(at, word) in &numbered[usize::from(has_env)..java] {
            match variable(word).filter(|_| has_env) {
                Some(name) => {
                    parts.variables.insert(name, (at, word));
                }
                None => parts.before.push((at, word)),
            }
        }
        let mut options = numbered[java + 1..main].iter();
        while let Some(&(at, word)) = options.next() {
            match word.as_bytes() {
                b"-cp" | b"-classpath" | b"--class-path" => {
                    options.next();
                }
                bytes if bytes.starts_with(b"--class-path=") => {}
                bytes if bytes.starts_with(b"-D") => {
                    let (name, _) = named(&bytes[2..]);
                    parts.properties.insert(name, (at, word));
                }
                _ => parts.options.push((at, word)),
            }
        }
        let first = words.get(main)?;
        parts.main = Some(first);
        let arguments = match first.as_bytes() {
            b"-jar" => main + 2,
            b"-m" | b"--module" => {
                parts.main = words.get(main + 1).map(OsString::as_os_str);
                main + 2
            }
            _ => main + 1,
        };
        parts.arguments = numbered.get(arguments..).unwrap_or_default().to_vec();
        Some(parts)
    }

    fn properties_unlike(&self, other: &Parts<'_>) -> Vec<SettingChange> {
        let value = |word: Word<'_>| named(&word.1.as_bytes()[2..]).1;
        let start = self.first_option;
        named_unlike(&self.properties, &other.properties, start, value)
            .map(|change| SettingChange {
                kind: SettingKind::Property,
                ..change
            })
            .collect()
    }

    fn variables_unlike(&self, other: &Parts<'_>) -> Vec<SettingChange> {
        let value = |word: Word<'_>| named(word.1.as_bytes()).1;
        let start = usize::from(self.has_env);
        named_unlike(&self.variables, &other.variables, start, value)
            .map(|mut change| {
                if !self.has_env && !change.words.is_empty() {
                    change.words.insert(0, ENV.into());
                }
                change
            })
            .collect()
    }
}

/// What differs of words that go by their names; one more can stand at `start`.
fn named_unlike<'w>(
    ours: &'w BTreeMap<String, Word<'w>>,
    theirs: &'w BTreeMap<String, Word<'w>>,
    start: usize,
    value: impl Fn(Word<'w>) -> String,
) -> impl Iterator<Item = SettingChange> {
    let names: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    names.into_iter().filter_map(move |name| {
        let [mine, other] = [ours, theirs].map(|words| words.get(name).copied());
        let is_same = mine.map(|one| one.1) == other.map(|one| one.1);
        (!is_same).then(|| SettingChange {
            kind: SettingKind::Environment,
            name: Some(name.clone()),
            ours: mine.map(&value),
            theirs: other.map(&value),
            place: mine.map_or(start..start, |one| one.0..one.0 + 1),
            words: other.map(|one| one.1.clone()).into_iter().collect(),
        })
    })
}

/// A difference between two lists of words, the first of which would begin at a place if it had any.
fn change(
    kind: SettingKind,
    (all, beginning): (&[Word<'_>], usize),
    own: Range<usize>,
    theirs: &[Word<'_>],
) -> SettingChange {
    let ours = &all[own.clone()];
    let joined = |words: &[Word<'_>]| {
        let texts = words.iter().map(|word| word.1.to_string_lossy());
        let texts: Vec<_> = texts.collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    };
    // Where nothing stands, the other's words come behind the word before.
    let behind = own.start.checked_sub(1).and_then(|at| all.get(at));
    let start = match (ours.first(), behind, all.first()) {
        (Some(first), ..) => first.0,
        (None, Some(before), _) => before.0 + 1,
        (None, None, Some(first)) => first.0,
        (None, None, None) => beginning,
    };
    SettingChange {
        kind,
        name: None,
        ours: joined(ours),
        theirs: joined(theirs),
        place: start..ours.last().map_or(start, |last| last.0 + 1),
        words: theirs.iter().map(|word| word.1.clone()).collect(),
    }
}

/// The name in `NAME=VALUE`.
fn variable(word: &OsStr) -> Option<String> {
    let is_name = |sign: &u8| sign.is_ascii_alphanumeric() || *sign == b'_';
    let bytes = word.as_bytes();
    let end = bytes.iter().position(|sign| *sign == b'=')?;
    (end > 0 && bytes[..end].iter().all(is_name)).then(|| named(bytes).0)
}

/// Name and value of `name=value`; a name alone has an empty value.
fn named(bytes: &[u8]) -> (String, String) {
    let text = String::from_utf8_lossy(bytes);
    let (name, value) = text.split_once('=').unwrap_or((&text, ""));
    (name.to_owned(), value.to_owned())
}

/// Where two lists of words differ: one word at a time if they are equally long, and else what no longest common part
/// of them has.
fn blocks(ours: &[Word<'_>], theirs: &[Word<'_>]) -> Vec<(Range<usize>, Range<usize>)> {
    let same = |mine: usize, other: usize| ours[mine].1 == theirs[other].1;
    if ours.len() == theirs.len() {
        let differing = (0..ours.len()).filter(|&at| !same(at, at));
        return differing.map(|at| (at..at + 1, at..at + 1)).collect();
    }
    if ours.len().saturating_mul(theirs.len()) > MOST_PAIRS {
        return vec![(0..ours.len(), 0..theirs.len())];
    }
    let mut longest = vec![vec![0u32; theirs.len() + 1]; ours.len() + 1];
    for mine in (0..ours.len()).rev() {
        for other in (0..theirs.len()).rev() {
            longest[mine][other] = match same(mine, other) {
                true => longest[mine + 1][other + 1] + 1,
                false => longest[mine + 1][other].max(longest[mine][other + 1]),
            };
        }
    }
    let mut blocks = Vec::new();
    let (mut mine, mut other) = (0, 0);
    let (mut from, mut other_from) = (0, 0);
    loop {
        let is_common = mine < ours.len() && other < theirs.len() && same(mine, other);
        let is_end = mine == ours.len() && other == theirs.len();
        if is_common || is_end {
            if from < mine || other_from < other {
                blocks.push((from..mine, other_from..other));
            }
            if is_end {
                return blocks;
            }
            (mine, other) = (mine + 1, other + 1);
            (from, other_from) = (mine, other);
        } else if other == theirs.len()
            || mine < ours.len() && longest[mine + 1][other] >= longest[mine][other + 1]
        {
            mine += 1;
        } else {
            other += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn check(ours: &str, theirs: &str, expected: &[(SettingKind, &str, &str, &str)]) {
        let (ours, theirs) = (words(ours), words(theirs));
        let changes = differing(&ours, &theirs);
        let text = |one: &Option<String>| one.clone().unwrap_or_else(|| "-".to_owned());
        let told = changes.iter().map(|one| {
            let [name, mine, other] = [&one.name, &one.ours, &one.theirs].map(text);
            (one.kind, name, mine, other)
        });
        let expected = expected.iter().map(|(kind, name, mine, other)| {
            let [name, mine, other] = [name, mine, other].map(|one| (*one).to_owned());
            (*kind, name, mine, other)
        });
        assert!(told.clone().eq(expected), "{:?}", told.collect::<Vec<_>>());
    }

    #[test]
    fn properties_go_by_their_names() {
        check(
            "java -Dmode=slow -Dsame=1 -cp a -Dnew Main",
            "java -cp b -Dsame=1 -Dmode=fast -Dold=x=y Main",
            &[
                (SettingKind::Property, "mode", "slow", "fast"),
                (SettingKind::Property, "new", "", "-"),
                (SettingKind::Property, "old", "-", "x=y"),
            ],
        );
    }

    #[test]
    fn variables_options_and_arguments_are_told_apart() {
        check(
            "env LANG=de java -Xss1m -cp a Main 1 2",
            "env LANG=en java -cp b -Xss2m Main 1 3",
            &[
                (SettingKind::Environment, "LANG", "de", "en"),
                (SettingKind::JvmOption, "-", "-Xss1m", "-Xss2m"),
                (SettingKind::Argument, "-", "2", "3"),
            ],
        );
        check(
            "java Main",
            "java Main -v",
            &[(SettingKind::Argument, "-", "-", "-v")],
        );
        check(
            "./start 1 2 3",
            "./start 1 3",
            &[(SettingKind::Argument, "-", "2", "-")],
        );
        check(
            "java Main",
            "env A=1 B=2 java Main",
            &[
                (SettingKind::Environment, "A", "-", "1"),
                (SettingKind::Environment, "B", "-", "2"),
            ],
        );
        let (plain, with_variable) = (words("java Main"), words("env A=1 java Main"));
        for (ours, theirs, expected) in [
            (&plain, &with_variable, "env A=1 java Main"),
            (&with_variable, &plain, "env java Main"),
        ] {
            let changes = differing(ours, theirs);
            let all: Vec<&SettingChange> = changes.iter().collect();
            assert_eq!(with_theirs(ours, &all), words(expected));
        }
        check("java -cp a Main 1", "java -cp a Other 2", &[]);
        check("java -jar a.jar", "java -jar b.jar", &[]);
    }

    /// All lines of up to three words of two.
    fn lines() -> Vec<String> {
        let mut all = vec![String::new()];
        for _ in 0..3 {
            let longer = all
                .iter()
                .flat_map(|line| ["a", "b"].map(|word| format!("{line} {word}")));
            let longer: Vec<String> = longer.collect();
            all.extend(longer);
        }
        all
    }

    #[test]
    fn with_all_settings_of_the_other_a_command_is_the_other() {
        let all = lines();
        let pairs = all
            .iter()
            .flat_map(|one| all.iter().map(move |other| (one, other)));
        for (mine, other) in pairs {
            for (ours, theirs) in [("", ""), ("-Xa", ""), ("", "-Xb"), ("-Xa -Xb", "-Xb")] {
                let ours = words(&format!("java {ours} Main {mine}"));
                let theirs = words(&format!("java {theirs} Main {other}"));
                let changes = differing(&ours, &theirs);
                let all: Vec<&SettingChange> = changes.iter().collect();
                assert_eq!(with_theirs(&ours, &all), theirs, "{ours:?}");
                assert_eq!(with_theirs(&ours, &[]), ours);
            }
        }
    }
}
