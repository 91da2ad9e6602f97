//! `--reference`: the same command with the other version.

mod kept;
mod recorded;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::output::Talk;
use super::{inspect, record};
use java_launcher::Main;
use java_model::run::JavaRun;
use launch::command::ProgramToRecord;
use launch::folder::TraceFolder;
use launch::interrupt;
use launch::jdk::JdkLocations;
use launch::record::{RecordError, Request, Streams, TraceDestination};
use launch::rerun::Rerun;
use launch::test_command::{RUNNERS, dotted};
use launch::worktree::{Worktree, WorktreeError};
use launch::{Listener as _, Silent};
use trace_format::RunFile;
use trace_format::secret::MASK;
use trace_store::read_run_file;

/// A recorded reference.
pub(crate) struct ReferenceRun {
    pub(crate) run: JavaRun,
    /// Its trace, which goes away with it unless it is kept.
    pub(crate) folder: Option<TraceFolder>,
    /// What was checked out to record it.
    pub(crate) checked_out: Option<CheckedOut>,
}

/// A revision of the program, built; it goes away with this.
pub(crate) struct CheckedOut(Worktree);

/// Both versions of a program, to be run again.
pub(crate) struct Programs {
    pub(crate) ours: Rerun,
    pub(crate) theirs: Rerun,
    _checked_out: Option<CheckedOut>,
}

/// Makes the command of a recorded run ready to be run again, as it was and with the other version.
pub(crate) fn both_programs(
    run_file: &RunFile,
    reference: &Path,
    build: Option<&str>,
    checked_out: Option<CheckedOut>,
) -> Result<Programs, Failure> {
    let words = run_file.words();
    let is_java = |first: &OsString| java_launcher::is_java(first);
    let with_children = run_file.java_file.is_none() && !words.first().is_some_and(is_java);
    let ours = recorded::program(run_file)?;
    let working_directory = PathBuf::from(&run_file.working_directory.0);
    let other = Other::new(run_file, reference, build, checked_out)?;
    let machine = JdkLocations::this();
    let rerun = |program: &ProgramToRecord, working_directory: &Path| {
        Rerun::new(
            program,
            working_directory,
            with_children,
            &machine,
            &mut Silent,
        )
    };
    let mut ours = rerun(&ours, &working_directory)?;
    let mut theirs = rerun(&other.program, &other.working_directory)?;
    if let Some(CheckedOut(worktree)) = &other.checked_out {
        ours = ours.of_project(worktree.repository());
        theirs = theirs.of_project(&worktree.folder());
    }
    Ok(Programs {
        ours,
        theirs,
        _checked_out: other.checked_out,
    })
}

/// Whether a recorded command runs tests and nothing else.
pub(crate) fn runs_tests(run_file: &RunFile) -> bool {
    let words = run_file.words();
    words
        .split_first()
        .is_some_and(|(first, rest)| java_launcher::is_java(first) && is_test_runner(rest))
}

/// The command of a run with the other version in it.
struct Other {
    program: ProgramToRecord,
    working_directory: PathBuf,
    checked_out: Option<CheckedOut>,
}

impl Other {
    /// Checks out and builds a revision, if it is one and that was not done yet.
    fn new(
        run_file: &RunFile,
        reference: &Path,
        build: Option<&str>,
        checked_out: Option<CheckedOut>,
    ) -> Result<Other, Failure> {
        if let Some(other) = recorded::run_file(reference) {
            return Ok(Other {
                program: recorded::program(&other)?,
                working_directory: PathBuf::from(&other.working_directory.0),
                checked_out: None,
            });
        }
        let working_directory = PathBuf::from(&run_file.working_directory.0);
        let worktree = match (revision(reference), checked_out) {
            (Some(_), Some(CheckedOut(worktree))) => worktree,
            (Some(revision), None) => check_out(revision, build, &working_directory)?,
            (None, _) => {
                return Ok(Other {
                    program: program(run_file, reference)?,
                    working_directory,
                    checked_out: None,
                });
            }
        };
        Ok(Other {
            program: program_of_revision(run_file, &worktree, &working_directory)?,
            working_directory: worktree.counterpart(&working_directory),
            checked_out: Some(CheckedOut(worktree)),
        })
    }
}

