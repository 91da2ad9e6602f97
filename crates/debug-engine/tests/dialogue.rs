//! The session as a front end drives it.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::collections::BTreeSet;
use std::sync::Arc;

use debug_engine::oracle::{Cascade, Oracle, run_automatic};
use debug_engine::session::{Reason, SavedSession, SessionError};
use debug_engine::tree::SketchTree;
use debug_engine::{
    Answer, AnswerSource, Diagnosis, ExecutionTree, Judgement, NodeId, Question, RoutineId,
    Session, SessionOptions, SessionStep, TrustScope, ValuePath,
};

/// main(load(parse parse) sort(split merge))
const PARENTS: [i64; 7] = [-1, 0, 1, 1, 0, 4, 4];

fn session(options: SessionOptions) -> Session {
    let tree = SketchTree::from_signed_parents(&PARENTS).unwrap();
    let routines = [0, 1, 2, 2, 3, 4, 5].map(RoutineId);
    let tree: Arc<dyn ExecutionTree> = Arc::new(tree.with_routines(routines));
    Session::new(tree, options).unwrap()
}

fn top_down() -> SessionOptions {
    SessionOptions {
        root_is_wrong: true,
        strategy: "top-down".to_owned(),
        ..SessionOptions::default()
    }
}

fn asked(session: &mut Session) -> Question {
    match session.poll() {
        SessionStep::Ask(question) => question,
        SessionStep::Done(diagnosis) => panic!("done: {diagnosis:?}"),
    }
}

fn done(session: &mut Session) -> Diagnosis {
    match session.poll() {
        SessionStep::Done(diagnosis) => diagnosis,
        SessionStep::Ask(question) => panic!("asks {question:?}"),
    }
}

#[test]
fn a_top_down_dialogue() {
    let mut session = session(top_down());
    assert_eq!(asked(&mut session).node, NodeId(1));
    assert_eq!(asked(&mut session).suspects_left, 7);
    session.answer(Answer::Yes).unwrap();
    assert_eq!(asked(&mut session).node, NodeId(4));
    session.answer(Answer::No).unwrap();
    session.answer(Answer::Yes).unwrap();
    assert_eq!(asked(&mut session).node, NodeId(6));
    session
        .answer(Answer::WrongPart(ValuePath("c[1]".to_owned())))
        .unwrap();
    assert_eq!(done(&mut session), Diagnosis::Found { node: NodeId(6) });
    assert_eq!(session.answer(Answer::Yes), Err(SessionError::NothingAsked));
    assert_eq!(session.counts()[&AnswerSource::Person], 4);
    assert_eq!(session.judgement(NodeId(6)), Judgement::Wrong);
    assert_eq!(session.judgement(NodeId(0)), Judgement::Wrong);
}

