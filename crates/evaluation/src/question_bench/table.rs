//! The measurements as a table for `docs/benchmarks.md`.

use std::fmt::Write as _;
use std::time::Duration;

use super::{BALANCED_NODES, COMMAND, PLANNED_NODES, Report, SESSIONS};

/// The table.
pub fn to_markdown(report: &Report) -> String {
    let mut text = format!(
        "Made by `{COMMAND} --nodes {}`: time from one answer to the next question, over {SESSIONS} \
         sessions each, on synthetic trees of {} calls whose siblings are all chained, with \
         {:.1} bytes of columns a call; in the second pair of columns a fifth of all routines is trusted. \
         CPU time; the trees are in memory.\n\n",
        report.nodes, report.nodes, report.bytes_per_node
    );
    text += "| tree | strategy | mean | worst | mean, trusted | worst, trusted |\n";
    text += "|---|---|--:|--:|--:|--:|\n";
    for pair in report.questions.chunks(2) {
        let Some(first) = pair.first() else { continue };
        let _ = write!(text, "| {} | {} |", first.shape, first.strategy);
        for row in pair {
            let _ = write!(text, " {} | {} |", short(row.mean()), short(row.worst));
        }
        text.push('\n');
    }
    let _ = write!(text, "\nBalancing {BALANCED_NODES} calls:");
    for (number, (shape, took)) in report.balancing.iter().enumerate() {
        let comma = if number > 0 { "," } else { "" };
        let _ = write!(text, "{comma} {shape} {}", short(*took));
    }
    let _ = write!(
        text,
        ".\n\nThe best order of questions for {PLANNED_NODES} calls:"
    );
    for (number, (shape, took, optimum)) in report.optima.iter().enumerate() {
        let comma = if number > 0 { ";" } else { "" };
        let _ = write!(text, "{comma} {shape} {}, ", short(*took));
        let _ = if optimum.proven {
            write!(text, "total {} (proven)", optimum.total)
        } else {
            write!(
                text,
                "total in [{}, {}]",
                optimum.lower_bound, optimum.total
            )
        };
    }
    text + ".\n"
}

fn short(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1e-3 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}
