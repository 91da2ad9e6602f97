//! The calls in which a query finds something: what a session goes by that is told what should never be found.

use std::collections::BTreeSet;

use datafusion::arrow::array::{Array as _, AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Int64Type, Schema};
use futures::StreamExt as _;
use serde_json::json;

use crate::database::Database;
use crate::explanation::explained;
use crate::failure::QueryFailure;

/// See the module's header.
#[derive(Debug, Default)]
pub(crate) struct FoundCalls {
    nodes: BTreeSet<i64>,
    rows: u64,
    /// When the earliest row was found, and its call, if the rows have a time.
    earliest: Option<(i64, i64)>,
}

impl FoundCalls {
    /// Asks, and fails where more calls are found than are wanted.
    pub(crate) async fn of(
        database: &Database,
        sql: &str,
        most: usize,
    ) -> Result<FoundCalls, QueryFailure> {
        let mut answer = database.answer(sql).await?;
        let schema = answer.schema();
        let Some(node) = integers(&schema, "node") else {
            return Err(
                QueryFailure::new("the rows say of no call: they have no column node")
                    .hint("select it: SELECT node FROM write WHERE new_number < 0"),
            );
        };
        let time = integers(&schema, "time");
        let mut found = FoundCalls::default();
        while let Some(batch) = answer.next().await {
            found.add(&batch.map_err(|error| explained(&error))?, node, time);
            if found.nodes.len() > most {
                return Err(QueryFailure::new(format!(
                    "the query finds something in more than {most} calls"
                ))
                .hint("ask for what should never be found"));
            }
        }
        Ok(found)
    }

    fn add(&mut self, batch: &RecordBatch, node: usize, time: Option<usize>) {
        let nodes = batch.column(node).as_primitive::<Int64Type>();
        let times = time.map(|at| batch.column(at).as_primitive::<Int64Type>());
        for row in (0..batch.num_rows()).filter(|&row| nodes.is_valid(row)) {
            let node = nodes.value(row);
            self.nodes.insert(node);
            self.rows += 1;
            if let Some(times) = times.filter(|times| times.is_valid(row)) {
                let this = (times.value(row), node);
                self.earliest = Some(self.earliest.map_or(this, |earliest| earliest.min(this)));
            }
        }
    }

    pub(crate) fn json(&self) -> String {
        let earliest = self.earliest.map(|(_, node)| node);
        json!({"rows": self.rows, "nodes": self.nodes, "earliest": earliest}).to_string()
    }
}

fn integers(schema: &Schema, name: &str) -> Option<usize> {
    let (at, field) = schema.column_with_name(name)?;
    (field.data_type() == &DataType::Int64).then_some(at)
}
