//! Belief and effort decide in which order questions come and how many calls one question is about, and never what
//! is found.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::sync::Arc;

use crate::support::ended_sketches;
use debug_engine::session::{
    Answer, AnswerSource, Diagnosis, Question, SessionError, SessionStep, ValuePath,
};
use debug_engine::strategy::{Belief, Relevance, likeliest};
use debug_engine::tree::SketchTree;
use debug_engine::{ExecutionTree, NodeId, RoutineId, Session, SessionOptions, Target};
use proptest::prelude::*;

/// What is made up about a tree.
struct Guess {
    priors: Vec<f64>,
    relevance: Arc<Relevance>,
    signs: u64,
}

impl Belief for Guess {
    fn prior(&self, routine: RoutineId) -> f64 {
        self.priors[routine.0 as usize % self.priors.len()]
    }

    fn relevance(&self, _wrong: Target, _part: Option<&ValuePath>) -> Arc<Relevance> {
        Arc::clone(&self.relevance)
    }

    fn reasons(&self, _node: NodeId, _wrong: Option<(Target, Option<&ValuePath>)>) -> Vec<String> {
        Vec::new()
    }

    fn signs(&self, _target: Target) -> u64 {
        self.signs
    }

    fn signs_of_line(&self, _node: NodeId) -> u64 {
        self.signs
    }
}

fn believing(tree: &Arc<dyn ExecutionTree>, guess: Guess) -> Session {
    let options = SessionOptions {
        strategy: "belief".to_owned(),
        ..SessionOptions::default()
    };
    let mut session = Session::new(Arc::clone(tree), options).unwrap();
    let root = Target::Node(NodeId(0));
    session
        .judge_target(root, Answer::No, AnswerSource::Run)
        .unwrap();
    session.set_belief(Some(Arc::new(guess)));
    session
}

fn open_question(session: &mut Session) -> Option<Question> {
    match session.poll() {
        SessionStep::Ask(question) => Some(question),
        SessionStep::Done(_) => None,
    }
}

/// Answers truthfully until nothing is left, and says how many questions that took. Who has no eye for lists only
/// says that one of the calls is wrong.
fn play(session: &mut Session, bug: NodeId, names_the_call: bool) -> usize {
    let tree = Arc::clone(session.tree());
    let mut asked = 0;
    while let Some(question) = open_question(session) {
        asked += 1;
        assert!(asked < 1000, "the questions do not end");
        let targets: Vec<Target> = question.targets().collect();
        let wrong = targets
            .iter()
            .position(|target| target.contains(&*tree, bug));
        match wrong {
            Some(place) if names_the_call && question.is_list() => {
                let target = session.listed(place + 1).unwrap();
                session
                    .judge_target(target, Answer::No, AnswerSource::Person)
                    .unwrap();
            }
            Some(_) => session.answer(Answer::No).unwrap(),
            None => session.answer(Answer::Yes).unwrap(),
        }
    }
    asked
}

fn star(leaves: u32) -> Arc<dyn ExecutionTree> {
    let parents: Vec<i64> = (0..=leaves)
        .map(|node| if node == 0 { -1 } else { 0 })
        .collect();
    let tree = SketchTree::from_signed_parents(&parents).unwrap();
    Arc::new(tree.with_routines((0..=leaves).map(RoutineId)))
}

#[test]
fn what_is_relevant_is_asked_first_and_short_calls_side_by_side() {
    let tree = star(40);
    let relevance = Relevance {
        calls: vec![(NodeId(7), 1.0), (NodeId(19), 1.0), (NodeId(33), 1.0)],
        elsewhere: 0.001,
    };
    let guess = Guess {
        priors: vec![1.0],
        relevance: Arc::new(relevance),
        signs: 20,
    };
    let mut session = believing(&tree, guess);
    let first = open_question(&mut session).unwrap();
    let asked: Vec<u32> = first.targets().map(|target| target.first().0).collect();
    assert!(
        asked.iter().all(|call| [7, 19, 33].contains(call)) && asked.len() > 1,
        "{asked:?}"
    );
    let ranked: Vec<NodeId> = likeliest(session.space())
        .unwrap()
        .into_iter()
        .map(|(node, _)| node)
        .collect();
    assert_eq!(ranked[..3], [NodeId(7), NodeId(19), NodeId(33)]);
    assert_eq!(play(&mut session, NodeId(19), true), 1);
    assert_eq!(
        session.poll(),
        SessionStep::Done(Diagnosis::Found { node: NodeId(19) })
    );
}

#[test]
fn long_calls_are_asked_about_one_by_one() {
    let tree = star(5);
    let guess = Guess {
        priors: vec![1.0],
        relevance: Arc::new(Relevance::unknown()),
        signs: 500,
    };
    let mut session = believing(&tree, guess);
    assert!(!open_question(&mut session).unwrap().is_list());
}

#[test]
fn of_a_list_one_says_which_call() {
    let tree = star(6);
    let guess = Guess {
        priors: vec![1.0],
        relevance: Arc::new(Relevance::unknown()),
        signs: 10,
    };
    let mut session = believing(&tree, guess);
    assert!(open_question(&mut session).unwrap().is_list());
    let refused = session.answer(Answer::Inadmissible);
    assert_eq!(refused, Err(SessionError::WhichOne));
    let beyond = session.listed(9);
    assert!(matches!(
        beyond,
        Err(SessionError::NotInList { number: 9, .. })
    ));
    assert!(session.listed(0).is_err());
}

#[test]
fn what_is_said_of_a_list_counts_once_and_is_taken_back_at_once() {
    let tree = star(12);
    let guess = Guess {
        priors: vec![1.0],
        relevance: Arc::new(Relevance::unknown()),
        signs: 10,
    };
    let mut session = believing(&tree, guess);
    let before = session.poll();
    for answer in [Answer::Yes, Answer::No, Answer::DontKnow] {
        session.answer(answer).unwrap();
        assert_ne!(session.poll(), before);
        assert_eq!(session.counts()[&AnswerSource::Person], 1);
        session.undo_to_person();
        assert_eq!(session.poll(), before);
        assert!(!session.counts().contains_key(&AnswerSource::Person));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// However wrong belief is.
    #[test]
    fn belief_never_changes_what_is_found(
        sketch in ended_sketches(60, false),
        priors in prop::collection::vec(0.001f64..1.0, 1..7),
        relevant in prop::collection::btree_set(0u32..60, 0..20),
        bug in any::<prop::sample::Index>(),
        signs in 1u64..300,
        names_the_call: bool,
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(sketch);
        let bug = NodeId(bug.index(tree.len() as usize) as u32);
        let calls = relevant.into_iter().filter(|node| *node < tree.len());
        let relevance = Relevance {
            calls: calls.map(|node| (NodeId(node), 1.0)).collect(),
            elsewhere: 0.05,
        };
        let mut session = believing(&tree, Guess { priors, relevance: Arc::new(relevance), signs });
        play(&mut session, bug, names_the_call);
        prop_assert_eq!(session.poll(), SessionStep::Done(Diagnosis::Found { node: bug }));
        // What is kept of the session leads to the same place.
        let mut again = Session::resume(Arc::clone(&tree), session.save()).unwrap();
        prop_assert_eq!(again.poll(), SessionStep::Done(Diagnosis::Found { node: bug }));
    }
}
