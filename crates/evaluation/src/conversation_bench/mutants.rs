//! Mutants that tests find out: one instruction is changed in a class of a [subject](super::subjects), and of a test
//! class some tests fail then and some pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use debug_engine::ExecutionTree as _;
use java_model::run::{JavaRun, routine};
use java_model::test_marks::TestRole;
use java_model::testing::TestVerdict;

use super::Options;
use super::case::{Case, CorpusPart, MethodName};
use super::recordings::{Recorded, folder_of, open, record as record_run};
use super::subjects::{self, Material, Subject};
use crate::bytecode_mutation::{Candidate, Operators, candidates, class_of, mutated};
use crate::record_bench::BenchError;

/// A mutant that takes longer does not end.
const TIME_LIMIT: Duration = Duration::from_secs(30);
/// Test classes that make more calls are left out, and mutants that do have run away.
const MOST_CALLS: u32 = 40_000;
/// No more mutants than this are tried for each that counts.
const TRIES: usize = 10;
/// In a folder that has no case: why.
const REJECTED: &str = "rejected";

pub(super) fn record(
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<PathBuf>, BenchError> {
    let mut cases = Vec::new();
    for subject in subjects::ALL {
        if options.wants(CorpusPart::Mutants, subject.name) {
            let workshop = Workshop::of(options, subject)?;
            cases.extend(workshop.make(progress)?);
        }
    }
    Ok(cases)
}

/// Where the mutants of a subject are made.
struct Workshop<'a> {
    options: &'a Options,
    subject: &'static Subject,
    material: Material,
    folder: PathBuf,
}

/// A test class as it runs without a mistake, and what could be changed in what it comes to.
struct Original {
    test: String,
    run: JavaRun,
    trace: PathBuf,
    candidates: std::vec::IntoIter<Candidate>,
}

impl<'a> Workshop<'a> {
    fn of(options: &'a Options, subject: &'static Subject) -> Result<Self, BenchError> {
        let folder = options.keep.join("mutants").join(subject.name);
        let material = subject.prepare(&folder, &options.recorder.jdk)?;
        Ok(Workshop {
            options,
            subject,
            material,
            folder,
        })
    }

    /// Makes mutants until there are enough, of each test class in turn.
    fn make(&self, progress: &mut dyn FnMut(&str)) -> Result<Vec<PathBuf>, BenchError> {
        let mut originals = Vec::new();
        for test in self.subject.tests() {
            match self.original(&test)? {
                Some(original) => originals.push(original),
                None => progress(&format!("{test} is left out")),
            }
        }
        let limit = self.options.limit.unwrap_or(usize::MAX);
        let wanted = self.subject.mutants.min(limit);
        let mut cases = Vec::new();
        let mut tries = 0;
        while cases.len() < wanted && tries < wanted * TRIES && !originals.is_empty() {
            let place = tries % originals.len();
            tries += 1;
            let original = &mut originals[place];
            let Some(candidate) = original.candidates.next() else {
                originals.remove(place);
                continue;
            };
            if let Some(folder) = self.mutant(original, &candidate, progress)? {
                cases.push(folder);
            }
        }
        Ok(cases)
    }

    /// `None` if its tests cannot be run here, do not all pass, or make too many calls.
    fn original(&self, test: &str) -> Result<Option<Original>, BenchError> {
        let name = test.rsplit('.').next().unwrap_or(test);
        let folder = folder_of(&self.folder, name, (test, self.subject.name));
        let trace = folder.join("trace");
        let complete = folder.join("complete");
        if !complete.is_file() {
            fs::create_dir_all(&folder)?;
            let run = self.material.run(&self.options.recorder.jdk, test, None);
            let recorder = &self.options.recorder.executable;
            if record_run(recorder, &run, &trace, Recorded::OwnCode, None).is_err() {
                return Ok(None);
            }
            fs::write(&complete, "")?;
        }
        let run = open(&trace)?;
        let (failed, passed) = failed_and_passed(&run);
        if failed > 0 || passed < 2 || run.len() > MOST_CALLS {
            return Ok(None);
        }
        let is_changed = |class: &str| self.class_file(class).is_file();
        let seed = self.options.seed;
        let mut candidates = candidates(&run, seed, Operators::Many, &is_changed);
        // Nobody makes mistakes in what the compiler writes, and nobody is asked about it.
        let compiler_made = run.compiler_made();
        candidates.retain(|one| !compiler_made.contains(&routine(one.method)));
        Ok(Some(Original {
            test: test.to_owned(),
            run,
            trace,
            candidates: candidates.into_iter(),
        }))
    }

