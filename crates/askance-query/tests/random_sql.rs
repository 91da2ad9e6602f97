//! Random statements over our tables: whatever is asked, there are rows or a sentence, and nothing breaks off.
//!
//! `ASKANCE_STATEMENTS=100000 ASKANCE_SEED=7 cargo test -p askance-query random_sql` makes others, and more of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use askance_query::column::ColumnKind;
use askance_query::database::{Database, USUAL_MEMORY};
use askance_query::tables::{TABLES, Table};
use askance_query::views::VIEWS;
use futures::StreamExt as _;
use futures::future::ready;

/// Numbers that are the same for the same seed.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// In one of so many cases.
    fn one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    fn of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

/// What an expression gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Text,
    Truth,
}

const KINDS: [Kind; 3] = [Kind::Number, Kind::Text, Kind::Truth];
const NUMBERS: [&str; 10] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "0.5",
    "1e300",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
];
const TEXTS: [&str; 8] = [
    "'Till'",
    "'sum'",
    "''",
    "'%'",
    "'a_b'",
    "'é€'",
    "'['",
    "'this.name'",
];
const OF_NUMBERS: [&str; 8] = [
    "abs",
    "sqrt",
    "ln",
    "round",
    "factorial",
    "signum",
    "floor",
    "cot",
];
const OF_TEXTS: [&str; 6] = ["upper", "lower", "reverse", "trim", "initcap", "md5"];
const AGGREGATES: [&str; 8] = [
    "count",
    "sum",
    "min",
    "max",
    "avg",
    "stddev",
    "median",
    "approx_distinct",
];
const TYPES: [&str; 6] = ["INT", "BIGINT", "DOUBLE", "VARCHAR", "BOOLEAN", "SMALLINT"];

/// Makes statements of which most are sound and some are not.
struct Writer {
    chance: Chance,
    /// The columns that can be named where the statement is being written.
    columns: Vec<(String, Kind)>,
    aliases: usize,
}

