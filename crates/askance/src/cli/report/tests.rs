//! The verdict in both forms.

use std::sync::Arc;

use debug_engine::session::{Answer, SessionStep};
use debug_engine::{ExecutionTree, SessionOptions};

use super::*;
use java_model::sketches::{Sketched, till};

/// Answers all questions and gives the verdict in both forms.
fn verdicts(answer: impl Fn(NodeId) -> Answer) -> (String, serde_json::Value) {
    let Sketched {
        run,
        folder: _folder,
    } = till();
    let run = Arc::new(run);
    let tree: Arc<dyn ExecutionTree> = Arc::clone(&run) as Arc<dyn ExecutionTree>;
    let mut session = Session::new(tree, SessionOptions::default()).unwrap();
    let main = run.failed_main().unwrap();
    session.judge(main, Answer::No, AnswerSource::Run).unwrap();
    let diagnosis = loop {
        match session.poll() {
            SessionStep::Ask(question) => session.answer(answer(question.node)).unwrap(),
            SessionStep::Done(diagnosis) => break diagnosis,
        }
    };
    let ending = Ending::Done(diagnosis);
    let json =
        serde_json::to_value(verdict(&*run, &session, &ending, Narrowed::default())).unwrap();
    (
        describe(&*run, &session, &ending, Narrowed::default()),
        json,
    )
}

#[test]
fn a_bug_that_was_found() {
    let (text, json) = verdicts(|node| if node.0 == 4 { Answer::No } else { Answer::Yes });
    insta::assert_snapshot!(text, @r#"
    The bug is in Till.pay (Till.java:25-26)
      #4 Till#7.pay(amount=100) → throws java.lang.IllegalStateException("empty")

      24 |     void pay(int amount) {
      25 |         if (sum(coins) < amount) throw new IllegalStateException("empty");
      26 |     }

    Because of 4 answers:
      wrong        #0 main(args=[]) → throws java.lang.IllegalStateException("empty"); Till.sales: 0 → 1 (the run itself)
      right        #2 Till#7.add(more=[5, 2]) → true; this.coins: [0, 0] → [5, 2]; Till.sales: 0 → 1 (you)
      wrong        #4 Till#7.pay(amount=100) → throws java.lang.IllegalStateException("empty") (you)
      right        #5 sum(values=[5, 2]) → 7 (you)
    "#);
    insta::assert_json_snapshot!(json, @r#"
    {
      "class": "Till",
      "descriptor": "(I)V",
      "executed_lines": [],
      "file": "Till.java",
      "lines": [
        25,
        26
      ],
      "method": "pay",
      "node": 4,
      "outcome": "found",
      "questions": {
        "command": 0,
        "memory": 0,
        "person": 3,
        "reference": 0,
        "trusted": 0
      },
      "slice_lines": [],
      "suspects": [
        4
      ],
      "suspects_left": 1,
      "version": 1
    }
    "#);
}

#[test]
fn suspects_that_nothing_tells_apart() {
    let (text, json) = verdicts(|node| {
        if node.0 < 3 {
            Answer::Yes
        } else {
            Answer::DontKnow
        }
    });
    insta::assert_snapshot!(text, @r#"
    The bug is in one of 3 calls; what is known does not tell them apart:
      #0 Till.main (Till.java:29-33)
         main(args=[]) → throws java.lang.IllegalStateException("empty"); Till.sales: 0 → 1
      #4 Till.pay (Till.java:25-26)
         Till#7.pay(amount=100) → throws java.lang.IllegalStateException("empty")
      #5 Till.sum (Till.java:13-15)
         sum(values=[5, 2]) → 7
    "#);
    insta::assert_json_snapshot!(json, @r#"
    {
      "outcome": "suspects",
      "questions": {
        "command": 0,
        "memory": 0,
        "person": 4,
        "reference": 0,
        "trusted": 0
      },
      "suspects": [
        0,
        4,
        5
      ],
      "suspects_left": 3,
      "version": 1
    }
    "#);
}
