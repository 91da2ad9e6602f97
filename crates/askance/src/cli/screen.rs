//! `--tui`: the dialogue on one screen.

use std::sync::Arc;

use debug_engine::oracle::Cascade;

use super::failure::Failure;
use super::output;
use super::output::shell_word;
use crate::dialogue::Blamed;
use crate::dialogue::Ending;
use crate::tui;
use inquiry::Questioning;
use java_analysis::questions::Questions;
use java_analysis::recording::Recording;
use launch::interrupt;

/// Asks with the whole terminal as a screen; `None` if it was interrupted.
pub(crate) fn converse(
    run: &Arc<dyn Recording>,
    questioning: &mut Questioning,
    cascade: Cascade<'_>,
) -> Result<Option<(Ending, Option<Blamed>)>, Failure> {
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
        tui::ScreenEnding::Done(diagnosis) => Ending::Done(diagnosis),
        tui::ScreenEnding::Left => {
            output::talk(&farewell);
            Ending::Left
        }
        tui::ScreenEnding::Interrupted => {
            output::talk(&farewell);
            return Ok(None);
        }
    };
    Ok(Some((ending, blamed)))
}

impl From<tui::TuiError> for Failure {
    fn from(error: tui::TuiError) -> Failure {
        Failure::mistake(error.to_string())
    }
}
