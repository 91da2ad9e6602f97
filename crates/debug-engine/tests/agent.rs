//! An agent takes part in a session, and a person has the last word.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use std::sync::Arc;

use debug_engine::session::{Confidence, LogEntry, SessionError};
use debug_engine::tree::SketchTree;
use debug_engine::{Answer, AnswerSource, NodeId, Session, SessionOptions};

/// 0 calls 1 and 4; 1 calls 2 and 3; 4 calls 5.
fn session() -> Session {
    let tree = SketchTree::from_signed_parents(&[-1, 0, 1, 1, 0, 4]).unwrap();
    let options = SessionOptions {
        strategy: "top-down".to_owned(),
        ..SessionOptions::default()
    };
    Session::new(Arc::new(tree), options).unwrap()
}

fn says(session: &mut Session, node: u32, answer: Answer, share: f64) -> Result<(), SessionError> {
    let entry = LogEntry::about(NodeId(node).into(), answer, AnswerSource::Agent);
    session.judge_as(entry.with_confidence(Confidence::from_share(share)))
}

#[test]
fn a_person_is_not_overruled() {
    let mut session = session();
    session
        .judge(NodeId(1), Answer::No, AnswerSource::Person)
        .unwrap();
    let refused = Err(SessionError::SaidByPerson(NodeId(1)));
    assert_eq!(says(&mut session, 1, Answer::Yes, 1.0), refused);
    assert_eq!(says(&mut session, 1, Answer::TakenBack, 1.0), refused);
    // What is around it would be ruled out with it.
    assert_eq!(says(&mut session, 0, Answer::Yes, 1.0), refused);
    assert_eq!(says(&mut session, 0, Answer::No, 1.0), Ok(()));

    session
        .judge(NodeId(4), Answer::Yes, AnswerSource::Person)
        .unwrap();
    let refused = Err(SessionError::SaidByPerson(NodeId(4)));
    assert_eq!(says(&mut session, 5, Answer::No, 1.0), refused);
    assert_eq!(says(&mut session, 5, Answer::Yes, 1.0), Ok(()));

    // Who does not know, or takes it back, has said nothing.
    session
        .judge(NodeId(2), Answer::DontKnow, AnswerSource::Person)
        .unwrap();
    assert_eq!(says(&mut session, 2, Answer::Yes, 1.0), Ok(()));
    session
        .judge(NodeId(4), Answer::TakenBack, AnswerSource::Person)
        .unwrap();
    assert_eq!(says(&mut session, 4, Answer::Yes, 1.0), Ok(()));
}

#[test]
fn an_agent_is_overruled_and_that_is_told() {
    let mut session = session();
    says(&mut session, 1, Answer::Yes, 0.9).unwrap();
    session
        .judge(NodeId(1), Answer::No, AnswerSource::Person)
        .unwrap();
    let contradicted = session.contradicted();
    let [(said, now)] = contradicted.as_slice() else {
        panic!("{contradicted:?}");
    };
    assert_eq!(
        (said.source, now.source),
        (AnswerSource::Agent, AnswerSource::Person)
    );
    assert_eq!(said.confidence.map(Confidence::percent), Some(90));
}

#[test]
fn an_agent_takes_back_its_own_word() {
    let mut session = session();
    assert_eq!(session.undo_to_agent().unwrap(), []);
    session
        .judge(NodeId(0), Answer::No, AnswerSource::Person)
        .unwrap();
    says(&mut session, 1, Answer::Yes, 0.5).unwrap();
    session
        .judge(NodeId(5), Answer::Yes, AnswerSource::Memory)
        .unwrap();
    let undone = session.undo_to_agent().unwrap();
    assert_eq!(undone.len(), 2, "what followed goes with it");
    assert_eq!(session.log().len(), 1);

    says(&mut session, 1, Answer::Yes, 0.5).unwrap();
    session
        .judge(NodeId(4), Answer::No, AnswerSource::Person)
        .unwrap();
    let refused = Err(SessionError::SaidByPerson(NodeId(4)));
    assert_eq!(session.undo_to_agent(), refused);
}

#[test]
fn what_an_agent_is_least_sure_of_is_doubted_first() {
    let mut session = session();
    session
        .judge(NodeId(0), Answer::No, AnswerSource::Person)
        .unwrap();
    says(&mut session, 2, Answer::Yes, 0.8).unwrap();
    says(&mut session, 3, Answer::Yes, 0.3).unwrap();
    says(&mut session, 1, Answer::Yes, 0.6).unwrap();
    session
        .judge(NodeId(5), Answer::Yes, AnswerSource::Command)
        .unwrap();
    let doubtful: Vec<u32> = session
        .doubtful()
        .iter()
        .map(|entry| entry.node.unwrap().0)
        .collect();
    // Who does not say how sure they are counts as half sure.
    assert_eq!(doubtful, [3, 5, 1, 2, 0]);

    let asked = NodeId(3).into();
    let taken_back = session.revise_for(AnswerSource::Agent).unwrap().unwrap();
    assert_eq!(taken_back.target(), Some(asked));
    assert_eq!(session.said_before(asked), Some(&taken_back));
    for _ in 0..3 {
        assert!(session.revise_for(AnswerSource::Agent).unwrap().is_some());
    }
    // Only the person's answer is left, and that is not for an agent to doubt.
    assert_eq!(session.revise_for(AnswerSource::Agent).unwrap(), None);
    assert_eq!(session.revise().unwrap().unwrap().node, Some(NodeId(0)));
}

#[test]
fn what_is_saved_keeps_the_confidence() {
    let mut session = session();
    says(&mut session, 2, Answer::Yes, 0.666).unwrap();
    session
        .judge(NodeId(3), Answer::No, AnswerSource::Person)
        .unwrap();
    let text = serde_json::to_string(&session.save()).unwrap();
    let again = Session::resume(
        Arc::clone(session.tree()),
        serde_json::from_str(&text).unwrap(),
    )
    .unwrap();
    assert_eq!(again.log(), session.log());
    assert_eq!(
        again.log()[0].confidence.map(|sure| sure.to_string()),
        Some("67 %".to_owned())
    );
    for share in [-0.1, 1.1, f64::NAN] {
        assert_eq!(Confidence::from_share(share), None);
    }
}
