//! What the agent knows while a JVM is being recorded: one of it in a process.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use java_launcher::AgentArgument;
use trace_format::secret::SecretNames;
use trace_format::symbol::ThreadSymbol;
use trace_format::{
    End, Identity, Libraries, Meta, ObjectId, RecordOptions, StandardStream, ThreadNumber,
    WhenFull, files, json,
};

use crate::SymbolTable;
use crate::children;
use crate::chunk_file::ChunkFile;
use crate::files::TraceFiles;
use crate::filter::ClassFilter;
use crate::following::Following;
use crate::object_numbers::ObjectNumbers;
use crate::other_agents;
use crate::own_code::OwnCode;
use crate::printed::{Printed, PrintedError, PrintedPlace};
use crate::ring::Ring;
use crate::streams::{Clock, Shared, ThreadStreams};
use crate::vm::Jvmti;
use crate::vm_flags::Known;

/// How the recorder came into this JVM.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// As the JVMs that the program starts are to load it; `None` if that is not known.
    pub(crate) recorder: Option<AgentArgument>,
    /// The size of a stack that nobody has given a size; 0 if that is up to the JVM.
    usual_stack: u64,
}

impl Surroundings {
    pub(crate) fn new(recorder: Option<AgentArgument>, known: Known) -> Self {
        // Sizes on a command line have been raised with it, those beside an environment have not.
        let is_raised = !recorder.as_ref().is_some_and(children::came_by_environment);
        Surroundings {
            recorder,
            usual_stack: if is_raised {
                0
            } else {
                java_launcher::stack_beside_environment(known.usual_stack)
            },
        }
    }

    /// The size of the stack that a thread gets; 0 stands for the usual one on both sides.
    pub(crate) fn stack(&self, size: u64) -> u64 {
        match size {
            0 => self.usual_stack,
            _ => java_launcher::raised_stack(size),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) jvmti: Jvmti,
    pub(crate) options: RecordOptions,
    pub(crate) surroundings: Surroundings,
    pub(crate) filter: ClassFilter,
    /// Where only the user's own code is recorded: which that is.
    /// Known from the start on; without it, everything counts as own.
    own_code: OnceLock<OwnCode>,
    pub(crate) secrets: SecretNames,
    pub(crate) shared: Shared,
    /// What is done about a trace that is full: not all that is asked for can be.
    when_full: WhenFull,
    pub(crate) following: Following,
    printed: Printed,
    files: Arc<TraceFiles>,
    symbols: Mutex<SymbolTable<File>>,
    next_thread: AtomicU32,
    pub(crate) numbers: Arc<ObjectNumbers>,
    /// Classes are rewritten only once the Java side is there to be called.
    ready: AtomicBool,
}

static RECORDING: OnceLock<Recording> = OnceLock::new();

/// The recording of this process, if it could be started.
pub(crate) fn current() -> Option<&'static Recording> {
    RECORDING.get()
}

