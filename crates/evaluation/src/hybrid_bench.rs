//! Whether JVMs take hybrids: releases of libraries with one method of another release each.
//!
//! Of each pair of neighbouring releases in the corpus of regressions, every method that both have and that does
//! something else is put into the newer one, with what it needs and nothing else. All classes that differ from the
//! release's are linked, and so verified, in one JVM for many hybrids, each in a loader of its own. A class that cannot
//! be linked in the release as it is (it may want another library) tells nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use experiments::{ProgramVersion, single_hybrids};
use launch::class_path::classes_of_archive;
use test_support::{Fixture, Jdk, workspace_root};

use crate::record_bench::{BenchError, scratch_folder};
use crate::regressions::{Regression, RegressionError, Release, fetch};

/// The command that makes the table.
pub const COMMAND: &str = "cargo xtask bench hybrids";

/// Thousands of classes are linked.
const TIME_LIMIT: Duration = Duration::from_secs(1200);

/// So many hybrids are linked by one JVM.
const AT_ONCE: usize = 500;

/// The name under which the release itself is linked.
const AS_IT_IS: &str = "as-it-is";

/// What came of the hybrids of two releases.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HybridRow {
    /// The releases' jars, the newer first, which gets the methods.
    pub host: String,
    pub donor: String,
    /// Methods that both have and that differ.
    pub methods: usize,
    /// Those of them that cannot be carried over, and why.
    pub impossible: BTreeMap<String, usize>,
    /// Those whose classes cannot be linked in the release as it is.
    pub unknown: usize,
    /// Those that were linked.
    pub linked: usize,
    /// Those that were not, with what was thrown.
    pub refused: Vec<String>,
    /// JVMs that did not come to their end.
    pub crashes: usize,
}

