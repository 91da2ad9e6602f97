//! A run beside the version of the program that works, which is recorded to compare the two.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use debug_engine::oracle::Oracle;
use debug_engine::session::{Answer, AnswerSource, Diagnosis};
use debug_engine::{NodeId, RoutineId, Session};

use crate::cli::ask_options::SearchArguments;
use crate::cli::decided::{Decided, ReferenceFindings};
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::reference::{self, CheckedOut, ReferenceRun};
use crate::dialogue::Ending;
use askance_api::experiment::{ExperimentRequest, experiment};
use experiments::ExperimentObserver;
use inquiry::experimented::Experimented;
use inquiry::oracle::reference::Reference;
use inquiry::oracle::sweep::sweep;
use java_model::heap::{Heap as _, ThingKind};
use java_model::run::JavaRun;
use launch::folder::TraceFolder;
use trace_store::CallOutcome;

/// A run, with what it is compared to.
pub(crate) struct Compared {
    pub(crate) run: Arc<JavaRun>,
    pub(crate) oracle: Option<Shared>,
    /// The reference's trace, which is removed with this.
    pub(crate) folder: Option<TraceFolder>,
    /// What was checked out to record it.
    pub(crate) checked_out: Option<CheckedOut>,
}

impl Compared {
    /// Records the reference if there is one.
    pub(crate) fn new(run: JavaRun, options: &SearchArguments) -> Result<Compared, Failure> {
        let Some(path) = &options.reference else {
            return Ok(Compared {
                run: Arc::new(run),
                oracle: None,
                folder: None,
                checked_out: None,
            });
        };
        let ReferenceRun {
            run: other,
            folder,
            checked_out,
        } = reference::record_reference(&run, path, options.build.as_deref())?;
        let failure = common_failure(&run, &other);
        if let Some((failure, _)) = &failure {
            output::talk(&format!(
                "askance: the reference fails in the same way, so it can tell little about that: {failure}"
            ));
        }
        let run = Arc::new(run);
        let mut oracle = Reference::new(Arc::clone(&run), Arc::new(other));
        if failure.is_some_and(|(_, is_all)| is_all) {
            oracle.fails_alike();
        }
        Ok(Compared {
            run,
            oracle: Some(Shared::new(oracle)),
            folder,
            checked_out,
        })
    }
}

/// How both runs failed, if they did in the same way: a test with the same outcome, or `main` with the same exception.
/// And whether ours did not fail in another way as well.
fn common_failure(ours: &JavaRun, theirs: &JavaRun) -> Option<(String, bool)> {
    let failed = |run: &JavaRun| -> Vec<String> {
        let tests = run.failed_tests(None);
        let mut failed: Vec<String> = tests
            .map(|test| format!("{} {}", test.name, test.verdict))
            .collect();
        failed.extend(run.failed_main().and_then(|main| {
            let CallOutcome::Threw(exception) = run.outcome(main)? else {
                return None;
            };
            let thing = run.thing(exception)?;
            let ThingKind::Throwable { message } = thing.kind else {
                return None;
            };
            let message = message.map(|message| format!(": {message}"));
            Some(format!(
                "main threw {}{}",
                thing.class,
                message.unwrap_or_default()
            ))
        }));
        failed
    };
    let others = failed(theirs);
    let mut ours = failed(ours);
    let count = ours.len();
    ours.retain(|failure| others.contains(failure));
    let is_all = ours.len() == count;
    Some((ours.into_iter().next()?, is_all))
}

/// What cannot be run cannot be compared.
pub(crate) fn no_reference_for_imported() -> Failure {
    Failure::mistake(
        "an imported call tree cannot be run again, so --reference has nothing to compare with",
    )
}

/// The oracle, which is asked for its numbers afterwards.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Reference>>);

impl Shared {
    pub(crate) fn new(reference: Reference) -> Shared {
        Shared(Arc::new(Mutex::new(reference)))
    }

    /// Gives a session what it knows by itself, if it may choose what to ask about.
    pub(crate) fn sweep(
        &self,
        session: &mut Session,
        options: &SearchArguments,
        patience: Duration,
    ) -> Result<(), Failure> {
        if options.strategy.is_none() {
            let first = self.lock().where_to_look();
            sweep(session, &mut self.clone(), &first, patience)?;
        }
        Ok(())
    }

    /// What the reference adds to a diagnosis. Says what it could not tell, unless experiments have decided.
    pub(crate) fn told(
        &self,
        session: &Session,
        ending: &Ending,
        is_decided: bool,
    ) -> ReferenceFindings {
        let mut reference = self.lock();
        if !is_decided {
            tell_shortcomings(&reference, ending);
        }
        let is_of_same_code = reference.is_of_same_code() && !has_heard_others(session);
        match ending {
            Ending::Done(Diagnosis::Found { node }) if rests_on_a_person(session, *node) => {
                ReferenceFindings {
                    is_of_same_code,
                    ..ReferenceFindings::default()
                }
            }
            Ending::Done(Diagnosis::Found { node }) => ReferenceFindings {
                changed: reference.changed_lines(*node).into_iter().collect(),
                decided: Decided::of(&reference, *node),
                is_of_same_code,
                ..ReferenceFindings::default()
            },
            Ending::Done(Diagnosis::Suspects { .. } | Diagnosis::None) => ReferenceFindings {
                methods: reference.suspects(),
                declared: reference.declared().to_vec(),
                is_of_same_code,
                ..ReferenceFindings::default()
            },
            _ => ReferenceFindings::default(),
        }
    }

    /// Runs both versions again to find out which change is to blame.
    pub(crate) fn experiment(
        &self,
        request: &ExperimentRequest<'_>,
        observer: &mut dyn ExperimentObserver,
    ) -> Experimented {
        experiment(&mut self.lock(), request, observer)
    }

    /// The methods that cannot be to blame.
    pub(crate) fn blameless(&self) -> BTreeSet<RoutineId> {
        self.lock().blameless()
    }

    /// The same where it is verified what is to blame: all others.
    pub(crate) fn blameless_beside(&self, experimented: &Experimented) -> BTreeSet<RoutineId> {
        self.lock().blameless_beside(experimented)
    }

    fn lock(&self) -> MutexGuard<'_, Reference> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Oracle for Shared {
    fn source(&self) -> AnswerSource {
        AnswerSource::Reference
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        self.lock().answer(node)
    }

    fn judge_range(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        self.lock().answer_together(first, last)
    }

    /// Right means that the calls are; the code around them stays a suspect in any case.
    fn judge_piece(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        self.lock().answer_together(first, last)
    }
}

/// Whether somebody else than the reference has said what is wrong with a call.
fn rests_on_a_person(session: &Session, node: NodeId) -> bool {
    let said = session.answer_for(node);
    said.is_some_and(|entry| entry.source != AnswerSource::Reference)
}

/// Whether anybody else than the reference has answered.
fn has_heard_others(session: &Session) -> bool {
    let counts = session.counts();
    let mut others = counts.into_iter().filter(|(source, _)| {
        !matches!(
            source,
            AnswerSource::Reference | AnswerSource::Trusted | AnswerSource::Run
        )
    });
    others.any(|(_, number)| number > 0)
}

fn tell_shortcomings(reference: &Reference, ending: &Ending) {
    let is_found = matches!(ending, Ending::Done(Diagnosis::Found { .. }));
    if reference.matched() == 0 && !is_found {
        output::talk(
            "askance: the reference run has no call with the same method and the same state before as any that was asked about",
        );
    }
    if reference.gave_up() {
        output::talk(
            "askance: comparing with the reference took too long and was given up; --root METHOD narrows the search",
        );
    }
}
