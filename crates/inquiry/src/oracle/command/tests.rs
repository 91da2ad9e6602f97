//! Commands that answer, and commands that misbehave.

use std::time::Instant;

use super::*;
use java_model::sketches::till;

const PATIENCE: Duration = Duration::from_secs(20);

/// What a command answers about calls 1 to 4, and what is complained of.
fn answers(command: &str, patience: Duration) -> (Vec<Option<Answer>>, Vec<String>) {
    answers_at_least(command, patience, Confidence::NONE)
}

fn answers_at_least(
    command: &str,
    patience: Duration,
    least: Confidence,
) -> (Vec<Option<Answer>>, Vec<String>) {
    let run: Arc<dyn Recording> = Arc::new(till().run);
    let complaints = Mutex::new(Vec::new());
    let answers = {
        let complain = |sentence: &str| complaints.lock().unwrap().push(sentence.to_owned());
        let command = OracleCommand::new(command.to_owned(), patience, complain);
        let command = command.at_least(least).shared();
        // As after each snapshot of a run that goes on: another oracle, the same command.
        let ask = |node| {
            let oracle = CommandOracle::new(Arc::clone(&run), Arc::clone(&command));
            { oracle }.judge(NodeId(node))
        };
        (1..5).map(ask).collect()
    };
    (answers, complaints.into_inner().unwrap())
}

#[test]
fn every_answer_is_understood() {
    let command = r#"
        read -r q; echo '{"answer":"yes"}'
        read -r q; echo '{"answer":"no","wrong":"this.coins[1]"}'
        read -r q; echo '{"answer":"unknown","confidence":0.1}'
        read -r q; echo '{"answer":"inadmissible"}'"#;
    let (answers, complaints) = answers(command, PATIENCE);
    let wrong_part = Answer::WrongPart(ValuePath("this.coins[1]".to_owned()));
    assert_eq!(
        answers,
        [
            Some(Answer::Yes),
            Some(wrong_part),
            None,
            Some(Answer::Inadmissible)
        ]
    );
    assert_eq!(complaints, [""; 0]);
}

#[test]
fn what_it_is_not_sure_enough_of_is_left_to_others() {
    let command = r#"
        read -r q; echo '{"answer":"yes","confidence":0.7}'
        read -r q; echo '{"answer":"no","confidence":0.69}'
        read -r q; echo '{"answer":"no"}'
        read -r q; echo '{"answer":"unknown","confidence":0.1}'"#;
    let least = Confidence::from_share(0.7).unwrap();
    let (answers, complaints) = answers_at_least(command, PATIENCE, least);
    assert_eq!(answers, [Some(Answer::Yes), None, None, None]);
    assert_eq!(complaints.len(), 2);
    assert!(complaints[0].contains("only 69 % sure"), "{complaints:?}");
    assert!(complaints[1].contains("only 50 % sure"), "{complaints:?}");
}

#[test]
fn a_question_has_what_is_needed_to_answer_it() {
    let line = question::question_json(&till().run, Target::Node(NodeId(2)));
    assert!(line.ends_with("}\n") && line.matches('\n').count() == 1);
    let mut json: serde_json::Value = serde_json::from_str(&line).unwrap();
    let source = json.as_object_mut().and_then(|all| all.remove("source"));
    assert!(source.is_some_and(|text| text.as_str().is_some_and(|text| text.contains("sales++;"))));
    insta::assert_json_snapshot!(json, @r#"
    {
      "after": {
        "Till.sales": "1",
        "more": "[5, 2]",
        "return": "true",
        "this": "Till#7{coins=[5, 2], next=↑Till#7, name=\"north\"}"
      },
      "before": {
        "Till.sales": "0",
        "more": "[5, 2]",
        "this": "Till#7{coins=[0, 0], next=↑Till#7, name=\"north\"}"
      },
      "changes": [
        {
          "after": "[5, 2]",
          "before": "[0, 0]",
          "path": "this.coins"
        },
        {
          "after": "1",
          "before": "0",
          "path": "Till.sales"
        }
      ],
      "class": "Till",
      "descriptor": "([I)Z",
      "file": "Till.java",
      "method": "add",
      "node": 2,
      "question": "Till#7.add(more=[5, 2]) → true; this.coins: [0, 0] → [5, 2]; Till.sales: 0 → 1",
      "version": 1
    }
    "#);
}

#[test]
fn nonsense_is_no_answer_and_the_next_question_is_asked() {
    let command = r#"
        read -r q; echo 'well, yes'
        read -r q; echo '{"answer":"yes","confidence":80}'
        read -r q; echo '{"answer":"yes"}'
        read -r q; echo '{"answer":"trust"}'"#;
    let (answers, complaints) = answers(command, PATIENCE);
    let trust = Answer::Trust(TrustScope::Routine);
    assert_eq!(answers, [None, None, Some(Answer::Yes), Some(trust)]);
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(complaints[0].contains("well, yes") && complaints[0].contains(EXAMPLE));
}

#[test]
fn a_command_that_ends_is_not_asked_again() {
    let (answers, complaints) = answers(r#"read -r q; echo '{"answer":"no"}'; exit 3"#, PATIENCE);
    assert_eq!(answers, [Some(Answer::No), None, None, None]);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].contains("exit status: 3"), "{complaints:?}");
}

#[test]
fn a_command_that_is_late_is_not_asked_again() {
    let started = Instant::now();
    let patience = Duration::from_millis(300);
    let (answers, complaints) = answers("sleep 600", patience);
    assert_eq!(answers, [None, None, None, None]);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].contains("0.3 seconds"), "{complaints:?}");
    assert!(started.elapsed() < PATIENCE);
}

#[test]
fn a_command_that_does_not_exist_is_told_of_once() {
    let (answers, complaints) = answers("exec ./no-such-command 2>/dev/null", PATIENCE);
    assert_eq!(answers, [None, None, None, None]);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].contains("has ended"), "{complaints:?}");
}
