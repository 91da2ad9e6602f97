//! What is known of the methods of a case before any answer, and which of them is to blame: the weights of
//! [belief](java_analysis::belief) are made of this.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use debug_engine::session::{Answer, AnswerSource};
use debug_engine::{ExecutionTree as _, RoutineId};
use inquiry::suspects::suspects;
use java_analysis::belief::{BeliefOptions, JavaBelief, MethodFacts};
use java_analysis::questions::Questions;
use java_analysis::recording::Recording;
use java_analysis::relevance::{Contribution, Part};
use java_model::run::JavaRun;
use serde::Serialize;
use trace_format::MethodId;

use super::asking::{Manner, start};
use super::case::{Case, MethodName};
use super::recordings::open;
use crate::record_bench::BenchError;

/// The suspects of a case.
#[derive(Debug, Serialize)]
pub struct CaseEvidence {
    part: &'static str,
    program: String,
    name: String,
    methods: Vec<MethodEvidence>,
}

#[derive(Debug, Serialize)]
struct MethodEvidence {
    name: String,
    is_to_blame: bool,
    /// How many of its calls are suspects.
    calls: usize,
    /// `value`, `decision`, or nothing: the part that the nearest of them had in the symptom.
    part: Option<&'static str>,
    distance: Option<usize>,
    steps: Option<usize>,
    computes: Option<bool>,
    #[serde(flatten)]
    facts: MethodFacts,
}

/// What is known of a recorded case.
///
/// # Errors
/// If it cannot be read.
pub fn evidence(folder: &Path) -> Result<CaseEvidence, BenchError> {
    let case = Case::read(folder)?;
    let mut run = open(&folder.join("trace"))?;
    run.add_source_path(&case.sources);
    let run = Arc::new(run);
    let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&run);
    let questions = Questions::hurried(Arc::clone(&recording));
    let questioning = start(
        &run,
        &recording,
        &case,
        &Manner::plain("belief"),
        &questions,
    )?;
    let session = questioning.session();
    let belief = JavaBelief::new(Arc::clone(&run), &BeliefOptions::default());
    let mut nearest: HashMap<RoutineId, Contribution> = HashMap::new();
    let mut shown = session
        .log()
        .iter()
        .filter(|entry| entry.source == AnswerSource::Run);
    if let Some((target, answer)) = shown
        .next_back()
        .and_then(|entry| Some((entry.target()?, &entry.answer)))
    {
        let path = match answer {
            Answer::WrongPart(path) => Some(path),
            _ => None,
        };
        for (node, given) in belief.parts(target, path).calls() {
            if session.space().is_suspect(node) {
                let known = nearest.entry(run.routine(node)).or_insert(given);
                if given.distance < known.distance {
                    *known = given;
                }
            }
        }
    }
    let methods = suspects(session, usize::MAX).into_iter().map(|suspect| {
        let names = run.method_names(MethodId(suspect.routine.0));
        let name = MethodName::new(names.class, names.name, names.descriptor);
        let given = nearest.get(&suspect.routine);
        MethodEvidence {
            is_to_blame: case.blames(&name),
            name: name.full,
            calls: suspect.calls,
            part: given.map(|given| match given.part {
                Part::Value => "value",
                Part::Decision => "decision",
                Part::LastRound => "last round",
            }),
            distance: given.map(|given| given.distance),
            steps: given.map(|given| given.steps),
            computes: given.map(|given| given.computes),
            facts: belief.known_of(suspect.routine),
        }
    });
    Ok(CaseEvidence {
        part: case.part.name(),
        methods: methods.collect(),
        program: case.program,
        name: case.name,
    })
}
