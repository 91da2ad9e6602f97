//! The JSON interface of `askance serve`, against a real recording: a whole session, and every view.

use crate::support::recorded::merge_sort;
use crate::support::served::{Serving, hear_of};
use crate::support::{run, source};
use serde_json::{Value, json};

fn serving() -> Serving {
    serving_with(&[])
}

fn serving_with(options: &[&str]) -> Serving {
    // Answers are kept in the trace: each test has a copy of it.
    let recorded = merge_sort();
    let copy = recorded.copy(&format!("copy-{:?}", std::thread::current().id()));
    let trace = [copy.as_str(), "--fresh"];
    Serving::start(recorded.folder.path(), &[&trace, options].concat())
}

/// Answers as someone who knows what sorting is: by what the call left or gave back.
fn honest_answer(server: &Serving, question: &Value) -> &'static str {
    let numbers = match question["sheet"]["calls"].as_array() {
        Some(calls) => calls.iter().map(|call| &call["node"]).collect(),
        None => vec![&question["node"]],
    };
    let call = |number: &Value| server.found(&format!("api/runs/0/node?node={number}"));
    let is_right = numbers.into_iter().all(|number| is_right(&call(number)));
    if is_right { "yes" } else { "no" }
}

fn is_right(call: &Value) -> bool {
    let is_sorted = |array: &Value| {
        let elements = array["children"].as_array().unwrap().iter();
        let number = |element: &Value| element["value"]["text"].as_str()?.parse::<i64>().ok();
        let numbers: Option<Vec<i64>> = elements.map(number).collect();
        numbers.unwrap().is_sorted()
    };
    match call["method"].as_str().unwrap() {
        "merge" => is_sorted(&call["arguments"][2]["after"]),
        "sort" => is_sorted(&call["outcome"]["returned"]),
        "slice" => true,
        _ => false,
    }
}

/// Answers every question and gives the last state of the session.
fn debug(server: &Serving) -> Value {
    let mut session = server.settled();
    for _ in 0..20 {
        let question = session["step"]["ask"].clone();
        if question.is_null() {
            return session;
        }
        let said =
            json!({"revision": session["revision"], "answer": honest_answer(server, &question)});
        server.done("api/runs/0/session/answer", &said);
        session = server.settled();
    }
    panic!("too many questions: {session}");
}

#[test]
fn honest_answers_lead_to_the_culprit() {
    let server = serving();
    let session = debug(&server);
    assert_eq!(session["step"]["done"]["outcome"], "found", "{session}");
    let diagnosis = server.found("api/runs/0/diagnosis");
    assert_eq!(diagnosis["culprit"]["routine"], "Main.merge");
    let lines = diagnosis["culprit"]["lines"].as_array().unwrap();
    assert!(lines.contains(&json!(38)), "{lines:?}");
    let markdown = diagnosis["markdown"].as_str().unwrap();
    assert!(
        markdown.contains("## The bug is in `Main.merge`"),
        "{markdown}"
    );
    assert!(markdown.contains("### Answers"), "{markdown}");
}

#[test]
fn undo_takes_back_one_answer_or_any_of_them() {
    let server = serving();
    let first = server.found("api/runs/0/session");
    assert_eq!(first["can_undo"], false);
    let refused = server.post(
        "api/runs/0/session/undo",
        &json!({"revision": first["revision"]}),
    );
    assert_eq!(refused.status, 400, "{refused:?}");

    let ended = debug(&server);
    let answers = ended["answers"].as_array().unwrap().len();
    let undone = server.done(
        "api/runs/0/session/undo",
        &json!({"revision": ended["revision"]}),
    );
    assert_eq!(undone["answers"].as_array().unwrap().len(), answers - 1);
    assert!(undone["step"]["ask"].is_object(), "{undone}");

    let again = json!({"revision": undone["revision"], "place": 0});
    let without_first = server.done("api/runs/0/session/undo", &again);
    assert_eq!(without_first["answers"][0]["overruled"], true);
}

#[test]
fn a_page_that_is_behind_cannot_answer() {
    let server = serving();
    let session = server.found("api/runs/0/session");
    let said = json!({"revision": session["revision"], "answer": "unknown"});
    server.done("api/runs/0/session/answer", &said);
    let late = server.post("api/runs/0/session/answer", &said);
    assert_eq!(late.status, 409, "{late:?}");
}

/// Programs say `no` and name the value that shows it, as the oracle command does: the value is not passed over.
#[test]
fn a_value_that_is_named_with_no_counts() {
    let server = serving();
    let revision = server.settled()["revision"].clone();
    let said = json!({"revision": revision, "answer": "no", "path": "no.such"});
    let refused = server.post("api/runs/0/session/answer", &said);
    assert_eq!(refused.status, 400, "{refused:?}");
}

