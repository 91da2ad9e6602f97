//! The dialogue itself: with whom it is led, and what is said when it is left.

use std::io;
use std::sync::Arc;

use debug_engine::session::SessionStep;

use super::Oracles;
use crate::cli::ask_options::OutputArguments;
use crate::cli::failure::Failure;
use crate::cli::output::{self, shell_word};
use crate::dialogue::Blamed;
use crate::dialogue::Dialogue;
use crate::dialogue::Ending;
use crate::dialogue::Person;
use inquiry::Questioning;
use java_analysis::questions::Questions;
use java_analysis::recording::Recording;
use launch::interrupt;

/// Who takes part in a dialogue, and when it is left.
pub(crate) struct Conversation<'run> {
    /// Whether the output is shown first, and the person asked what is wrong with it.
    pub(crate) asks_for_symptom: bool,
    /// What was said of the output, which has to be said again to go on in the same way.
    pub(crate) output: &'run OutputArguments,
    pub(crate) person: &'run mut dyn Person,
    /// Whether the answers are kept for another time.
    pub(crate) keeps: bool,
    pub(crate) oracles: Oracles,
    /// How many of the session's answers the person has heard of.
    pub(crate) heard: usize,
    /// Whether to come back instead of going on with this step: the tree has grown.
    pub(crate) come_back: &'run dyn Fn(&SessionStep) -> bool,
}

/// Asks until nothing is left, nobody answers, or the caller wants it to come back.
pub(crate) fn dialogue(
    run: &Arc<dyn Recording>,
    questioning: &mut Questioning,
    conversation: Conversation<'_>,
) -> Result<(Ending, Option<Blamed>), Failure> {
    let Conversation {
        asks_for_symptom,
        output: of_output,
        person,
        keeps,
        oracles,
        heard,
        come_back,
    } = conversation;
    let go_on = format!("askance ask {}{of_output}", shell_word(run.folder()));
    let questions = Questions::hurried(Arc::clone(run));
    let _guard = keeps
        .then(|| interrupt::say_and_leave(format!("The answers are kept; go on with: {go_on}")));
    let mut dialogue = Dialogue {
        questioning,
        cascade: oracles.cascade,
        calls: &questions,
        person,
        talk: &mut io::stderr(),
        unknown_from: oracles.unknown_from,
        heard,
        blamed: None,
        come_back,
    };
    if asks_for_symptom {
        dialogue.ask_for_symptom()?;
    }
    let ending = dialogue.run()?;
    let blamed = dialogue.blamed.take();
    match ending {
        Ending::Left => output::talk(&format!("The answers are kept; go on with: {go_on}")),
        Ending::Unanswered(_) => {
            output::talk(&format!(
                "\nTo go on, answer in a terminal: {go_on}\nor write answers into a file, one a line: {go_on} --answers FILE"
            ));
            if run.can_be_compared() {
                output::talk(&format!(
                    "or name a version that works: {go_on} --reference FILE.java"
                ));
            }
        }
        Ending::Done(_) | Ending::Grown => {}
    }
    Ok((ending, blamed))
}
