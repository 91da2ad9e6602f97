//! Where the recorder's library lies, and the options with which a JVM loads it.
//!
//! Besides the library itself a JVM gets a few options of its own: sequential identity hashes (the
//! recorder's object ids), and compilation of large methods (instrumentation pushes some over
//! HotSpot's limit). A VM that does not know one of them must ignore it, so
//! `IgnoreUnrecognizedVMOptions` comes first.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::options::RecordOptions;

/// The library's file name.
pub const LIBRARY: &str = if cfg!(target_os = "macos") {
    "libjvm_agent.dylib"
} else {
    "libjvm_agent.so"
};

/// The environment variable that names the library.
pub const VARIABLE: &str = "ASKANCE_AGENT";

/// Why the library cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    #[error("{VARIABLE} names {}, which is not a file", .0.display())]
    NotThere(PathBuf),
    #[error("the recorder's library {LIBRARY} was not found; looked in {}", list(.0))]
    NotFound(Vec<PathBuf>),
    #[error("the path of the recorder's library contains '=', which no JVM can load: {}", .0.display())]
    Unloadable(PathBuf),
}

fn list(places: &[PathBuf]) -> String {
    let places: Vec<String> = places
        .iter()
        .map(|place| place.display().to_string())
        .collect();
    places.join(", ")
}

/// Finds the library: the environment's word first, then the newest of those beside the executable,
/// in `deps/` beside it (a cargo build), and in `../lib/askance/` (an installation).
///
/// # Errors
/// If there is none, with the places that were looked at.
pub fn find() -> Result<PathBuf, AgentError> {
    find_from(
        std::env::var_os(VARIABLE).as_deref(),
        std::env::current_exe().ok().as_deref(),
    )
}

fn find_from(named: Option<&OsStr>, executable: Option<&Path>) -> Result<PathBuf, AgentError> {
    let found = if let Some(named) = named.filter(|named| !named.is_empty()) {
        let path = PathBuf::from(named);
        if !path.is_file() {
            return Err(AgentError::NotThere(path));
        }
        path
    } else {
        let places = places(executable);
        match newest(&places) {
            Some(found) => found,
            None => return Err(AgentError::NotFound(places)),
        }
    };
    let found = found.canonicalize().unwrap_or(found);
    if found.as_os_str().as_bytes().contains(&b'=') {
        return Err(AgentError::Unloadable(found));
    }
    Ok(found)
}

/// The library that was made last; of equals the first. Cargo leaves an old one beside the
/// executable when it makes a new one in `deps/`.
fn newest(places: &[PathBuf]) -> Option<PathBuf> {
    let made = |place: &PathBuf| {
        let metadata = place.metadata().ok().filter(std::fs::Metadata::is_file)?;
        metadata.modified().ok()
    };
    let found = places
        .iter()
        .filter_map(|place| Some((made(place)?, place)));
    found
        .rev()
        .max_by_key(|(made, _)| *made)
        .map(|(_, place)| place.clone())
}

fn places(executable: Option<&Path>) -> Vec<PathBuf> {
    let executable = executable.map(|path| path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    let Some(folder) = executable.as_deref().and_then(Path::parent) else {
        return Vec::new();
    };
    let mut places = vec![folder.join(LIBRARY), folder.join("deps").join(LIBRARY)];
    if let Some(prefix) = folder.parent() {
        places.push(prefix.join("lib/askance").join(LIBRARY));
    }
    places
}

/// The options that make a JVM load the recorder.
///
/// `feature` is the feature release of the JVM if it is known.
#[must_use]
pub fn jvm_options(
    library: &Path,
    options: &RecordOptions,
    out: &Path,
    feature: Option<u32>,
) -> Vec<OsString> {
    let mut list: Vec<OsString> = [
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:+UnlockExperimentalVMOptions",
        "-XX:hashCode=3",
        "-XX:-DontCompileHugeMethods",
        // Recorded frames are larger: what fits into the usual 1 MB must still fit. An -Xss of
        // the user's comes later and wins.
        "-Xss4m",
    ]
    .map(OsString::from)
    .into();
    if feature.is_some_and(|feature| feature <= 14) {
        // A biased header has no room for the hash; from 15 on bias is off and the option warns.
        list.push("-XX:-UseBiasedLocking".into());
    }
    let mut load = OsString::from("-agentpath:");
    load.push(library);
    load.push("=");
    load.push(options.for_agent(out));
    list.push(load);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_beside_the_executable_then_in_deps_then_in_lib() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let bin = root.join("bin");
        std::fs::create_dir_all(bin.join("deps")).unwrap();
        std::fs::create_dir_all(root.join("lib/askance")).unwrap();
        let executable = bin.join("askance");
        std::fs::write(&executable, "").unwrap();
        assert!(
            matches!(find_from(None, Some(&executable)), Err(AgentError::NotFound(places)) if places.len() == 3)
        );
        for place in [root.join("lib/askance"), bin.join("deps"), bin.clone()] {
            std::fs::write(place.join(LIBRARY), "").unwrap();
            assert_eq!(
                find_from(None, Some(&executable)).unwrap(),
                place.join(LIBRARY)
            );
        }
        let deps = std::fs::File::options()
            .write(true)
            .open(bin.join("deps").join(LIBRARY))
            .unwrap();
        deps.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(9))
            .unwrap();
        assert_eq!(
            find_from(None, Some(&executable)).unwrap(),
            bin.join("deps").join(LIBRARY)
        );
        let named = bin.join("other.so");
        assert!(matches!(
            find_from(Some(named.as_os_str()), Some(&executable)),
            Err(AgentError::NotThere(_))
        ));
        std::fs::write(&named, "").unwrap();
        assert_eq!(
            find_from(Some(named.as_os_str()), Some(&executable)).unwrap(),
            named
        );
    }

    #[test]
    fn biased_locking_is_switched_off_where_there_is_some() {
        let options = |feature| {
            jvm_options(
                Path::new("/a.so"),
                &RecordOptions::default(),
                Path::new("/t"),
                feature,
            )
        };
        assert!(options(Some(11)).contains(&"-XX:-UseBiasedLocking".into()));
        assert!(!options(Some(17)).contains(&"-XX:-UseBiasedLocking".into()));
        assert!(!options(None).contains(&"-XX:-UseBiasedLocking".into()));
        assert_eq!(
            options(None).last().unwrap(),
            "-agentpath:/a.so=out=/t,detail=full,jdk-state=on"
        );
    }
}