#[test]
fn every_open_page_hears_of_a_change() {
    let server = serving();
    let mut tabs = [server.updates(), server.updates()];
    let session = server.found("api/runs/0/session");
    let revision = session["revision"].as_u64().unwrap();
    for tab in &mut tabs {
        hear_of(tab, revision);
    }
    let said = json!({"revision": revision, "answer": "unknown"});
    server.done("api/runs/0/session/answer", &said);
    for tab in &mut tabs {
        hear_of(tab, revision + 1);
    }
}

#[test]
fn the_answers_outlive_the_server() {
    let recorded = merge_sort();
    let copy = recorded.copy("outlives");
    let copy = copy.as_str();
    let server = Serving::start(recorded.folder.path(), &[copy]);
    let session = server.found("api/runs/0/session");
    let said = json!({"revision": session["revision"], "answer": "unknown"});
    let told = server.done("api/runs/0/session/answer", &said);
    drop(server);
    let server = Serving::start(recorded.folder.path(), &[copy]);
    assert_eq!(
        server.found("api/runs/0/session")["answers"],
        told["answers"]
    );
}

#[test]
fn strategies_and_transformations_can_be_switched() {
    let server = serving();
    let named = json!({"name": "top-down"});
    let session = server.done("api/runs/0/session/strategy", &named);
    assert_eq!(session["strategy"], "top-down");
    let session = server.done("api/runs/0/session/transform", &json!({"list": "compress"}));
    assert_eq!(session["transform"], "compress");
    let session = server.done(
        "api/runs/0/session/transform",
        &json!({"list": "-compress"}),
    );
    assert_eq!(session["transform"], "");
    for (what, body) in [
        ("strategy", json!({"name": "guess"})),
        ("transform", json!({"list": "upside-down"})),
    ] {
        let refused = server.post(&format!("api/runs/0/session/{what}"), &body);
        assert_eq!(refused.status, 400, "{refused:?}");
    }
}

#[test]
fn a_printed_line_can_be_called_wrong_and_suspects_are_listed() {
    let server = serving();
    let listed = |server: &Serving| server.found("api/runs/0/suspects?most=3")["suspects"].clone();
    let before = listed(&server);
    assert!(before.as_array().unwrap().len() <= 3, "{before}");
    let printed = server.found("api/runs/0/output");
    assert_eq!(printed["rows"][0]["text"], "[1, 4, 9, 7]");
    let session = server.settled();
    let said = json!({"revision": session["revision"], "answer": "wrong", "path": "output:1"});
    let session = server.done("api/runs/0/session/answer", &said);
    assert!(
        !session["answers"].as_array().unwrap().is_empty(),
        "{session}"
    );
    let after = listed(&server);
    let methods: Vec<&str> = after
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["method"].as_str())
        .collect();
    assert!(methods.contains(&"merge"), "{after}");
    assert!(
        after[0]["reasons"]
            .as_array()
            .is_some_and(|reasons| !reasons.is_empty()),
        "{after}"
    );
    let missing =
        json!({"revision": server.settled()["revision"], "answer": "wrong", "path": "output:9"});
    let refused = server.post("api/runs/0/session/answer", &missing);
    assert_eq!(refused.status, 400, "{refused:?}");
}

#[test]
fn what_calls_weigh_is_told_where_a_strategy_halves_weights() {
    let server = serving();
    let plain = server.settled();
    assert!(plain["step"]["ask"]["weights"].is_null(), "{plain}");
    let named = json!({"name": "edge-coverage"});
    server.done("api/runs/0/session/strategy", &named);
    let session = server.settled();
    let asked = &session["step"]["ask"];
    let weights = asked["weights"]["calls"].as_array().unwrap();
    let chosen = weights.iter().find(|call| call["node"] == asked["node"]);
    let weight = chosen.unwrap()["weight"].as_str().unwrap();
    let why = asked["why"].as_str().unwrap();
    assert!(why.contains(&format!("its weight, {weight} of ")), "{why}");
}