impl Recording {
    /// Makes the trace's folder and becomes [`current`].
    pub(crate) fn begin(
        jvmti: Jvmti,
        out: &Path,
        options: RecordOptions,
        surroundings: Surroundings,
    ) -> io::Result<&'static Recording> {
        let (files, symbols, classes) = TraceFiles::begin(out, std::process::id())?;
        let files = Arc::new(files);
        let numbers = Arc::new(ObjectNumbers::new());
        let ring = match (options.when_full, options.max_trace) {
            (WhenFull::Ring, Some(largest)) => {
                Ring::new(&files, symbols.try_clone()?, &numbers, largest)?
            }
            _ => None,
        };
        let when_full = match &ring {
            Some(_) => WhenFull::Ring,
            None => WhenFull::Stop,
        };
        let chunks = ChunkFile::new(files.chunks.try_clone()?, options.max_trace, ring);
        let clock = Clock::in_file(&files.create(files::CLOCK)?)?;
        let shared = Shared::new(chunks, files.tails.try_clone()?, clock, when_full);
        let recording = Recording {
            jvmti,
            filter: ClassFilter::new(&options, other_agents::classes()),
            own_code: OnceLock::new(),
            secrets: SecretNames::new(&options.mask),
            printed: Printed::new(options.max_trace),
            options,
            surroundings,
            shared,
            when_full,
            following: Following::default(),
            files,
            symbols: Mutex::new(SymbolTable::new(symbols, classes)),
            next_thread: AtomicU32::new(0),
            numbers,
            ready: AtomicBool::new(false),
        };
        Ok(RECORDING.get_or_init(|| recording))
    }

    /// From here on classes are rewritten.
    pub(crate) fn start(&self, identity_in_header: bool) -> io::Result<()> {
        let property = |name| self.jvmti.system_property(name).unwrap_or_default();
        let command = property(c"sun.java.command");
        self.filter.started_with(&command);
        let libraries = self.libraries(&command);
        if libraries == Libraries::Border {
            let own_code = self
                .own_code
                .get_or_init(|| OwnCode::of_options(&self.options));
            own_code.started_with(&command);
        }
        let meta = Meta {
            format: json::VERSION,
            pid: std::process::id(),
            jvm: java_release(&property(c"java.vm.version")),
            jvm_name: property(c"java.vm.name"),
            detail: self.options.detail,
            identity: if identity_in_header {
                Identity::Header
            } else {
                Identity::Map
            },
            started_ms: now_ms(),
            java_command: self.without_secrets(&command),
            when_full: self.when_full,
            libraries,
        };
        self.files.write_whole(files::META, meta.to_json())?;
        self.ready.store(true, Ordering::Release);
        Ok(())
    }

    /// What is recorded of libraries here. Those of a build tool are no part of the program, but they may have been
    /// named.
    fn libraries(&self, command: &str) -> Libraries {
        let is_named = !self.options.include.is_empty();
        match trace_format::is_build_tool(command) && !is_named {
            true => Libraries::Border,
            false => self.options.libraries,
        }
    }

    pub(crate) fn own_code(&self) -> Option<&OwnCode> {
        self.own_code.get()
    }

    fn without_secrets(&self, command: &str) -> String {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        self.secrets.mask_words(&words).join(" ")
    }

    /// An object that was described turns out to be a secret.
    pub(crate) fn described_before(&self, object: ObjectId) {
        if let Err(error) = self.symbols().masked(object) {
            self.warn(&format!("a secret cannot be marked as one: {error}"));
        }
    }

    /// The program printed something. Gives the number of the piece.
    pub(crate) fn printed(
        &self,
        stream: StandardStream,
        place: Option<PrintedPlace>,
        bytes: &mut [u8],
    ) -> u64 {
        let create = || self.files.create(files::PRINTED);
        let (number, kept) = self.printed.keep(stream, place, bytes, create);
        self.tell_unless_kept(kept);
        number
    }

    /// The text of a secret is not to be kept where it is printed.
    pub(crate) fn keep_out(&self, text: &[u8], is_made: bool) {
        self.tell_unless_kept(self.printed.keep_out(text, is_made));
    }

    fn tell_unless_kept(&self, kept: Result<(), PrintedError>) {
        if let Err(error) = kept {
            self.warn(&format!(
                "what the program prints is not kept any more: {error}"
            ));
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    pub(crate) fn end(&self) {
        self.printed.end();
        if let Err(error) = self.shared.end() {
            self.warn(&format!("failed to give back room on the disk: {error}"));
        }
        let end = End {
            ended_ms: now_ms(),
            reason: self.shared.end_reason(),
        };
        if let Err(error) = self.files.write_end(end.to_json().as_ref()) {
            self.warn(&format!("failed to note the end of the run: {error}"));
        }
    }

    pub(crate) fn symbols(&self) -> MutexGuard<'_, SymbolTable<File>> {
        self.symbols.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open_thread(&self, java_id: u64, name: String) -> io::Result<Box<ThreadStreams>> {
        let thread = ThreadNumber(self.next_thread.fetch_add(1, Ordering::Relaxed));
        self.symbols().thread(ThreadSymbol {
            thread,
            java_id,
            name,
        })?;
        self.shared.open_thread(thread)
    }

    /// The first of a block of numbers for objects.
    pub(crate) fn take_id_block(&self) -> u32 {
        self.numbers.take_block().unwrap_or_else(|| {
            self.shared.stop_for_lack_of_numbers();
            self.numbers.last_block()
        })
    }

    /// For the trace's log: what is not recorded, and why.
    pub(crate) fn warn(&self, sentence: &str) {
        self.files.log(sentence);
    }
}

/// The release of Java that a version of HotSpot belongs to. Up to Java 8 it counted otherwise: 25.312-b07 is that of
/// 1.8.0_312-b07; later it is the same.
fn java_release(hotspot: &str) -> String {
    const OF_JAVA_8: &str = "25.";
    match hotspot.strip_prefix(OF_JAVA_8) {
        Some(update) if !update.contains('.') && update.contains("-b") => format!("1.8.0_{update}"),
        _ => hotspot.to_owned(),
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_of_java() {
        for (hotspot, java) in [
            ("25.312-b07", "1.8.0_312-b07"),
            ("17.0.15+6-Debian-1deb12u1", "17.0.15+6-Debian-1deb12u1"),
            ("25.0.1+8", "25.0.1+8"),
            ("25+36-3489", "25+36-3489"),
            ("25.0.2-beta", "25.0.2-beta"),
        ] {
            assert_eq!(java_release(hotspot), java);
        }
    }
}
