//! `askance history`: every write of a variable in the whole run.

use clap::Args;
use debug_engine::view::history::{self, VariableHistory};

use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;
use java_analysis::variable;
use java_model::run::JavaRun;
use java_model::shown::BRIEF;

/// List every write of a variable in the whole run
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance history run.askance '#12.size'\n         askance history run.askance '17:c[2]'\n         askance history run.askance Main.total\n\nA variable is #12.size (also Account#12.size, obj#12.size), #7[2] (also int[]#7[2], arr#7[2]),\nMain.total (a static), 17:i (a local of call 17)\nor Main.sort:i (of the first call of Main.sort); .field and [index] go on from there."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// The variable
    #[arg(value_name = "VARIABLE")]
    variable: String,

    /// Start with this write
    #[arg(long, value_name = "N", default_value_t = 1)]
    from: usize,

    /// How many writes
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let run = arguments.trace.open()?;
    let history = look_up(&run, arguments)?;
    if arguments.json {
        output::first_version(&history)?;
    } else {
        let mut text = history::text(&history, BRIEF);
        text.push('\n');
        output::data(&text)?;
    }
    Ok(Exit::Done)
}

fn look_up(run: &JavaRun, arguments: &Arguments) -> Result<VariableHistory, Failure> {
    let program = run.program();
    let found = variable::find(run, program, &arguments.variable, None, None)?;
    let skip = arguments.from.saturating_sub(1);
    java_analysis::history::of_variable(run, program, &found, skip, arguments.limit)
        .map_err(Failure::mistake)
}
