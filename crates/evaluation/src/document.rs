//! Tables in documents: each stands between two marks that name the command that makes it.

use std::fs;
use std::io;
use std::path::Path;

/// What `cargo xtask tidy` allows a line of prose.
const MOST_COLUMNS: usize = 120;

/// Puts a table into a document, in place of the one that the same command made. A document without
/// a place for it gets one at its end, under a heading.
pub fn write_table(document: &Path, command: &str, heading: &str, table: &str) -> io::Result<()> {
    let old = match fs::read_to_string(document) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => "# Benchmarks\n".to_owned(),
        Err(error) => return Err(error),
    };
    if let Some(parent) = document.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(
        document,
        replace_between_marks(&old, command, heading, table),
    )
}

fn replace_between_marks(document: &str, command: &str, heading: &str, table: &str) -> String {
    let begin = format!("<!-- begin: {command} -->");
    let end = format!("<!-- end: {command} -->");
    let place = document.split_once(&begin).and_then(|(head, rest)| {
        let (_, tail) = rest.split_once(&end)?;
        Some((head, tail))
    });
    let table = wrapped(table);
    match place {
        Some((head, tail)) => format!("{head}{begin}\n{table}{end}{tail}"),
        None => format!(
            "{}\n\n## {heading}\n\n{begin}\n{table}{end}\n",
            document.trim_end()
        ),
    }
}

/// The text with its paragraphs broken into lines that a diff can show, and its tables as they are.
fn wrapped(text: &str) -> String {
    text.split_inclusive('\n').map(wrapped_line).collect()
}

fn wrapped_line(line: &str) -> String {
    if line.starts_with('|') || line.chars().count() <= MOST_COLUMNS {
        return line.to_owned();
    }
    let mut broken = String::with_capacity(line.len());
    let mut column = 0;
    for word in line.split_inclusive(' ') {
        let columns = word.trim_end().chars().count();
        if column > 0 && column + columns > MOST_COLUMNS {
            broken.truncate(broken.trim_end().len());
            broken.push('\n');
            column = 0;
        }
        broken.push_str(word);
        column += word.chars().count();
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_broken_and_rows_of_tables_are_not() {
        let long = "word ".repeat(60);
        let row = format!("| {long}|\n");
        assert_eq!(wrapped(&row), row);
        let broken = wrapped(&format!("{}\n", long.trim_end()));
        assert!(broken.lines().all(|line| line.len() <= MOST_COLUMNS));
        assert_eq!(broken.lines().count(), 3);
        assert_eq!(broken.replace('\n', " "), long);
    }

    #[test]
    fn only_the_place_between_the_marks_changes() {
        let put = |document: &str, table| replace_between_marks(document, "make it", "It", table);
        let once = put("# Benchmarks\n\nAbove.\n", "old\n");
        assert_eq!(
            put(&format!("{once}\nBelow.\n"), "new\n"),
            "# Benchmarks\n\nAbove.\n\n## It\n\n<!-- begin: make it -->\nnew\n<!-- end: make it -->\n\nBelow.\n"
        );
    }
}
