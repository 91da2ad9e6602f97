//! `--tui`: the dialogue on one screen, and the report after it.

use std::sync::Arc;

use debug_engine::oracle::Cascade;

use super::ask::shell_word;
use super::ask_options::AskArguments;
use super::failure::{Exit, Failure};
use super::{output, report};
use crate::dialogue::Ending;
use crate::interrupt;
use crate::questioning::Questioning;
use crate::source::questions::Questions;
use crate::source::recording::Recording;
use crate::tui;

/// Asks with the whole terminal as a screen, and reports.
pub(crate) fn converse(
    run: &Arc<dyn Recording>,
    questioning: &mut Questioning,
    cascade: Cascade<'_>,
    options: &AskArguments,
) -> Result<Exit, Failure> {
    let name = run.folder().file_name().unwrap_or_default();
    let title = name.to_string_lossy();
    let farewell = format!(
        "The answers are kept; go on with: askance ask --tui {}",
        shell_word(run.folder())
    );
    let questions = Questions::new(Arc::clone(run));
    let (ending, blamed) = {
        // The screen is given back first; it hears of signals by itself.
        let _noted = interrupt::leave_to_children();
        tui::converse(&title, questioning, &questions, cascade)?
    };
    let ending = match ending {
        tui::Ending::Done(diagnosis) => Ending::Done(diagnosis),
        tui::Ending::Left => {
            output::talk(&farewell);
            Ending::Left
        }
        tui::Ending::Interrupted => {
            output::talk(&farewell);
            return Ok(Exit::Interrupted);
        }
    };
    let session = &mut questioning.session;
    report::tell(&**run, session, &ending, blamed.as_ref(), options.json)
}

impl From<tui::TuiError> for Failure {
    fn from(error: tui::TuiError) -> Failure {
        Failure::mistake(error.to_string())
    }
}
