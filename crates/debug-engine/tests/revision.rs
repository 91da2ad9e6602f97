//! A diagnosis that is not true leads back to the answer that was not.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use crate::support;

use std::sync::Arc;

use crate::support::ended_sketches;
use debug_engine::oracle::{Cascade, Oracle, run_automatic};
use debug_engine::session::{Reason, ValuePath};
use debug_engine::strategy::ValueOrigin;
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, AnswerSource, Diagnosis, ExecutionTree, Judgement, NodeId, RoutineId, Session,
    SessionOptions, SessionStep, Target, TrustScope, strategy,
};
use proptest::prelude::*;

fn session(parents: &[i64]) -> Session {
    let tree = SketchTree::from_signed_parents(parents).unwrap();
    let options = SessionOptions {
        root_is_wrong: true,
        strategy: "top-down".to_owned(),
        ..SessionOptions::default()
    };
    Session::new(Arc::new(tree), options).unwrap()
}

#[test]
fn the_least_certain_answer_is_doubted_first() {
    let mut session = session(&[-1, 0, 0, 0, 3, 3, 3]);
    session
        .judge(NodeId(0), Answer::No, AnswerSource::Run)
        .unwrap();
    session
        .answer_from(AnswerSource::Reference, Answer::Yes)
        .unwrap();
    session
        .answer_from(AnswerSource::Command, Answer::Yes)
        .unwrap();
    session.answer(Answer::No).unwrap();
    session.answer(Answer::Yes).unwrap();
    session.answer(Answer::Trust(TrustScope::Routine)).unwrap();
    session.answer(Answer::Yes).unwrap();
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(3) })
    );
    let doubtful: Vec<_> = session
        .doubtful()
        .iter()
        .map(|entry| (entry.node.unwrap().0, entry.source))
        .collect();
    // Trust, the command, then the person: the blamed call itself, then its callees from the last.
    assert_eq!(
        doubtful,
        [
            (5, AnswerSource::Person),
            (2, AnswerSource::Command),
            (3, AnswerSource::Person),
            (6, AnswerSource::Person),
            (4, AnswerSource::Person),
            (1, AnswerSource::Reference),
        ]
    );
    let taken_back = session.revise().unwrap().unwrap();
    assert_eq!(taken_back.node, Some(NodeId(5)));
    assert_eq!(session.judgement(NodeId(5)), Judgement::Undefined);
    let SessionStep::Ask(question) = session.poll() else {
        panic!("nothing asked");
    };
    assert_eq!(
        (question.node, question.reason),
        (NodeId(5), Reason::Requested)
    );
    session.answer(Answer::Yes).unwrap();
    // Not the same again: the next one.
    assert_eq!(session.revise().unwrap().unwrap().node, Some(NodeId(2)));
    session.answer(Answer::No).unwrap();
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(2) })
    );
}

#[test]
fn what_the_run_says_is_not_doubted() {
    let mut session = session(&[-1]);
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(0) })
    );
    assert_eq!(session.revise().unwrap(), None);
    session
        .judge(NodeId(0), Answer::Yes, AnswerSource::Person)
        .unwrap();
    session.revise().unwrap().unwrap();
    // Taken back: what the run says counts again.
    assert_eq!(session.judgement(NodeId(0)), Judgement::Wrong);
}

/// Calls everything right, as far as passing tests can tell.
struct EverythingWasSeen;

impl Oracle for EverythingWasSeen {
    fn source(&self) -> AnswerSource {
        AnswerSource::Tests
    }

    fn judge(&mut self, _node: NodeId) -> Option<Answer> {
        Some(Answer::Yes)
    }
}

#[test]
fn a_failed_test_is_not_blamed_on_presumptions() {
    let mut session = session(&[-1, 0, 0]);
    session
        .judge(NodeId(0), Answer::No, AnswerSource::Run)
        .unwrap();
    let mut cascade = Cascade::new();
    cascade.push(EverythingWasSeen);
    // Both calls are presumed right, so the test would be to blame: a person is asked about them.
    let mut asked = 0;
    while let SessionStep::Ask(question) = run_automatic(&mut session, &mut cascade).unwrap() {
        assert_eq!(question.reason, Reason::Presumed);
        asked += 1;
        let answer = match question.node {
            NodeId(1) => Answer::No,
            _ => Answer::Yes,
        };
        session.answer(answer).unwrap();
    }
    assert!((1..=2).contains(&asked), "{asked} questions");
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(1) })
    );
    let contradicted = session.contradicted();
    let [(said, now)] = contradicted[..] else {
        panic!("{contradicted:?}");
    };
    assert_eq!(
        (said.source, now.source),
        (AnswerSource::Tests, AnswerSource::Person)
    );
}