    fn class_file(&self, class: &str) -> PathBuf {
        self.material.classes.join(format!("{class}.class"))
    }

    /// The folder of a mutant that counts.
    fn mutant(
        &self,
        original: &Original,
        candidate: &Candidate,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Option<PathBuf>, BenchError> {
        let names = original.run.method_names(candidate.method);
        let changed = class_of(&original.run, candidate.method)
            .and_then(|(class, index)| mutated(&class, index, &candidate.mutation));
        let Some(changed) = changed else {
            return Ok(None);
        };
        let folder = folder_of(&self.folder, "mutant", (&original.test, &changed));
        if Case::is_in(&folder) {
            return Ok(Some(folder));
        }
        if folder.join(REJECTED).is_file() {
            return Ok(None);
        }
        let classes = folder.join("classes");
        let file = classes.join(format!("{}.class", names.class));
        fs::create_dir_all(file.parent().unwrap_or(&classes))?;
        fs::write(&file, changed)?;
        let name = MethodName::new(names.class, names.name, names.descriptor);
        let line = candidate.mutation.line;
        let what = format!("line {line}: {}", candidate.mutation.what);
        let sentence = format!("{} {} {what}", self.subject.name, name.plain);
        if let Err(reason) = self.record_mutant(original, &folder, &name)? {
            progress(&format!("{sentence}: {reason}"));
            fs::write(folder.join(REJECTED), reason)?;
            return Ok(None);
        }
        let case = Case {
            part: CorpusPart::Mutants,
            program: self.subject.name.to_owned(),
            name: format!("{} {what}", name.plain),
            what,
            culprits: vec![name.full],
            line: Some(line),
            expected_output: None,
            reference: original.trace.clone(),
            sources: self.material.sources.clone(),
        };
        case.write(&folder)?;
        progress(&sentence);
        Ok(Some(folder))
    }

    /// Runs and records a mutant; why it does not count, if it does not.
    fn record_mutant(
        &self,
        original: &Original,
        folder: &Path,
        method: &MethodName,
    ) -> Result<Result<(), &'static str>, BenchError> {
        let jdk = &self.options.recorder.jdk;
        let classes = folder.join("classes");
        let run = self.material.run(jdk, &original.test, Some(&classes));
        let finished = run.clone().time_limit(TIME_LIMIT).run()?;
        if finished.timed_out {
            return Ok(Err("does not end"));
        }
        if finished.exit_code() == Some(0) {
            return Ok(Err("no test fails"));
        }
        let trace = folder.join("trace");
        let recorder = &self.options.recorder.executable;
        record_run(recorder, &run, &trace, Recorded::OwnCode, None)?;
        let is_good = open(&trace).is_ok_and(|recorded| {
            let (failed, passed) = failed_and_passed(&recorded);
            let is_called = |name: &str| {
                recorded
                    .methods()
                    .any(|one| name_of(&recorded, one) == name)
            };
            failed > 0 && passed > 0 && recorded.len() <= MOST_CALLS && is_called(&method.full)
        });
        if is_good {
            return Ok(Ok(()));
        }
        fs::remove_dir_all(&trace)?;
        Ok(Err("all tests fail, or it runs away"))
    }
}

fn name_of(run: &JavaRun, method: trace_format::MethodId) -> String {
    let names = run.method_names(method);
    MethodName::new(names.class, names.name, names.descriptor).full
}

fn failed_and_passed(run: &JavaRun) -> (usize, usize) {
    let tests = || {
        run.tests()
            .iter()
            .filter(|test| test.role == TestRole::Test)
    };
    let failed = tests().filter(|test| test.verdict.is_failure()).count();
    let passed = tests().filter(|test| test.verdict == TestVerdict::Passed);
    (failed, passed.count())
}
