//! What the filters of a query leave of a run, as far as that can be told before a call is looked at.
//!
//! A selection never leaves out what a filter would keep; what it keeps is filtered again. So a filter that is not
//! understood here costs time and nothing else.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use datafusion::arrow::array::{Array as _, AsArray as _, RecordBatch, StringViewArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::Session;
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::error::Result;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::expr_rewriter::unnormalize_col;
use datafusion::logical_expr::{Between, BinaryExpr, Expr, Operator};

use java_model::run::JavaRun;
use java_model::shown;
use trace_format::{FieldId, ObjectId};
use trace_store::IndexedWrites;

use crate::failure::unreadable;
use crate::method_table;
use crate::reader::TableReader;

/// Whole numbers, as spans that are sorted and do not touch, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spans(Vec<(i64, i64)>);

impl Spans {
    pub(crate) fn everything() -> Self {
        Spans(vec![(i64::MIN, i64::MAX)])
    }

    pub(crate) fn one(from: i64, until: i64) -> Self {
        Spans(
            (from <= until)
                .then_some((from, until))
                .into_iter()
                .collect(),
        )
    }

    fn points(points: impl IntoIterator<Item = i64>) -> Self {
        let sorted: BTreeSet<i64> = points.into_iter().collect();
        Spans(sorted.into_iter().map(|point| (point, point)).collect())
    }

    pub(crate) fn is_everything(&self) -> bool {
        self.0 == [(i64::MIN, i64::MAX)]
    }

    pub(crate) fn spans(&self) -> impl Iterator<Item = (i64, i64)> {
        self.0.iter().copied()
    }

    pub(crate) fn contains(&self, number: i64) -> bool {
        self.between(number, number).next().is_some()
    }

    /// The parts of the spans between two numbers, both included.
    pub(crate) fn between(&self, from: i64, until: i64) -> impl Iterator<Item = (i64, i64)> {
        let first = self.0.partition_point(|span| span.1 < from);
        self.0[first..]
            .iter()
            .take_while(move |span| span.0 <= until)
            .map(move |span| (span.0.max(from), span.1.min(until)))
    }

    fn union(&self, other: &Spans) -> Spans {
        let mut all: Vec<(i64, i64)> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        let mut joined: Vec<(i64, i64)> = Vec::with_capacity(all.len());
        for span in all {
            match joined.last_mut() {
                Some(last) if span.0 <= last.1.saturating_add(1) => last.1 = last.1.max(span.1),
                _ => joined.push(span),
            }
        }
        Spans(joined)
    }

    fn intersect(&self, other: &Spans) -> Spans {
        let common = self.0.iter();
        Spans(
            common
                .flat_map(|span| other.between(span.0, span.1))
                .collect(),
        )
    }
}

/// What is left of a run.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) runs: Spans,
    pub(crate) nodes: Spans,
    pub(crate) threads: Spans,
    /// The times at which calls begin.
    pub(crate) begins: Spans,
    /// Of writes: the numbers of the objects that were written.
    objects: Spans,
    /// Conditions on what is the same for all calls of a method.
    of_methods: Vec<Expr>,
    /// Conditions on the names of fields.
    of_fields: Vec<Expr>,
}

impl Selection {
    pub(crate) fn everything() -> Self {
        Selection {
            runs: Spans::everything(),
            nodes: Spans::everything(),
            threads: Spans::everything(),
            begins: Spans::everything(),
            objects: Spans::everything(),
            of_methods: Vec::new(),
            of_fields: Vec::new(),
        }
    }

    /// Only the calls of these nodes.
    pub(crate) fn of_nodes(nodes: Spans) -> Self {
        Selection {
            nodes,
            ..Selection::everything()
        }
    }

    /// Whether anything is learnt from a filter.
    pub(crate) fn understands(filter: &Expr) -> bool {
        is_of(filter, &method_table::COLUMNS)
            || is_of(filter, &[FIELD])
            || Condition::of(filter).is_some()
    }