/// The strategy asks about them as about any others; undoing it presumes all of them right again.
#[test]
fn presumptions_are_doubted_together_and_taken_back_in_one_breath() {
    let parents: Vec<i64> = (0..=40)
        .map(|node| if node == 0 { -1 } else { 0 })
        .collect();
    let tree: Arc<dyn ExecutionTree> = Arc::new(SketchTree::from_signed_parents(&parents).unwrap());
    let mut session = Session::new(Arc::clone(&tree), SessionOptions::default()).unwrap();
    session
        .judge(NodeId(0), Answer::No, AnswerSource::Run)
        .unwrap();
    for node in 1..=40 {
        session
            .judge(NodeId(node), Answer::Yes, AnswerSource::Tests)
            .unwrap();
    }
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(0) })
    );
    assert!(session.reopen_presumptions());
    assert_eq!(session.space().suspects(), 41);
    session.undo();
    assert_eq!(session.space().suspects(), 1);
    let mut nobody = Cascade::new();
    let mut asked = 0;
    while let SessionStep::Ask(question) = run_automatic(&mut session, &mut nobody).unwrap() {
        asked += 1;
        let is_wrong = question.target.contains(&*tree, NodeId(17));
        let answer = if is_wrong { Answer::No } else { Answer::Yes };
        session.answer(answer).unwrap();
    }
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(17) })
    );
    assert!(asked < 40, "{asked} questions");
}

/// Presumes one call right, and knows nothing else.
struct WasSeen(NodeId);

impl Oracle for WasSeen {
    fn source(&self) -> AnswerSource {
        AnswerSource::Tests
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        (node == self.0).then_some(Answer::Yes)
    }
}

/// Knows which call is wrong.
struct Knows(NodeId);

impl Oracle for Knows {
    fn source(&self) -> AnswerSource {
        AnswerSource::Command
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        match node == self.0 {
            true => Some(Answer::No),
            false => Some(Answer::Yes),
        }
    }
}

/// The first call is faulty, and a test that did not look at its result has shown the same. The second is left, but
/// nobody has called it wrong.
#[test]
fn what_is_left_because_of_a_presumption_is_not_blamed_before_that_is_asked() {
    let tree = SketchTree::from_signed_parents(&[-1, 0, 0]).unwrap();
    let options = SessionOptions {
        strategy: "top-down".to_owned(),
        trusted: [RoutineId(0)].into(),
        ..SessionOptions::default()
    };
    let mut session = Session::new(Arc::new(tree), options).unwrap();
    session
        .judge(NodeId(0), Answer::No, AnswerSource::Run)
        .unwrap();
    let mut cascade = Cascade::new();
    cascade.push(WasSeen(NodeId(1)));
    let SessionStep::Ask(question) = run_automatic(&mut session, &mut cascade).unwrap() else {
        panic!("blames {:?} on a presumption", session.poll());
    };
    assert_eq!(question.node, NodeId(1));
    assert_eq!(question.reason, Reason::Presumed);
    session.answer(Answer::No).unwrap();
    let found = run_automatic(&mut session, &mut cascade).unwrap();
    assert_eq!(
        found,
        SessionStep::Done(Diagnosis::Found { node: NodeId(1) })
    );
}

/// Says that call 1 made what call 2 found.
struct SetUp;

impl ValueOrigin for SetUp {
    fn producer(&self, _node: NodeId, _path: &ValuePath) -> Option<NodeId> {
        None
    }

    fn set_up_before(&self, node: NodeId) -> Vec<NodeId> {
        if node == NodeId(2) {
            vec![NodeId(1)]
        } else {
            Vec::new()
        }
    }
}

/// A test (call 2) failed that calls nothing wrong. What initialised a class ran in an earlier test (call 0).
#[test]
fn a_failed_test_is_not_blamed_before_what_was_set_up_is_asked_about() {
    for (said, found) in [(Answer::No, 1), (Answer::Yes, 2)] {
        let tree = SketchTree::from_signed_parents(&[-1, 0, -1, 2]).unwrap();
        let mut session = Session::new(Arc::new(tree), SessionOptions::default()).unwrap();
        session.set_value_origins(Arc::new(SetUp));
        session
            .judge(NodeId(2), Answer::No, AnswerSource::Run)
            .unwrap();
        session
            .judge(NodeId(3), Answer::Yes, AnswerSource::Person)
            .unwrap();
        let mut nobody = Cascade::new();
        let SessionStep::Ask(question) = run_automatic(&mut session, &mut nobody).unwrap() else {
            panic!("blames {:?} at once", session.poll());
        };
        assert_eq!((question.node, question.reason), (NodeId(1), Reason::SetUp));
        session.answer(said).unwrap();
        let step = run_automatic(&mut session, &mut nobody).unwrap();
        let node = NodeId(found);
        assert_eq!(step, SessionStep::Done(Diagnosis::Found { node }));
    }
}