/// Tries the hybrids of all pairs; `progress` is told of each.
pub fn run(
    jdk: &Jdk,
    regressions: &[Regression],
    mut progress: impl FnMut(&str),
) -> Result<Vec<HybridRow>, BenchError> {
    fetch(regressions).map_err(RegressionError::from)?;
    let mut rows = Vec::new();
    let mut met = BTreeSet::new();
    for regression in regressions {
        let pairs = [
            (Release::Broken, Release::Worked),
            (Release::Mended, Release::Broken),
        ];
        for (host, donor) in pairs {
            let [host, donor] = [host, donor].map(|release| regression.library_class_path(release));
            if met.insert((host.first().cloned(), donor.first().cloned())) {
                let row = pair(jdk, &host, &donor)?;
                progress(&row.in_short());
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// The first of the jars is the library's own.
fn pair(jdk: &Jdk, host: &[PathBuf], donor: &[PathBuf]) -> Result<HybridRow, BenchError> {
    let version = |jars: &[PathBuf]| -> Result<ProgramVersion, BenchError> {
        let mut version = ProgramVersion::default();
        for jar in jars.iter().take(1) {
            for bytes in classes_of_archive(jar)? {
                version.add_class(bytes);
            }
        }
        Ok(version)
    };
    let name = |jars: &[PathBuf]| {
        let file = jars.first().and_then(|jar| jar.file_stem());
        file.unwrap_or_default().to_string_lossy().into_owned()
    };
    let mut row = HybridRow {
        host: name(host),
        donor: name(donor),
        ..HybridRow::default()
    };
    let [ours, theirs] = [version(host)?, version(donor)?];
    let mut open = Vec::new();
    for hybrid in single_hybrids(&ours, &theirs) {
        row.methods += 1;
        match hybrid.classes {
            Ok(classes) => open.push((hybrid.change.to_string(), classes)),
            Err(why) => *row.impossible.entry(why).or_default() += 1,
        }
        if open.len() == AT_ONCE {
            link(jdk, host, &std::mem::take(&mut open), &mut row)?;
        }
    }
    if !open.is_empty() {
        link(jdk, host, &open, &mut row)?;
    }
    Ok(row)
}

/// A hybrid: the method's name, and the classes.
type Hybrid = (String, Vec<(String, Vec<u8>)>);

fn link(
    jdk: &Jdk,
    jars: &[PathBuf],
    hybrids: &[Hybrid],
    row: &mut HybridRow,
) -> Result<(), BenchError> {
    let folder = scratch_folder()?;
    let place = folder.path().join("hybrids");
    fs::create_dir_all(place.join(AS_IT_IS))?;
    let mut touched = BTreeSet::new();
    let mut list = String::new();
    for (at, (_, classes)) in hybrids.iter().enumerate() {
        let own = place.join(at.to_string());
        fs::create_dir_all(&own)?;
        list += &at.to_string();
        for (name, bytes) in classes {
            let name = name.replace('/', ".");
            fs::write(own.join(format!("{name}.class")), bytes)?;
            list += " ";
            list += &name;
            touched.insert(name);
        }
        list += "\n";
    }
    let touched: Vec<String> = touched.into_iter().collect();
    list.insert_str(0, &format!("{AS_IT_IS} {}\n", touched.join(" ")));
    fs::write(place.join("list"), list)?;
    let linker = Fixture::new()
        .path(workspace_root().join("crates/evaluation/java/hybrid-linker/HybridLinker.java"))
        .compile()
        .map_err(|source| RegressionError::Compile {
            id: "the linker of hybrids".to_owned(),
            source,
        })?;
    let run = linker
        .run(jdk)
        .jvm_arg("-Xverify:all")
        .jvm_arg("-XX:-PrintWarnings")
        .jvm_arg("-Xmx1g")
        .main_class("HybridLinker")
        .arg(place)
        .args(jars.iter().cloned())
        .time_limit(TIME_LIMIT);
    let finished = run.run()?;
    if !finished.status.success() {
        row.crashes += 1;
        row.refused.push(finished.stderr_text().trim().to_owned());
    }
    count(&finished.stdout_text(), hybrids, row);
    Ok(())
}

/// What the linker said, by hybrid.
fn count(said: &str, hybrids: &[Hybrid], row: &mut HybridRow) {
    let mut unlinked: BTreeSet<&str> = BTreeSet::new();
    let mut thrown: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for line in said.lines() {
        let mut parts = line.splitn(3, ' ');
        let (Some(hybrid), Some(class)) = (parts.next(), parts.next()) else {
            continue;
        };
        let error = parts.next().unwrap_or_default();
        // What only the other release has is not there as it is.
        let is_missing = error.starts_with("java.lang.ClassNotFoundException: ");
        if hybrid != AS_IT_IS {
            let errors = thrown.entry(hybrid).or_default();
            if !error.is_empty() {
                errors.push((class, error));
            }
        } else if !error.is_empty() && !is_missing {
            unlinked.insert(class);
        }
    }
    for (at, (method, _)) in hybrids.iter().enumerate() {
        match thrown.get(at.to_string().as_str()) {
            None => row
                .refused
                .push(format!("{method}: the linker did not come to it")),
            Some(errors) if errors.is_empty() => row.linked += 1,
            Some(errors) => {
                let own = errors.iter().find(|(class, _)| !unlinked.contains(class));
                match own {
                    Some((class, error)) => row.refused.push(format!("{method}: {class}: {error}")),
                    None => row.unknown += 1,
                }
            }
        }
    }
}

impl HybridRow {
    fn in_short(&self) -> String {
        let mut text = format!(
            "{} with methods of {}: {} differ, {} linked, {} unknown, {} refused, {:?}",
            self.host,
            self.donor,
            self.methods,
            self.linked,
            self.unknown,
            self.refused.len(),
            self.impossible
        );
        for refused in &self.refused {
            let _ = write!(text, "\n  {refused}");
        }
        text
    }
}

/// The table for `docs/regressions.md`.
pub fn to_markdown(rows: &[HybridRow]) -> String {
    let mut text = format!(
        "Made by `{COMMAND}`. A method of one release in the next one, alone, with what it needs: *impossible* cannot be \
         carried over (code with stack maps and code without them in one class), *unknown* wants a library that is not \
         there, *refused* was not linked with `-Xverify:all`.\n\n\
         | release | with methods of | that differ | linked | impossible | unknown | refused | crashes |\n\
         |---|---|--:|--:|--:|--:|--:|--:|\n"
    );
    let mut sums = [0; 6];
    for row in rows {
        let impossible: usize = row.impossible.values().sum();
        let refused = row.refused.len();
        let numbers = [
            row.methods,
            row.linked,
            impossible,
            row.unknown,
            refused,
            row.crashes,
        ];
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            row.host,
            row.donor,
            joined(&numbers)
        );
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum += number;
        }
    }
    let _ = writeln!(text, "| all {} pairs | | {} |", rows.len(), joined(&sums));
    text
}

fn joined(numbers: &[usize]) -> String {
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    numbers.join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_linked_anyway_tells_nothing() {
        let hybrids: Vec<Hybrid> = ["a", "b", "c", "d"]
            .map(|name| (name.to_owned(), Vec::new()))
            .into();
        let said = "as-it-is A \nas-it-is B java.lang.NoClassDefFoundError: x\n\
                    0 A \n1 B java.lang.NoClassDefFoundError: x\n2 A java.lang.VerifyError: y\n";
        let mut row = HybridRow::default();
        count(said, &hybrids, &mut row);
        assert_eq!((row.linked, row.unknown), (1, 1));
        assert_eq!(
            row.refused,
            [
                "c: A: java.lang.VerifyError: y",
                "d: the linker did not come to it"
            ]
        );
    }
}
