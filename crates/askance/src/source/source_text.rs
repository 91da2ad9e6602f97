//! Finding the source of a method, and an excerpt of it.

use std::fmt::Write as _;
use std::path::PathBuf;

use trace_format::MethodId;

use super::names;
use super::run::JavaRun;

/// Longer methods are cut.
const MOST_LINES: usize = 80;

/// Where the source of a method's class lies, if it is found.
#[must_use]
pub fn file_of(run: &JavaRun, method: MethodId) -> Option<PathBuf> {
    let class = run.method_names(method).class;
    let name = run.classes().get(class)?.source_file.clone()?;
    let package = names::package(class);
    run.source_path().iter().find_map(|folder| {
        let candidates = [folder.join(package).join(&name), folder.join(&name)];
        candidates.into_iter().find(|path| path.is_file())
    })
}

/// The lines of a method, each with its number; those in `marked` are pointed at.
#[must_use]
pub fn excerpt(run: &JavaRun, method: MethodId, marked: &[u32]) -> Option<String> {
    let text = std::fs::read(file_of(run, method)?).ok()?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let code = run.code(method);
    let first = usize::try_from(*code.lines.first()?).ok()?;
    let last = usize::try_from(*code.lines.last()?).ok()?.min(lines.len());
    // The closing brace has no code of its own in most methods.
    let closes = lines.get(last).is_some_and(|line| line.trim() == "}");
    let last = last + usize::from(closes);
    let name = run.method_names(method).name;
    let first = declaration_above(&lines, first, name);
    let mut shown = String::new();
    let width = last.to_string().len();
    for number in (first..=last).take(MOST_LINES) {
        let line = lines.get(number.checked_sub(1)?)?;
        let mark = if marked.iter().any(|&marked| marked as usize == number) {
            '>'
        } else {
            ' '
        };
        let _ = writeln!(shown, "{mark} {number:width$} | {line}");
    }
    if last - first >= MOST_LINES {
        let _ = writeln!(shown, "  … {} more lines", last + 1 - first - MOST_LINES);
    }
    Some(shown.trim_end().to_owned())
}

/// The line that declares the method, a few lines above its first code if it names it.
fn declaration_above(lines: &[&str], first: usize, name: &str) -> usize {
    let above = (first.saturating_sub(5)..first)
        .rev()
        .filter(|&number| number > 0);
    let declares = |number: &usize| {
        lines
            .get(number - 1)
            .is_some_and(|line| line.contains(&format!("{name}(")))
    };
    above.into_iter().find(declares).unwrap_or(first)
}