/// Whether there is anything at that path, before time is spent on recording.
pub(crate) fn check(reference: &Path, build: Option<&str>) -> Result<(), Failure> {
    if revision(reference).is_some() {
        return Ok(());
    }
    if build.is_some() {
        return Err(Failure::mistake("--build is for --reference git:REV")
            .hint("build the reference yourself, and name its classes"));
    }
    if recorded::is_trace(reference) {
        return Ok(());
    }
    let there = if is_source(reference) {
        reference.is_file()
    } else {
        std::env::split_paths(reference).any(|entry| entry.exists() || entry.ends_with("*"))
    };
    if there {
        return Ok(());
    }
    Err(
        Failure::mistake(format!("there is no reference at {}", reference.display())).hint(
            "--reference takes a .java file, a class path, git:REV, or the trace of another run",
        ),
    )
}

/// Two runs are followed from their start, and what objects held then is compared: both must be there.
pub(crate) fn check_beginning(run: &JavaRun) -> Result<(), Failure> {
    match run.trace().evicted() {
        None => Ok(()),
        Some(_) => Err(Failure::mistake(format!(
            "{} cannot be compared with another run: its oldest calls were given up (--when-full ring)",
            run.folder().display()
        ))),
    }
}

/// Runs the command of a recorded run with the other version, and opens its trace.
pub(crate) fn record_reference(
    run: &JavaRun,
    reference: &Path,
    build: Option<&str>,
) -> Result<ReferenceRun, Failure> {
    let Some(run_file) = run.run_file() else {
        return Err(Failure::mistake(
            "the trace does not say which command was recorded, so no reference can be recorded",
        )
        .hint("record again with `askance record`"));
    };
    check_beginning(run)?;
    if recorded::is_trace(reference) {
        return recorded::open(reference);
    }
    let working_directory = Path::new(&run_file.working_directory.0);
    let place = kept::place(run.folder(), working_directory, reference, build);
    if let Some(kept) = place.as_deref().and_then(open_kept) {
        Talk.say(&format!(
            "the reference {} was recorded before",
            reference.display()
        ));
        return Ok(kept);
    }
    // A trace that nothing can be written to can be asked about all the same.
    let place = place.filter(|place| {
        place
            .parent()
            .is_some_and(|folder| std::fs::create_dir_all(folder).is_ok())
    });
    let output = match &place {
        Some(place) => TraceDestination::Named(place.clone()),
        None => TraceDestination::Temporary,
    };
    let mut recorded = record_into(run_file, reference, build, Streams::Quiet, output)?;
    if place.is_some()
        && let Some(folder) = recorded.folder.take()
    {
        let _place = folder.keep();
    }
    Ok(recorded)
}

/// A reference that was recorded before, if it can be read.
fn open_kept(place: &Path) -> Option<ReferenceRun> {
    // One that a tool was recording which was killed has no end.
    let has_ended = |run: RunFile| run.exit_code.or(run.signal).is_some();
    if !read_run_file(place).is_some_and(has_ended) {
        return None;
    }
    let run = inspect::open_quietly(place).ok()?;
    check_beginning(&run).ok()?;
    Some(ReferenceRun {
        run,
        folder: None,
        checked_out: None,
    })
}

/// The same for a command that need not have run yet.
pub(crate) fn record_other(
    run_file: &RunFile,
    reference: &Path,
    build: Option<&str>,
    streams: Streams,
) -> Result<ReferenceRun, Failure> {
    if recorded::is_trace(reference) {
        return recorded::open(reference);
    }
    record_into(
        run_file,
        reference,
        build,
        streams,
        TraceDestination::Temporary,
    )
}

