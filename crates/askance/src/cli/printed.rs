//! `askance output`: what the program printed, and which calls did.

use askance_api::output::{OutputRow, OutputRowKind, OutputRows, OutputStream, rows};
use clap::Args;

use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;

/// Show what the program printed, each line with the call that printed it
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance output run.askance\n         askance output run.askance --from 1000\n\nThe number before a line counts the lines of standard output, or with `error` before it those of\nstandard error: `--wrong-output`, and `w output:3` as an answer, say that one of them is wrong."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// Start with this row, counted from 0
    #[arg(long, value_name = "ROW", default_value_t = 0)]
    from: u64,

    /// How many rows
    #[arg(long, value_name = "N", default_value_t = 500)]
    limit: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let run = arguments.trace.open()?;
    let page = rows(&run, arguments.from, |listed| listed < arguments.limit)
        .map_err(|error| Failure::mistake(error.to_string()))?;
    if arguments.json {
        output::first_version(&page)?;
        return Ok(Exit::Done);
    }
    if !page.recorded {
        return Err(Failure::mistake(
            "this trace was recorded before Askance kept what programs print",
        )
        .hint("record the program again"));
    }
    output::data(&describe(&page))?;
    if page.rows.is_empty() {
        output::talk(match arguments.from {
            0 => "askance: the program printed nothing",
            _ => "askance: there are no more rows",
        });
    }
    Ok(Exit::Done)
}

/// Columns of text before where it came from, if that is enough for it.
const TEXT_WIDTH: usize = 60;

fn describe(page: &OutputRows) -> String {
    let names: Vec<String> = page.rows.iter().map(name).collect();
    let width = names.iter().map(String::len).max().unwrap_or_default();
    let shown = page.rows.iter().map(text).collect::<Vec<_>>();
    let lengths = shown.iter().map(|text| text.chars().count());
    let text_width = lengths.filter(|&length| length <= TEXT_WIDTH).max();
    let text_width = text_width.unwrap_or_default();
    let mut lines = String::new();
    for ((row, name), text) in page.rows.iter().zip(&names).zip(&shown) {
        let from = from(row);
        let line = format!("{name:>width$}  {text:<text_width$}  {from}");
        lines.push_str(line.trim_end());
        lines.push('\n');
    }
    if let Some(next) = page.next {
        lines.push_str(&format!("(go on with --from {next})\n"));
    }
    lines
}

/// The number of a line, as answers name it.
fn name(row: &OutputRow) -> String {
    match (row.stream, row.line) {
        (Some(OutputStream::Error), Some(line)) => format!("error {line}"),
        (_, Some(line)) => line.to_string(),
        _ => String::new(),
    }
}

/// What was printed, without characters that would move the cursor.
fn text(row: &OutputRow) -> String {
    if let Some(text) = &row.text {
        let visible = |c: char| match c {
            '\t' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        };
        let shown: String = text.chars().map(visible).collect();
        return if row.cut {
            format!("{shown}…")
        } else {
            shown
        };
    }
    let bytes = row.bytes.unwrap_or_default();
    match row.kind {
        OutputRowKind::Binary => format!("({bytes} bytes that are no text)"),
        _ => format!("({bytes} bytes were not kept)"),
    }
}

fn from(row: &OutputRow) -> String {
    let mut from: Vec<String> = row.from.iter().map(ToString::to_string).collect();
    if row.others > 0 {
        from.push(format!("{} more", row.others));
    }
    match from.is_empty() {
        true => String::new(),
        false => format!("← {}", from.join(", ")),
    }
}
