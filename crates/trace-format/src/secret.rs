//! Which names belong to secrets: values under such names are not written into a trace.
//!
//! Names are compared as people mean them: `apiKey`, `API_KEY` and `api-key` are one. A pattern is
//! the whole name, with `*` for any characters; with a `?` behind it, it is about texts only that a machine has drawn.

use thiserror::Error;

use java_names::wildcard;

/// Names that mean a secret in most programs. A token is a session's as well as a parser's, and a parser's is a word;
/// a call that reads a masked one could not be re-executed.
pub const USUAL: &[&str] = &[
    "*password*",
    "*passwd*",
    "*passphrase*",
    "*passcode*",
    "pwd",
    "*secret*",
    "*accesstoken*",
    "*apitoken*",
    "*auth*token*",
    "*bearer*token*",
    "*csrftoken*",
    "*refreshtoken*",
    "*session*token*",
    "*xsrftoken*",
    "*token?",
    "*apikey*",
    "*accesskey*",
    "*privatekey*",
    "*credential*",
    "*authorization",
];

/// Before a pattern of names that are no secrets.
const NOT: char = '!';
/// Behind a pattern of names that are secrets only if their texts look like it.
const IF_DRAWN: char = '?';

/// How sure it is that what has a name is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Secrecy {
    /// If its text looks like what machines draw, and not like a word of a language (`AskanceSecrets.isDrawn`).
    IfDrawn,
    /// Whatever it is.
    Sure,
}

/// A pattern over names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePattern(String);

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a pattern is a name such as pin or *password*, with * for any characters")]
pub struct BadPattern;

impl NamePattern {
    pub fn new(text: &str) -> Result<Self, BadPattern> {
        let in_name = |c: char| c.is_alphanumeric() || "._$*- ".contains(c);
        let text = text.strip_prefix(NOT).unwrap_or(text);
        let text = text.strip_suffix(IF_DRAWN).unwrap_or(text);
        let pattern = plain(text);
        if !text.chars().all(in_name) || pattern.chars().all(|c| c == '*') {
            return Err(BadPattern);
        }
        Ok(Self(pattern))
    }

    fn matches(&self, name: &str) -> bool {
        wildcard::matches(&self.0, name)
    }
}

/// What all patterns together mean: a name is a secret's if one of the patterns says so and none with a `!`
/// before it says otherwise. Those without a `?` are the surer ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecretNames {
    secret: Vec<NamePattern>,
    secret_if_drawn: Vec<NamePattern>,
    harmless: Vec<NamePattern>,
}

impl SecretNames {
    /// Texts that are no patterns are left out.
    pub fn new<T: AsRef<str>>(patterns: impl IntoIterator<Item = T>) -> Self {
        let mut names = Self::default();
        for text in patterns {
            let text = text.as_ref();
            let list = if text.starts_with(NOT) {
                &mut names.harmless
            } else if text.ends_with(IF_DRAWN) {
                &mut names.secret_if_drawn
            } else {
                &mut names.secret
            };
            list.extend(NamePattern::new(text));
        }
        names
    }

    pub fn is_empty(&self) -> bool {
        self.secret.is_empty() && self.secret_if_drawn.is_empty()
    }

    /// Whether this is the name of a secret, be its text what it may.
    pub fn contains(&self, name: &str) -> bool {
        self.secrecy(name).is_some()
    }

    /// How sure it is that this is the name of a secret; `None` if it is none. Of a key such as `db.password` the
    /// last part may be it, too.
    pub fn secrecy(&self, name: &str) -> Option<Secrecy> {
        if self.is_empty() || name.len() > LONGEST_NAME {
            return None;
        }
        let whole = plain(name);
        let last = name.rsplit_once('.').map(|(_, last)| plain(last));
        let any = |patterns: &[NamePattern]| {
            patterns.iter().any(|pattern| {
                pattern.matches(&whole) || last.as_deref().is_some_and(|last| pattern.matches(last))
            })
        };
        let secrecy = if any(&self.secret) {
            Secrecy::Sure
        } else if any(&self.secret_if_drawn) {
            Secrecy::IfDrawn
        } else {
            return None;
        };
        (!any(&self.harmless)).then_some(secrecy)
    }

