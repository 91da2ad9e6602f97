//! Mutants of a library, each debugged with the library as it is.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use java_model::run::JavaRun;
use test_support::{Finished, Run};

use super::verdict::method_name;
use super::{DEBUG_LIMIT, Mistake, Trial, Tried};
use crate::bytecode_mutation::{Candidate, Operators, candidates, class_of, mutated};
use crate::record_bench::{BenchError, check_exit, record_prefix, scratch_folder};
use crate::strategy_bench::Recorder;
use test_support::workloads::Workload;

/// Which mutants are made is chance; with the same seed they are the same.
const SEED: u64 = 1;
/// A mutant that takes longer does not end.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// No more mutants than this are tried for each that counts.
const TRIES: usize = 12;

/// Makes mutants until so many of them count.
pub(super) fn run(
    recorder: &Recorder,
    workload: &'static Workload,
    wanted: usize,
    progress: &mut dyn FnMut(&str),
) -> Result<Trial, BenchError> {
    let mut trial = Trial::new(workload.name);
    let original = Original::new(recorder, workload)?;
    for candidate in original.candidates().into_iter().take(wanted * TRIES) {
        if trial.mistakes.len() == wanted {
            break;
        }
        if let Some(mistake) = original.debug(&candidate, &mut trial.tried)? {
            progress(&format!("{} {mistake:?}", workload.name));
            trial.mistakes.push(mistake);
        }
    }
    Ok(trial)
}

/// A library's workload as it should be.
struct Original<'a> {
    recorder: &'a Recorder,
    workload: &'static Workload,
    run: JavaRun,
    expected: Finished,
    _folder: tempfile::TempDir,
}

impl<'a> Original<'a> {
    fn new(recorder: &'a Recorder, workload: &'static Workload) -> Result<Self, BenchError> {
        let run = workload.run(&recorder.jdk, workload.test_scale)?;
        let expected = run.run()?;
        let folder = scratch_folder()?;
        let trace = folder.path().join("trace");
        let prefix = record_prefix(&recorder.executable, &trace, &["--detail", "full"]);
        check_exit("recording", &run.prefix(prefix).run()?)?;
        Ok(Original {
            recorder,
            workload,
            run: JavaRun::open(&trace, None, &mut |_, _| {})?,
            expected,
            _folder: folder,
        })
    }

    /// Changes of the library, not of what keeps it busy.
    fn candidates(&self) -> Vec<Candidate> {
        candidates(&self.run, SEED, Operators::Few, &|class| {
            !class.starts_with("Workload") && !class.starts_with("PathGrammar")
        })
    }

    /// Makes a mutant and debugs it; `None` if it is none.
    fn debug(
        &self,
        candidate: &Candidate,
        tried: &mut Tried,
    ) -> Result<Option<Mistake>, BenchError> {
        let names = self.run.method_names(candidate.method);
        let changed = class_of(&self.run, candidate.method)
            .and_then(|(class, index)| mutated(&class, index, &candidate.mutation));
        let Some(changed) = changed else {
            return Ok(None);
        };
        let folder = scratch_folder()?;
        let classes = folder.path().join("classes");
        let file = classes.join(format!("{}.class", names.class));
        fs::create_dir_all(file.parent().unwrap_or(&classes))?;
        fs::write(&file, changed)?;
        let mutant = self.command(&[classes])?;
        let finished = mutant.clone().time_limit(TIME_LIMIT).run()?;
        let is_same = finished.stdout == self.expected.stdout
            && finished.exit_code() == self.expected.exit_code();
        if finished.timed_out {
            tried.endless += 1;
            return Ok(None);
        }
        if is_same {
            tried.same += 1;
            return Ok(None);
        }
        let trace = folder.path().join("trace");
        let prefix = self.debug_prefix(&trace)?;
        let said = mutant.prefix(prefix).time_limit(DEBUG_LIMIT).run()?;
        let mutation = &candidate.mutation;
        let method = method_name(names.class, names.name, names.descriptor);
        let mistake = Mistake::new(method, vec![mutation.line], mutation.what.clone());
        Ok(Some(mistake.heard(&said)))
    }

    /// The workload, with these folders before the library.
    fn command(&self, before: &[PathBuf]) -> Result<Run, BenchError> {
        let workload = self.workload;
        let mut run = workload
            .compile()?
            .run(&self.recorder.jdk)
            .class_path(before)
            .class_path(workload.library_class_path());
        for arg in workload.jvm_args {
            run = run.jvm_arg(*arg);
        }
        Ok(run
            .main_class("Workload")
            .arg(workload.test_scale.to_string()))
    }

    fn debug_prefix(&self, trace: &Path) -> Result<Vec<OsString>, BenchError> {
        let mut reference = vec![self.workload.compile()?.dir()];
        reference.extend(self.workload.library_class_path());
        let reference = std::env::join_paths(reference).unwrap_or_default();
        let mut words: Vec<OsString> = vec![self.recorder.executable.clone().into()];
        let options = [
            "debug",
            "--json",
            "--non-interactive",
            "--experiments",
            "on",
            "-o",
        ];
        words.extend(options.map(OsString::from));
        words.extend([trace.into(), "--reference".into(), reference, "--".into()]);
        Ok(words)
    }
}
