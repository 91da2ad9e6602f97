//! The files of one JVM's folder, opened once.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use trace_format::files;

#[derive(Debug)]
pub(crate) struct TraceFiles {
    folder: PathBuf,
    pub(crate) chunks: File,
    pub(crate) tails: File,
    log: File,
    /// What will become the note of how the recording ended.
    end: File,
}

/// The name that the note of the end has before it is written.
const UNFINISHED_END: &str = "end.json.new";
/// More than the note will take.
const ROOM_FOR_END: [u8; 512] = [b' '; 512];

impl TraceFiles {
    /// Makes the JVM's folder. `symbols` and `classes` are returned beside it: they have another owner.
    pub(crate) fn begin(run: &Path, process_id: u32) -> io::Result<(Self, File, File)> {
        let mut folder = run.join(files::jvm_folder(process_id));
        // A process that replaces itself (exec) keeps its number: the second JVM needs another name.
        let mut again = 1;
        while folder.exists() {
            again += 1;
            folder = run.join(format!("{}-{again}", files::jvm_folder(process_id)));
        }
        std::fs::create_dir_all(&folder)?;
        let create = |name: &str| create_new(&folder.join(name));
        let mut symbols = create(files::SYMBOLS)?;
        symbols.write_all(&files::SYMBOLS_SIGNATURE)?;
        let classes = create(files::CLASSES)?;
        let mut chunks = create(files::CHUNKS)?;
        chunks.write_all(&files::CHUNKS_SIGNATURE)?;
        let tails = create(files::TAILS)?;
        let log = create(files::LOG)?;
        // A disk that is full at the end must not hide why the recording ended.
        let end = create(UNFINISHED_END)?;
        end.write_all_at(&ROOM_FOR_END, 0)?;
        Ok((
            TraceFiles {
                folder,
                chunks,
                tails,
                log,
                end,
            },
            symbols,
            classes,
        ))
    }

    /// A file that only some recordings have.
    pub(crate) fn create(&self, name: &str) -> io::Result<File> {
        create_new(&self.folder.join(name))
    }

    /// Written under another name first: a reader sees all of it or nothing.
    pub(crate) fn write_whole(&self, name: &str, content: impl AsRef<[u8]>) -> io::Result<()> {
        let unfinished = self.folder.join(format!("{name}.new"));
        std::fs::write(&unfinished, content)?;
        std::fs::rename(unfinished, self.folder.join(name))
    }

    /// Notes how the recording ended, in room that was taken when it began.
    pub(crate) fn write_end(&self, content: &[u8]) -> io::Result<()> {
        self.end.write_all_at(content, 0)?;
        self.end.set_len(content.len() as u64)?;
        let folder = &self.folder;
        std::fs::rename(folder.join(UNFINISHED_END), folder.join(files::END))
    }

    pub(crate) fn log(&self, sentence: &str) {
        // If even this fails there is nobody left to tell.
        let _ = writeln!(&self.log, "{sentence}");
    }
}

fn create_new(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).open(path)
}
