//! Where the recorder's library lies, and the option with which a JVM loads it.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use java_launcher::AgentArgument;

use trace_format::RecordOptions;

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

/// What makes a JVM load the library.
#[must_use]
pub fn recorder(library: &Path, options: &RecordOptions, out: &Path) -> AgentArgument {
    let mut option = OsString::from("-agentpath:");
    option.push(library);
    option.push("=");
    option.push(options.for_recorder(out));
    AgentArgument { option }
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
    fn the_library_is_loaded_with_its_options() {
        let options = RecordOptions::default();
        let recorder = recorder(Path::new("/a.so"), &options, Path::new("/t"));
        assert_eq!(recorder.option, "-agentpath:/a.so=out=/t");
    }
}
