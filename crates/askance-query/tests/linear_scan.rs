//! A query finds what a walk through the calls finds that looks at one after the other: random runs of several threads,
//! random conditions put together from what scans narrow by and what they do not.

use std::collections::BTreeMap;
use std::fmt;

use askance_query::database::Database;
use debug_engine::{ExecutionTree as _, NodeId};
use java_model::run::JavaRun;
use proptest::prelude::*;
use trace_format::symbol::ACC_STATIC;
use trace_format::{EndReason, Value};
use trace_store::CallOutcome;
use trace_store::sketch::Sketch;

use crate::common::{database, numbers, rows};

const METHODS: [(&str, &str); 4] = [
    ("shop.Cart", "total"),
    ("shop.Cart", "add"),
    ("shop.Till", "total"),
    ("Main", "main"),
];

/// What a thread does next.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Enter(usize, i32),
    Exit(i32),
    Throw,
    Write(i32),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (0..METHODS.len(), -9..9).prop_map(|(method, value)| Deed::Enter(method, value)),
        3 => (-9..9).prop_map(Deed::Exit),
        1 => Just(Deed::Throw),
        2 => (-9..9).prop_map(Deed::Write),
    ]
}

/// A run of which nobody knows more than what its threads did.
fn sketched(deeds: &[(usize, Deed)]) -> tempfile::TempDir {
    let mut sketch = Sketch::new();
    let threads = [sketch.thread("main"), sketch.thread("worker")];
    let methods = METHODS.map(|(class, name)| {
        let class = sketch.class(&class.replace('.', "/"));
        sketch.method(class, ACC_STATIC, name, "(I)I")
    });
    let field = sketch.field("shop/Cart", "sum", "I", true);
    let mut open = [0; 2];
    for &(thread, deed) in deeds {
        let number = threads[thread];
        match deed {
            Deed::Enter(method, value) => {
                sketch.enter(number, methods[method], &[Value::Int(value)]);
                open[thread] += 1;
            }
            _ if open[thread] == 0 => {}
            Deed::Exit(value) => {
                sketch.exit(number, Some(Value::Int(value)));
                open[thread] -= 1;
            }
            Deed::Throw => {
                let exception = sketch.throwable(number, "java.lang.Error", None);
                sketch.throw(number, exception);
                open[thread] -= 1;
            }
            Deed::Write(value) => {
                sketch.put_static(number, field, Value::Int(value));
            }
        }
    }
    sketch.end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    sketch.write_run(folder.path()).unwrap();
    folder
}

/// A call as a walk sees it.
#[derive(Debug, Clone)]
struct Seen {
    integers: BTreeMap<&'static str, Option<i64>>,
    texts: BTreeMap<&'static str, Option<String>>,
}

fn walk(run: &JavaRun) -> Vec<Seen> {
    let nodes = (0..run.len()).map(NodeId);
    nodes
        .map(|node| {
            let call = run.call(node).unwrap();
            let names = run.method_names(call.method);
            let result = match call.outcome {
                CallOutcome::Returned(Some(Value::Int(value))) => Some(i64::from(value)),
                _ => None,
            };
            let outcome = match call.outcome {
                CallOutcome::Returned(_) => "returned",
                CallOutcome::Threw(_) => "threw",
                CallOutcome::Lost => "lost",
                CallOutcome::Open => "open",
            };
            let parents = std::iter::successors(Some(node), |&node| run.parent(node));
            Seen {
                integers: BTreeMap::from([
                    ("node", Some(node.0.into())),
                    ("parent", run.parent(node).map(|parent| parent.0.into())),
                    ("thread", Some(call.id.thread.0.into())),
                    ("depth", Some(parents.count() as i64)),
                    ("size", Some(run.subtree_size(node).into())),
                    ("begin", Some(call.entry_time.0 as i64)),
                    ("end", Some(call.exit_time.0 as i64)),
                    ("result_number", result),
                    ("run", Some(1)),
                ]),
                texts: BTreeMap::from([
                    ("class", Some(names.class.replace('/', "."))),
                    ("method", Some(names.name.to_owned())),
                    ("outcome", Some(outcome.to_owned())),
                    ("result", result.map(|result| result.to_string())),
                ]),
            }
        })
        .collect()
}