    /// A command's words, each with what belongs to a secret's name replaced: `--password=x`, `--password x`,
    /// `-Ddb.password=x`, `TOKEN=x`.
    pub fn mask_words(&self, words: &[String]) -> Vec<String> {
        let mut follows_name = false;
        words
            .iter()
            .map(|word| {
                if std::mem::take(&mut follows_name) && !word.starts_with('-') {
                    return MASK.to_owned();
                }
                let name = word.strip_prefix("-D").unwrap_or(word);
                match name.split_once('=') {
                    Some((name, _)) if self.contains(name.trim_start_matches('-')) => {
                        let kept = word.find('=').map_or(word.len(), |at| at + 1);
                        format!("{}{MASK}", &word[..kept])
                    }
                    None => {
                        follows_name =
                            word.starts_with('-') && self.contains(word.trim_start_matches('-'));
                        word.clone()
                    }
                    _ => word.clone(),
                }
            })
            .collect()
    }
}

/// What stands where a secret was.
pub const MASK: &str = "(masked)";
/// Longer texts are no names.
const LONGEST_NAME: usize = 200;

/// In lower case, without what separates words.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | '.' | '$' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_as_people_mean_them() {
        let names = SecretNames::new(USUAL);
        for secret in [
            "password",
            "PASSWORD",
            "userPassword",
            "db.password",
            "API_KEY",
            "api-key",
            "token",
            "csrfToken",
            "clientSecret",
            "pwd",
            "this$secret",
            "spring.datasource.password",
        ] {
            assert!(names.contains(secret), "{secret}");
        }
        for other in [
            "pass",
            "tokens",
            "tokenizer",
            "key",
            "name",
            "",
            "compass",
            "pwdFile",
        ] {
            assert!(!names.contains(other), "{other}");
        }
    }

    #[test]
    fn a_token_is_one_if_it_looks_like_it() {
        let names = SecretNames::new(USUAL);
        assert_eq!(names.secrecy("token"), Some(Secrecy::IfDrawn));
        assert_eq!(names.secrecy("nextToken"), Some(Secrecy::IfDrawn));
        for sure in ["password", "accessToken", "AUTH_TOKEN", "sessionToken"] {
            assert_eq!(names.secrecy(sure), Some(Secrecy::Sure), "{sure}");
        }
        assert_eq!(names.secrecy("tokenPassword"), Some(Secrecy::Sure));
        assert_eq!(names.secrecy("name"), None);
        let wanted = USUAL.iter().chain(&["token"]);
        assert_eq!(
            SecretNames::new(wanted).secrecy("token"),
            Some(Secrecy::Sure)
        );
        assert_eq!(
            SecretNames::new(["*token?", "!token"]).secrecy("token"),
            None
        );
    }

    #[test]
    fn a_pattern_needs_a_name() {
        for bad in ["", "*", "**", "a/b", "a;b", "-", "?", "a?b", "*?"] {
            assert!(NamePattern::new(bad).is_err(), "{bad}");
        }
        assert!(SecretNames::new(["p*n"]).contains("pin"));
        assert!(!SecretNames::new(["p*n"]).contains("pint"));
        let mut patterns = USUAL.to_vec();
        patterns.push("!token");
        assert!(!SecretNames::new(&patterns).contains("token"));
        assert!(SecretNames::new(&patterns).contains("apiToken"));
    }

    #[test]
    fn a_command_keeps_its_names_only() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let command =
            "java -Ddb.password=a -cp x Main --token b --user c --secret=d TOKEN=e --password -v";
        let masked = "java -Ddb.password=(masked) -cp x Main --token (masked) --user c --secret=(masked) TOKEN=(masked) --password -v";
        assert_eq!(
            SecretNames::new(USUAL).mask_words(&words(command)),
            words(masked)
        );
    }
}