impl Writer {
    fn statement(&mut self) -> String {
        self.columns.clear();
        match self.chance.below(12) {
            0 => format!("EXPLAIN {}", self.query(2)),
            1 => {
                let operator = self
                    .chance
                    .of(&["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]);
                let column = self.chance.of(&["node", "run", "class", "method"]);
                let condition = format!("{column} IS NOT NULL");
                format!(
                    "SELECT {column} FROM call {operator} SELECT {column} FROM argument WHERE {condition}"
                )
            }
            2 => {
                let inner = self.query(1);
                format!("WITH named AS ({inner}) SELECT count(*) FROM named")
            }
            _ => self.query(2),
        }
    }

    fn query(&mut self, depth: usize) -> String {
        let outer = std::mem::take(&mut self.columns);
        let from = self.from(depth);
        let is_grouped = self.chance.one_in(3);
        let groups: Vec<String> = match is_grouped {
            true => (0..1 + self.chance.below(2))
                .map(|_| self.any_column())
                .collect(),
            false => Vec::new(),
        };
        let mut chosen = groups.clone();
        for _ in 0..1 + self.chance.below(3) {
            chosen.push(match is_grouped {
                true => self.aggregate(),
                false => self.chosen(depth),
            });
        }
        let names = chosen
            .iter()
            .enumerate()
            .map(|(at, it)| format!("{it} AS c{at}"));
        let names: Vec<String> = names.collect();
        let distinct = if self.chance.one_in(8) {
            "DISTINCT "
        } else {
            ""
        };
        let mut text = format!("SELECT {distinct}{} FROM {from}", names.join(", "));
        if self.chance.one_in(2) {
            text += &format!(" WHERE {}", self.expression(Kind::Truth, depth + 1));
        }
        if is_grouped {
            text += &format!(" GROUP BY {}", groups.join(", "));
            if self.chance.one_in(3) {
                text += &format!(" HAVING count(*) > {}", self.literal(Kind::Number));
            }
        }
        if self.chance.one_in(3) {
            text += &format!(" ORDER BY {}", 1 + self.chance.below(chosen.len()));
            text += self.chance.of(&["", " DESC", " NULLS FIRST"]);
        }
        if self.chance.one_in(2) {
            text += &format!(" LIMIT {}", self.chance.below(20));
            if self.chance.one_in(4) {
                text += &format!(" OFFSET {}", self.chance.below(5));
            }
        }
        self.columns = outer;
        text
    }

    fn from(&mut self, depth: usize) -> String {
        let mut text = self.source(depth);
        if depth > 0 && self.chance.one_in(3) {
            let kind = self
                .chance
                .of(&["JOIN", "LEFT JOIN", "FULL JOIN", "RIGHT JOIN"]);
            let joined = self.source(depth - 1);
            let of = KINDS[self.chance.below(2)];
            let mut condition = format!("{} = {}", self.column(of), self.column(of));
            if self.chance.one_in(3) {
                condition += &format!(" AND {}", self.expression(Kind::Truth, 1));
            }
            text += &format!(" {kind} {joined} ON {condition}");
        }
        text
    }

    /// A table, a view, a function or a query, under a name of its own.
    fn source(&mut self, depth: usize) -> String {
        self.aliases += 1;
        let alias = format!("t{}", self.aliases);
        if depth > 0 && self.chance.one_in(8) {
            let inner = self.query(depth - 1);
            self.columns.push((format!("{alias}.c0"), Kind::Number));
            return format!("({inner}) AS {alias}");
        }
        if self.chance.one_in(10) {
            let view = &VIEWS[self.chance.below(VIEWS.len())];
            self.columns.push((format!("{alias}.run"), Kind::Number));
            return format!("{} AS {alias}", view.name);
        }
        let is_below = self.chance.one_in(12);
        let table = match is_below {
            true => Table::named("call").unwrap(),
            false => &TABLES[self.chance.below(TABLES.len())],
        };
        let columns = table.columns.iter().map(|column| {
            let kind = match column.kind {
                ColumnKind::Integer | ColumnKind::Number => Kind::Number,
                ColumnKind::Text => Kind::Text,
                ColumnKind::Truth => Kind::Truth,
            };
            (format!("{alias}.\"{}\"", column.name), kind)
        });
        self.columns.extend(columns);
        match is_below {
            true => format!("below({}) AS {alias}", self.chance.below(8)),
            false => format!("\"{}\" AS {alias}", table.name),
        }
    }

    fn chosen(&mut self, depth: usize) -> String {
        match self.chance.below(8) {
            0 => {
                let (aggregate, by) = (self.aggregate(), self.any_column());
                format!(
                    "{aggregate} OVER (PARTITION BY {by} ORDER BY {})",
                    self.any_column()
                )
            }
            1 => format!("row_number() OVER (ORDER BY {})", self.any_column()),
            _ => {
                let kind = KINDS[self.chance.below(3)];
                self.expression(kind, depth)
            }
        }
    }

    fn aggregate(&mut self) -> String {
        if self.chance.one_in(3) {
            return "count(*)".to_owned();
        }
        let function = self.chance.of(&AGGREGATES);
        let distinct = if self.chance.one_in(8) {
            "DISTINCT "
        } else {
            ""
        };
        format!("{function}({distinct}{})", self.column(Kind::Number))
    }

    fn any_column(&mut self) -> String {
        let kind = KINDS[self.chance.below(3)];
        self.column(kind)
    }

    /// A column that holds this, or a literal where there is none.
    fn column(&mut self, kind: Kind) -> String {
        if self.chance.one_in(100) {
            return "nowhere".to_owned();
        }
        let of_kind = self.columns.iter().filter(|column| column.1 == kind);
        let of_kind: Vec<String> = of_kind.map(|column| column.0.clone()).collect();
        match of_kind.is_empty() {
            true => self.literal(kind),
            false => of_kind[self.chance.below(of_kind.len())].clone(),
        }
    }

    fn literal(&mut self, kind: Kind) -> String {
        if self.chance.one_in(10) {
            return "NULL".to_owned();
        }
        match kind {
            Kind::Number => self.chance.of(&NUMBERS),
            Kind::Text => self.chance.of(&TEXTS),
            Kind::Truth => self.chance.of(&["true", "false"]),
        }
        .to_owned()
    }

    fn expression(&mut self, kind: Kind, depth: usize) -> String {
        // Some say something else than they should.
        let kind = match self.chance.one_in(60) {
            true => KINDS[self.chance.below(3)],
            false => kind,
        };
        if depth == 0 || self.chance.one_in(4) {
            return match self.chance.one_in(3) {
                true => self.literal(kind),
                false => self.column(kind),
            };
        }
        let inner = depth - 1;
        match self.chance.below(8) {
            0 => {
                let when = self.expression(Kind::Truth, inner);
                let (then, other) = (self.expression(kind, inner), self.expression(kind, 0));
                format!("CASE WHEN {when} THEN {then} ELSE {other} END")
            }
            1 => format!(
                "coalesce({}, {})",
                self.expression(kind, inner),
                self.literal(kind)
            ),
            2 => {
                let of = self.chance.of(&TYPES);
                format!("CAST({} AS {of})", self.expression(kind, inner))
            }
            _ => match kind {
                Kind::Number => self.number(inner),
                Kind::Text => self.text(inner),
                Kind::Truth => self.truth(inner),
            },
        }
    }

    fn number(&mut self, depth: usize) -> String {
        match self.chance.below(5) {
            0 => format!("length({})", self.expression(Kind::Text, depth)),
            1 => {
                let function = self.chance.of(&OF_NUMBERS);
                format!("{function}({})", self.expression(Kind::Number, depth))
            }
            2 => format!("-({})", self.expression(Kind::Number, depth)),
            _ => {
                let operator = self.chance.of(&["+", "-", "*", "/", "%"]);
                let (one, other) = (
                    self.expression(Kind::Number, depth),
                    self.expression(Kind::Number, depth),
                );
                format!("({one} {operator} {other})")
            }
        }
    }

    fn text(&mut self, depth: usize) -> String {
        match self.chance.below(7) {
            0 => format!(
                "at({}, {})",
                self.column(Kind::Number),
                self.literal(Kind::Text)
            ),
            1 => format!(
                "state({}, {})",
                self.column(Kind::Number),
                self.column(Kind::Number)
            ),
            2 => {
                let (start, count) = (self.literal(Kind::Number), self.literal(Kind::Number));
                format!(
                    "substr({}, {start}, {count})",
                    self.expression(Kind::Text, depth)
                )
            }
            3 => {
                let (pattern, by) = (self.literal(Kind::Text), self.literal(Kind::Text));
                format!(
                    "regexp_replace({}, {pattern}, {by})",
                    self.expression(Kind::Text, depth)
                )
            }
            4 => {
                let (one, other) = (
                    self.expression(Kind::Text, depth),
                    self.expression(Kind::Text, depth),
                );
                format!("({one} || {other})")
            }
            _ => {
                let function = self.chance.of(&OF_TEXTS);
                format!("{function}({})", self.expression(Kind::Text, depth))
            }
        }
    }

    fn truth(&mut self, depth: usize) -> String {
        let of = KINDS[self.chance.below(3)];
        match self.chance.below(9) {
            0 => format!("NOT ({})", self.expression(Kind::Truth, depth)),
            1 => format!("{} IS NULL", self.expression(of, depth)),
            2 => format!(
                "{} IN ({}, {})",
                self.column(of),
                self.literal(of),
                self.literal(of)
            ),
            3 => format!(
                "{} BETWEEN {} AND {}",
                self.column(of),
                self.literal(of),
                self.literal(of)
            ),
            4 => {
                let operator = self.chance.of(&["LIKE", "ILIKE", "~", "!~"]);
                format!(
                    "{} {operator} {}",
                    self.column(Kind::Text),
                    self.literal(Kind::Text)
                )
            }
            5 if depth > 1 => format!("{} IN (SELECT node FROM call)", self.column(Kind::Number)),
            6 => {
                let operator = self.chance.of(&["AND", "OR"]);
                let (one, other) = (
                    self.expression(Kind::Truth, depth),
                    self.expression(Kind::Truth, depth),
                );
                format!("({one} {operator} {other})")
            }
            _ => {
                let operators = ["=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM"];
                let operator = self.chance.of(&operators);
                let (one, other) = (self.expression(of, depth), self.expression(of, depth));
                format!("({one} {operator} {other})")
            }
        }
    }
}

/// Asks, and reads no more rows than somebody would look at.
async fn ask(database: &Database, sql: &str) -> bool {
    const MOST_BATCHES: usize = 4;
    let Ok(answer) = database.answer(sql).await else {
        return false;
    };
    answer
        .take(MOST_BATCHES)
        .all(|batch| ready(batch.is_ok()))
        .await
}

fn number(name: &str, usual: u64) -> u64 {
    let said = std::env::var(name).ok();
    said.map_or(usual, |said| said.parse().unwrap())
}

#[test]
fn random_statements_give_rows_or_a_sentence() {
    let till = java_model::sketches::till();
    let database = Database::of(vec![Arc::new(till.run)], USUAL_MEMORY).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    let mut writer = Writer {
        chance: Chance(number("ASKANCE_SEED", 1)),
        columns: Vec::new(),
        aliases: 0,
    };
    // What breaks off on a thread of the engine's own is told as an error, and is a mistake all the same.
    let broken = Arc::new(AtomicBool::new(false));
    let noted = Arc::clone(&broken);
    let usual_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        noted.store(true, Ordering::SeqCst);
        usual_hook(panic);
    }));
    let count = number("ASKANCE_STATEMENTS", 100);
    let mut answered = 0;
    for _ in 0..count {
        let sql = writer.statement();
        let asked = catch_unwind(AssertUnwindSafe(|| runtime.block_on(ask(&database, &sql))));
        assert!(
            !broken.load(Ordering::SeqCst),
            "this statement broke off: {sql}"
        );
        answered += u64::from(asked.is_ok_and(|is_answered| is_answered));
    }
    // Statements that are all refused would try nothing.
    assert!(answered * 2 > count, "{answered} of {count} were answered");
    eprintln!("{answered} of {count} statements were answered, the others refused");
}
