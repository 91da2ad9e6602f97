//! From a folder to a run that can be asked about.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use trace_format::{FieldId, TraceTime};
use trace_store::{RunFolder, StoreError, Trace, read_run_file};

use super::JavaRun;
use super::forest::Forest;
use crate::chosen_fields::ChosenFields;
use crate::classes::ClassTable;
use crate::codes::Codes;
use crate::facts::Facts;
use crate::logic_cache::LogicCache;
use crate::source_tree::SourceTree;
use crate::troubles::Troubles;
use trace_format::RunFile;

/// Why a run cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("no JVM {wanted} was recorded in {}; there is {}", .folder.display(), .there.join(", "))]
    NoJvm {
        wanted: u32,
        folder: PathBuf,
        there: Vec<String>,
    },
    #[error("no call was recorded in {}", .0.display())]
    NoCalls(PathBuf),
    #[error("no call can be read of the trace at {}: {damage}", folder.display())]
    Damaged { folder: PathBuf, damage: String },
    #[error("the trace at {} has more calls than can be numbered", .0.display())]
    TooManyCalls(PathBuf),
}

/// A JVM of a run, in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JvmSummary {
    pub pid: u32,
    pub command: String,
    pub chosen: bool,
    /// Whether it ran a build, whose own code is hardly what is debugged.
    pub is_build_tool: bool,
}

/// The JVM of a run that is looked at.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The folder that the user named.
    folder: PathBuf,
    pub pid: u32,
    /// The folder of the JVM.
    pub jvm: PathBuf,
    jvms: Vec<JvmSummary>,
}

/// What was found out about a run and stays true when it goes on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) codes: Arc<Codes>,
    pub(crate) cache: Arc<LogicCache>,
    pub(crate) project_sources: Arc<OnceLock<SourceTree>>,
}

impl Chosen {
    /// The JVM that is wanted, or else the one that is most interesting by now.
    ///
    /// # Errors
    /// If there is no trace, or not of that JVM.
    pub fn of(folder: &Path, wanted: Option<u32>) -> Result<Chosen, OpenError> {
        let run = RunFolder::open(folder)?;
        let chosen = match wanted {
            None => run.interesting(),
            Some(pid) => run
                .jvms
                .iter()
                .find(|jvm| jvm.meta.pid == pid)
                .ok_or_else(|| OpenError::NoJvm {
                    wanted: pid,
                    folder: folder.to_owned(),
                    there: run
                        .jvms
                        .iter()
                        .map(|jvm| jvm.meta.pid.to_string())
                        .collect(),
                })?,
        };
        let jvms = run.jvms.iter().map(|jvm| JvmSummary {
            pid: jvm.meta.pid,
            command: jvm.meta.java_command.clone(),
            chosen: jvm.meta.pid == chosen.meta.pid,
            is_build_tool: jvm.is_build_tool(),
        });
        Ok(Chosen {
            folder: folder.to_owned(),
            pid: chosen.meta.pid,
            jvm: chosen.folder.clone(),
            jvms: jvms.collect(),
        })
    }
}

impl JavaRun {
    /// Opens a run, or one JVM's folder in it. `progress` hears bytes done and bytes in all.
    ///
    /// # Errors
    /// If there is no trace, it cannot be read, or nothing is in it.
    pub fn open(
        folder: &Path,
        jvm: Option<u32>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<JavaRun, OpenError> {
        let chosen = Chosen::of(folder, jvm)?;
        let mut trace = Trace::open(&chosen.jvm)?;
        let classes = Arc::new(ClassTable::read(&trace));
        set_hierarchy(&mut trace, &classes);
        trace.set_find_outside(Arc::<frame_replay::OutsideByKin>::default());
        trace.build_indexes(progress)?;
        Self::of_trace(&chosen, trace, classes, Known::default())
    }

    /// A run whose trace is open, with its classes told to it.
    pub(crate) fn of_trace(
        chosen: &Chosen,
        trace: Trace,
        classes: Arc<ClassTable>,
        known: Known,
    ) -> Result<JavaRun, OpenError> {
        let folder = &chosen.folder;
        let forest = Forest::of(&trace)?;
        let forest = forest.ok_or_else(|| OpenError::TooManyCalls(folder.clone()))?;
        let damage = match trace.may_grow() {
            true => None,
            false => trace.damage()?,
        };
        if forest.len() == 0 {
            return Err(match damage {
                Some(damage) => OpenError::Damaged {
                    folder: folder.clone(),
                    damage,
                },
                None => OpenError::NoCalls(folder.clone()),
            });
        }
        let in_folder = read_run_file(folder);
        let run_file = in_folder.or_else(|| read_run_file(folder.parent()?));
        let source_path = run_file.iter().flat_map(RunFile::source_folders).collect();
        let usual = run_file.iter().flat_map(usual_source_folders);
        let usual_source_path = usual.collect();
        let fields = fields(&trace, &classes);
        let known_until = match trace.may_grow() {
            // The place after the last event is that of the next one.
            true => TraceTime(trace.end_time()?.0.saturating_sub(1)),
            false => TraceTime(u64::MAX),
        };
        Ok(JavaRun {
            trace,
            folder: folder.clone(),
            run_file,
            jvms: chosen.jvms.clone(),
            forest,
            classes,
            fields,
            codes: known.codes,
            witnesses: Mutex::default(),
            program: OnceLock::new(),
            source_path,
            chosen_fields: ChosenFields::default(),
            usual_source_path,
            project_sources: known.project_sources,
            cache: known.cache,
            known_until,
            facts: Facts::default(),
            troubles: Troubles::default(),
            damage,
        })
    }
}

/// Where the sources of a program mostly lie, seen from where it was started.
fn usual_source_folders(run: &RunFile) -> impl Iterator<Item = PathBuf> + use<> {
    let here = PathBuf::from(&run.working_directory.0);
    let places = ["", "src", "src/main/java", "src/test/java"];
    places.into_iter().map(move |place| here.join(place))
}

/// Tells a trace what its class files say about fields.
pub(crate) fn set_hierarchy(trace: &mut Trace, classes: &Arc<ClassTable>) {
    let table = Arc::clone(classes);
    trace.set_hierarchy(move |owner: &str, name: &str, _: &str| {
        table
            .declaring(owner, name)
            .map(|(class, _)| class.to_owned())
    });
}

fn fields(trace: &Trace, classes: &ClassTable) -> HashMap<(String, String), FieldId> {
    let mut fields = HashMap::new();
    for symbol in trace.symbols().fields() {
        let declaring = classes
            .declaring(&symbol.owner, &symbol.name)
            .map(|(class, _)| class.to_owned());
        let owner = declaring.unwrap_or_else(|| symbol.owner.clone());
        fields
            .entry((owner, symbol.name.clone()))
            .or_insert(trace.resolve_field(symbol.field));
    }
    fields
}
