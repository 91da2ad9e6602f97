//! The runs that are asked about as one database.

use std::path::PathBuf;
use std::sync::Arc;

use datafusion::error::Result as PlanResult;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{DataFrame, SQLOptions, SessionConfig, SessionContext};
use java_model::run::JavaRun;

use crate::counted::CountByMethod;
use crate::explanation::{CATALOG, SCHEMA, explained};
use crate::exported_runs::ExportedRun;
use crate::exported_table::{ExportedBelow, ExportedTable};
use crate::failure::QueryFailure;
use crate::functions;
use crate::place::Place;
use crate::provider::TraceTable;
use crate::reader::TableReader;
use crate::statement;
use crate::tables::TABLES;
use crate::views;

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
        let context = context(memory).map_err(|error| explained(&error))?;
        let known = traces_known(&context, &readers);
        known.map_err(|error| explained(&error))?;
        Ok(Database { context, readers })
    }

    /// A database of runs that were exported to some places.
    ///
    /// # Errors
    /// If there is no place for what does not fit into memory.
    pub fn of_exports(
        runs: Vec<ExportedRun>,
        places: &[Place],
        memory: usize,
    ) -> Result<Database, QueryFailure> {
        let context = context(memory).map_err(|error| explained(&error))?;
        for place in places {
            context.register_object_store(place.url.as_ref(), Arc::clone(&place.store));
        }
        let known = exports_known(&context, &Arc::from(runs));
        known.map_err(|error| explained(&error))?;
        Ok(Database {
            context,
            readers: Arc::new([]),
        })
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

fn context(memory: usize) -> PlanResult<SessionContext> {
    let config = SessionConfig::new()
        .with_create_default_catalog_and_schema(true)
        .with_default_catalog_and_schema(CATALOG, SCHEMA)
        .with_information_schema(true);
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(memory)))
        .build_arc()?;
    Ok(SessionContext::new_with_config_rt(config, runtime))
}

/// Makes the tables of traces known, and the functions that look into traces.
fn traces_known(context: &SessionContext, readers: &Arc<[Arc<TableReader>]>) -> PlanResult<()> {
    for table in TABLES {
        let provider = TraceTable::new(table, Arc::clone(readers));
        context.register_table(table.name, Arc::new(provider))?;
    }
    functions::register(context, readers);
    let below = functions::Below(Arc::clone(readers));
    context.register_udtf(functions::BELOW, Arc::new(below));
    context.add_optimizer_rule(Arc::new(CountByMethod));
    Ok(())
}

/// The same of exports. What looks into traces is known to say that it cannot.
fn exports_known(context: &SessionContext, runs: &Arc<[ExportedRun]>) -> PlanResult<()> {
    for table in TABLES {
        let provider = ExportedTable::new(table, Arc::clone(runs));
        context.register_table(table.name, Arc::new(provider))?;
    }
    let no_traces: Arc<[Arc<TableReader>]> = Arc::new([]);
    functions::register(context, &no_traces);
    let below = ExportedBelow(Arc::clone(runs));
    context.register_udtf(functions::BELOW, Arc::new(below));
    Ok(())
}
