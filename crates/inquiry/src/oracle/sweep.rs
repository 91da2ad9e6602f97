//! What an oracle can say by itself, before anybody is asked.
//!
//! A reference run stops matching soon after the bug has struck: what was computed wrongly is the
//! input of what comes later. A strategy that halves the tree would keep falling into that part and
//! learn nothing. Top-down goes through the calls in the order of execution, so it meets the first
//! call that differs before everything that differs because of it. The sweep asks the oracle in that
//! order on a session of its own, in which "no answer" is simply passed over, and then hands the
//! answers that it got to the real session. If the oracle already knows where to look, those calls
//! come first.

use std::sync::Arc;
use std::time::{Duration, Instant};

use debug_engine::oracle::Oracle;
use debug_engine::session::{Answer, SessionError, SessionStep};
use debug_engine::transform::Transformations;
use debug_engine::{NodeId, Session, SessionOptions};

/// When to stop, if nothing speaks for less: the rest is asked as usual.
pub const PATIENCE: Duration = Duration::from_secs(20);
const MOST_QUESTIONS: usize = 1_000_000;

/// Gives a session every answer that an oracle has about `first`, and then on the way from the top
/// to the bug.
///
/// # Errors
/// If the session does not take an answer.
pub fn sweep(
    session: &mut Session,
    oracle: &mut dyn Oracle,
    first: &[NodeId],
    patience: Duration,
) -> Result<(), SessionError> {
    let options = SessionOptions {
        strategy: "top-down".to_owned(),
        transformations: Transformations::default(),
        ..session.options().clone()
    };
    let mut scratch = Session::replay(Arc::clone(session.tree()), options, session.log().to_vec())?;
    for &node in first {
        if !scratch.space().is_askable(node) {
            continue;
        }
        if let Some(answer) = oracle.judge(node) {
            scratch.judge(node, answer.clone(), oracle.source())?;
            session.judge(node, answer, oracle.source())?;
        }
    }
    let started = Instant::now();
    for _ in 0..MOST_QUESTIONS {
        let SessionStep::Ask(question) = scratch.poll() else {
            break;
        };
        match oracle.judge(question.node) {
            Some(answer) => {
                scratch.judge(question.node, answer.clone(), oracle.source())?;
                session.judge(question.node, answer, oracle.source())?;
            }
            None => scratch.answer_from(oracle.source(), Answer::DontKnow)?,
        }
        if started.elapsed() > patience {
            break;
        }
    }
    Ok(())
}
