//! The small JSON files around the streams, and the version check.
//!
//! Unknown fields and unknown words are accepted, as those of a newer minor version; a newer
//! major version is refused before anything else is looked at.

use serde::{Deserialize, Serialize};

/// The version that this crate writes.
pub const VERSION: FormatVersion = FormatVersion { major: 6, minor: 0 };

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FormatVersion {
    pub major: u32,
    #[serde(default)]
    pub minor: u32,
}

/// `meta.json`: what was recorded. Written before anything else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    pub format: FormatVersion,
    #[serde(default)]
    pub pid: u32,
    /// The JVM's version, `17.0.15+6`.
    #[serde(default)]
    pub jvm: String,
    #[serde(default)]
    pub jvm_name: String,
    #[serde(default)]
    pub detail: Detail,
    #[serde(default)]
    pub identity: Identity,
    #[serde(default)]
    pub started_ms: u64,
    /// Main class or jar with the program's arguments.
    #[serde(default)]
    pub java_command: String,
    /// Since 4.2.
    #[serde(default)]
    pub when_full: WhenFull,
    /// Since 5.0.
    #[serde(default)]
    pub libraries: Libraries,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    #[default]
    Full,
    Calls,
    #[serde(other)]
    Other,
}

/// Where object identities come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Identity {
    #[default]
    Header,
    Map,
    #[serde(other)]
    Other,
}

/// How much of the classes that are not the user's own was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Libraries {
    /// As much as of the user's own.
    #[default]
    Full,
    /// What the user's own code gave them and got from them.
    Border,
    #[serde(other)]
    Other,
}

/// What happens when the trace has the size that the user allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhenFull {
    /// Recording stops.
    #[default]
    Stop,
    /// The oldest part is given up.
    Ring,
    #[serde(other)]
    Other,
}

/// `end.json`: how the JVM ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    #[serde(default)]
    pub ended_ms: u64,
    pub reason: EndReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    Exit,
    /// Recording stopped at the size limit; the program went on.
    MaxTrace,
    /// Recording stopped at a full disk; the program went on.
    Disk,
    #[serde(other)]
    Other,
}

/// A trace of another major version, or no version at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VersionError {
    #[error(
        "the trace has format version {}.{}, which is too new for this program (it reads {}.x)",
        found.major, found.minor, VERSION.major
    )]
    TooNew { found: FormatVersion },
    #[error(
        "the trace has format version {}.{}, which is too old for this program (it reads {}.x)",
        found.major, found.minor, VERSION.major
    )]
    TooOld { found: FormatVersion },
    #[error("the description of the trace is not readable: {0}")]
    Unreadable(String),
}

impl FormatVersion {
    pub fn check(self) -> Result<(), VersionError> {
        match self.major.cmp(&VERSION.major) {
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Greater => Err(VersionError::TooNew { found: self }),
            std::cmp::Ordering::Less => Err(VersionError::TooOld { found: self }),
        }
    }
}

impl Meta {
    /// Parses `meta.json`. The version is checked first: the rest of a newer major version may
    /// look like anything.
    pub fn parse(json: &[u8]) -> Result<Self, VersionError> {
        #[derive(Deserialize)]
        struct OnlyVersion {
            format: FormatVersion,
        }
        let unreadable = |error: serde_json::Error| VersionError::Unreadable(error.to_string());
        let only: OnlyVersion = serde_json::from_slice(json).map_err(unreadable)?;
        only.format.check()?;
        serde_json::from_slice(json).map_err(unreadable)
    }

    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

impl End {
    pub fn parse(json: &[u8]) -> Option<Self> {
        serde_json::from_slice(json).ok()
    }

    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

fn to_json<T: Serialize>(value: &T) -> String {
    // Structs of numbers and strings have nothing that JSON could not hold.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_format_page_shows() {
        let json = br#"{"format":{"major":6,"minor":0},"pid":7,"jvm":"17.0.15+6","jvm_name":"OpenJDK 64-Bit Server VM","detail":"calls","identity":"map","started_ms":12,"java_command":"Main a b"}"#;
        let meta = Meta::parse(json).unwrap();
        assert_eq!(
            (meta.detail, meta.identity, meta.pid),
            (Detail::Calls, Identity::Map, 7)
        );
        assert_eq!(Meta::parse(meta.to_json().as_bytes()).unwrap(), meta);
        let end = End::parse(br#"{"ended_ms":5,"reason":"max-trace"}"#).unwrap();
        assert_eq!(end.reason, EndReason::MaxTrace);
    }

    #[test]
    fn newer_minor_versions_are_read_and_other_majors_refused() {
        let json = |major: u32, minor: u32| {
            format!(
                r#"{{"format":{{"major":{major},"minor":{minor}}},"detail":"light","new":[1]}}"#
            )
        };
        assert_eq!(
            Meta::parse(json(VERSION.major, 9).as_bytes())
                .unwrap()
                .detail,
            Detail::Other
        );
        let text = |major| {
            Meta::parse(json(major, 0).as_bytes())
                .unwrap_err()
                .to_string()
        };
        let (newer, older) = (VERSION.major + 1, VERSION.major - 1);
        assert!(text(newer).contains("too new"), "{}", text(newer));
        assert!(text(older).contains("too old"), "{}", text(older));
        assert!(matches!(
            Meta::parse(b"{}"),
            Err(VersionError::Unreadable(_))
        ));
    }
}
