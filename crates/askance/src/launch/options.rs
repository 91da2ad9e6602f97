//! What to record and how much of it, and how that is told to the recorder.
//!
//! The recorder takes one string, `key=value,key=value`. Values are percent-encoded byte by byte,
//! so that a path with a comma, a space or bytes that are no text at all gets through unchanged.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::project::Project;

/// How much of each call is recorded.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    clap::ValueEnum,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// All inputs of every call, and every heap write.
    #[default]
    Full,
    /// The calls with their arguments and results only.
    Calls,
}

/// Whether the state of the common JDK collections is recorded.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    clap::ValueEnum,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum JdkState {
    /// Their content can be shown at any time.
    #[default]
    On,
    /// They are opaque.
    Off,
}

/// What happens when the trace has the size that the user allows.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    clap::ValueEnum,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum WhenFull {
    /// Recording stops; the program goes on.
    #[default]
    Stop,
    /// The oldest part of the trace is given up: the newest calls are kept.
    Ring,
}

/// How much is recorded of classes that are not the user's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Libraries {
    /// As much as of the user's own.
    #[default]
    Full,
    /// What the user's own code gives them and gets from them.
    Border,
}

/// The recorder's options.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RecordOptions {
    /// Class-name patterns to record; empty: the recorder's default.
    #[serde(default)]
    pub include: Vec<String>,
    /// Class-name patterns to leave alone, besides the recorder's default.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// The most bytes that the trace may have.
    #[serde(default)]
    pub max_trace: Option<u64>,
    /// And what happens when it has them.
    #[serde(default)]
    pub when_full: WhenFull,
    /// The program is stopped after this many seconds.
    #[serde(default)]
    pub time_limit: Option<f64>,
    /// How much of each call.
    #[serde(default)]
    pub detail: Detail,
    /// State of the JDK's collections.
    #[serde(default)]
    pub jdk_state: JdkState,
    /// Names whose values are kept out of the trace.
    #[serde(default)]
    pub mask: Vec<String>,
    /// Patterns of classes whose objects are asked what they say of themselves, by `toString`.
    #[serde(default)]
    pub texts: Vec<String>,
    /// How much of libraries.
    #[serde(default)]
    pub libraries: Libraries,
    /// Class-name patterns that count as the user's own code, wherever the classes come from.
    #[serde(default)]
    pub suspect: Vec<String>,
    /// Packages whose sources are here.
    #[serde(default)]
    pub own_packages: Vec<String>,
    /// The project's folder: what is built in it is the user's own.
    #[serde(default)]
    pub project: PathBuf,
}

impl RecordOptions {
    /// Records the user's own code only: what is in class folders, was built in the project that the folder belongs to, or
    /// has its sources there.
    pub fn only_own_code(&mut self, folder: &Path) {
        let project = Project::whole(folder);
        self.libraries = Libraries::Border;
        self.own_packages = project.source_packages();
        self.project = project.root;
    }

    /// The option string for the recorder that writes below `out`.
    #[must_use]
    pub fn for_agent(&self, out: &Path) -> String {
        let mut text = format!("out={}", percent_encode(out.as_os_str()));
        let detail = match self.detail {
            Detail::Full => "full",
            Detail::Calls => "calls",
        };
        let jdk_state = match self.jdk_state {
            JdkState::On => "on",
            JdkState::Off => "off",
        };
        let _ = write!(text, ",detail={detail},jdk-state={jdk_state}");
        for (key, globs) in [
            ("include", &self.include),
            ("exclude", &self.exclude),
            ("mask", &self.mask),
            ("texts", &self.texts),
            ("suspect", &self.suspect),
            ("own-packages", &self.own_packages),
        ] {
            if !globs.is_empty() {
                let _ = write!(
                    text,
                    ",{key}={}",
                    percent_encode(OsStr::new(&globs.join(";")))
                );
            }
        }
        if self.libraries == Libraries::Border {
            let project = percent_encode(self.project.as_os_str());
            let _ = write!(text, ",libraries=border,project={project}");
        }
        if let Some(bytes) = self.max_trace {
            let _ = write!(text, ",max-trace={bytes}");
            if self.when_full == WhenFull::Ring {
                text.push_str(",when-full=ring");
            }
        }
        text
    }
}

/// Encodes all but plain, harmless ASCII.
fn percent_encode(value: &OsStr) -> String {
    let mut text = String::new();
    for &byte in value.as_bytes() {
        if byte.is_ascii_graphic() && !b",%=\"'\\".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

/// Reads `500M`, `2G`, `64k`, `1000`.
///
/// # Errors
/// A sentence fragment that says what a size looks like.
pub fn parse_size(text: &str) -> Result<u64, String> {
    const SHAPE: &str = "a size is a number with an optional k, M, G or T, e.g. 500M";
    let trimmed = text
        .trim()
        .trim_end_matches(['b', 'B'])
        .trim_end_matches('i');
    let (digits, factor) = match trimmed.char_indices().last() {
        Some((at, 'k' | 'K')) => (&trimmed[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&trimmed[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&trimmed[..at], 1 << 30),
        Some((at, 't' | 'T')) => (&trimmed[..at], 1 << 40),
        _ => (trimmed, 1u64),
    };
    let number: u64 = digits.trim().parse().map_err(|_| SHAPE.to_owned())?;
    match number.checked_mul(factor) {
        Some(0) | None => Err(SHAPE.to_owned()),
        Some(size) => Ok(size),
    }
}

/// Reads a number of seconds, `10` or `0.5`.
///
/// # Errors
/// A sentence fragment that says what is expected.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err("a time limit is a number of seconds above 0, e.g. 10".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awkward_bytes_get_through_encoded() {
        let out = Path::new(OsStr::from_bytes(b"/tmp/a b,c=d%\xff"));
        let options = RecordOptions {
            include: vec!["shop.*".into(), "Main".into()],
            max_trace: Some(5000),
            when_full: WhenFull::Ring,
            ..RecordOptions::default()
        };
        assert_eq!(
            options.for_agent(out),
            "out=/tmp/a%20b%2Cc%3Dd%25%FF,detail=full,jdk-state=on,include=shop.*;Main,max-trace=5000,when-full=ring"
        );
    }

    #[test]
    fn sizes() {
        for (text, size) in [
            ("1000", 1000),
            ("64k", 65536),
            ("2G", 2 << 30),
            ("500MiB", 500 << 20),
            ("3 M", 3 << 20),
        ] {
            assert_eq!(parse_size(text), Ok(size), "{text}");
        }
        for text in ["", "M", "-1", "0", "ten", "99999999999999T", "1.5G"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn seconds() {
        assert_eq!(parse_seconds("0.5"), Ok(0.5));
        for text in ["", "0", "-3", "inf", "NaN", "soon"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