fn record_into(
    run_file: &RunFile,
    reference: &Path,
    build: Option<&str>,
    streams: Streams,
    output: TraceDestination,
) -> Result<ReferenceRun, Failure> {
    let Other {
        program,
        working_directory,
        checked_out,
    } = Other::new(run_file, reference, build, None)?;
    let request = Request {
        environment: std::collections::BTreeMap::new(),
        program,
        working_directory,
        output,
        streams,
        options: run_file.options.clone(),
    };
    Talk.say(&format!("recording the reference {}", reference.display()));
    let before = interrupt::times();
    let recorded = launch::record::record(&request, &JdkLocations::this(), &mut Talk)?;
    if interrupt::times() > before {
        // A part of it would be compared as if it were the whole.
        return Err(RecordError::Interrupted.into());
    }
    let run = record::open(&recorded).map_err(|failure| Failure {
        sentence: format!("the reference: {}", failure.sentence),
        ..failure
    })?;
    check_beginning(&run)?;
    Ok(ReferenceRun {
        run,
        folder: Some(recorded.folder),
        checked_out,
    })
}

/// The revision that a reference names.
fn revision(reference: &Path) -> Option<&str> {
    reference.to_str()?.strip_prefix("git:")
}

/// Checks out a revision and builds it.
fn check_out(revision: &str, build: Option<&str>, inside: &Path) -> Result<Worktree, Failure> {
    let worktree = Worktree::of(inside, revision)?;
    if let Some(command) = build {
        Talk.say(&format!("building {revision}: {command}"));
        worktree.build(command, inside)?;
    }
    Ok(worktree)
}

/// The command of a run, in another revision.
fn program_of_revision(
    run: &RunFile,
    worktree: &Worktree,
    working_directory: &Path,
) -> Result<ProgramToRecord, Failure> {
    let words = complete_words(run)?;
    let (first, rest) = words
        .split_first()
        .ok_or_else(|| Failure::mistake("the trace names no command"))?;
    if run.java_file.is_some() {
        return Ok(ProgramToRecord::JavaFile {
            file: worktree.counterpart(Path::new(first)),
            arguments: rest.to_vec(),
        });
    }
    // What is no path stays as it is: the name of a class, an option, an argument.
    let moved = words.iter().map(|word| {
        let is_option = word.as_encoded_bytes().starts_with(b"-");
        if is_option {
            word.clone()
        } else {
            worktree.moved(word, working_directory)
        }
    });
    Ok(ProgramToRecord::Command(moved.collect()))
}

impl From<WorktreeError> for Failure {
    fn from(error: WorktreeError) -> Failure {
        let failure = Failure::mistake(error.to_string());
        match error {
            WorktreeError::NoRepository(_) => {
                failure.hint("--reference takes a .java file or a class path as well")
            }
            WorktreeError::NoRevision { .. } | WorktreeError::UnknownRevision(_) => {
                failure.hint("`git log --oneline` lists revisions")
            }
            WorktreeError::Build { .. } => failure.hint("--build names the command"),
            WorktreeError::NoGit(_) | WorktreeError::Temporary(_) => failure,
        }
    }
}

/// The command of a run, if it can be run again.
fn complete_words(run: &RunFile) -> Result<Vec<OsString>, Failure> {
    let words = run.words();
    let is_masked = |word: &OsString| word.to_string_lossy().ends_with(MASK);
    if words.iter().any(is_masked) && !run.options.mask.is_empty() {
        return Err(Failure::mistake(
            "the command was recorded without its secrets, so it cannot be run again",
        )
        .hint("record with --no-mask, or hand secrets over in the environment"));
    }
    Ok(words)
}

