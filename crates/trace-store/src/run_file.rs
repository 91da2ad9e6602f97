//! Reads and writes a trace's run file, and other small files that a reader never sees half of.

use std::io::{self, Write as _};
use std::path::Path;

use trace_format::{RunFile, files};

/// Reads the file of a trace; `None` if there is none or it is not readable as one.
#[must_use]
pub fn read_run_file(trace: &Path) -> Option<RunFile> {
    RunFile::parse(&std::fs::read(trace.join(files::RUN)).ok()?)
}

/// Writes the file, whole or not at all.
///
/// # Errors
/// If the folder cannot be written.
pub fn write_run_file(trace: &Path, run: &RunFile) -> io::Result<()> {
    write_whole(&trace.join(files::RUN), run.to_json().as_bytes())
}

/// Writes the file over the one that is there, which takes no more room than a full disk has.
///
/// # Errors
/// If the file cannot be written.
pub fn overwrite_run_file(trace: &Path, run: &RunFile) -> io::Result<()> {
    let content = run.to_json();
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .open(trace.join(files::RUN))?;
    file.write_all(content.as_bytes())?;
    file.set_len(content.len() as u64)
}

/// Writes a file through a temporary one beside it, so that no reader sees half of it.
///
/// # Errors
/// If the folder cannot be written.
pub fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(".askance-")
        .tempfile_in(folder)?;
    file.write_all(content)?;
    file.write_all(b"\n")?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_file_is_read_back_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let run = RunFile {
            command: vec!["java".into(), "Main".into()],
            exit_code: Some(1),
            ..RunFile::default()
        };
        write_run_file(folder.path(), &run).unwrap();
        assert_eq!(read_run_file(folder.path()).as_ref(), Some(&run));
        let shorter = RunFile::default();
        overwrite_run_file(folder.path(), &shorter).unwrap();
        assert_eq!(read_run_file(folder.path()), Some(shorter));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
