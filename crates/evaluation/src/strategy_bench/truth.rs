//! Which calls of a mutant are wrong, by the run of the original, and a search that is told so.

use std::sync::Arc;

use debug_engine::session::{Answer, Diagnosis, SessionStep};
use debug_engine::{ExecutionTree, NodeId, Session, SessionOptions, Target};
use frame_replay::{CodeCoverage, Program};
use inquiry::oracle::reference::Reference;
use java_model::run::{JavaRun, routine};
use trace_format::MethodId;

use super::Recorded;

/// Knows which calls are wrong.
pub(super) struct Truth<'a> {
    tree: &'a dyn ExecutionTree,
    reference: Reference,
    /// Calls of the changed method that went wrong by themselves, in preorder.
    pub(super) infected: Vec<NodeId>,
}

impl<'a> Truth<'a> {
    pub(super) fn new(
        recorded: &'a Recorded,
        reference: &Recorded,
        changed: MethodId,
        line: u32,
    ) -> Self {
        let run = &recorded.run;
        let mut oracle = Reference::new(Arc::clone(run), Arc::clone(&reference.run));
        let program = Program::of(run.trace());
        let came_to_line = |node| {
            let covered = run
                .call_id(node)
                .and_then(|id| CodeCoverage::of(run.trace(), &program, id).ok());
            covered.is_none_or(|covered| covered.lines.iter().any(|&one| u32::from(one) == line))
        };
        let mut infected = Vec::new();
        run.visit_nodes_of(&|method| method == routine(changed), &mut |node| {
            let is_infected = match oracle.answer(node) {
                Some(answer) => answer == Answer::No,
                None => came_to_line(node),
            };
            if is_infected {
                infected.push(node);
            }
        });
        Truth {
            tree: &*recorded.tree,
            reference: oracle,
            infected,
        }
    }

    fn is_wrong(&mut self, node: NodeId) -> bool {
        match self.reference.answer(node) {
            Some(answer) => answer == Answer::No,
            None => {
                let range = self.tree.range(node);
                let from = self.infected.partition_point(|one| one.0 < range.start);
                self.infected.get(from).is_some_and(|one| one.0 < range.end)
            }
        }
    }
}

pub(super) fn is_called(run: &JavaRun, method: MethodId) -> bool {
    let mut called = false;
    run.visit_nodes_of(&|other| other == routine(method), &mut |_| called = true);
    called
}

/// One session to its end: what was asked, and which call is to blame. `prepare` tells the session what it may
/// know besides.
pub(super) fn search(
    recorded: &Recorded,
    strategy: &str,
    truth: &mut Truth<'_>,
    prepare: impl FnOnce(&mut Session),
) -> (Vec<Target>, Option<NodeId>) {
    let options = SessionOptions {
        strategy: strategy.to_owned(),
        trusted: recorded.trusted.clone(),
        ..SessionOptions::default()
    };
    let mut asked = Vec::new();
    let Ok(mut session) = Session::new(Arc::clone(&recorded.tree), options) else {
        return (asked, None);
    };
    prepare(&mut session);
    loop {
        match session.poll() {
            SessionStep::Ask(question) => {
                asked.push(question.target);
                let members = question.target.members(&*recorded.tree);
                let is_wrong = members.into_iter().any(|node| truth.is_wrong(node));
                let answer = if is_wrong { Answer::No } else { Answer::Yes };
                if session.answer(answer).is_err() {
                    return (asked, None);
                }
            }
            SessionStep::Done(Diagnosis::Found { node }) => return (asked, Some(node)),
            SessionStep::Done(_) => return (asked, None),
        }
    }
}
