//! The commands of this executable, which `askance query` starts.
//!
//! As everywhere in Askance: standard output is data, standard error is talk; exit code 0 done, 1 rows that were not to
//! be there, 2 a mistake.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::panic::{UnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use futures::StreamExt as _;

use crate::database::{Database, USUAL_MEMORY};
use crate::explanation::explained;
use crate::export::{chrome, collapsed, parquet, sqlite};
use crate::failure::QueryFailure;
use crate::found_calls::FoundCalls;
use crate::opening;
use crate::place::Place;
use crate::printing::{AnswerPrinter, Format};
use crate::schema;
use crate::tables::{TABLES, Table};
use crate::views::VIEWS;

/// SQL over recorded runs
#[derive(Debug, Parser)]
#[command(name = "askance", bin_name = "askance", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Query(QueryArguments),
    Rows(RowsArguments),
    /// List the calls in which a query finds something, as JSON: what a session begins with
    #[command(hide = true)]
    Calls(RowsArguments),
    /// List the tables and views, as JSON: what the page offers
    #[command(hide = true)]
    Catalogue,
    Export(ExportArguments),
}

/// Ask recorded runs by SQL
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance query run.askance 'SELECT class, method, count(*) FROM call GROUP BY 1, 2'\n         askance query run.askance 'SELECT * FROM returned_null' --format json\n         askance query monday.askance tuesday.askance 'SELECT run, count(*) FROM call GROUP BY run'\n         askance query s3://recordings/november 'SELECT trace, calls FROM run'\n         askance query run.askance --expect 'SELECT * FROM write WHERE field = '\\''balance'\\'' AND new_number < 0'\n\nA query only reads. --schema lists the tables, --views the queries that come with Askance; docs/query.md has both,\nwith examples."
)]
struct QueryArguments {
    /// Traces, as `askance record` made them, or exports of them (folders, s3:, gs:, az: or file: URLs), and the query
    /// after them
    #[arg(value_name = "TRACE… SQL", required_unless_present_any = ["views", "schema"])]
    words: Vec<String>,

    /// Exit with 1 if the query finds anything; the rows are printed
    #[arg(long, value_name = "SQL")]
    expect: Option<String>,

    /// How the answer is written
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,

    /// Which of several recorded JVMs, by process id (default: the one that ran main or tests)
    #[arg(long, value_name = "PID")]
    jvm: Option<u32>,

    /// Megabytes that a query may use; what does not fit is put on disk, where that is possible
    #[arg(long, value_name = "MB", default_value_t = USUAL_MEMORY >> 20)]
    memory: usize,

    /// List the views that come with Askance, with their SQL
    #[arg(long)]
    views: bool,

    /// List the tables with their columns
    #[arg(long)]
    schema: bool,
}

/// Ask for the first rows, as JSON: what MCP and editors do
#[derive(Debug, Args)]
#[command(hide = true)]
struct RowsArguments {
    trace: PathBuf,
    jvm: u32,
    most: usize,
    sql: String,
}

/// Write a recorded run in a form that other tools read
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance export run.askance --parquet tables\n         duckdb -c \"SELECT count(*) FROM 'tables/call/*/*.parquet'\"\n         askance export run.askance --chrome timeline.json\n         askance export run.askance --collapsed stacks.txt\n\ndocs/query.md says what is in the tables."
)]
struct ExportArguments {
    /// Traces, as `askance record` made them; more than one only with --parquet and --sqlite
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,

    #[command(flatten)]
    form: ExportForm,

    /// Which of several recorded JVMs, by process id (default: the one that ran main or tests)
    #[arg(long, value_name = "PID")]
    jvm: Option<u32>,

    /// Only these tables, between commas (default: all but line, for which every call is executed again)
    #[arg(
        long,
        value_name = "TABLES",
        value_delimiter = ',',
        conflicts_with_all = ["chrome", "collapsed"]
    )]
    tables: Vec<String>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct ExportForm {
    /// All tables, as FOLDER/TABLE/run-N/part-M.parquet, into a folder or below a URL (s3:, gs:, az:, file:)
    #[arg(long, value_name = "FOLDER")]
    parquet: Option<String>,

    /// All tables, as one SQLite database
    #[arg(long, value_name = "FILE")]
    sqlite: Option<PathBuf>,

    /// The calls as Trace Event JSON, which Perfetto and speedscope open
    #[arg(long, value_name = "FILE")]
    chrome: Option<PathBuf>,

    /// The calls as collapsed stacks, of which flame graphs are made
    #[arg(long, value_name = "FILE")]
    collapsed: Option<PathBuf>,
}