    pub(crate) fn add(&mut self, filter: &Expr) {
        if is_of(filter, &method_table::COLUMNS) {
            self.of_methods.push(unnormalize_col(filter.clone()));
            return;
        }
        if is_of(filter, &[FIELD]) {
            self.of_fields.push(unnormalize_col(filter.clone()));
            return;
        }
        let Some(Condition { column, values }) = Condition::of(filter) else {
            return;
        };
        let of_column = match column {
            "run" => &mut self.runs,
            "node" => &mut self.nodes,
            "thread" => &mut self.threads,
            "begin" => &mut self.begins,
            "object" => &mut self.objects,
            // A call begins before whatever happens in it.
            "time" | "end" => {
                let until = values.spans().last().map_or(i64::MIN, |last| last.1);
                self.begins = self.begins.intersect(&Spans::one(i64::MIN, until));
                return;
            }
            _ => return,
        };
        *of_column = of_column.intersect(&values);
    }

    /// Whether something may be left of rows in which a column is nowhere less or more than this.
    pub(crate) fn may_want(&self, column: &str, least: i64, most: i64) -> bool {
        let left = match column {
            "node" => &self.nodes,
            "thread" => &self.threads,
            "begin" => &self.begins,
            "object" => &self.objects,
            _ => return true,
        };
        left.between(least, most).next().is_some()
    }

    /// Which methods' calls are left, by the methods' numbers; `None`: those of all.
    pub(crate) fn methods(
        &self,
        state: &dyn Session,
        reader: &TableReader,
    ) -> Result<Option<Vec<bool>>> {
        if self.of_methods.is_empty() {
            return Ok(None);
        }
        let batch = reader.methods().batch(&reader.run)?;
        holding(&self.of_methods, state, &batch).map(Some)
    }

    /// The walks through the index that find all writes which are left; `None` if the index does not know which.
    pub(crate) fn writes(
        &self,
        state: &dyn Session,
        reader: &TableReader,
    ) -> Result<Option<Vec<IndexedWrites>>> {
        let fields = self.fields(state, &reader.run)?;
        if fields.is_none() && self.objects.is_everything() {
            return Ok(None);
        }
        if fields.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Some(Vec::new()));
        }
        let objects = match self.objects.is_everything() {
            true => vec![ObjectId::NULL..=ObjectId(u32::MAX)],
            false => self.object_ids(&reader.run)?,
        };
        let walks = objects.into_iter().map(|objects| {
            let all = IndexedWrites::of_objects(objects);
            match &fields {
                Some(fields) => all.of_fields(fields.iter().copied()),
                None => all,
            }
        });
        Ok(Some(walks.collect()))
    }

    /// The fields that are left; `None` if elements of arrays, which have no field, are left as well.
    fn fields(&self, state: &dyn Session, run: &JavaRun) -> Result<Option<Vec<FieldId>>> {
        if self.of_fields.is_empty() {
            return Ok(None);
        }
        let fields: Vec<FieldId> = run.trace().symbols().fields().map(|it| it.field).collect();
        let names = fields
            .iter()
            .map(|&field| Some(shown::field_name(run, field)));
        let names: StringViewArray = names.chain([None]).collect();
        let schema = Schema::new(vec![Field::new(FIELD, DataType::Utf8View, true)]);
        let batch = RecordBatch::try_new(Arc::new(schema), vec![Arc::new(names)])?;
        let mut left = holding(&self.of_fields, state, &batch)?;
        if left.pop() == Some(true) {
            return Ok(None);
        }
        let left = fields.into_iter().zip(left);
        Ok(Some(
            left.filter_map(|(field, is_left)| is_left.then_some(field))
                .collect(),
        ))
    }

    /// The objects that are left, in the order of their ids.
    fn object_ids(&self, run: &JavaRun) -> Result<Vec<RangeInclusive<ObjectId>>> {
        let ranked = |number: i64| {
            let rank = u64::try_from(number).unwrap_or(0).saturating_sub(1);
            run.trace().object_ranked(rank).map_err(unreadable)
        };
        let mut ids = Spans(Vec::new());
        for (from, until) in self.objects.spans() {
            // An object that a damaged trace does not describe has its id for a number.
            ids = ids.union(&Spans::one(from.max(1), until));
            if let Some(first) = ranked(from)?.filter(|_| until > 0) {
                let last = ranked(until)?.map_or(i64::MAX, |last| last.0.into());
                ids = ids.union(&Spans::one(first.0.into(), last));
            }
        }
        let all = ids.between(1, u32::MAX.into());
        let id = |number: i64| ObjectId(u32::try_from(number).unwrap_or(u32::MAX));
        Ok(all.map(|(from, until)| id(from)..=id(until)).collect())
    }
}

