//! How a session about a run begins: anew, with the answers that the trace remembers, or with those
//! given about an earlier snapshot of the same run.

use std::collections::BTreeSet;
use std::sync::Arc;

use debug_engine::session::{Answer, AnswerSource, Confidence, LogEntry, SessionError};
use debug_engine::strategy::CoverageMetric;
use debug_engine::{ExecutionTree, NodeId, RoutineId, Session, SessionOptions, Target};

use super::chosen_transformations::ChosenTransformations;
use super::memory::Remembered;
use super::repeated::Repeated;
use super::{BELIEF, Questioning, RANGES, SessionFile};
use java_analysis::belief::{BeliefOptions, EvidenceUsed};
use java_analysis::output_symptom::OutputSymptom;
use java_analysis::reading::Reading;
use java_analysis::recording::Recording;
use java_model::testing::TestPattern;
use java_names::glob::Glob;

/// How to begin.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// Search only below this call.
    pub root: Option<NodeId>,
    /// The failed test that it is about; whatever the run shows to be wrong if `None`.
    pub test: Option<TestPattern>,
    /// What is wrong with the program's output, if somebody has said so.
    pub output: Option<OutputSymptom>,
    /// A call inside which something was found that should never be there.
    pub violation: Option<NodeId>,
    /// How suspicious routines are: which of them are asked about first.
    pub suspicion: Vec<(RoutineId, f64)>,
    /// The default strategy, or the one that is remembered, if `None`.
    pub strategy: Option<String>,
    /// None, or those that are remembered, if `None`.
    pub transform: Option<ChosenTransformations>,
    /// Classes that are trusted from the start.
    pub trust: Vec<Glob>,
    /// Methods that cannot be to blame, because a version that works has the same code.
    pub blameless: BTreeSet<RoutineId>,
    /// What counts for the strategy that goes by belief.
    pub evidence: EvidenceUsed,
    /// Whoever answers takes one call at a time.
    pub one_by_one: bool,
    /// Whether strategies are told what calls covered.
    pub coverage: Option<CoverageWanted>,
    /// Whether questions that are quicker to read are preferred.
    pub weighs_reading: bool,
    /// Whether to go on with what the trace remembers.
    pub resumes: bool,
    /// Whether answers are written into the trace's folder.
    pub keeps: bool,
    /// What a command or an agent was less sure of is asked again.
    pub least_sure: Confidence,
    /// Whether somebody reads the questions, so that what is likeliest and short comes first. Otherwise, or where
    /// nothing is believed of the calls, they are chosen as for an oracle to whom all are alike; then the call that
    /// gave a failed assertion its value comes first if `follows_assertion`.
    pub is_read: bool,
    pub follows_assertion: bool,
}

/// How the sentence begins that says after which answers of another time the search goes on.
pub const GOING_ON: &str = "going on after";

/// How coverage is worked out and weighs.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoverageWanted {
    /// `p` of g(x) = pˣ; the metric's default if `None`.
    pub decay: Option<f64>,
    /// Whether to wait for it instead of asking something else meanwhile.
    pub at_once: bool,
}

impl Opening {
    fn options(&self, recording: &dyn Recording) -> SessionOptions {
        let wanted = self.transform.clone().unwrap_or_default();
        let ranges = wanted.ranges.then(|| RANGES.to_owned());
        let goes_by_belief = self.is_read
            && wanted == ChosenTransformations::default()
            && recording.can_be_believed();
        let by_default = || match goes_by_belief {
            true => BELIEF.to_owned(),
            false => String::new(),
        };
        let mut trusted = recording.never_asked();
        trusted.extend(&self.blameless);
        SessionOptions {
            root: self.root,
            root_is_wrong: false,
            non_termination: recording.was_stopped(),
            strategy: self.strategy.clone().or(ranges).unwrap_or_else(by_default),
            trusted,
            transformations: wanted.transformations(&|glob| recording.routines_named(glob)),
        }
    }

    /// The same, with what is remembered where nothing else is wanted.
    fn or_as_remembered(&self, remembered: &Remembered) -> Opening {
        let saved = &remembered.session.options;
        let mut opening = self.clone();
        if self.strategy.is_none() && self.transform.is_none() {
            opening.strategy = Some(saved.strategy.clone());
        }
        opening.transform = opening
            .transform
            .or_else(|| ChosenTransformations::parse(&remembered.transform).ok());
        opening.root = opening.root.or(saved.root);
        opening
    }
}

/// Whether a machine gave this answer and was less sure than that.
fn is_unsure(entry: &LogEntry, least: Confidence) -> bool {
    matches!(entry.source, AnswerSource::Command | AnswerSource::Agent)
        && entry.confidence.unwrap_or(Confidence::UNSAID) < least
}