const DONE: u8 = 0;
const FOUND: u8 = 1;
const MISTAKE: u8 = 2;
const CUT_SHORT: u8 = 3;

/// Runs a command line and gives the exit code of the process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    const WORDS: &str = "askance: a file of the trace got shorter while it was read; \
        is something else writing there?\n";
    // Where it cannot be done the system says "bus error" instead.
    let _ = trace_store::explain_lost_pages(WORDS, CUT_SHORT.into());
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { MISTAKE } else { DONE });
        }
    };
    match unbroken(|| obey(command_line.command)) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            say(&format!("askance: {}", failure.sentence));
            if let Some(hint) = failure.hint {
                say(&format!("  hint: {hint}"));
            }
            ExitCode::from(MISTAKE)
        }
    }
}

fn obey(command: Command) -> Result<u8, QueryFailure> {
    match command {
        Command::Query(arguments) => query(arguments),
        Command::Rows(arguments) => rows(&arguments),
        Command::Calls(arguments) => calls(&arguments),
        Command::Catalogue => print(&schema::json()).map(|()| DONE),
        Command::Export(arguments) => export(&arguments),
    }
}

/// What breaks off inside the engine is told as everything else that cannot be done.
fn unbroken(
    work: impl FnOnce() -> Result<u8, QueryFailure> + UnwindSafe,
) -> Result<u8, QueryFailure> {
    std::panic::set_hook(Box::new(|_| {}));
    catch_unwind(work).unwrap_or_else(|broken| {
        let text = broken.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| broken.downcast_ref::<&str>().copied());
        let why = text.unwrap_or("it broke off");
        Err(
            QueryFailure::new(format!("this query cannot be answered: {why}"))
                .hint("ask for the same in another way"),
        )
    })
}

fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

fn query(arguments: QueryArguments) -> Result<u8, QueryFailure> {
    if arguments.views {
        print_views()?;
        return Ok(DONE);
    }
    if arguments.schema {
        print(&schema::markdown())?;
        return Ok(DONE);
    }
    let mut words = arguments.words;
    let sql = match &arguments.expect {
        Some(sql) => sql.clone(),
        None => words.pop().unwrap_or_default(),
    };
    if words.is_empty() {
        let failure = QueryFailure::new("a trace and a query are needed");
        return Err(failure.hint("askance query run.askance 'SELECT * FROM call LIMIT 10'"));
    }
    let memory = arguments.memory.saturating_mul(1 << 20);
    let threads = threads()?;
    let database = opening::named(&words, arguments.jvm, memory, &threads)?;
    tell_of_damage(&database);
    let rows = threads.block_on(ask(&database, &sql, arguments.format, usize::MAX))?;
    Ok(match arguments.expect {
        Some(_) if rows > 0 => FOUND,
        _ => DONE,
    })
}

fn rows(wanted: &RowsArguments) -> Result<u8, QueryFailure> {
    let traces = std::slice::from_ref(&wanted.trace);
    let database = opening::traces(traces, Some(wanted.jvm), USUAL_MEMORY)?;
    threads()?.block_on(ask(&database, &wanted.sql, Format::Json, wanted.most))?;
    Ok(DONE)
}

fn calls(wanted: &RowsArguments) -> Result<u8, QueryFailure> {
    let traces = std::slice::from_ref(&wanted.trace);
    let database = opening::traces(traces, Some(wanted.jvm), USUAL_MEMORY)?;
    let found = threads()?.block_on(FoundCalls::of(&database, &wanted.sql, wanted.most))?;
    print(&found.json())?;
    Ok(DONE)
}

/// Rows of a damaged trace are those of what is whole.
fn tell_of_damage(database: &Database) {
    for reader in database.readers() {
        let Some(damage) = reader.damage() else {
            continue;
        };
        let trace = reader.run.folder().display();
        say(&format!(
            "askance: {trace} is damaged: {damage}; what is whole is asked"
        ));
    }
}