/// Section 4 of the paper: from the wrong element to the line that wrote it, through all views.
#[test]
fn the_views_lead_from_a_wrong_element_to_its_line() {
    let server = serving();
    debug(&server);
    let culprit = server.found("api/runs/0/diagnosis")["culprit"]["node"].clone();

    let node = server.found(&format!("api/runs/0/node?node={culprit}"));
    let arguments = node["arguments"].as_array().unwrap();
    let c = arguments
        .iter()
        .find(|argument| argument["name"] == "c")
        .unwrap();
    assert_eq!(c["after"]["changed"], "inside", "{c}");
    assert_eq!(
        c["after"]["children"][2]["value"]["changed"], "changed",
        "{c}"
    );
    assert_eq!(node["judgement"], "wrong");

    let history = server.found(&format!(
        "api/runs/0/history?node={culprit}&variable=c%5B2%5D"
    ));
    let writes = history["writes"].as_array().unwrap();
    let last = writes.iter().rfind(|write| write["after"] == "9").unwrap();
    assert_eq!(last["node"], culprit, "{history}");
    let event = last["event"].as_u64().unwrap();

    let there = server.found(&format!("api/runs/0/node?node={culprit}&event={event}"));
    assert_eq!(there["event"]["line"], last["line"], "{there}");
    assert!(!there["locals"].as_array().unwrap().is_empty(), "{there}");

    let events = server.found(&format!(
        "api/runs/0/events?node={culprit}&changes=c%5B2%5D"
    ));
    let events = events["events"].as_array().unwrap();
    let marked = events.iter().filter(|row| row["changes"] == "directly");
    assert!(
        marked.into_iter().any(|row| row["event"] == event),
        "{events:?}"
    );

    let source = server.found(&format!("api/runs/0/source?node={culprit}"));
    assert!(
        source["text"]
            .as_str()
            .unwrap()
            .contains("static void merge"),
        "{source}"
    );
    let executed = source["executed"].as_array().unwrap();
    assert!(executed.contains(&last["line"]), "{source}");

    let why = server.found(&format!("api/runs/0/why?node={culprit}&path=c%5B2%5D"));
    assert!(!why["steps"].as_array().unwrap().is_empty(), "{why}");
}

#[test]
fn a_call_can_be_walked_both_ways() {
    let server = serving();
    let step = |node: &Value, event: &Value, to: &str| {
        server.found(&format!(
            "api/runs/0/step?node={node}&event={event}&to={to}"
        ))
    };
    let first = step(&json!(0), &json!(0), "next");
    let second = step(&first["node"], &first["event"], "next");
    assert_eq!(step(&second["node"], &second["event"], "back"), first);
    let inside = step(&second["node"], &second["event"], "into");
    assert_ne!(inside["node"], second["node"]);
    assert_eq!(
        step(&inside["node"], &inside["event"], "out")["node"],
        second["node"]
    );
    let stuck = server.get("api/runs/0/step?node=0&event=0&to=back");
    assert_eq!(stuck.status, 400, "{stuck:?}");
}

#[test]
fn the_tree_comes_in_pages_and_can_be_searched() {
    let server = serving();
    let info = server.found("api/runs/0");
    let calls = info["calls"].as_u64().unwrap();
    let roots = server.found("api/runs/0/children");
    let subtrees = roots["rows"].as_array().unwrap().iter();
    let all: u64 = subtrees.map(|row| row["subtree"].as_u64().unwrap()).sum();
    assert_eq!(all, calls);
    let root = &roots["rows"][0]["node"];
    let whole = server.found(&format!("api/runs/0/children?of={root}"));
    let second = server.found(&format!("api/runs/0/children?of={root}&from=1&most=1"));
    assert_eq!(second["rows"][0], whole["rows"][1]);
    assert_eq!(second["count"], whole["count"]);

    let hits = server.found("api/runs/0/search?text=MERGE&most=200");
    for row in hits["rows"].as_array().unwrap() {
        assert_eq!(row["method"], "merge");
        let way = server.found(&format!("api/runs/0/path?node={}", row["node"]));
        let steps = way["steps"].as_array().unwrap();
        assert_eq!(steps.last().unwrap()["node"], row["node"]);
        assert_eq!(&steps[0]["node"], root);
    }
    assert!(hits["rows"].as_array().unwrap().len() >= 3, "{hits}");
}

#[test]
fn a_reference_answers_before_anybody_is_asked() {
    let examples = test_support::Example::all().unwrap();
    let example = examples
        .iter()
        .find(|example| example.name == "merge-sort")
        .unwrap();
    let fixed = example.main_file(test_support::ExampleVersion::Fixed);
    let server = serving_with(&[
        "--reference",
        fixed.to_str().unwrap(),
        "--strategy",
        "top-down",
    ]);
    let session = server.found("api/runs/0/session");
    assert_eq!(session["step"]["done"]["outcome"], "found", "{session}");
    assert_eq!(session["strategy"], "top-down");
    let answers = session["answers"].as_array().unwrap();
    assert!(answers.iter().any(|answer| answer["source"] == "reference"));
    let diagnosis = server.found("api/runs/0/diagnosis");
    assert_eq!(diagnosis["culprit"]["routine"], "Main.merge");
}

