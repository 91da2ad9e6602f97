//! Where the recorder's library lies, and the option with which a JVM loads it.
//!
//! The library is a part of the executable, and a JVM loads files only, so it is unpacked when it is needed.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use java_launcher::AgentArgument;
use trace_format::RecordOptions;

use crate::user_folders;

/// The library's file name.
pub const LIBRARY: &str = if cfg!(target_os = "macos") {
    "libjvm_agent.dylib"
} else {
    "libjvm_agent.so"
};

/// The environment variable that names the library.
pub const VARIABLE: &str = "ASKANCE_AGENT";

/// Each version of the library has a folder of its own.
const FOLDER_PREFIX: &str = "recorder-";

/// Libraries of other versions of the tool are removed when nobody has used them for so long.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Why the library cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    #[error("{VARIABLE} names {}, which is not a file", .0.display())]
    NotThere(PathBuf),
    #[error("the recorder's library cannot be put where a JVM finds it, {}: {source}", .folder.display())]
    Unwritable { folder: PathBuf, source: io::Error },
    #[error("the path of the recorder's library contains '=', which no JVM can load: {}", .0.display())]
    Unloadable(PathBuf),
}

/// The library that the environment names, or the one that is a part of this executable, which is written among the
/// user's cached files if it is not there.
///
/// # Errors
/// If there is no such file, or none can be written.
pub fn find() -> Result<PathBuf, AgentError> {
    let named = std::env::var_os(VARIABLE).filter(|named| !named.is_empty());
    let found = match named.map(PathBuf::from) {
        Some(path) if path.is_file() => path,
        Some(path) => return Err(AgentError::NotThere(path)),
        None => unpack(&cache())?,
    };
    let found = found.canonicalize().unwrap_or(found);
    if found.as_os_str().as_bytes().contains(&b'=') {
        return Err(AgentError::Unloadable(found));
    }
    Ok(found)
}

/// Where there is no home folder, as for some services, the temporary files of this user have to do.
fn cache() -> PathBuf {
    user_folders::cache().unwrap_or_else(|| {
        let user = rustix::process::getuid().as_raw();
        std::env::temp_dir().join(format!("askance-{user}"))
    })
}

/// Each version has a folder of its own, so that several can be in use. What lies there is compared before it is
/// used: a JVM runs it with all rights of the user.
fn unpack(cache: &Path) -> Result<PathBuf, AgentError> {
    let folder = cache.join(format!("{FOLDER_PREFIX}{}", recorder_library::FINGERPRINT));
    let path = folder.join(LIBRARY);
    let unwritable = |source| AgentError::Unwritable {
        folder: folder.clone(),
        source,
    };
    if std::fs::read(&path).is_ok_and(|bytes| bytes == recorder_library::BYTES) {
        note_use(&folder);
        return Ok(path);
    }
    user_folders::make_private(&folder).map_err(unwritable)?;
    check_owner(&folder).map_err(unwritable)?;
    // Another process may do the same now: the file comes to its place when it is whole.
    let draft = tempfile::NamedTempFile::new_in(&folder).map_err(unwritable)?;
    std::fs::write(draft.path(), recorder_library::BYTES).map_err(unwritable)?;
    draft
        .persist(&path)
        .map_err(|error| unwritable(error.error))?;
    remove_unused(cache);
    Ok(path)
}

/// A folder among everybody's temporary files may have been made by somebody else.
fn check_owner(folder: &Path) -> io::Result<()> {
    let metadata = std::fs::metadata(folder)?;
    if metadata.uid() != rustix::process::getuid().as_raw() {
        return Err(io::Error::other("the folder belongs to another user"));
    }
    Ok(())
}

/// It only matters to [`remove_unused`], and a folder that cannot be touched cannot be removed either.
fn note_use(folder: &Path) {
    let opened = File::open(folder);
    let _ = opened.and_then(|folder| folder.set_modified(SystemTime::now()));
}

fn remove_unused(cache: &Path) {
    for entry in std::fs::read_dir(cache).into_iter().flatten().flatten() {
        let is_library = entry
            .file_name()
            .to_string_lossy()
            .starts_with(FOLDER_PREFIX);
        let used = entry.metadata().and_then(|metadata| metadata.modified());
        let age = used.map(|used| used.elapsed().unwrap_or_default());
        if is_library && age.is_ok_and(|age| age > UNUSED) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
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
    fn it_is_unpacked_once_mended_if_it_was_changed_and_nobody_else_sees_it() {
        let cache = tempfile::tempdir().unwrap();
        let cache = cache.path().join("askance");
        let path = unpack(&cache).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), recorder_library::BYTES);
        assert_eq!(cache.metadata().unwrap().mode() & 0o777, 0o700);
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
        let first = path.metadata().unwrap().ino();
        unpack(&cache).unwrap();
        assert_eq!(path.metadata().unwrap().ino(), first);
        std::fs::write(&path, "no library").unwrap();
        assert_eq!(unpack(&cache).unwrap(), path);
        assert_eq!(std::fs::read(&path).unwrap(), recorder_library::BYTES);
        assert_eq!(
            std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1
        );
    }

    #[test]
    fn libraries_of_other_versions_stay_until_nobody_uses_them() {
        let cache = tempfile::tempdir().unwrap();
        let [used, unused] = ["recorder-1", "recorder-2"].map(|name| cache.path().join(name));
        for folder in [&used, &unused] {
            std::fs::create_dir(folder).unwrap();
        }
        let long_ago = SystemTime::now() - UNUSED - Duration::from_secs(9);
        File::open(&unused).unwrap().set_modified(long_ago).unwrap();
        unpack(cache.path()).unwrap();
        assert!(used.exists() && !unused.exists());
    }

    #[test]
    fn the_library_is_loaded_with_its_options() {
        let options = RecordOptions::default();
        let recorder = recorder(Path::new("/a.so"), &options, Path::new("/t"));
        assert_eq!(recorder.option, "-agentpath:/a.so=out=/t");
    }
}
