//! Trials that were made before, by the executable, the program and its releases.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use test_support::target_dir;

use super::RegressionTrial;
use crate::regressions::{Regression, Release};
use crate::strategy_bench::Recorder;

/// Where a trial is kept. An executable that was built again is another one, and so is a program that was changed.
pub(super) fn place(
    recorder: &Recorder,
    regression: &Regression,
    reference: Release,
) -> io::Result<PathBuf> {
    let mut hash = DefaultHasher::new();
    for file in [
        &recorder.executable,
        &regression.source_dir().join("Main.java"),
    ] {
        let about = fs::metadata(file)?;
        (about.len(), about.modified()?).hash(&mut hash);
    }
    format!("{regression:?}").hash(&mut hash);
    let name = format!(
        "{}-{reference:?}-{:016x}.json",
        regression.id,
        hash.finish()
    );
    Ok(target_dir().join("regression-trials").join(name))
}

pub(super) fn read(place: &Path) -> Option<RegressionTrial> {
    serde_json::from_slice(&fs::read(place).ok()?).ok()
}

pub(super) fn write(place: &Path, trial: &RegressionTrial) -> io::Result<()> {
    if let Some(folder) = place.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(place, serde_json::to_vec(trial)?)
}
