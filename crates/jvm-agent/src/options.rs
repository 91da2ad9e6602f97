//! What the tool asks the agent for: `key=value` pairs, separated by commas, in the agent path's
//! option string. Values are percent-encoded, lists in them are separated by semicolons.

use std::path::PathBuf;

use thiserror::Error;

use trace_format::{Detail, Libraries, WhenFull};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Options {
    /// The run's folder; the JVM's own is made inside it.
    pub(crate) out: PathBuf,
    pub(crate) detail: Detail,
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
    /// The largest size of the streams on disk.
    pub(crate) max_trace: Option<u64>,
    /// And what happens then.
    pub(crate) when_full: WhenFull,
    /// Whether the content of the JDK's collections is followed.
    pub(crate) library_state: bool,
    /// Names whose values are secrets.
    pub(crate) mask: Vec<String>,
    /// Classes whose objects are asked what they say of themselves.
    pub(crate) texts: Vec<String>,
    /// How much of libraries is recorded.
    pub(crate) libraries: Libraries,
    /// Classes that count as the user's own, whatever they come from.
    pub(crate) suspect: Vec<String>,
    /// Packages whose sources are the user's.
    pub(crate) own_packages: Vec<String>,
    /// The project's folder.
    pub(crate) project: PathBuf,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum OptionError {
    #[error("option {0:?} is not of the form key=value")]
    NoValue(String),
    #[error("unknown option {0:?}")]
    Unknown(String),
    #[error("option {key} cannot be {value:?}")]
    BadValue { key: String, value: String },
    #[error("the option out=FOLDER is missing")]
    NoFolder,
}

impl Options {
    pub(crate) fn parse(text: &str) -> Result<Self, OptionError> {
        let mut out = None;
        let mut options = Options {
            out: PathBuf::new(),
            detail: Detail::Full,
            include: Vec::new(),
            exclude: Vec::new(),
            max_trace: None,
            when_full: WhenFull::Stop,
            library_state: true,
            mask: Vec::new(),
            texts: Vec::new(),
            libraries: Libraries::Full,
            suspect: Vec::new(),
            own_packages: Vec::new(),
            project: PathBuf::new(),
        };
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            let (key, encoded) = pair
                .split_once('=')
                .ok_or_else(|| OptionError::NoValue(pair.to_owned()))?;
            let bytes = percent_decoded(encoded);
            let value = String::from_utf8_lossy(&bytes).into_owned();
            let bad = || OptionError::BadValue {
                key: key.to_owned(),
                value: value.clone(),
            };
            match key {
                "out" => out = Some(path(bytes)),
                "detail" => {
                    options.detail = match value.as_str() {
                        "full" => Detail::Full,
                        "calls" => Detail::Calls,
                        _ => return Err(bad()),
                    }
                }
                "include" => options.include = list(&value),
                "exclude" => options.exclude = list(&value),
                "mask" => options.mask = list(&value),
                "texts" => options.texts = list(&value),
                "libraries" => {
                    options.libraries = match value.as_str() {
                        "full" => Libraries::Full,
                        "border" => Libraries::Border,
                        _ => return Err(bad()),
                    }
                }
                "suspect" => options.suspect = list(&value),
                "own-packages" => options.own_packages = list(&value),
                "project" => options.project = path(bytes),
                "max-trace" => options.max_trace = Some(value.parse().map_err(|_| bad())?),
                "when-full" => {
                    options.when_full = match value.as_str() {
                        "stop" => WhenFull::Stop,
                        "ring" => WhenFull::Ring,
                        _ => return Err(bad()),
                    }
                }
                "jdk-state" => {
                    options.library_state = match value.as_str() {
                        "on" => true,
                        "off" => false,
                        _ => return Err(bad()),
                    }
                }
                _ => return Err(OptionError::Unknown(key.to_owned())),
            }
        }
        options.out = out.ok_or(OptionError::NoFolder)?;
        Ok(options)
    }
}

fn list(value: &str) -> Vec<String> {
    value
        .split(';')
        .filter(|glob| !glob.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(unix)]
fn path(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let mut decoded = Vec::with_capacity(rest.len());
    while let Some((&first, after)) = rest.split_first() {
        let escaped = (first == b'%')
            .then(|| after.get(..2))
            .flatten()
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match escaped {
            Some(byte) => {
                decoded.push(byte);
                rest = &after[2..];
            }
            None => {
                decoded.push(first);
                rest = after;
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_percent_decoded_and_lists_split() {
        let options = Options::parse(
            "out=/tmp/a%2cb%25,detail=calls,include=a.*;b.C,max-trace=12,when-full=ring,mask=pin;*key,texts=shop.*,libraries=border,suspect=x.*,own-packages=shop;shop.cart,project=/p",
        )
        .unwrap();
        assert_eq!(options.out, PathBuf::from("/tmp/a,b%"));
        assert_eq!(options.detail, Detail::Calls);
        assert_eq!(options.include, ["a.*", "b.C"]);
        assert_eq!(options.max_trace, Some(12));
        assert_eq!(options.when_full, WhenFull::Ring);
        assert!(options.library_state);
        assert_eq!(options.mask, ["pin", "*key"]);
        assert_eq!(options.texts, ["shop.*"]);
        assert_eq!(options.libraries, Libraries::Border);
        assert_eq!(options.suspect, ["x.*"]);
        assert_eq!(options.own_packages, ["shop", "shop.cart"]);
        assert_eq!(options.project, PathBuf::from("/p"));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(Options::parse("detail=full"), Err(OptionError::NoFolder));
        assert_eq!(
            Options::parse("out"),
            Err(OptionError::NoValue("out".to_owned()))
        );
        assert_eq!(
            Options::parse("out=x,y=1"),
            Err(OptionError::Unknown("y".to_owned()))
        );
        let bad = Options::parse("out=x,detail=all").unwrap_err();
        assert_eq!(bad.to_string(), "option detail cannot be \"all\"");
    }
}
