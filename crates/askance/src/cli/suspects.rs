//! `askance suspects`: where the bug is likeliest to be, with what speaks for it.

use std::sync::Arc;

use clap::Args;

use super::ask_options::OutputArguments;
use super::failure::{Exit, Failure};
use super::inspect::{Opened, TraceArguments};
use super::{ask, output, wrong_output};
use askance_api::suspects::{SuspectList, SuspectTold};
use inquiry::imported::ImportedTree;
use inquiry::{Opening, Questioning};
use java_analysis::questions::Questions;
use java_analysis::recording::Recording;
use java_model::run::JavaRun;
use java_model::testing::TestPattern;

/// List the methods that are likeliest to be to blame, with what speaks against each
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance suspects run.askance\n         askance suspects run.askance -n 5 --json\n         askance suspects run.askance --expect-output expected.txt\n\nNothing in the list is proven: `askance ask` finds out. What was answered there counts here."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// The failed test that it is about: CLASS, CLASS#METHOD, CLASS#METHOD[2]
    #[arg(long, value_name = "TEST")]
    test: Option<String>,

    #[command(flatten)]
    output: OutputArguments,

    /// How many methods
    #[arg(short, long, value_name = "N", default_value_t = 10)]
    number: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut symptom = None;
    let recording: Arc<dyn Recording> = match arguments.trace.open_either()? {
        Opened::Java(run) => {
            symptom = wrong_output::symptom(&run, &arguments.output)?;
            Arc::<JavaRun>::from(run)
        }
        Opened::Imported(tree) => {
            wrong_output::check_imported(&arguments.output)?;
            Arc::<ImportedTree>::from(tree)
        }
    };
    let opening = Opening {
        test: arguments.test.as_deref().map(TestPattern::parse),
        output: symptom,
        resumes: true,
        ..Opening::default()
    };
    let questioning = Questioning::start(&recording, &opening, &mut ask::say_at_start)?;
    let questions = Questions::hurried(Arc::clone(&recording));
    let told = SuspectList::of(
        &*recording,
        questioning.session(),
        &questions,
        arguments.number,
    );
    if told.suspects.is_empty() {
        output::say("nothing is known that would make one call likelier to be wrong than another");
    }
    let exit = match told.suspects.is_empty() {
        true => Exit::Nothing,
        false => Exit::Done,
    };
    match arguments.json {
        true => output::first_version(&told)?,
        false => output::data(
            &told
                .suspects
                .iter()
                .map(SuspectTold::text)
                .collect::<String>(),
        )?,
    }
    Ok(exit)
}