/// In which rows all of the conditions hold.
fn holding(conditions: &[Expr], state: &dyn Session, batch: &RecordBatch) -> Result<Vec<bool>> {
    let schema = DFSchema::try_from(batch.schema())?;
    let mut left = vec![true; batch.num_rows()];
    for condition in conditions {
        let condition = state.create_physical_expr(condition.clone(), &schema)?;
        let holds = condition.evaluate(batch)?.into_array(batch.num_rows())?;
        let Some(holds) = holds.as_boolean_opt() else {
            continue;
        };
        for (at, left) in left.iter_mut().enumerate() {
            *left &= holds.is_valid(at) && holds.value(at);
        }
    }
    Ok(left)
}

/// The column that names the field which was written.
const FIELD: &str = "field";

/// Whether a filter looks at nothing but these columns.
fn is_of(filter: &Expr, wanted: &[&str]) -> bool {
    let columns = filter.column_refs();
    !columns.is_empty()
        && columns.iter().all(|column| wanted.contains(&&*column.name))
        && !filter.is_volatile()
}

/// A column with the values that a filter leaves of it.
struct Condition {
    column: &'static str,
    values: Spans,
}

/// The columns whose values narrow a scan.
const NARROWING: [&str; 7] = ["run", "node", "thread", "begin", "time", "end", "object"];

impl Condition {
    fn of(filter: &Expr) -> Option<Condition> {
        match filter {
            // The planner makes this of short lists.
            Expr::BinaryExpr(BinaryExpr {
                left,
                op: Operator::Or,
                right,
            }) => {
                let (one, other) = (Self::of(left)?, Self::of(right)?);
                (one.column == other.column).then(|| Condition {
                    column: one.column,
                    values: one.values.union(&other.values),
                })
            }
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
                if let (Some(column), Some(number)) = (column(left), number(right)) {
                    return Self::compared(column, *op, number);
                }
                let (column, number) = (column(right)?, number(left)?);
                Self::compared(column, op.swap()?, number)
            }
            Expr::Between(Between {
                expr,
                negated: false,
                low,
                high,
            }) => Some(Condition {
                column: column(expr)?,
                values: Spans::one(number(low)?, number(high)?),
            }),
            Expr::InList(InList {
                expr,
                list,
                negated: false,
            }) => {
                let numbers: Option<Vec<i64>> = list.iter().map(number).collect();
                Some(Condition {
                    column: column(expr)?,
                    values: Spans::points(numbers?),
                })
            }
            _ => None,
        }
    }

    fn compared(column: &'static str, operator: Operator, number: i64) -> Option<Condition> {
        let values = match operator {
            Operator::Eq => Spans::one(number, number),
            Operator::Lt => match number.checked_sub(1) {
                Some(last) => Spans::one(i64::MIN, last),
                None => Spans(Vec::new()),
            },
            Operator::LtEq => Spans::one(i64::MIN, number),
            Operator::Gt => match number.checked_add(1) {
                Some(first) => Spans::one(first, i64::MAX),
                None => Spans(Vec::new()),
            },
            Operator::GtEq => Spans::one(number, i64::MAX),
            _ => return None,
        };
        Some(Condition { column, values })
    }
}

fn column(expression: &Expr) -> Option<&'static str> {
    let Expr::Column(column) = expression else {
        return None;
    };
    NARROWING.into_iter().find(|name| *name == column.name)
}

fn number(expression: &Expr) -> Option<i64> {
    match expression {
        Expr::Literal(ScalarValue::Int64(number), _) => *number,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans() -> impl Strategy<Value = Spans> {
        prop_oneof![
            proptest::collection::vec(-20i64..20, 0..8).prop_map(Spans::points),
            (-20i64..20, -20i64..20).prop_map(|(from, until)| Spans::one(from, until)),
            Just(Spans::everything()),
        ]
    }

    proptest! {
        #[test]
        fn spans_are_put_together_as_sets_are(one in spans(), other in spans(), number in -25i64..25) {
            let both = one.intersect(&other);
            prop_assert_eq!(both.contains(number), one.contains(number) && other.contains(number));
            let either = one.union(&other);
            prop_assert_eq!(either.contains(number), one.contains(number) || other.contains(number));
        }
    }
}
