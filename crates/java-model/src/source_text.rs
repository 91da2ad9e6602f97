//! Finding the source of a method, and an excerpt of it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use trace_format::MethodId;

use super::listing;
use super::run::JavaRun;
use java_names::names;

/// Longer methods are cut.
const MOST_LINES: usize = 80;

/// Where the source of a method's class lies, if it is found. The name of the file comes from the
/// class file, which may have been made by anybody: the file must really lie in one of the folders of
/// sources.
#[must_use]
pub fn file_of(run: &JavaRun, method: MethodId) -> Option<PathBuf> {
    let class = run.method_names(method).class;
    let name = run.classes().get(class)?.source_file.clone()?;
    let package = names::package(class);
    let named = run.source_path().iter();
    let named = named.flat_map(|folder| {
        [
            (folder, folder.join(package).join(&name)),
            (folder, folder.join(&name)),
        ]
    });
    // Nobody said that sources are here: a file of the same name may be of another class.
    let usual = run.usual_source_path().iter();
    let usual = usual.map(|folder| (folder, folder.join(package).join(&name)));
    let mut candidates = named.chain(usual);
    let found = candidates.find(|(folder, path)| path.is_file() && is_inside(folder, path));
    let found = found.map(|(_, path)| path);
    found.or_else(|| in_project(run, class, &name))
}

/// A file in any module of the project. Without a package, its name says too little.
fn in_project(run: &JavaRun, class: &str, file: &str) -> Option<PathBuf> {
    if names::package(class).is_empty() {
        return None;
    }
    let (folder, sources) = run.project_sources()?;
    Some(folder.join(sources.find(&class.replace('/', "."), file)?))
}

/// Whether a file really lies below a folder, whatever its path says.
fn is_inside(folder: &Path, file: &Path) -> bool {
    match (folder.canonicalize(), file.canonicalize()) {
        (Ok(folder), Ok(file)) => file.starts_with(folder),
        _ => false,
    }
}

/// The lines of a method, each with its number; those in `marked` are pointed at. Without its source it is told
/// what the lines do.
#[must_use]
pub fn excerpt(run: &JavaRun, method: MethodId, marked: &[u32]) -> Option<String> {
    match file_of(run, method) {
        Some(file) => excerpt_of(&file, run, method, marked),
        None => listing::excerpt(run, method, marked),
    }
}

fn excerpt_of(file: &Path, run: &JavaRun, method: MethodId, marked: &[u32]) -> Option<String> {
    let text = std::fs::read(file).ok()?;
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_outside_the_sources_is_not_read() {
        let outer = tempfile::tempdir().expect("a folder");
        let sources = outer.path().join("src");
        fs::create_dir_all(sources.join("shop")).expect("a folder");
        fs::write(outer.path().join("secret"), "s").expect("a file");
        fs::write(sources.join("shop/Cart.java"), "c").expect("a file");
        assert!(is_inside(&sources, &sources.join("shop/Cart.java")));
        assert!(!is_inside(&sources, &sources.join("../secret")));
        assert!(!is_inside(&sources, &outer.path().join("secret")));
        #[cfg(unix)]
        {
            let link = sources.join("Link.java");
            std::os::unix::fs::symlink(outer.path().join("secret"), &link).expect("a link");
            assert!(!is_inside(&sources, &link));
        }
    }
}