impl Questioning {
    /// Goes on with the answers that the trace remembers if that is wanted, or starts anew. `tell`
    /// hears what a person should know of it.
    ///
    /// # Errors
    /// If no session can be had about the run.
    pub fn start(
        recording: &Arc<dyn Recording>,
        opening: &Opening,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Questioning, SessionError> {
        let mut started = Questioning::begin(recording, opening, tell)?;
        if opening.follows_assertion {
            started.follow_assertion(tell)?;
        }
        Ok(started)
    }

    /// Begins with the call that gave a failed assertion its value, unless the search is under way or the strategy
    /// follows values by itself.
    ///
    /// # Errors
    /// If the session cannot ask about it.
    pub fn follow_assertion(&mut self, tell: &mut dyn FnMut(&str)) -> Result<(), SessionError> {
        let mut answers = self.session.log().iter();
        if answers.all(|entry| matches!(entry.source, AnswerSource::Run | AnswerSource::Trusted))
            && let Some(producer) = self.follow_value()?
        {
            tell(&format!(
                "what the test found wrong was produced by call #{producer}"
            ));
        }
        Ok(())
    }

    fn begin(
        recording: &Arc<dyn Recording>,
        opening: &Opening,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Questioning, SessionError> {
        if !opening.resumes && !opening.keeps {
            return Questioning::fresh(recording, opening, tell);
        }
        let found = match Remembered::read(recording.folder(), recording.number()) {
            Ok(Some(found)) => found,
            Ok(None) => return Questioning::fresh(recording, opening, tell),
            Err(error) => {
                start_anew(&**recording, opening, &error.to_string(), tell);
                return Questioning::fresh(recording, opening, tell);
            }
        };
        if opening.resumes && is_about(&found, &**recording, opening) {
            return Questioning::resumed(recording, opening, found, tell);
        }
        // What a person said is to be remembered, whatever becomes of the session.
        Ok(Questioning {
            to_remember: found.to_remember,
            only_counts: false,
            ..Questioning::fresh(recording, opening, tell)?
        })
    }

    /// Goes on with the answers that the trace remembers, as far as they fit and are sure.
    fn resumed(
        recording: &Arc<dyn Recording>,
        opening: &Opening,
        remembered: Remembered,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Questioning, SessionError> {
        let resumed = opening.or_as_remembered(&remembered);
        let mut answers = remembered.session.answers;
        // What an agent left to others is asked again.
        answers.retain(|entry| {
            (entry.source, &entry.answer) != (AnswerSource::Agent, &Answer::DontKnow)
        });
        let kept = answers.len();
        answers.retain(|entry| !is_unsure(entry, opening.least_sure));
        if answers.len() < kept {
            let unsure = kept - answers.len();
            tell(&format!(
                "{unsure} of the answers kept in this trace are less sure than {}; they are asked again",
                opening.least_sure
            ));
        }
        let going_on = if answers.is_empty() {
            Questioning::fresh(recording, &resumed, tell)?
        } else {
            let tree: Arc<dyn ExecutionTree> = Arc::<dyn Recording>::clone(recording);
            let Ok(session) = Session::replay(tree, resumed.options(&**recording), answers) else {
                start_anew(&**recording, opening, "do not fit it", tell);
                return Questioning::fresh(recording, opening, tell);
            };
            let after = match session.log().len() {
                1 => "1 answer".to_owned(),
                many => format!("{many} answers"),
            };
            tell(&format!("{GOING_ON} {after}"));
            Questioning::about(session, recording, &resumed)
        };
        Ok(Questioning {
            to_remember: remembered.to_remember,
            only_counts: false,
            ..going_on
        })
    }

    /// A session without any answer of a person's.
    ///
    /// # Errors
    /// If no session can be had about the run.
    pub fn fresh(
        recording: &Arc<dyn Recording>,
        opening: &Opening,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Questioning, SessionError> {
        let tree: Arc<dyn ExecutionTree> = Arc::<dyn Recording>::clone(recording);
        let mut session = Session::new(tree, opening.options(&**recording))?;
        trust_by_name(&mut session, &**recording, &opening.trust, tell);
        if opening.root.is_none() {
            judge_by_itself(&mut session, &**recording, opening)?;
        }
        // It may lie anywhere inside what is searched, so it is told last: the search goes on inside it.
        if let Some(node) = opening.violation
            && session.answer_for_target(Target::Node(node)).is_none()
        {
            session.judge(node, Answer::No, AnswerSource::Run)?;
        }
        Ok(Questioning::about(session, recording, opening))
    }

    /// Takes the session to a newer snapshot of the run, with everything that was said. Trust by name
    /// is given anew, because more classes may have been loaded. `opening` names the root as the
    /// snapshot numbers it.
    ///
    /// # Errors
    /// If the answers do not fit the snapshot.
    pub fn go_over(
        &mut self,
        recording: &Arc<dyn Recording>,
        answers: Vec<LogEntry>,
        opening: &Opening,
    ) -> Result<(), SessionError> {
        let said = answers
            .into_iter()
            .filter(|entry| entry.node.is_some() || entry.source != AnswerSource::Trusted);
        let mut options = self.session.options().clone();
        options.root = opening.root;
        options.trusted = recording.never_asked();
        options.trusted.extend(&opening.blameless);
        options.non_termination = recording.was_stopped();
        options.transformations = self
            .wanted
            .transformations(&|glob| recording.routines_named(glob));
        let tree: Arc<dyn ExecutionTree> = Arc::<dyn Recording>::clone(recording);
        self.session = Session::replay(tree, options, said)?;
        // Calls have other numbers now.
        self.repeated = Repeated::default();
        inform(&mut self.session, recording, opening);
        trust_by_name(&mut self.session, &**recording, &opening.trust, &mut |_| {});
        judge_by_itself(&mut self.session, &**recording, opening)
    }

    /// Goes on with a question that was open in an earlier snapshot; whether it still is one.
    pub fn keep_asking(&mut self, target: Target, beside: Vec<NodeId>) -> bool {
        self.session.keep_asking(target, beside)
    }

    fn about(mut session: Session, recording: &Arc<dyn Recording>, opening: &Opening) -> Self {
        inform(&mut session, recording, opening);
        Questioning {
            session,
            inside: None,
            remembers: false,
            wanted: opening.transform.clone().unwrap_or_default(),
            kept: opening.keeps.then(|| SessionFile {
                folder: recording.folder().to_owned(),
                jvm: recording.number(),
            }),
            repeated: Repeated::default(),
            to_remember: Vec::new(),
            only_counts: false,
            explains: false,
            output: opening.output.clone(),
        }
    }
}

/// Says where values come from and what calls covered, for the strategies that can use it.
fn inform(session: &mut Session, recording: &Arc<dyn Recording>, opening: &Opening) {
    if let Some(origins) = Arc::clone(recording).value_origins() {
        session.set_value_origins(origins);
    }
    if opening.weighs_reading {
        session.set_question_cost(Some(Arc::new(Reading::of(recording))));
    }
    session.set_suspicion(&opening.suspicion);
    let wanted = BeliefOptions {
        suspicion: opening.suspicion.clone(),
        evidence: opening.evidence,
        one_by_one: opening.one_by_one,
    };
    session.set_belief(Arc::clone(recording).belief(&wanted));
    let Some(wanted) = opening.coverage else {
        return;
    };
    for metric in CoverageMetric::ALL {
        if let Some(coverage) = Arc::clone(recording).coverage(metric, wanted.at_once) {
            session.set_coverage(metric, coverage, wanted.decay);
        }
    }
}

fn trust_by_name(
    session: &mut Session,
    recording: &dyn Recording,
    patterns: &[Glob],
    tell: &mut dyn FnMut(&str),
) {
    for pattern in patterns {
        let routines = recording.routines_matching(pattern);
        if routines.is_empty() {
            tell(&format!(
                "{pattern}, which is to be trusted, matches no recorded class"
            ));
        } else {
            session.trust(routines, AnswerSource::Trusted);
        }
    }
}

/// Takes in what the run says of itself, unless somebody has said otherwise.
fn judge_by_itself(
    session: &mut Session,
    recording: &dyn Recording,
    opening: &Opening,
) -> Result<(), SessionError> {
    if let Some(output) = &opening.output
        && let Some(root) = output.root.map(Target::Node)
        && session.answer_for_target(root).is_none()
    {
        session.judge_target(root, output.answer(), AnswerSource::Run)?;
    }
    match recording.wrong_by_itself(opening.test.as_ref()) {
        Some(symptom) if session.answer_for_target(symptom.target).is_none() => {
            session.judge_target(symptom.target, symptom.answer, AnswerSource::Run)
        }
        _ => Ok(()),
    }
}

/// Tells why the answers kept are not gone on with. Those to come are kept in their place, so they get another name.
fn start_anew(
    recording: &dyn Recording,
    opening: &Opening,
    because: &str,
    tell: &mut dyn FnMut(&str),
) {
    let aside = || Remembered::set_aside(recording.folder(), recording.number());
    let place = match opening.keeps.then(aside) {
        None => String::new(),
        Some(Ok(place)) => format!("; they are now in {}", place.display()),
        Some(Err(error)) => format!("; they cannot be put aside: {error}"),
    };
    tell(&format!(
        "the answers kept in this trace {because}, starting anew{place}"
    ));
}

/// Whether what is remembered is about the test, the output or the call that is wanted, if one is.
fn is_about(remembered: &Remembered, recording: &dyn Recording, opening: &Opening) -> bool {
    let of_test = |test| Some(recording.wrong_by_itself(Some(test))?.target);
    let of_output = |output: &OutputSymptom| output.root.map(Target::Node);
    let by_output = opening.output.as_ref().and_then(of_output);
    let violation = opening.violation.map(Target::Node);
    let Some(target) = opening
        .test
        .as_ref()
        .and_then(of_test)
        .or(by_output)
        .or(violation)
    else {
        return true;
    };
    let mut answers = remembered.session.answers.iter();
    answers.any(|entry| entry.source == AnswerSource::Run && entry.target() == Some(target))
}