fn threads() -> Result<tokio::runtime::Runtime, QueryFailure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().build();
    runtime.map_err(|error| QueryFailure::new(format!("no threads can be started for it: {error}")))
}

fn export(arguments: &ExportArguments) -> Result<u8, QueryFailure> {
    for wanted in &arguments.tables {
        if Table::named(wanted).is_none() {
            let tables: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
            let failure = QueryFailure::new(format!("there is no table {wanted}"));
            return Err(failure.hint(format!("there are {}", tables.join(", "))));
        }
    }
    let database = opening::traces(&arguments.traces, arguments.jvm, USUAL_MEMORY)?;
    tell_of_damage(&database);
    let is_wanted = |table: &str| match arguments.tables.is_empty() {
        true => table != "line",
        false => arguments.tables.iter().any(|wanted| wanted == table),
    };
    if let Some(path) = &arguments.form.sqlite {
        let rows = threads()?.block_on(sqlite::write(&database, path, is_wanted))?;
        say(&format!(
            "askance: {rows} rows written to {}",
            path.display()
        ));
        return Ok(DONE);
    }
    if let Some(folder) = &arguments.form.parquet {
        let place = Place::named(folder)?;
        let written = threads()?.block_on(parquet::write(&database, &place, is_wanted))?;
        let (rows, bytes) = (written.rows, written.bytes);
        say(&format!(
            "askance: {rows} rows in {bytes} bytes written to {place}"
        ));
        return Ok(DONE);
    }
    let [reader] = database.readers() else {
        return Err(
            QueryFailure::new("this form has room for one trace only").hint("name one trace")
        );
    };
    if let Some(path) = &arguments.form.chrome {
        chrome::write(reader, &mut created(path)?)?;
    }
    if let Some(path) = &arguments.form.collapsed
        && collapsed::write(reader, &mut created(path)?)?
    {
        say("askance: calls below the 256th level are counted with that level");
    }
    Ok(DONE)
}

fn created(path: &Path) -> Result<BufWriter<File>, QueryFailure> {
    let file = File::create(path);
    let unwritten =
        |error| QueryFailure::new(format!("{} cannot be written: {error}", path.display()));
    file.map(BufWriter::new).map_err(unwritten)
}

/// Prints the answer to a question, no more than some rows of it; how many were printed.
async fn ask(
    database: &Database,
    sql: &str,
    format: Format,
    most: usize,
) -> Result<usize, QueryFailure> {
    let mut answer = database.answer(sql).await?;
    let schema = answer.schema();
    if format.is_binary() && io::stdout().is_terminal() {
        return Err(
            QueryFailure::new("this format is no text that a terminal can show")
                .hint("write it into a file: askance query … --format parquet > answer.parquet"),
        );
    }
    let out = BufWriter::new(io::stdout());
    let mut printer = AnswerPrinter::new(format, &schema, out)?;
    let mut rows = 0;
    while rows < most
        && let Some(batch) = answer.next().await
    {
        let batch = batch.map_err(|error| explained(&error))?;
        let batch = batch.slice(0, batch.num_rows().min(most - rows));
        rows += batch.num_rows();
        if is_over(printer.print(&batch))? {
            return Ok(rows);
        }
    }
    is_over(printer.finish())?;
    Ok(rows)
}

/// Whether nobody reads any more (`| head`), which is no failure.
fn is_over(written: io::Result<()>) -> Result<bool, QueryFailure> {
    match written {
        Ok(()) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(true),
        Err(error) => Err(error.into()),
    }
}

fn print(text: &str) -> Result<(), QueryFailure> {
    let mut out = io::stdout().lock();
    is_over(out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
    Ok(())
}

fn print_views() -> Result<(), QueryFailure> {
    let each = VIEWS.iter();
    let texts = each.map(|view| {
        format!(
            "{}: {}\n{}\n",
            view.name,
            view.about(),
            indented(view.sql())
        )
    });
    print(&texts.collect::<String>())
}

fn indented(sql: &str) -> String {
    let lines = sql.lines().skip(1);
    lines.map(|line| format!("    {line}\n")).collect()
}
