//! Dialogues over a sketched run, from the first question to the end.

use std::sync::Arc;

use debug_engine::{ExecutionTree, NodeId, Session, SessionOptions};

use super::script::Script;
use super::*;
use java_analysis::questions::Questions;
use java_model::sketches::{Sketched, till};

/// What a dialogue says to these lines, and how it ends.
fn transcript(lines: &str) -> (String, Ending) {
    let Sketched {
        run,
        folder: _folder,
    } = till();
    let run = Arc::new(run);
    let tree: Arc<dyn ExecutionTree> = Arc::clone(&run) as Arc<dyn ExecutionTree>;
    let options = SessionOptions {
        strategy: "top-down".to_owned(),
        ..SessionOptions::default()
    };
    let mut questioning = Questioning::of(Session::new(tree, options).unwrap());
    let mut talk = Vec::new();
    let ending = Dialogue {
        questioning: &mut questioning,
        cascade: Cascade::new(),
        calls: &Questions::new(run),
        person: &mut Script::parse(lines).unwrap(),
        talk: &mut talk,
        unknown_from: None,
        heard: 0,
        blamed: None,
        come_back: &|_| false,
    }
    .run()
    .unwrap();
    (String::from_utf8(talk).unwrap().trim().to_owned(), ending)
}

#[test]
fn a_dialogue_from_the_first_question_to_the_bug() {
    let (talk, ending) = transcript("y\nn\ny\ny");
    assert_eq!(ending, Ending::Done(Diagnosis::Found { node: NodeId(2) }));
    insta::assert_snapshot!(talk, @r#"
    #1 new Till(name="north", size=2) → Till#7{coins=[0, 0], name="north", …+1} (line 7)
    Is this right? (6 suspects)

    #2 Till#7.add(more=[5, 2]) → true; coins: [0, 0] → [5, 2]; Till.sales: 0 → 1 (line 19)
    Is this right? (5 suspects)

    #3 Till.sum(values=[5, 2]) → 7 (line 13)
    Is this right? (2 suspects)
    "#);
}

#[test]
fn help_source_more_undo_and_going_elsewhere() {
    let (talk, ending) = transcript("?\ns\nm\nu\ny\nu\ng 4\nq");
    assert_eq!(ending, Ending::Left);
    insta::assert_snapshot!(talk, @r#"
    #1 new Till(name="north", size=2) → Till#7{coins=[0, 0], name="north", …+1} (line 7)
    Is this right? (6 suspects)
      y   yes, this is right
      n   no, this is wrong
      n 3  of several calls: the third is wrong (y 3, d 3, i 3, t 3 likewise; y: all are right)
      w PATH   no, and this value shows it, e.g. w this.size (of the third of several: w 3 this.size)
      w output:3   line 3 of what the program printed is wrong (w output:3:TEXT: this part of it;
          w error:3: line 3 of standard error)
      d   don't know: ask about something else
      t   trust this method: never ask about it (t class, t package: all of its class or package;
          t back: trust nothing any more, t back NODE: not the method of this call)
      i   inadmissible: it should never have been called like this
      u   undo the last answer (u 3: take back answer 3 of the list)
      a   list the answers so far
      g NODE   ask about this call instead (g 3-17: about these calls together)
      l   list the likeliest suspects, with what speaks against each
      o   show what the program printed (w output:3: its third line is wrong)
      h PATH   the history of a value: every write of it, e.g. h this.size
      b PATH   back to where a value came from, e.g. b return
      m   show more of the values
      s   show the source of the method
      x   show which transformations of the tree are on (x balance, x -balance: switch one)
      c   show how the next question is chosen (c NAME: choose otherwise)
      r   after a diagnosis: that is not it, ask the least certain answer again
      z   after a diagnosis: look for the statement inside the call
      q   leave; the answers are kept
       7 |     Till(String name, int size) {
       8 |         this.name = name;
       9 |         coins = new int[size];
      10 |     }

    #1 new Till (Till.java:7)
      name = "north"
      size = 2
      → Till#7{coins=[0, 0], next=null, name="north"}
    Is this right? (6 suspects, ~3 questions)
    There is no answer of yours to take back.

    #2 Till#7.add(more=[5, 2]) → true; coins: [0, 0] → [5, 2]; Till.sales: 0 → 1 (line 19)
    Is this right? (5 suspects)

    #1 new Till(name="north", size=2) → Till#7{coins=[0, 0], name="north", …+1} (line 7)
    Is this right? (6 suspects)

    #4 Till#7{coins=[5, 2]}.pay(amount=100) → throws IllegalStateException("empty") (line 25)
    Is this right? (6 suspects)
    "#);
}

#[test]
fn trust_in_a_class_ends_the_questions() {
    assert_eq!(transcript("t class").1, Ending::Done(Diagnosis::None));
    assert_eq!(transcript("t package").1, Ending::Done(Diagnosis::None));
}

#[test]
fn when_the_lines_run_out_the_question_stays() {
    let (_, ending) = transcript("y");
    assert!(matches!(ending, Ending::Unanswered(question) if question.node == NodeId(2)));
}
