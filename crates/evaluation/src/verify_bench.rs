//! Whether a JVM still accepts every class of every library when it is rewritten for full detail.
//!
//! Each class is loaded, linked and so verified twice, as it is and recorded, on each JDK. Of a class that cannot be
//! linked anyway (it may want another library, or a later Java) nothing is known; one that fails only when it is
//! rewritten, or in another way, is a finding. A jar that several libraries bring is tried once.

mod report;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use test_support::{Jdk, Library, link_all};
use trace_store::Trace;

pub use report::{Report, write_into};

use crate::record_bench::{BenchError, MAX_TRACE, check_exit, record_prefix, scratch_folder};
use crate::strategy_bench::Recorder;

/// Tens of thousands of classes take minutes.
const TIME_LIMIT: Duration = Duration::from_secs(1200);

/// Everything is recorded, that which surrounds programs too, but not the JDK.
const WANTED: &[&str] = &[
    "--detail",
    "full",
    "--max-trace",
    MAX_TRACE,
    "--include",
    "*",
    "--exclude",
    "java.*",
    "--exclude",
    "javax.*",
    "--exclude",
    "jdk.*",
    "--exclude",
    "sun.*",
    "--exclude",
    "com.sun.*",
];

#[derive(Debug, Clone)]
pub struct Options {
    /// The `askance` executable.
    pub executable: PathBuf,
    pub jdks: Vec<Jdk>,
    /// Names of libraries; all if empty.
    pub only: Vec<String>,
}

/// A jar on one JDK.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub library: &'static str,
    pub jdk: String,
    pub jar: String,
    pub classes: usize,
    /// Classes that can be linked as they are.
    pub linked: usize,
    /// Those of them that were rewritten.
    pub rewritten: usize,
    pub findings: Vec<LinkDifference>,
}

/// A class that is linked in another way when it is rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkDifference {
    pub class: String,
    /// The kind of error, or nothing if it was linked.
    pub plain: Option<String>,
    pub recorded: Option<String>,
}

/// Verifies; `progress` is told of each jar.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Report, BenchError> {
    let mut rows = Vec::new();
    let mut log = BTreeSet::new();
    for jdk in &options.jdks {
        let recorder = Recorder {
            executable: options.executable.clone(),
            jdk: jdk.clone(),
        };
        recorder.check()?;
        let mut seen = BTreeSet::new();
        for library in selected(&options.only)? {
            let jars = library.class_path().into_iter();
            let jars: Vec<PathBuf> = jars
                .filter(|jar| seen.insert(jar.file_name().map(ToOwned::to_owned)))
                .collect();
            if jars.is_empty() {
                continue;
            }
            for row in verify(&recorder, library, jars, &mut log)? {
                progress(&row.in_short());
                rows.push(row);
            }
        }
    }
    Ok(Report { rows, log })
}

fn selected(only: &[String]) -> Result<Vec<&'static Library>, BenchError> {
    if only.is_empty() {
        return Ok(Library::all().iter().collect());
    }
    let find = |name: &String| {
        Library::named(name).ok_or_else(|| BenchError::UnknownLibrary(name.clone()))
    };
    only.iter().map(find).collect()
}

/// What the recorder could not do goes into `log`.
fn verify(
    recorder: &Recorder,
    library: &'static Library,
    jars: Vec<PathBuf>,
    log: &mut BTreeSet<String>,
) -> Result<Vec<Row>, BenchError> {
    let run = link_all(&recorder.jdk, library.class_path(), jars)?.time_limit(TIME_LIMIT);
    let plain = run.run()?;
    check_exit(&format!("linking {}", library.name), &plain)?;
    let folder = scratch_folder()?;
    let path = folder.path().join("trace");
    let recorded = run
        .prefix(record_prefix(&recorder.executable, &path, WANTED))
        .run()?;
    check_exit(&format!("linking {} recorded", library.name), &recorded)?;
    let trace = Trace::open(&path)?;
    log.extend(
        trace
            .log()
            .into_iter()
            .map(|line| format!("{}: {line}", library.name)),
    );
    let names = trace.symbols().classes();
    let rewritten: BTreeSet<String> = names.map(|class| class.name.replace('/', ".")).collect();
    let both = listed(&plain.stdout_text())
        .into_iter()
        .zip(listed(&recorded.stdout_text()));
    Ok(both
        .map(|(plain, recorded)| Row {
            library: library.name,
            jdk: recorder.jdk.full_version().to_owned(),
            findings: findings(&plain.classes, &recorded.classes),
            classes: plain.classes.len(),
            linked: plain.linked().count(),
            rewritten: plain
                .linked()
                .filter(|&name| rewritten.contains(name))
                .count(),
            jar: plain.jar,
        })
        .collect())
}