/// The calls of a flat run cannot be halved: the estimate says so.
#[test]
fn the_estimate_knows_the_shape() {
    let star = SketchTree::from_signed_parents(&[-1, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    let options = SessionOptions {
        root_is_wrong: true,
        ..SessionOptions::default()
    };
    let mut session = Session::new(Arc::new(star), options).unwrap();
    assert_eq!(asked(&mut session).questions_left_estimate, 5);
    session.answer(Answer::Yes).unwrap();
    assert_eq!(asked(&mut session).questions_left_estimate, 4);
}

#[test]
fn an_unknown_root_is_asked_last() {
    let mut session = session(SessionOptions::default());
    let mut last = None;
    while let SessionStep::Ask(question) = session.poll() {
        last = Some((question.node, question.reason));
        session.answer(Answer::Yes).unwrap();
    }
    assert_eq!(last, Some((NodeId(0), Reason::Confirmation)));
    assert_eq!(done(&mut session), Diagnosis::None);
    session.undo();
    session.answer(Answer::No).unwrap();
    assert_eq!(done(&mut session), Diagnosis::Found { node: NodeId(0) });
    session.undo();
    session.answer(Answer::DontKnow).unwrap();
    assert_eq!(
        done(&mut session),
        Diagnosis::Suspects {
            nodes: vec![NodeId(0)]
        }
    );
}

#[test]
fn an_unanswered_question_stands_between_two_suspects() {
    let mut session = session(top_down());
    for answer in [Answer::Yes, Answer::No, Answer::Yes, Answer::DontKnow] {
        session.answer(answer).unwrap();
    }
    assert_eq!(
        done(&mut session),
        Diagnosis::Suspects {
            nodes: vec![NodeId(4), NodeId(6)]
        }
    );
}

#[test]
fn inadmissible_rules_out_the_call_and_what_it_called() {
    let mut session = session(top_down());
    session
        .judge(NodeId(4), Answer::Inadmissible, AnswerSource::Person)
        .unwrap();
    assert!(!session.space().is_suspect(NodeId(6)));
    assert!(session.space().is_suspect(NodeId(0)));
    assert_eq!(session.judgement(NodeId(4)), Judgement::Inadmissible);
}

#[test]
fn trust_is_for_all_calls_of_a_routine_and_not_for_their_callees() {
    let mut session = session(top_down());
    session.answer(Answer::Trust(TrustScope::Routine)).unwrap();
    assert_eq!(asked(&mut session).node, NodeId(2));
    session.answer(Answer::Trust(TrustScope::Routine)).unwrap();
    assert_eq!(session.judgement(NodeId(3)), Judgement::Trusted);
    assert_eq!(asked(&mut session).node, NodeId(4));
    session.trust(BTreeSet::from([RoutineId(3)]), AnswerSource::Trusted);
    assert_eq!(asked(&mut session).node, NodeId(5));
    assert_eq!(session.counts()[&AnswerSource::Trusted], 1);
}

#[test]
fn a_requested_question_comes_first_and_may_be_about_anything() {
    let mut session = session(top_down());
    session.answer(Answer::Yes).unwrap();
    session.ask_about(NodeId(3)).unwrap();
    let question = asked(&mut session);
    assert_eq!(
        (question.node, question.reason),
        (NodeId(3), Reason::Requested)
    );
    // A wrong node inside a correct one: the person has found something, so the search goes there.
    session.answer(Answer::No).unwrap();
    assert_eq!(done(&mut session), Diagnosis::Found { node: NodeId(3) });
    let refused = session.ask_about(NodeId(99)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "node 99 does not exist: the tree has 7 nodes"
    );
}

#[test]
fn a_later_answer_overrules_an_earlier_one() {
    let mut session = session(top_down());
    session
        .answer_from(AnswerSource::Reference, Answer::Yes)
        .unwrap();
    session
        .judge(NodeId(1), Answer::No, AnswerSource::Person)
        .unwrap();
    assert_eq!(session.space().focus(), Some(NodeId(1)));
    assert_eq!(session.log().len(), 2);
    assert_eq!(
        session.answer_for(NodeId(1)).unwrap().source,
        AnswerSource::Person
    );
    session.undo();
    assert_eq!(session.judgement(NodeId(1)), Judgement::Correct);
}

#[test]
fn undo_can_take_automatic_answers_with_it() {
    let mut session = session(top_down());
    session.answer(Answer::Yes).unwrap();
    session
        .answer_from(AnswerSource::Memory, Answer::No)
        .unwrap();
    session
        .answer_from(AnswerSource::Memory, Answer::Yes)
        .unwrap();
    assert_eq!(session.undo_to_person().len(), 3);
    assert!(session.log().is_empty());
    assert!(session.undo_to_person().is_empty());
    assert!(session.undo().is_none());
}

#[test]
fn trust_by_name_can_be_withdrawn_and_the_answers_around_it_stay() {
    let mut session = session(top_down());
    let plain = session.space().suspects();
    session
        .judge(NodeId(1), Answer::No, AnswerSource::Person)
        .unwrap();
    let routine = session.tree().routine(NodeId(2));
    session.trust([routine].into(), AnswerSource::Trusted);
    session
        .judge(NodeId(1), Answer::Yes, AnswerSource::Person)
        .unwrap();
    let before = session.log().to_vec();
    assert_eq!(session.withdraw(0), None, "it is about a call");
    assert_eq!(session.withdraw(9), None);
    assert_eq!(session.log(), before);
    assert_eq!(session.withdraw(1).as_ref(), Some(&before[1]));
    assert_eq!(session.log(), [before[0].clone(), before[2].clone()]);
    assert_eq!(session.judgement(NodeId(1)), Judgement::Correct);
    session.undo();
    assert_eq!(session.judgement(NodeId(1)), Judgement::Wrong);
    session.undo();
    assert_eq!(session.space().suspects(), plain);
}

#[test]
fn a_saved_session_goes_on_where_it_was() {
    let mut first = session(SessionOptions::default());
    first.set_strategy("heaviest-first").unwrap();
    first.answer(Answer::Yes).unwrap();
    first.answer(Answer::Trust(TrustScope::Routine)).unwrap();
    let json = serde_json::to_string(&first.save()).unwrap();
    insta::assert_snapshot!(
        json,
        @r#"{"options":{"root":null,"root_is_wrong":false,"non_termination":false,"strategy":"heaviest-first","trusted":[]},"answers":[{"node":1,"answer":"yes","source":"person"},{"node":4,"answer":{"trust":"routine"},"source":"person"}]}"#
    );
    let saved: SavedSession = serde_json::from_str(&json).unwrap();
    let mut second = Session::resume(Arc::clone(first.tree()), saved).unwrap();
    assert_eq!(second.poll(), first.poll());
    assert_eq!(second.strategy_name(), "heaviest-first");
}

#[test]
fn an_unknown_strategy_gets_the_list() {
    let mut session = session(SessionOptions::default());
    let refused = session.set_strategy("bogosearch").unwrap_err().to_string();
    assert!(
        refused.starts_with("unknown strategy `bogosearch`; there are single-stepping, top-down")
    );
    assert!(
        debug_engine::strategy::ALL
            .iter()
            .all(|info| refused.contains(info.name))
    );
}

/// Says what it was told about single nodes.
struct Notes(AnswerSource, Vec<(u32, Answer)>);

impl Oracle for Notes {
    fn source(&self) -> AnswerSource {
        self.0
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        self.1
            .iter()
            .find(|(noted, _)| *noted == node.0)
            .map(|(_, answer)| answer.clone())
    }
}

#[test]
fn oracles_answer_in_order_until_a_person_is_needed() {
    let mut session = session(top_down());
    let mut cascade = Cascade::new();
    cascade
        .push(Notes(AnswerSource::Memory, vec![(1, Answer::Yes)]))
        .push(Notes(
            AnswerSource::Reference,
            vec![(1, Answer::No), (4, Answer::No)],
        ));
    let step = run_automatic(&mut session, &mut cascade).unwrap();
    assert!(matches!(
        step,
        SessionStep::Ask(Question {
            node: NodeId(5),
            ..
        })
    ));
    let counts = session.counts();
    assert_eq!(
        (
            counts[&AnswerSource::Memory],
            counts[&AnswerSource::Reference]
        ),
        (1, 1)
    );
    // What a person wants to answer is left to the person.
    session.ask_about(NodeId(1)).unwrap();
    let step = run_automatic(&mut session, &mut cascade).unwrap();
    assert!(matches!(
        step,
        SessionStep::Ask(Question {
            reason: Reason::Requested,
            ..
        })
    ));
}

/// A run that goes on while it is debugged.
struct Growing(std::sync::Mutex<SketchTree>);

impl ExecutionTree for Growing {
    fn len(&self) -> u32 {
        self.0.lock().unwrap().len()
    }
    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.0.lock().unwrap().parent(node)
    }
    fn subtree_size(&self, node: NodeId) -> u32 {
        self.0.lock().unwrap().subtree_size(node)
    }
    fn is_complete(&self, node: NodeId) -> bool {
        self.0.lock().unwrap().is_complete(node)
    }
    fn routine(&self, node: NodeId) -> RoutineId {
        self.0.lock().unwrap().routine(node)
    }
}

#[test]
fn a_growing_tree_is_seen_after_refresh() {
    let open = |parents: &[i64]| {
        SketchTree::from_signed_parents(parents)
            .unwrap()
            .with_incomplete([NodeId(0)])
    };
    let tree = Arc::new(Growing(std::sync::Mutex::new(open(&[-1, 0, 1]))));
    let shared: Arc<dyn ExecutionTree> = Arc::<Growing>::clone(&tree);
    let mut session = Session::new(shared, SessionOptions::default()).unwrap();
    assert_eq!(session.space().suspects(), 2);
    session.answer(Answer::Yes).unwrap();
    *tree.0.lock().unwrap() = open(&[-1, 0, 1, 0, 3]);
    assert_eq!(session.space().suspects(), 1);
    session.refresh();
    assert_eq!(session.space().suspects(), 3);
    // The run ends: now its root can be judged, and suspected.
    *tree.0.lock().unwrap() = SketchTree::from_signed_parents(&[-1, 0, 1, 0, 3]).unwrap();
    session.refresh();
    assert_eq!(session.space().suspects(), 4);
    session
        .judge(NodeId(0), Answer::No, AnswerSource::Person)
        .unwrap();
}

/// main(load(parse parse) sort(merge(compare compare))), stopped in the second `compare`.
fn stopped(strategy: &str) -> Session {
    let tree = SketchTree::from_signed_parents(&[-1, 0, 1, 1, 0, 4, 5, 5]).unwrap();
    let tree = tree.with_incomplete([0, 4, 5, 7].map(NodeId));
    let options = SessionOptions {
        non_termination: true,
        strategy: strategy.to_owned(),
        ..SessionOptions::default()
    };
    Session::new(Arc::new(tree), options).unwrap()
}

#[test]
fn what_never_ended_is_asked_first_from_the_inside_outwards() {
    for strategy in ["ranges", "top-down", "dq-hirunkitti"] {
        let mut session = stopped(strategy);
        // The last one had called nothing and may just have begun.
        assert_eq!(asked(&mut session).node, NodeId(5), "{strategy}");
        session.answer(Answer::Yes).unwrap();
        assert_eq!(asked(&mut session).node, NodeId(4), "{strategy}");
        session.answer(Answer::No).unwrap();
        for node in [6, 7] {
            assert!(asked(&mut session).node >= NodeId(6), "{strategy}");
            let judged = session.judge(NodeId(node), Answer::Yes, AnswerSource::Person);
            judged.unwrap();
        }
        let node = NodeId(4);
        assert_eq!(done(&mut session), Diagnosis::Found { node }, "{strategy}");
    }
}

/// main(read(next next … next(skip))), stopped in the last `skip`.
#[test]
fn of_calls_that_never_ended_the_one_that_goes_round_is_asked_first() {
    const ROUNDS: u32 = 50;
    let (read, last) = (1, 2 + ROUNDS);
    let mut parents = vec![-1, 0];
    parents.extend((2..=last).map(|_| i64::from(read)));
    parents.push(i64::from(last));
    let tree = SketchTree::from_signed_parents(&parents).unwrap();
    let tree = tree.with_incomplete([0, read, last, last + 1].map(NodeId));
    let options = SessionOptions {
        non_termination: true,
        ..SessionOptions::default()
    };
    let tree: Arc<dyn ExecutionTree> = Arc::new(tree);
    let mut session = Session::new(Arc::clone(&tree), options).unwrap();
    assert_eq!(asked(&mut session).node, NodeId(read));
    session.answer(Answer::Yes).unwrap();
    // It may go on, so something in it has hung; or else what has ended is asked about.
    assert_eq!(asked(&mut session).node, NodeId(last));
    session.answer(Answer::Yes).unwrap();
    assert!(tree.is_complete(asked(&mut session).node));
}

#[test]
fn that_a_call_may_go_on_says_nothing_of_what_it_called() {
    let mut session = stopped("top-down");
    session.answer(Answer::Yes).unwrap();
    let judged = session.judge(NodeId(0), Answer::Yes, AnswerSource::Person);
    judged.unwrap();
    session.answer(Answer::Yes).unwrap();
    assert_eq!(session.judgement(NodeId(4)), Judgement::Correct);
    let suspects: Vec<_> = session.space().suspects_in_order().collect();
    assert_eq!(suspects, [1, 2, 3, 6, 7].map(NodeId));
    session.undo();
    assert_eq!(session.space().suspects(), 6);
    let judged = session.judge(NodeId(6), Answer::No, AnswerSource::Person);
    judged.unwrap();
    let node = NodeId(6);
    assert_eq!(done(&mut session), Diagnosis::Found { node });
}
