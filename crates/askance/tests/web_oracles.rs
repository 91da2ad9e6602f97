//! The page while those who answer before a person take their time.

use std::time::{Duration, Instant};

use crate::support::recorded::merge_sort;
use crate::support::served::{Serving, hear_of};
use serde_json::json;

/// Longer than any request of these takes.
const LONG: Duration = Duration::from_secs(8);

#[test]
fn while_a_command_thinks_everything_can_be_looked_at_and_a_person_can_answer() {
    let recorded = merge_sort();
    let copy = recorded.copy("slow");
    let judge = format!(
        r#"while read -r q; do sleep {}; echo '{{"answer":"yes"}}'; done"#,
        LONG.as_secs()
    );
    let began = Instant::now();
    let options = [&copy, "--fresh", "--oracle-cmd", &judge];
    let server = Serving::start(recorded.folder.path(), &options);
    let session = server.found("api/runs/0/session");
    assert_eq!(session["thinking"], true, "{session}");
    let asked = session["step"]["ask"]["node"].clone();
    assert!(asked.is_u64(), "the question is shown meanwhile: {session}");
    for path in [
        "children",
        "path?node=3",
        "node?node=3",
        "overview?columns=9&rows=9",
    ] {
        server.found(&format!("api/runs/0/{path}"));
    }
    let mut updates = server.updates();
    let said = json!({"revision": session["revision"], "answer": "yes"});
    let next = server.done("api/runs/0/session/answer", &said);
    assert_eq!(next["answers"][0]["by_person"], true, "{next}");
    assert_ne!(next["step"]["ask"]["node"], asked, "{next}");
    assert!(began.elapsed() < LONG, "nothing has waited for the command");

    // What the command says to the first question comes too late; what it says to the next one counts.
    hear_of(&mut updates, next["revision"].as_u64().unwrap() + 1);
    let session = server.found("api/runs/0/session");
    let answers = session["answers"].as_array().unwrap();
    let by_whom: Vec<_> = answers.iter().map(|answer| &answer["source"]).collect();
    assert_eq!(by_whom, ["you", "oracle command"], "{session}");
}

/// If it starts anew, the session is forgotten; what was said in it is not.
#[test]
fn an_answer_that_could_not_be_remembered_before_the_end_is_remembered_by_the_next_server() {
    let recorded = merge_sort();
    for (name, anew, kept) in [
        ("interrupted", &[][..], 1),
        ("interrupted-anew", &["--fresh"], 0),
    ] {
        let copy = recorded.copy(name);
        let file = recorded.folder.path().join(format!("{name}.redb"));
        let memory = ["--memory", file.to_str().unwrap()];
        let listed = || {
            let words = [&["answers", "list"][..], &memory].concat();
            crate::support::run(recorded.folder.path(), words).out
        };
        let options = [&[copy.as_str()], &memory[..]].concat();
        let server = Serving::start(recorded.folder.path(), &options);
        let session = server.settled();
        assert_eq!(listed().matches("from ").count(), 0);

        // Somebody else has the file.
        let other = std::fs::File::open(&file).unwrap();
        other.lock().unwrap();
        let asked = json!({"node": 4});
        let session = match session["step"]["ask"]["node"].as_u64() {
            Some(4) => session,
            _ => server.done("api/runs/0/session/ask", &asked),
        };
        let said = json!({"revision": session["revision"], "answer": "yes"});
        let answered = server.done("api/runs/0/session/answer", &said);
        assert_eq!(answered["thinking"], true, "{answered}");
        drop(server);
        drop(other);
        assert_eq!(listed().matches("from ").count(), 0);

        let options = [&options, anew].concat();
        let server = Serving::start(recorded.folder.path(), &options);
        let session = server.settled();
        let answers = session["answers"].as_array().unwrap();
        let by_person = answers.iter().filter(|answer| answer["by_person"] == true);
        assert_eq!(by_person.count(), kept, "{session}");
        assert_eq!(listed().matches("from ").count(), 1);
    }
}
