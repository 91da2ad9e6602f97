//! SQL over the run, answered by the executable beside this one: which calls, which values, how often.

use std::fmt;
use std::time::Duration;

use launch::companion::{self, CompanionError};
use schemars::JsonSchema;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;

/// Whoever reads rows one by one reads no more.
const MOST_ROWS: usize = 1000;
/// Whoever waits before a page does not wait longer.
const LONGEST: Duration = Duration::from_secs(60);

#[derive(Debug, Deserialize, JsonSchema)]
pub struct QueryRequest {
    pub sql: String,
    #[serde(default = "usual")]
    pub most: usize,
}

fn usual() -> usize {
    50
}

/// The rows that a query found.
#[derive(Debug, Serialize, JsonSchema)]
pub struct QueryAnswer {
    /// Their names; none if there is no row.
    pub columns: Vec<String>,
    /// Numbers, texts, booleans and nulls, as the columns have them.
    pub rows: Vec<Vec<Value>>,
    /// Whether there are more.
    pub more: bool,
}

impl QueryAnswer {
    /// A line for each row, the columns' names above them.
    #[must_use]
    pub fn text(&self) -> String {
        if self.rows.is_empty() {
            return "nothing was found".to_owned();
        }
        let cell = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let rows = self.rows.iter();
        let rows = rows.map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" | "));
        let head = self.columns.join(" | ");
        let more = self.more.then(|| "… and more".to_owned());
        let lines: Vec<String> = std::iter::once(head).chain(rows).chain(more).collect();
        lines.join("\n")
    }
}

/// A row as it is written, its columns in their order.
struct Row(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Row, D::Error> {
        struct Columns;
        impl<'de> Visitor<'de> for Columns {
            type Value = Row;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a row")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut columns: A) -> Result<Row, A::Error> {
                let mut row = Vec::new();
                while let Some(column) = columns.next_entry()? {
                    row.push(column);
                }
                Ok(Row(row))
            }
        }
        deserializer.deserialize_map(Columns)
    }
}

/// Asks the run.
///
/// # Errors
/// If the query is wrong, or nothing can answer it.
pub fn query(run: &RunSnapshot, wanted: &QueryRequest) -> Result<QueryAnswer, ApiError> {
    query_until(run, wanted, &|| false)
}

/// Asks the run, for as long as somebody waits for the answer.
///
/// # Errors
/// If the query is wrong, nothing can answer it, or nobody waits any more.
pub fn query_until(
    run: &RunSnapshot,
    wanted: &QueryRequest,
    should_stop: &dyn Fn() -> bool,
) -> Result<QueryAnswer, ApiError> {
    let java = run.java()?;
    let most = wanted.most.clamp(1, MOST_ROWS);
    let answer = companion::ask(&companion::Query {
        trace: java.folder(),
        jvm: java.trace().meta().pid,
        sql: &wanted.sql,
        most_rows: most + 1,
        time_limit: LONGEST,
        should_stop,
    })
    .map_err(|error| refusal(&error))?;
    let rows: Vec<Row> = serde_json::from_str(&answer)
        .map_err(|error| ApiError::mistake(format!("what was found cannot be read: {error}")))?;
    let columns = rows.first().map(|Row(row)| row.iter());
    let columns = columns.into_iter().flatten().map(|(name, _)| name.clone());
    Ok(QueryAnswer {
        columns: columns.collect(),
        more: rows.len() > most,
        rows: rows
            .into_iter()
            .take(most)
            .map(|Row(row)| row.into_iter().map(|(_, value)| value).collect())
            .collect(),
    })
}

/// The tables and views that a query can name.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct QueryCatalogue {
    tables: Vec<QueryTable>,
    views: Vec<QueryView>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct QueryTable {
    name: String,
    /// What a row is.
    about: String,
    columns: Vec<QueryColumn>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct QueryColumn {
    name: String,
    /// As SQL calls its type.
    kind: String,
    about: String,
}

/// A query that comes with Askance.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct QueryView {
    name: String,
    /// What it shows.
    about: String,
}

/// What can be asked.
///
/// # Errors
/// If nothing can answer queries, or the run is an imported tree, of which nothing else is known.
pub fn catalogue(run: &RunSnapshot) -> Result<QueryCatalogue, ApiError> {
    run.java()?;
    let answer = companion::catalogue().map_err(|error| refusal(&error))?;
    serde_json::from_str(&answer)
        .map_err(|error| ApiError::ours(format!("what can be asked cannot be read: {error}")))
}

fn refusal(error: &CompanionError) -> ApiError {
    let mut refusal = ApiError::mistake(error.to_string());
    refusal.hint = Some(error.hint().to_owned());
    refusal
}
