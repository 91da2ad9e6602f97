//! What recording adds to the start of a program that only says hello.

use std::time::Duration;

use test_support::Fixture;

use super::{BenchError, Options, check_exit, median, record_prefix, scratch_folder};

/// Start-up is short and noisy: it takes more runs than a workload to get a steady median.
const RUNS_PER_ROUND: usize = 5;

const SOURCE: &str = "public class Main {
    public static void main(String[] args) {
        System.out.println(\"hello\");
    }
}
";

/// Wall-clock time of a program that only says hello.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hello {
    pub plain: Duration,
    pub recorded: Duration,
}

impl Hello {
    /// What recording adds, in milliseconds.
    pub fn added_milliseconds(&self) -> f64 {
        (self.recorded.as_secs_f64() - self.plain.as_secs_f64()) * 1000.0
    }
}

pub(super) fn measure(options: &Options) -> Result<Hello, BenchError> {
    let run = Fixture::new()
        .source("Main.java", SOURCE)
        .compile()?
        .run(&options.recorder.jdk);
    let (mut plain, mut recorded) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds * RUNS_PER_ROUND {
        let finished = run.run()?;
        check_exit("hello world", &finished)?;
        plain.push(finished.elapsed);

        let folder = scratch_folder()?;
        let trace = folder.path().join("trace");
        let prefix = record_prefix(&options.recorder.executable, &trace, &[]);
        let finished = run.clone().prefix(prefix).run()?;
        check_exit("recording hello world", &finished)?;
        recorded.push(finished.elapsed);
    }
    Ok(Hello {
        plain: median(&plain),
        recorded: median(&recorded),
    })
}