/// What is asked after all is asked of those who answer before a person, too; but not of the tests again.
#[test]
fn a_doubted_presumption_is_put_to_the_other_oracles() {
    let mut session = session(&[-1, 0, 0]);
    session
        .judge(NodeId(0), Answer::No, AnswerSource::Run)
        .unwrap();
    let mut cascade = Cascade::new();
    cascade.push(EverythingWasSeen).push(Knows(NodeId(1)));
    let found = run_automatic(&mut session, &mut cascade).unwrap();
    assert_eq!(
        found,
        SessionStep::Done(Diagnosis::Found { node: NodeId(1) })
    );
    let mut by_command = session.log().iter();
    assert!(by_command.any(|entry| entry.source == AnswerSource::Command));
}

proptest! {
    #![proptest_config(support::config(96))]

    /// A machine answers, and some of it is wrong. Revising until the diagnosis is true ends, and finds
    /// the bug; and undoing a revision gives back what was before.
    #[test]
    fn revision_finds_the_bug_in_the_end(
        tree in ended_sketches(24, false),
        bug in any::<prop::sample::Index>(),
        lies in any::<u32>(),
        name in prop::sample::select(strategy::ALL.iter().map(|info| info.name).collect::<Vec<_>>()),
    ) {
        let tree = tree.with_routines((0..24).map(RoutineId));
        let bug = NodeId(bug.index(tree.len() as usize) as u32);
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let options = SessionOptions {
            root_is_wrong: true,
            strategy: name.to_owned(),
            ..SessionOptions::default()
        };
        let mut session = Session::new(Arc::clone(&tree), options).unwrap();
        let truth = |target: Target| match target.contains(&*tree, bug) {
            true => Answer::No,
            false => Answer::Yes,
        };
        let mut machine = 0;
        let mut revisions = 0;
        loop {
            match session.poll() {
                SessionStep::Ask(question) if question.reason == Reason::Requested => {
                    session.answer(truth(question.target)).unwrap();
                }
                SessionStep::Ask(question) => {
                    let honest = truth(question.target);
                    let lie = if honest == Answer::No { Answer::Yes } else { Answer::No };
                    let lies = machine < 32 && lies >> machine & 1 == 1;
                    machine += 1;
                    session.answer_from(AnswerSource::Command, if lies { lie } else { honest }).unwrap();
                }
                SessionStep::Done(Diagnosis::Found { node }) if node == bug => break,
                step @ SessionStep::Done(_) => {
                    let before = session.save();
                    prop_assert!(session.revise().unwrap().is_some(), "{}: nothing left to doubt", name);
                    session.undo();
                    prop_assert_eq!(session.save(), before);
                    prop_assert_eq!(session.poll(), step);
                    session.revise().unwrap();
                    revisions += 1;
                    prop_assert!(revisions < 200, "{} does not end", name);
                }
            }
        }
    }

    /// An oracle lies in one answer of twenty, and a person, who is asked only what is doubted, does not.
    /// The bug is found in the end, and whatever is said to be contradicted was a lie.
    #[test]
    fn what_a_lying_oracle_said_is_found_out(
        tree in ended_sketches(40, false),
        bug in any::<prop::sample::Index>(),
        lies in prop::collection::vec(prop::bool::weighted(0.05), 64),
        name in prop::sample::select(strategy::ALL.iter().map(|info| info.name).collect::<Vec<_>>()),
    ) {
        let tree = tree.with_routines((0..40).map(RoutineId));
        let bug = NodeId(bug.index(tree.len() as usize) as u32);
        let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
        let options = SessionOptions {
            root_is_wrong: true,
            strategy: name.to_owned(),
            ..SessionOptions::default()
        };
        let mut session = Session::new(Arc::clone(&tree), options).unwrap();
        let truth = |target: Target| match target.contains(&*tree, bug) {
            true => Answer::No,
            false => Answer::Yes,
        };
        let mut asked = 0;
        let mut lied_about = Vec::new();
        for _ in 0..400 {
            match session.poll() {
                SessionStep::Ask(question) if question.reason == Reason::Requested => {
                    session.answer(truth(question.target)).unwrap();
                }
                SessionStep::Ask(question) => {
                    let honest = truth(question.target);
                    let lies = lies.get(asked) == Some(&true);
                    asked += 1;
                    let said = match (lies, honest) {
                        (false, honest) => honest,
                        (true, Answer::No) => Answer::Yes,
                        (true, _) => Answer::No,
                    };
                    if lies {
                        lied_about.push(question.target);
                    }
                    session.answer_from(AnswerSource::Command, said).unwrap();
                }
                SessionStep::Done(Diagnosis::Found { node }) if node == bug => break,
                SessionStep::Done(_) => {
                    prop_assert!(session.revise().unwrap().is_some(), "{}: nothing left to doubt", name);
                }
            }
        }
        prop_assert_eq!(session.poll(), SessionStep::Done(Diagnosis::Found { node: bug }), "{}", name);
        for (said, later) in session.contradicted() {
            prop_assert_eq!((said.source, later.source), (AnswerSource::Command, AnswerSource::Person));
            prop_assert!(lied_about.contains(&said.target().unwrap()), "{}: {:?}", name, said);
        }
    }
}
