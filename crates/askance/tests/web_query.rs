//! SQL over the JSON interface of `askance serve`: rows, moments, mistakes, and a query that nobody waits for any more.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::companion;
use crate::support::recorded::merge_sort;
use crate::support::served::Serving;

fn serving() -> Serving {
    let recorded = merge_sort();
    let copy = recorded.copy(&format!("query-{:?}", std::thread::current().id()));
    Serving::start(recorded.folder.path(), &[copy.as_str(), "--fresh"])
}

fn asked(sql: &str) -> String {
    format!("api/runs/0/query?sql={}", sql.replace(' ', "+"))
}

#[test]
fn rows_have_the_times_at_which_calls_can_be_looked_at() {
    if companion().is_none() {
        return;
    }
    let server = serving();
    let found = server.found(&asked(
        "SELECT node, time, new FROM write WHERE method = 'merge' ORDER BY time",
    ));
    assert_eq!(found["columns"], json!(["node", "time", "new"]));
    let rows = found["rows"].as_array().unwrap();
    assert!(rows.len() >= 8, "{found}");
    for row in rows {
        let (node, time) = (&row[0], &row[1]);
        let moment = server.found(&format!("api/runs/0/moment?node={node}&time={time}"));
        let event = moment["event"].as_u64().unwrap();
        let page = server.found(&format!(
            "api/runs/0/events?node={node}&from={event}&most=1"
        ));
        let written = &page["events"][0];
        assert_eq!(written["kind"], "write", "{page}");
        let value = format!("→ {}", row[2].as_str().unwrap());
        assert!(
            written["text"].as_str().unwrap().ends_with(&value),
            "{written} {row}"
        );
    }
}

#[test]
fn what_can_be_asked_is_listed_and_mistakes_are_explained() {
    if companion().is_none() {
        return;
    }
    let server = serving();
    let known = server.found("api/runs/0/query/catalogue");
    let names = |list: &str| -> Vec<String> {
        let named = known[list].as_array().unwrap().iter();
        named
            .map(|one| one["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(names("tables").contains(&"write".to_owned()), "{known}");
    for view in names("views") {
        server.found(&asked(&format!("SELECT * FROM {view} LIMIT 1")));
    }
    let refused = server.get(&asked("SELECT metod FROM call"));
    assert_eq!(refused.status, 400, "{refused:?}");
    assert_eq!(refused.json()["hint"], "did you mean method?");
}

/// How many processes a server has started that still run.
fn children(server: &Serving) -> usize {
    let parent = format!("PPid:\t{}", server.id());
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let is_child = |status: &String| {
        let ended = status.lines().any(|line| line.starts_with("State:\tZ"));
        !ended && status.lines().any(|line| line == parent)
    };
    let statuses =
        processes.filter_map(|it| std::fs::read_to_string(it.path().join("status")).ok());
    statuses.filter(is_child).count()
}

#[track_caller]
fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_query_ends_when_nobody_waits_for_it() {
    if companion().is_none() {
        return;
    }
    let server = serving();
    let endless = "SELECT count(*) FROM line a, line b, line c, line d, line e, line f";
    let mut stream = TcpStream::connect(&server.host).unwrap();
    let (host, token) = (&server.host, &server.token);
    let path = asked(endless);
    write!(
        stream,
        "GET /{token}/{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"
    )
    .unwrap();
    wait_until("the query begins", || children(&server) > 0);
    drop(stream);
    wait_until("the query ends", || children(&server) == 0);
    let found: Value = server.found(&asked("SELECT count(*) AS calls FROM call"));
    assert_eq!(found["rows"], json!([[17]]));
}