#[test]
fn a_search_can_begin_below_a_call_and_trust_classes() {
    let server = serving_with(&["--root", "#10", "--transform", "balance"]);
    let session = server.found("api/runs/0/session");
    assert_eq!(session["suspects"], 6, "{session}");
    assert_eq!(session["transform"], "balance");
    let trusting = serving_with(&["--trust", "Main"]);
    let session = trusting.found("api/runs/0/session");
    assert_eq!(session["suspects"], 0, "{session}");
}

const SHELVES: &str = r#"
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.*;

public class Shelves {
    enum Size { SMALL, LARGE }
    static class Item {
        final String name; final BigDecimal price; final LocalDate made; Size size; int[] codes = new int[12];
        Item(String name, String price, int day) {
            this.name = name; this.price = new BigDecimal(price); made = LocalDate.of(2024, 2, day);
            size = day % 2 == 0 ? Size.SMALL : Size.LARGE;
        }
        void mark(int place, int code) { codes[place] = code; }
    }
    static final Map<String, List<Item>> shelves = new LinkedHashMap<>();
    static int sold = 4000;
    static void put(String shelf, Item item) { shelves.computeIfAbsent(shelf, key -> new ArrayList<>()).add(item); }
    static Optional<Item> find(String name) {
        for (List<Item> items : shelves.values()) for (Item item : items) if (item.name.equals(name)) return Optional.of(item);
        return Optional.empty();
    }
    static long sell(Item item, StringBuilder bill) { sold += 17; bill.append(item.name).append(';'); return sold; }
    static void fail(char sign) { throw new IllegalStateException("sign " + sign); }
    public static void main(String[] args) {
        for (int n = 1; n < 12; n++) {
            Item item = new Item("item" + n * 111, n + ".50", n);
            item.mark(n, 9000 + n);
            put(n % 3 == 0 ? "upper" : "lower", item);
        }
        StringBuilder bill = new StringBuilder();
        find("item555").ifPresent(item -> sell(item, bill));
        find("item777").ifPresent(item -> sell(item, bill));
        double[] parts = { 0.25, 1e9 };
        try { fail('%'); } catch (IllegalStateException expected) { sold = -1; }
        System.out.println(bill + " " + sold + Arrays.toString(parts));
    }
}
"#;

/// All that a search finds, however many pages that takes.
fn found_rows(server: &Serving, text: &str, values: bool) -> Vec<Value> {
    let text: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let mut rows = Vec::new();
    let mut from = json!(0);
    while !from.is_null() {
        let address = format!("api/runs/0/search?text={text}&values={values}&from={from}");
        let page = server.found(&address);
        rows.extend(page["rows"].as_array().unwrap().iter().cloned());
        from = page["next"].clone();
    }
    rows
}