/// A condition, as SQL and as what it means.
#[derive(Debug, Clone)]
enum Condition {
    Compared(&'static str, &'static str, i64),
    Among(&'static str, Vec<i64>),
    Between(&'static str, i64, i64),
    Text(&'static str, &'static str, String),
    Begins(&'static str, String),
    IsNull(&'static str),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |column: &str| format!("\"{column}\"");
        match self {
            Condition::Compared(column, operator, number) => {
                write!(f, "{} {operator} {number}", quoted(column))
            }
            Condition::Among(column, numbers) => {
                let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
                write!(f, "{} IN ({})", quoted(column), numbers.join(", "))
            }
            Condition::Between(column, from, until) => {
                write!(f, "{} BETWEEN {from} AND {until}", quoted(column))
            }
            Condition::Text(column, operator, text) => {
                write!(f, "{} {operator} '{text}'", quoted(column))
            }
            Condition::Begins(column, text) => write!(f, "{} LIKE '{text}%'", quoted(column)),
            Condition::IsNull(column) => write!(f, "{} IS NULL", quoted(column)),
            Condition::Not(inner) => write!(f, "NOT ({inner})"),
            Condition::And(one, other) => write!(f, "({one} AND {other})"),
            Condition::Or(one, other) => write!(f, "({one} OR {other})"),
        }
    }
}

fn compared<T: Ord>(one: &T, operator: &str, other: &T) -> bool {
    match operator {
        "=" => one == other,
        "<>" => one != other,
        "<" => one < other,
        "<=" => one <= other,
        ">" => one > other,
        _ => one >= other,
    }
}

impl Condition {
    /// With the columns named after a table: names stand between quotation marks, which occur nowhere else.
    fn qualified(&self, table: &str) -> String {
        let text = self.to_string();
        let parts = text.split('"').enumerate();
        parts
            .map(|(at, part)| match at % 2 {
                0 => part.to_owned(),
                _ => format!("{table}.\"{part}\""),
            })
            .collect()
    }

    /// In the logic of SQL: what is compared with null is neither true nor false.
    fn holds(&self, seen: &Seen) -> Option<bool> {
        let integer = |column: &str| seen.integers.get(column).copied().flatten();
        let text = |column: &str| seen.texts.get(column).cloned().flatten();
        match self {
            Condition::Compared(column, operator, number) => {
                Some(compared(&integer(column)?, operator, number))
            }
            Condition::Among(column, numbers) => Some(numbers.contains(&integer(column)?)),
            Condition::Between(column, from, until) => {
                Some((from..=until).contains(&&integer(column)?))
            }
            Condition::Text(column, operator, wanted) => {
                Some(compared(&text(column)?, operator, wanted))
            }
            Condition::Begins(column, start) => Some(text(column)?.starts_with(start)),
            Condition::IsNull(column) => Some(integer(column).is_none() && text(column).is_none()),
            Condition::Not(inner) => inner.holds(seen).map(|holds| !holds),
            Condition::And(one, other) => match (one.holds(seen), other.holds(seen)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Condition::Or(one, other) => match (one.holds(seen), other.holds(seen)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    const INTEGERS: &[&str] = &[
        "node",
        "parent",
        "thread",
        "depth",
        "size",
        "begin",
        "end",
        "result_number",
        "run",
    ];
    let integer = proptest::sample::select(INTEGERS);
    let operator = proptest::sample::select(&["=", "<>", "<", "<=", ">", ">="]);
    let number = prop_oneof![-2i64..14, -2i64..120];
    let text = proptest::sample::select(&["class", "method", "outcome", "result"]);
    let word = proptest::sample::select(&[
        "shop.Cart",
        "shop.Till",
        "total",
        "add",
        "main",
        "returned",
        "threw",
        "open",
        "3",
        "s",
        "",
    ]);
    let word = word.prop_map(str::to_owned);
    let simple = prop_oneof![
        4 => (integer.clone(), operator.clone(), number.clone())
            .prop_map(|(column, operator, number)| Condition::Compared(column, operator, number)),
        1 => (integer.clone(), proptest::collection::vec(number.clone(), 1..5))
            .prop_map(|(column, numbers)| Condition::Among(column, numbers)),
        1 => (integer.clone(), number.clone(), number)
            .prop_map(|(column, from, until)| Condition::Between(column, from, until)),
        3 => (text.clone(), operator, word.clone())
            .prop_map(|(column, operator, text)| Condition::Text(column, operator, text)),
        1 => (text.clone(), word).prop_map(|(column, text)| Condition::Begins(column, text)),
        1 => integer.prop_map(Condition::IsNull),
        1 => text.prop_map(Condition::IsNull),
    ];
    simple.prop_recursive(3, 8, 2, |inner| {
        let pair = (
            inner.clone().prop_map(Box::new),
            inner.clone().prop_map(Box::new),
        );
        prop_oneof![
            3 => pair.clone().prop_map(|(one, other)| Condition::And(one, other)),
            2 => pair.prop_map(|(one, other)| Condition::Or(one, other)),
            1 => inner.prop_map(|inner| Condition::Not(Box::new(inner))),
        ]
    })
}

fn found_by_walk(calls: &[Seen], condition: &Condition) -> Vec<i64> {
    let found = calls.iter().filter(|it| condition.holds(it) == Some(true));
    found.map(|it| it.integers["node"].unwrap()).collect()
}

/// Counts and sums by method.
fn grouped(database: &Database, calls: &[Seen], condition: &Condition) {
    let mut expected: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for call in calls.iter().filter(|it| condition.holds(it) == Some(true)) {
        let method = call.texts["method"].clone().unwrap();
        let (count, size) = expected.entry(method).or_default();
        *count += 1;
        *size += call.integers["size"].unwrap();
    }
    let sql = format!(
        "SELECT method, count(*) AS n, sum(size) AS s FROM call WHERE {condition} GROUP BY method"
    );
    let found = rows(database, &sql).unwrap();
    let found = found.iter().map(|row| {
        let number = |name: &str| row[name].as_i64().unwrap();
        (
            row["method"].as_str().unwrap().to_owned(),
            (number("n"), number("s")),
        )
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{sql}");
}

/// Counts by what is the same for all calls of a method, and by a thread beside it.
fn counted(database: &Database, calls: &[Seen], condition: &Condition) {
    let mut expected: BTreeMap<(String, String, i64), i64> = BTreeMap::new();
    for call in calls.iter().filter(|it| condition.holds(it) == Some(true)) {
        let text = |name: &str| call.texts[name].clone().unwrap();
        let thread = call.integers["thread"].unwrap();
        *expected
            .entry((text("class"), text("method"), thread))
            .or_default() += 1;
    }
    let groups = expected.len() as i64;
    let sql = format!(
        "SELECT c.class, method, thread, count(*) AS n FROM call AS c WHERE {condition} GROUP BY 1, 2, 3"
    );
    let found = rows(database, &sql).unwrap();
    let found = found.iter().map(|row| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let key = (
            text("class"),
            text("method"),
            row["thread"].as_i64().unwrap(),
        );
        (key, row["n"].as_i64().unwrap())
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "{sql}");
    let sql = format!(
        "SELECT count(*) AS n FROM (SELECT DISTINCT class, method, thread FROM call WHERE {condition})"
    );
    assert_eq!(numbers(database, &sql, "n"), [groups], "{sql}");
}

/// A condition on methods and threads alone.
fn of_methods() -> impl Strategy<Value = Condition> {
    let text = proptest::sample::select(&["class", "method"]);
    let operator = proptest::sample::select(&["=", "<>", "<", ">="]);
    let word = proptest::sample::select(&["shop.Cart", "total", "main", "Main", ""]);
    let thread = (operator.clone(), 0..3i64)
        .prop_map(|(operator, number)| Condition::Compared("thread", operator, number));
    let named = (text, operator, word)
        .prop_map(|(column, operator, word)| Condition::Text(column, operator, word.to_owned()));
    prop_oneof![thread, named]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn queries_find_what_a_walk_finds(
        deeds in proptest::collection::vec((0..2usize, deed()), 1..120),
        conditions in proptest::collection::vec(condition(), 6),
        of_method in of_methods(),
        most in 0..6usize,
    ) {
        let deeds: Vec<_> = std::iter::once((0, Deed::Enter(3, 1))).chain(deeds).collect();
        let folder = sketched(&deeds);
        let calls = walk(&JavaRun::open(folder.path(), None, &mut |_, _| {}).unwrap());
        let database = database(folder.path());
        for condition in &conditions {
            let expected = found_by_walk(&calls, condition);
            let sql = format!("SELECT node FROM call WHERE {condition} ORDER BY node");
            prop_assert_eq!(numbers(&database, &sql, "node"), expected.clone(), "{}", sql);
            let sql = format!("SELECT count(*) AS n FROM call WHERE {condition}");
            prop_assert_eq!(numbers(&database, &sql, "n"), vec![expected.len() as i64], "{}", sql);
            let sql = format!("SELECT node FROM call WHERE {condition} LIMIT {most}");
            let some = numbers(&database, &sql, "node");
            prop_assert_eq!(some.len(), expected.len().min(most), "{}", sql);
            prop_assert!(some.iter().all(|node| expected.contains(node)), "{}", sql);
            // A row of each call that returned, whatever else is asked of it.
            let sql = format!(
                "SELECT call.node FROM result JOIN call USING (run, node) WHERE {} ORDER BY 1",
                condition.qualified("call")
            );
            let returned = Condition::Text("outcome", "=", "returned".to_owned());
            let both = Condition::And(Box::new(condition.clone()), Box::new(returned));
            prop_assert_eq!(numbers(&database, &sql, "node"), found_by_walk(&calls, &both), "{}", sql);
        }
        grouped(&database, &calls, &conditions[0]);
        counted(&database, &calls, &conditions[1]);
        counted(&database, &calls, &of_method);
    }

    #[test]
    fn every_write_is_a_row(deeds in proptest::collection::vec((0..2usize, deed()), 1..120)) {
        let deeds: Vec<_> = std::iter::once((0, Deed::Enter(3, 1))).chain(deeds).collect();
        let mut open = [0; 2];
        let mut expected: Vec<(i64, i64)> = Vec::new();
        for &(thread, deed) in &deeds {
            match deed {
                Deed::Enter(..) => open[thread] += 1,
                _ if open[thread] == 0 => {}
                Deed::Exit(_) | Deed::Throw => open[thread] -= 1,
                Deed::Write(value) => expected.push((thread as i64, value.into())),
            }
        }
        expected.sort_by_key(|(thread, _)| *thread);
        let folder = sketched(&deeds);
        let database = database(folder.path());
        let found = rows(&database, "SELECT thread, new FROM write ORDER BY thread, time").unwrap();
        let found = found.iter().map(|row| {
            (row["thread"].as_i64().unwrap(), row["new"].as_str().unwrap().parse().unwrap())
        });
        prop_assert_eq!(found.collect::<Vec<(i64, i64)>>(), expected);
    }
}
