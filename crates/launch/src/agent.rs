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
        None => unpack_somewhere(user_folders::cache().as_deref(), &std::env::temp_dir())?,
    };
    let found = found.canonicalize().unwrap_or(found);
    if found.as_os_str().as_bytes().contains(&b'=') {
        return Err(AgentError::Unloadable(found));
    }
    Ok(found)
}

/// Where there is no home folder, as for some services, or it cannot be written to, the temporary files of this user
/// have to do.
fn unpack_somewhere(cache: Option<&Path>, temporary: &Path) -> Result<PathBuf, AgentError> {
    let in_cache = cache.map(unpack);
    match in_cache {
        Some(Ok(path)) => Ok(path),
        Some(Err(first)) => shared_cache(temporary)
            .and_then(|cache| unpack(&cache))
            .map_err(|_| first),
        None => unpack(&shared_cache(temporary)?),
    }
}

/// A folder of this user's among everybody's files. Whoever owns it can exchange what lies in it at any time, so one
/// that somebody else has put there, or can write to, is not used.
fn shared_cache(temporary: &Path) -> Result<PathBuf, AgentError> {
    let user = user();
    let folder = temporary.join(format!("askance-{user}"));
    let unwritable = |source| AgentError::Unwritable {
        folder: folder.clone(),
        source,
    };
    match user_folders::make_new_private(&folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => made.map_err(unwritable)?,
    }
    let metadata = std::fs::symlink_metadata(&folder).map_err(unwritable)?;
    let is_ours = metadata.is_dir() && metadata.uid() == user && metadata.mode() & 0o22 == 0;
    if !is_ours {
        let why = "it is not a folder that only this user can write to";
        return Err(unwritable(io::Error::other(why)));
    }
    Ok(folder)
}

fn user() -> u32 {
    rustix::process::getuid().as_raw()
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
    // Another process may do the same now: the file comes to its place when it is whole.
    let draft = tempfile::NamedTempFile::new_in(&folder).map_err(unwritable)?;
    std::fs::write(draft.path(), recorder_library::BYTES).map_err(unwritable)?;
    draft
        .persist(&path)
        .map_err(|error| unwritable(error.error))?;
    remove_unused(cache);
    Ok(path)
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
    use std::os::unix::fs::PermissionsExt as _;

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
    fn where_the_cache_cannot_be_written_temporary_files_do() {
        let place = tempfile::tempdir().unwrap();
        // Below a file nobody can make a folder, not even root.
        let file = place.path().join("file");
        std::fs::write(&file, "").unwrap();
        let found = unpack_somewhere(Some(&file.join("askance")), place.path()).unwrap();
        assert!(found.starts_with(place.path().join(format!("askance-{}", user()))));
        let refused = unpack_somewhere(Some(&file.join("askance")), &file).unwrap_err();
        assert!(
            matches!(&refused, AgentError::Unwritable { folder, .. } if folder.starts_with(file.join("askance")))
        );
    }

    #[test]
    fn among_everybodys_files_only_a_folder_of_ours_is_used() {
        let place = tempfile::tempdir().unwrap();
        let folder = shared_cache(place.path()).unwrap();
        assert_eq!(folder.metadata().unwrap().mode() & 0o777, 0o700);
        assert_eq!(shared_cache(place.path()).unwrap(), folder);

        let everybodys = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(&folder, everybodys).unwrap();
        let refused = shared_cache(place.path()).unwrap_err().to_string();
        assert!(refused.contains("only this user"), "{refused}");

        let elsewhere = tempfile::tempdir().unwrap();
        std::fs::remove_dir(&folder).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &folder).unwrap();
        assert!(shared_cache(place.path()).is_err());
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