/// Every word of every line is found that may be a value.
#[test]
fn a_search_finds_every_line_with_a_value() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Shelves.java", SHELVES);
    let said = run(folder.path(), ["record", "-o", "run", "Shelves.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let server = Serving::start(folder.path(), &["run", "--fresh"]);
    // All calls have a class, whose name has a letter in it.
    let lines = found_rows(&server, "e", false).into_iter().map(|row| {
        let text = row["text"].as_str().unwrap().to_lowercase();
        let values = text.split_once('(').map_or("", |(_, values)| values);
        (row["node"].as_u64().unwrap(), values.to_owned())
    });
    let lines: Vec<(u64, String)> = lines.collect();
    assert!(lines.len() > 40, "{lines:?}");
    let words = lines.iter().flat_map(|(_, line)| {
        line.split(|sign: char| !sign.is_alphanumeric())
            .filter(|word| word.len() > 1 && word.bytes().any(|sign| sign.is_ascii_digit()))
            .map(str::to_owned)
    });
    let mut words: std::collections::BTreeSet<String> = words.collect();
    let names = [
        "small",
        "large",
        "upper",
        "lower",
        "sign",
        "%",
        "4.50",
        "2024-02-07",
    ];
    words.extend(names.map(str::to_owned));
    for word in words {
        let hits = found_rows(&server, &word, true);
        let hits = hits.iter().map(|row| row["node"].as_u64().unwrap());
        let hits: Vec<u64> = hits.collect();
        for (node, line) in &lines {
            let is_there = line.contains(&word);
            // What is left out of a line may be in the call.
            assert!(!is_there || hits.contains(node), "{word} in {node}: {line}");
        }
        assert!(!hits.is_empty(), "{word}");
    }
    assert!(found_rows(&server, "31415", true).is_empty());
}

#[test]
fn values_are_searched_and_long_ways_are_told_from_the_middle() {
    let server = serving();
    let hits = server.found("api/runs/0/search?text=4,%209,%207&values=true");
    let rows = hits["rows"].as_array().unwrap();
    assert!(!rows.is_empty(), "{hits}");
    assert!(
        rows.iter()
            .all(|row| row["text"].as_str().unwrap().contains("4, 9, 7"))
    );
    assert_eq!(
        server.found("api/runs/0/search?text=4,%209,%207")["rows"],
        json!([])
    );
    let way = server.found("api/runs/0/path?node=16");
    assert_eq!(way["above"], 0);
    assert_eq!(way["steps"].as_array().unwrap().len(), 3);
    assert_eq!(server.found("api/runs/0/live"), Value::Null);
    assert_eq!(server.get("api/runs/0/live/output").status, 404);
}

#[test]
fn the_overview_is_as_coarse_as_its_columns() {
    let server = serving();
    let fine = server.found("api/runs/0/overview?columns=1000&rows=20");
    let rows = fine["rows"].as_array().unwrap();
    let blocks = rows.iter().flat_map(|row| row.as_array().unwrap());
    assert_eq!(blocks.count(), 17, "{fine}");
    assert_eq!(fine["rows"][0][0][1], 17);
    let name = fine["rows"][0][0][4].as_u64().unwrap();
    assert_eq!(fine["names"][name as usize], "Main.main");

    let coarse = server.found("api/runs/0/overview?columns=3&rows=20");
    let rows = coarse["rows"].as_array().unwrap();
    assert!(
        rows.iter().all(|row| row.as_array().unwrap().len() <= 6),
        "{coarse}"
    );
    let below = server.found("api/runs/0/overview?top=1&columns=1000&rows=1");
    assert_eq!(below["rows"].as_array().unwrap().len(), 1);
    assert_eq!(below["rows"][0][0][0], 1);
    assert_eq!(below["callers"][0]["routine"], "Main.main");
    for nonsense in ["top=99", "from=9&to=3", "top=x"] {
        let path = format!("api/runs/0/overview?columns=10&rows=5&{nonsense}");
        assert!([400, 404].contains(&server.get(&path).status), "{nonsense}");
    }
}

#[test]
fn what_is_said_on_the_page_is_remembered_until_it_is_taken_back() {
    let recorded = merge_sort();
    let file = recorded.folder.path().join("page.redb");
    let memory = ["--memory", file.to_str().unwrap()];
    let listed = || {
        let words = [&["answers", "list"][..], &memory].concat();
        crate::support::run(recorded.folder.path(), words).out
    };
    let top_down = ["--strategy", "top-down"];
    let server = serving_with(&[&memory[..], &top_down].concat());
    let ended = debug(&server);
    assert!(ended["step"]["done"].is_object(), "{ended}");
    let answers = ended["answers"].as_array().unwrap();
    // The file is free for others while the page is served.
    let remembered = listed();
    assert_eq!(
        remembered.matches("from ").count(),
        answers.len(),
        "{remembered}"
    );

    // Another session about the same program asks nothing.
    let words = ["--json", "--fresh", "--non-interactive"];
    let words = [&words[..], &memory, &top_down].concat();
    let said = recorded.say("ask", &words);
    let found = said.json();
    assert_eq!(found["method"], "merge", "{}", said.err);
    assert_eq!(found["questions"]["person"], 0);

    let undo = json!({"revision": ended["revision"]});
    server.done("api/runs/0/session/undo", &undo);
    server.settled();
    assert_eq!(listed().matches("from ").count(), answers.len() - 1);
}

#[test]
fn at_the_exit_local_variables_are_as_they_were_last() {
    let server = serving();
    let merge = server.found("api/runs/0/node?node=16");
    let told: Vec<String> = merge["locals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|local| {
            let (name, value) = (local["name"].as_str().unwrap(), &local["value"]);
            format!(
                "{name}={} {}",
                value["text"].as_str().unwrap(),
                value["changed"]
            )
        })
        .collect();
    let changed = "\"changed\"";
    let expected = ["i=2", "j=2", "k=4"].map(|local| format!("{local} {changed}"));
    assert_eq!(told, expected);
    // In the middle they are as they were then.
    let entry = server.found("api/runs/0/node?node=16&event=4");
    assert_eq!(entry["locals"].as_array().unwrap().len(), 2, "{entry}");
}