/// What the linker says of a jar: its classes, each with its error.
#[derive(Debug, Default, PartialEq, Eq)]
struct Listed {
    jar: String,
    classes: Vec<(String, Option<String>)>,
}

impl Listed {
    fn linked(&self) -> impl Iterator<Item = &str> {
        let linked = self.classes.iter().filter(|(_, error)| error.is_none());
        linked.map(|(name, _)| name.as_str())
    }
}

fn listed(output: &str) -> Vec<Listed> {
    let mut jars: Vec<Listed> = Vec::new();
    for line in output.lines() {
        if let Some(jar) = line.strip_prefix("# ") {
            jars.push(Listed {
                jar: jar.to_owned(),
                classes: Vec::new(),
            });
        } else if let Some(last) = jars.last_mut() {
            last.classes.push(match line.split_once(' ') {
                Some((name, error)) => (name.to_owned(), Some(error.to_owned())),
                None => (line.to_owned(), None),
            });
        }
    }
    jars
}

fn findings(
    plain: &[(String, Option<String>)],
    recorded: &[(String, Option<String>)],
) -> Vec<LinkDifference> {
    let missing = || Some("the linker did not come to it".to_owned());
    let pairs = plain.iter().enumerate().map(|(index, (class, before))| {
        let found = recorded.get(index).filter(|(name, _)| name == class);
        let after = found.map_or_else(missing, |(_, error)| error.clone());
        (class, before, after)
    });
    pairs
        .filter(|(_, before, after)| *before != after)
        .map(|(class, before, after)| LinkDifference {
            class: class.clone(),
            plain: before.clone(),
            recorded: after,
        })
        .collect()
}

impl Row {
    fn in_short(&self) -> String {
        let mut text = format!(
            "Java {}, {}: {} classes, {} can be linked, {} of them rewritten, {} findings",
            self.jdk,
            self.jar,
            self.classes,
            self.linked,
            self.rewritten,
            self.findings.len()
        );
        for finding in &self.findings {
            text += &format!("\n  {finding}");
        }
        text
    }
}

impl std::fmt::Display for LinkDifference {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let told = |error: &Option<String>| error.clone().unwrap_or_else(|| "linked".to_owned());
        write!(
            formatter,
            "{}: {}, rewritten: {}",
            self.class,
            told(&self.plain),
            told(&self.recorded)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str =
        "# a.jar\nshop.Cart\nshop.Till java.lang.NoClassDefFoundError\n# b.jar\nother.One\n";

    #[test]
    fn what_the_linker_prints_is_read_by_jar() {
        let jars = listed(PLAIN);
        assert_eq!(jars.len(), 2);
        assert_eq!(jars[0].jar, "a.jar");
        assert_eq!(jars[0].linked().collect::<Vec<_>>(), ["shop.Cart"]);
        assert_eq!(jars[1].classes, [("other.One".to_owned(), None)]);
    }

    #[test]
    fn a_class_that_fails_only_when_it_is_rewritten_is_a_finding() {
        let recorded = PLAIN.replace("shop.Cart", "shop.Cart java.lang.VerifyError");
        let (plain, recorded) = (listed(PLAIN), listed(&recorded));
        let found = findings(&plain[0].classes, &recorded[0].classes);
        let told: Vec<String> = found.iter().map(LinkDifference::to_string).collect();
        assert_eq!(
            told,
            ["shop.Cart: linked, rewritten: java.lang.VerifyError"]
        );
        assert_eq!(findings(&plain[1].classes, &recorded[1].classes), []);
        let unseen = findings(&plain[1].classes, &[]);
        assert_eq!(unseen.len(), 1, "a class that was not tried is not well");
    }
}