/// The command of a run, with the other version in it.
fn program(run: &RunFile, reference: &Path) -> Result<ProgramToRecord, Failure> {
    let words = complete_words(run)?;
    let (first, rest) = words
        .split_first()
        .ok_or_else(|| Failure::mistake("the trace names no command"))?;
    let reference_word = absolute(reference);
    if run.java_file.is_some() {
        return Ok(if is_source(reference) {
            ProgramToRecord::JavaFile {
                file: PathBuf::from(reference_word),
                arguments: rest.to_vec(),
            }
        } else {
            let main = run.main_class.clone().unwrap_or_else(|| "Main".to_owned());
            let mut words: Vec<OsString> =
                vec!["java".into(), "-cp".into(), reference_word, main.into()];
            words.extend(rest.iter().cloned());
            ProgramToRecord::Command(words)
        });
    }
    if !java_launcher::is_java(first) {
        return Err(Failure::mistake(
            "--reference works for a .java file or a `java` command line only",
        )
        .hint("record the program as `-- java -cp CLASSES Main`"));
    }
    if !is_source(reference) {
        let mut changed = vec![first.clone()];
        // The other version of a tested program need not bring the tests and their framework.
        let keeps_old = is_test_runner(rest);
        changed.extend(java_launcher::with_class_path(
            rest,
            &reference_word,
            keeps_old,
        ));
        return Ok(ProgramToRecord::Command(changed));
    }
    match java_launcher::main_of(rest) {
        Some(Main::Class(main)) if is_source(Path::new(&main)) => {
            let swap = |word: &OsString| {
                if *word == main {
                    reference_word.clone()
                } else {
                    word.clone()
                }
            };
            Ok(ProgramToRecord::Command(words.iter().map(swap).collect()))
        }
        Some(Main::Class(_)) => Ok(ProgramToRecord::Recompiled {
            file: PathBuf::from(reference_word),
            words,
        }),
        _ => Err(Failure::mistake(
            "--reference FILE.java needs a command line that names a main class",
        )
        .hint("give the reference as a class path or a jar")),
    }
}

fn is_test_runner(arguments: &[OsString]) -> bool {
    let is_runner = |class: &OsString| RUNNERS.iter().any(|runner| *class == *dotted(runner));
    matches!(java_launcher::main_of(arguments), Some(Main::Class(class)) if is_runner(&class))
}

fn is_source(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("java"))
}

/// The command may have run in another folder than this one.
fn absolute(reference: &Path) -> OsString {
    let entries =
        std::env::split_paths(reference).map(|entry| std::path::absolute(&entry).unwrap_or(entry));
    std::env::join_paths(entries).unwrap_or_else(|_| reference.as_os_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace_format::CommandWord;
    use trace_format::RecordOptions;

    fn run_file(line: &str, java_file: bool) -> RunFile {
        let command: Vec<String> = line.split(' ').map(str::to_owned).collect();
        RunFile {
            version: 1,
            java_file: java_file.then(|| CommandWord::from(&command[0])),
            main_class: java_file.then(|| "shop.Main".to_owned()),
            command,
            exact_command: None,
            working_directory: CommandWord::from("/"),
            source_path: vec![],
            options: RecordOptions::default(),
            started_ms: 0,
            exit_code: None,
            signal: None,
            timed_out: false,
            no_longer_needed: false,
        }
    }

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_other_version_takes_the_place_of_the_first() {
        let source = run_file("/a/Main.java 7", true);
        assert_eq!(
            program(&source, Path::new("/b/Main.java")).unwrap(),
            ProgramToRecord::JavaFile {
                file: "/b/Main.java".into(),
                arguments: words("7")
            }
        );
        assert_eq!(
            program(&source, Path::new("/b/out:/c.jar")).unwrap(),
            ProgramToRecord::Command(words("java -cp /b/out:/c.jar shop.Main 7"))
        );
        let command = run_file("java -cp out -ea Main x", false);
        assert_eq!(
            program(&command, Path::new("/b/out")).unwrap(),
            ProgramToRecord::Command(words("java -cp /b/out -ea Main x"))
        );
        assert_eq!(
            program(&command, Path::new("/b/Main.java")).unwrap(),
            ProgramToRecord::Recompiled {
                file: "/b/Main.java".into(),
                words: words("java -cp out -ea Main x")
            }
        );
        let single = run_file("java Main.java x", false);
        assert_eq!(
            program(&single, Path::new("/b/Main.java")).unwrap(),
            ProgramToRecord::Command(words("java /b/Main.java x"))
        );
        assert!(program(&run_file("mvn test", false), Path::new("/b")).is_err());
    }
}
