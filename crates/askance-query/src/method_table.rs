//! What is the same for all calls of a method, once for each: looked up by the method's number for a whole batch of
//! calls, and filtered before any call is looked at.

use std::sync::{Arc, OnceLock};

use datafusion::arrow::array::{
    Array as _, ArrayRef, Int64Array, RecordBatch, StringViewArray, StringViewBuilder, UInt32Array,
};
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::error::Result;
use java_model::run::JavaRun;
use java_names::names;
use trace_format::MethodId;

/// Columns whose value is decided by the method.
pub(crate) const COLUMNS: [&str; 3] = ["class", "method", "line"];

/// Rows by the numbers of methods; where there is no method with a number, everything is null.
#[derive(Debug)]
pub(crate) struct MethodTable {
    class: ArrayRef,
    method: ArrayRef,
    line: OnceLock<ArrayRef>,
}

impl MethodTable {
    pub(crate) fn of(run: &JavaRun) -> Self {
        let end = run.methods().map(|method| method.0 + 1).max().unwrap_or(0);
        let mut is_there = vec![false; end as usize];
        run.methods()
            .for_each(|method| is_there[method.0 as usize] = true);
        let mut class = StringViewBuilder::new();
        let mut method = StringViewBuilder::new();
        for (number, is_there) in (0..).zip(is_there) {
            if is_there {
                let of_method = run.method_names(MethodId(number));
                class.append_value(names::class(of_method.class));
                method.append_value(of_method.name);
            } else {
                class.append_null();
                method.append_null();
            }
        }
        MethodTable {
            class: Arc::new(class.finish()),
            method: Arc::new(method.finish()),
            line: OnceLock::new(),
        }
    }

    fn line(&self, run: &JavaRun) -> &ArrayRef {
        self.line.get_or_init(|| {
            let first = |number: u32| run.code(MethodId(number)).lines.first().copied();
            let count = u32::try_from(self.class.len()).unwrap_or(u32::MAX);
            let lines = (0..count).map(|number| match self.class.is_null(number as usize) {
                true => None,
                false => first(number).map(i64::from),
            });
            Arc::new(lines.collect::<Int64Array>())
        })
    }

    /// A column, with a row for each method.
    fn column(&self, run: &JavaRun, name: &str) -> Option<&ArrayRef> {
        match name {
            "class" => Some(&self.class),
            "method" => Some(&self.method),
            "line" => Some(self.line(run)),
            _ => None,
        }
    }

    /// A column with a row for each call, whose methods these are.
    pub(crate) fn of_calls(
        &self,
        run: &JavaRun,
        name: &str,
        methods: &UInt32Array,
    ) -> Option<Result<ArrayRef>> {
        let column = self.column(run, name)?;
        // In a damaged trace calls may be of methods that nobody declared.
        let is_known = |method: u32| (method as usize) < column.len();
        let taken = match methods.values().iter().all(|&method| is_known(method)) {
            true => take(column, methods, None),
            false => {
                let known = methods
                    .values()
                    .iter()
                    .map(|&it| Some(it).filter(|&it| is_known(it)));
                take(column, &known.collect::<UInt32Array>(), None)
            }
        };
        Some(taken.map_err(Into::into))
    }

    pub(crate) fn class(&self, method: MethodId) -> Option<&str> {
        name_at(&self.class, method)
    }

    pub(crate) fn method(&self, method: MethodId) -> Option<&str> {
        name_at(&self.method, method)
    }

    /// All methods as rows, so that what is said of methods alone can be decided before calls are looked at.
    pub(crate) fn batch(&self, run: &JavaRun) -> Result<RecordBatch> {
        let fields = COLUMNS.map(|name| {
            let kind = match name {
                "line" => DataType::Int64,
                _ => DataType::Utf8View,
            };
            Field::new(name, kind, true)
        });
        let columns = vec![
            Arc::clone(&self.class),
            Arc::clone(&self.method),
            Arc::clone(self.line(run)),
        ];
        let schema = Arc::new(Schema::new(fields.to_vec()));
        Ok(RecordBatch::try_new(schema, columns)?)
    }
}

fn name_at(names: &ArrayRef, method: MethodId) -> Option<&str> {
    let names = names.as_any().downcast_ref::<StringViewArray>()?;
    let at = usize::try_from(method.0).ok()?;
    (at < names.len() && names.is_valid(at)).then(|| names.value(at))
}
