//! The example programs, each debugged with its fixed twin.

use std::ffi::OsString;
use std::process::Command;

use test_support::{Example, ExampleVersion, run_command};

use super::verdict::method_name;
use super::{DEBUG_LIMIT, Mistake, Trial};
use crate::record_bench::{BenchError, scratch_folder};
use crate::strategy_bench::Recorder;

pub(super) const NAME: &str = "examples";

pub(super) fn run(
    recorder: &Recorder,
    progress: &mut dyn FnMut(&str),
) -> Result<Trial, BenchError> {
    let mut trial = Trial::new(NAME);
    let examples = Example::all().map_err(std::io::Error::other)?;
    for example in examples {
        let folder = scratch_folder()?;
        let mut words: Vec<OsString> = vec!["debug".into(), "--json".into()];
        words.extend(["--non-interactive".into(), "-o".into()]);
        words.push(folder.path().join("trace").into());
        if let Some(limit) = example.time_limit() {
            words.extend(["--time-limit".into(), limit.as_secs().to_string().into()]);
        }
        words.extend([
            "--reference".into(),
            example.main_file(ExampleVersion::Fixed).into(),
        ]);
        words.push(example.main_file(ExampleVersion::Buggy).into());
        let mut command = Command::new(&recorder.executable);
        let said = run_command(command.args(words), &[], DEBUG_LIMIT)?;
        let method = method_name(&example.class, &example.method, &example.descriptor);
        let mistake = Mistake::new(method, example.lines.clone(), example.kind.clone());
        let mistake = mistake.heard(&said);
        progress(&format!("{} {mistake:?}", example.name));
        trial.mistakes.push(mistake);
    }
    Ok(trial)
}
