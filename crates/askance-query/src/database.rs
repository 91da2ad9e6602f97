//! The runs that are asked about as one database.

use std::path::PathBuf;
use std::sync::Arc;

use datafusion::common::SchemaError;
use datafusion::error::{DataFusionError, Result as PlanResult};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{DataFrame, SQLOptions, SessionConfig, SessionContext};
use java_model::run::JavaRun;

use crate::counted::CountByMethod;
use crate::failure::QueryFailure;
use crate::functions;
use crate::provider::TraceTable;
use crate::reader::TableReader;
use crate::statement;
use crate::tables::TABLES;
use crate::views;

const CATALOG: &str = "askance";
const SCHEMA: &str = "trace";

/// Memory that a query may use beside what is mapped, unless something else is said.
pub const USUAL_MEMORY: usize = 256 << 20;

/// See the module's header.
pub struct Database {
    context: SessionContext,
    readers: Arc<[Arc<TableReader>]>,
}

impl Database {
    /// Opens traces. `progress` hears bytes done and in all while a trace is indexed.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn open(
        traces: &[PathBuf],
        jvm: Option<u32>,
        memory: usize,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Database, QueryFailure> {
        let mut runs = Vec::new();
        for trace in traces {
            runs.push(Arc::new(JavaRun::open(trace, jvm, progress)?));
        }
        Self::of(runs, memory)
    }

    /// A database of runs that are open, numbered from 1.
    ///
    /// # Errors
    /// If there is no place for what does not fit into memory.
    pub fn of(runs: Vec<Arc<JavaRun>>, memory: usize) -> Result<Database, QueryFailure> {
        let readers = runs.into_iter().zip(1..);
        let readers: Arc<[Arc<TableReader>]> = readers
            .map(|(run, number)| Arc::new(TableReader::new(run, number)))
            .collect();
        let context = context(&readers, memory).map_err(|error| explained(&error))?;
        Ok(Database { context, readers })
    }

    #[must_use]
    pub fn readers(&self) -> &[Arc<TableReader>] {
        &self.readers
    }

    /// Plans a question.
    ///
    /// # Errors
    /// If it is none, or names what is not there.
    pub async fn ask(&self, sql: &str) -> Result<DataFrame, QueryFailure> {
        let statement = statement::question(sql)?;
        let known = views::register_named(&self.context, sql).await;
        known.map_err(|error| explained(&error))?;
        let plan = self.context.state().statement_to_plan(statement).await;
        let plan = plan.map_err(|error| explained(&error))?;
        let nothing_else = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        nothing_else
            .verify_plan(&plan)
            .map_err(|error| explained(&error))?;
        let asked = self.context.execute_logical_plan(plan).await;
        asked.map_err(|error| explained(&error))
    }

    /// The answer to a question, batch by batch.
    ///
    /// # Errors
    /// If it cannot be asked.
    pub async fn answer(&self, sql: &str) -> Result<SendableRecordBatchStream, QueryFailure> {
        let asked = self.ask(sql).await?;
        let stream = asked.execute_stream().await;
        stream.map_err(|error| explained(&error))
    }
}

fn context(readers: &Arc<[Arc<TableReader>]>, memory: usize) -> PlanResult<SessionContext> {
    let config = SessionConfig::new()
        .with_create_default_catalog_and_schema(true)
        .with_default_catalog_and_schema(CATALOG, SCHEMA)
        .with_information_schema(true);
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(memory)))
        .build_arc()?;
    let context = SessionContext::new_with_config_rt(config, runtime);
    for table in TABLES {
        let provider = TraceTable::new(table, Arc::clone(readers));
        context.register_table(table.name, Arc::new(provider))?;
    }
    functions::register(&context, readers);
    context.add_optimizer_rule(Arc::new(CountByMethod));
    Ok(context)
}

/// What went wrong, as a sentence in the words of our tables.
pub(crate) fn explained(error: &DataFusionError) -> QueryFailure {
    let error = error.find_root();
    match error {
        DataFusionError::SchemaError(error, _) => of_columns(error),
        DataFusionError::ResourcesExhausted(_) => {
            QueryFailure::new("the query needs more memory than it may have")
                .hint("ask for less (a filter, fewer columns, LIMIT), or give it more")
        }
        error => {
            let text = error.strip_backtrace();
            let text = [
                "Error during planning: ",
                "Execution error: ",
                "External error: ",
            ]
            .iter()
            .fold(text.as_str(), |text, prefix| {
                text.strip_prefix(prefix).unwrap_or(text)
            });
            let text = text.replace(&format!("{CATALOG}.{SCHEMA}."), "");
            let failure = QueryFailure::new(text.clone());
            match missing_table(&text) {
                Some(missing) => of_tables(missing),
                None => failure,
            }
        }
    }
}

fn missing_table(text: &str) -> Option<&str> {
    text.strip_prefix("table '")?.strip_suffix("' not found")
}

fn of_tables(missing: &str) -> QueryFailure {
    let tables: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
    let names = tables.iter().copied();
    let names = names.chain(views::VIEWS.iter().map(|view| view.name));
    let failure = QueryFailure::new(format!("there is no table {missing}"));
    match closest(missing, names) {
        Some(name) => failure.hint(format!("did you mean {name}?")),
        None => failure.hint(format!(
            "there are {}, and the views that --views lists",
            tables.join(", ")
        )),
    }
}

fn of_columns(error: &SchemaError) -> QueryFailure {
    let SchemaError::FieldNotFound {
        field,
        valid_fields,
    } = error
    else {
        return QueryFailure::new(error.to_string());
    };
    let names: Vec<&str> = valid_fields.iter().map(|field| field.name()).collect();
    let failure = QueryFailure::new(format!("there is no column {}", field.name()));
    match closest(field.name(), names.iter().copied()) {
        Some(name) => failure.hint(format!("did you mean {name}?")),
        None => failure.hint(format!("there are {}", names.join(", "))),
    }
}

/// The name that is nearest to one that is not there, if one is near.
fn closest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let distance =
        |name: &str| datafusion::common::utils::datafusion_strsim::levenshtein(&wanted, name);
    let nearest = names.min_by_key(|name| distance(name))?;
    (distance(nearest) <= wanted.len().div_ceil(3)).then_some(nearest)
}
