//! A word of a command line, or a path, in JSON: byte strings on Unix. One that is no text is `{"bytes": […]}`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A word of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandWord(pub OsString);

impl<T: AsRef<OsStr> + ?Sized> From<&T> for CommandWord {
    fn from(word: &T) -> Self {
        CommandWord(word.as_ref().to_owned())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Text(String),
    Bytes { bytes: Vec<u8> },
}

impl Serialize for CommandWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => Stored::Text(text.to_owned()),
            None => Stored::Bytes {
                bytes: self.0.as_bytes().to_vec(),
            },
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CommandWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(CommandWord(match Stored::deserialize(deserializer)? {
            Stored::Text(text) => text.into(),
            Stored::Bytes { bytes } => OsString::from_vec(bytes),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_no_text_are_lists_of_bytes() {
        let words = vec![
            CommandWord::from("plain"),
            CommandWord(OsString::from_vec(vec![b'a', 0xff])),
        ];
        let text = serde_json::to_string(&words).unwrap();
        assert_eq!(text, r#"["plain",{"bytes":[97,255]}]"#);
    }
}
