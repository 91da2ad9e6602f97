//! Belief and effort decide in which order questions come and how many calls one question is about, and never what
//! is found.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::ended_sketches;
use debug_engine::session::{
    Answer, AnswerSource, Diagnosis, Question, Reason, SessionError, SessionStep, TrustScope,
    ValuePath,
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

/// However little is known against them, and however short they are.
#[test]
fn calls_without_a_part_in_it_are_not_asked_about_while_one_with_a_part_is_left() {
    let tree = star(40);
    let relevant = [7, 19, 33].map(NodeId);
    let relevance = Relevance {
        calls: relevant.map(|node| (node, 1.0)).to_vec(),
        elsewhere: 0.9,
        comes_first: true,
    };
    let guess = Guess {
        priors: vec![1.0],
        relevance: Arc::new(relevance),
        signs: 20,
    };
    let mut session = believing(&tree, guess);
    let mut asked: Vec<NodeId> = Vec::new();
    while asked.len() < 10 {
        let question = open_question(&mut session).unwrap();
        asked.extend(question.targets().map(Target::first));
        session.answer(Answer::Yes).unwrap();
    }
    let (first, later) = asked.split_at(3);
    assert!(
        first.iter().all(|call| relevant.contains(call)),
        "{asked:?}"
    );
    assert!(
        later.iter().all(|call| !relevant.contains(call)),
        "{asked:?}"
    );
}

/// What made a call inadmissible came before it.
#[test]
fn calls_after_one_that_is_inadmissible_wait_until_those_before_it_were_asked_about() {
    for comes_first in [false, true] {
        let tree = star(40);
        let relevance = Relevance {
            calls: (1..=40).map(|node| (NodeId(node), 1.0)).collect(),
            elsewhere: 0.1,
            comes_first,
        };
        let guess = Guess {
            priors: vec![1.0],
            relevance: Arc::new(relevance),
            signs: 20,
        };
        let mut session = believing(&tree, guess);
        session.poll();
        session
            .judge(NodeId(9), Answer::Inadmissible, AnswerSource::Person)
            .unwrap();
        let question = open_question(&mut session).unwrap();
        let asked: Vec<NodeId> = question.targets().map(Target::first).collect();
        assert!(asked.iter().all(|&call| call < NodeId(9)), "{asked:?}");
    }
}

#[test]
fn what_is_relevant_is_asked_first_and_short_calls_side_by_side() {
    let tree = star(40);
    let relevance = Relevance {
        calls: vec![(NodeId(7), 1.0), (NodeId(19), 1.0), (NodeId(33), 1.0)],
        elsewhere: 0.001,
        comes_first: false,
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

/// Who was shown all of them and did not say which has to be asked about them one by one.
#[test]
fn a_list_is_not_asked_about_again_when_one_of_it_is_wrong() {
    let tree = star(12);
    let relevance = Relevance {
        calls: vec![(NodeId(3), 1.0), (NodeId(5), 1.0)],
        elsewhere: 0.2,
        comes_first: false,
    };
    let guess = Guess {
        priors: vec![1.0],
        relevance: Arc::new(relevance),
        signs: 20,
    };
    let mut session = believing(&tree, guess);
    let list = open_question(&mut session).unwrap();
    assert!(list.is_list());
    session.answer(Answer::No).unwrap();
    let listed: Vec<Target> = list.targets().collect();
    for _ in 1..listed.len() {
        let next = open_question(&mut session).unwrap();
        assert!(!next.is_list() && listed.contains(&next.target), "{next:?}");
        session.answer(Answer::Yes).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// However wrong belief is.
    #[test]
    fn belief_never_changes_what_is_found(
        sketch in ended_sketches(60, false),
        guess in guesses(),
        bug in any::<prop::sample::Index>(),
        names_the_call: bool,
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(sketch);
        let bug = NodeId(bug.index(tree.len() as usize) as u32);
        let mut session = believing(&tree, guess.about(&tree));
        play(&mut session, bug, names_the_call);
        prop_assert_eq!(session.poll(), SessionStep::Done(Diagnosis::Found { node: bug }));
        // What is kept of the session leads to the same place.
        let mut again = Session::resume(Arc::clone(&tree), session.save()).unwrap();
        prop_assert_eq!(again.poll(), SessionStep::Done(Diagnosis::Found { node: bug }));
    }

    /// Nor with routines that are trusted when they are seen, and calls that nobody can judge: then what is left has
    /// the bug in it, and only what nobody judged beside it.
    #[test]
    fn trust_and_ignorance_leave_the_bug_among_the_suspects(
        sketch in ended_sketches(60, false),
        guess in guesses(),
        bug in any::<prop::sample::Index>(),
        trusted in prop::collection::btree_set(0u32..60, 0..8),
        unknown in prop::collection::btree_set(0u32..60, 0..8),
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(sketch);
        let bug = NodeId(bug.index(tree.len() as usize) as u32);
        let mut session = believing(&tree, guess.about(&tree));
        let is_trusted = |node: NodeId| {
            tree.routine(node) != tree.routine(bug) && trusted.contains(&tree.routine(node).0)
        };
        let mut asked = 0;
        while let Some(question) = open_question(&mut session) {
            asked += 1;
            prop_assert!(asked < 1000, "the questions do not end");
            let targets: Vec<Target> = question.targets().collect();
            let judge = |target: Target| match target {
                Target::Node(node) if is_trusted(node) => Answer::Trust(TrustScope::Routine),
                Target::Node(node) if unknown.contains(&node.0) => Answer::DontKnow,
                target if target.contains(&*tree, bug) => Answer::No,
                _ => Answer::Yes,
            };
            let odd = targets.iter().find(|&&target| judge(target) != Answer::Yes);
            match odd {
                Some(&target) if question.is_list() => {
                    session.judge_target(target, judge(target), AnswerSource::Person).unwrap();
                }
                Some(&target) => session.answer(judge(target)).unwrap(),
                None => session.answer(Answer::Yes).unwrap(),
            }
        }
        let SessionStep::Done(diagnosis) = session.poll() else {
            unreachable!("nothing is asked any more");
        };
        prop_assert!(diagnosis.nodes().contains(&bug), "{:?} without {:?}", diagnosis, bug);
        for &node in diagnosis.nodes() {
            let is_excused = node == bug || unknown.contains(&node.0) || tree.contains(node, bug)
                || unknown.iter().any(|&open| tree.contains(NodeId(open), node));
            prop_assert!(is_excused, "{:?} is left for no reason", node);
        }
    }

    /// Who answers lies once in twenty times, about lists as well; what is doubted is answered truthfully. The bug is
    /// found in the end.
    #[test]
    fn lies_about_lists_are_found_out(
        sketch in ended_sketches(40, false),
        guess in guesses(),
        bug in any::<prop::sample::Index>(),
        lies in prop::collection::vec(prop::bool::weighted(0.05), 64),
    ) {
        let tree: Arc<dyn ExecutionTree> = Arc::new(sketch.with_routines((0..40).map(RoutineId)));
        let bug = NodeId(bug.index(tree.len() as usize) as u32);
        let mut session = believing(&tree, guess.about(&tree));
        let is_wrong = |target: &Target| target.contains(&*tree, bug);
        let mut asked = 0;
        for _ in 0..400 {
            let question = match session.poll() {
                SessionStep::Ask(question) => question,
                SessionStep::Done(Diagnosis::Found { node }) if node == bug => break,
                SessionStep::Done(_) => {
                    prop_assert!(session.revise().unwrap().is_some(), "nothing left to doubt");
                    continue;
                }
            };
            let is_doubted = question.reason == Reason::Requested;
            let lies = !is_doubted && lies.get(asked) == Some(&true);
            asked += usize::from(!is_doubted);
            let source = if is_doubted { AnswerSource::Person } else { AnswerSource::Command };
            let wrong = question.targets().find(is_wrong);
            // A lie calls the first call wrong where none is, and all right where one is not.
            let said = match (wrong, lies) {
                (Some(wrong), false) => Some(wrong),
                (None, true) => Some(question.target),
                _ => None,
            };
            match said {
                Some(target) => session.judge_target(target, Answer::No, source).unwrap(),
                None => session.answer_from(source, Answer::Yes).unwrap(),
            }
        }
        prop_assert_eq!(session.poll(), SessionStep::Done(Diagnosis::Found { node: bug }));
    }
}

/// What somebody believes of some tree.
#[derive(Clone, Debug)]
struct Made {
    priors: Vec<f64>,
    relevant: BTreeSet<u32>,
    comes_first: bool,
    signs: u64,
}

impl Made {
    fn about(self, tree: &Arc<dyn ExecutionTree>) -> Guess {
        let calls = self.relevant.into_iter().filter(|node| *node < tree.len());
        Guess {
            priors: self.priors,
            relevance: Arc::new(Relevance {
                calls: calls.map(|node| (NodeId(node), 1.0)).collect(),
                elsewhere: 0.05,
                comes_first: self.comes_first,
            }),
            signs: self.signs,
        }
    }
}

fn guesses() -> impl Strategy<Value = Made> {
    let priors = prop::collection::vec(0.001f64..1.0, 1..7);
    let relevant = prop::collection::btree_set(0u32..60, 0..20);
    let made = (priors, relevant, any::<bool>(), 1u64..300);
    made.prop_map(|(priors, relevant, comes_first, signs)| Made {
        priors,
        relevant,
        comes_first,
        signs,
    })
}

#[test]
fn however_many_suspects_there_are_nobody_is_asked_about_more_than_can_be_looked_over() {
    for children in [200, 50_000] {
        let mut parents = vec![-1];
        parents.extend(vec![0; children]);
        let tree: Arc<dyn ExecutionTree> =
            Arc::new(SketchTree::from_signed_parents(&parents).unwrap());
        let guess = Guess {
            priors: vec![1.0],
            relevance: Arc::new(Relevance::unknown()),
            signs: 100,
        };
        let mut session = believing(&tree, guess);
        for _ in 0..5 {
            let question = open_question(&mut session).unwrap();
            let members = question.targets().flat_map(|target| {
                let all: Vec<NodeId> = target.members(&*tree).collect();
                all
            });
            assert!(members.count() <= 12, "{question:?}");
            session.answer(Answer::Yes).unwrap();
        }
    }
}
