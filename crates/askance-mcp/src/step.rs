//! Where a session stands, as an agent is told.

use debug_engine::session::{AnswerSource, LogEntry, Question, SessionStep as Wants};
use debug_engine::view::render::{self, Bounds};
use debug_engine::{Session, Target};

use super::answers::{AnswerCounts, AnswerTold, Answers, FailedTest, QuestionTold, Step};
use super::requests::PageWanted;
use askance_api::RunSnapshot;
use askance_api::questioning::SharedQuestioning;
use askance_api::tree::line;
use inquiry::contradictions::contradictions;
use inquiry::finding::{Finding, all_calls_of};
use inquiry::words::{WHICH_IS_WRONG, judgement_word, question_word, said_by};

/// No more contradictions than this are told, the latest.
const MOST_CONTRADICTED: usize = 20;
const MOST_CHANGES: usize = 40;
const LARGEST_PAGE: usize = 200;

pub(super) fn next_step(session: u32, run: &RunSnapshot) -> Step {
    let mut questioning = run.settled_questioning();
    let (state, question, found) = match questioning.step() {
        Wants::Ask(question) => ("question", Some(asked(run, &questioning, &question)), None),
        Wants::Done(diagnosis) => {
            let finding = Finding::of(questioning.session(), &diagnosis);
            let found = match finding {
                Finding::Call(node) => Some(format!("#{node} {}", line(run, node))),
                Finding::Method { first, calls } => {
                    let routine = run.recording().code_of(first).routine;
                    Some(all_calls_of(calls, &routine))
                }
                Finding::Suspects(_) | Finding::Nothing => None,
            };
            (finding.kind().word(), None, found)
        }
    };
    let inside = questioning.inside_view();
    let mut contradicted = contradictions(questioning.session());
    contradicted.drain(..contradicted.len().saturating_sub(MOST_CONTRADICTED));
    Step {
        session,
        revision: questioning.revision(),
        state,
        question,
        found,
        inside,
        suspects: questioning.session().space().suspects(),
        answers: counts(questioning.session()),
        contradicted,
    }
}

fn asked(run: &RunSnapshot, questioning: &SharedQuestioning, question: &Question) -> QuestionTold {
    let bounds = Bounds {
        changes: MOST_CHANGES,
        ..Bounds::default()
    };
    let view = questioning.asked(question.target, question.kind, bounds);
    let before = questioning.session().said_before(question.target);
    QuestionTold {
        node: question.node.0,
        last: last(question.target),
        parent: run.recording().parent(question.node).map(|node| node.0),
        prompt: match question.is_list() {
            true => WHICH_IS_WRONG,
            false => question_word(&view),
        },
        text: match question.is_list() {
            true => questioning.list_of(question, bounds),
            false => render::asked(&view, bounds),
        },
        calls: match question.is_list() {
            true => question.targets().map(|target| target.first().0).collect(),
            false => Vec::new(),
        },
        why: questioning.why_asked(question),
        said_before: before
            .map(|entry| format!("{} ({})", judgement_word(entry.judgement()), said_by(entry))),
        suspects_after_yes: question.suspects_after_yes,
        suspects_after_no: question.suspects_after_no,
        questions_left: question.questions_left_estimate,
    }
}

/// The failed test that a session is about.
pub(super) fn failed_test(run: &RunSnapshot) -> Option<FailedTest> {
    let java = run.java().ok()?;
    let questioning = run.questioning();
    let mut said = questioning.session().log().iter();
    let symptom = said
        .find(|entry| entry.source == AnswerSource::Run)?
        .target()?;
    let failed = java.tests().iter().filter(|test| test.verdict.is_failure());
    let test = failed
        .filter(|test| symptom.contains(java, test.node))
        .max_by_key(|test| test.node)?;
    let compared = test.verdict.compared();
    let (expected, actual) = compared.unzip();
    Some(FailedTest {
        test: test.name.to_string(),
        message: test.verdict.to_string(),
        expected,
        actual,
    })
}

fn last(target: Target) -> Option<u32> {
    target.node().is_none().then(|| target.last().0)
}

fn counts(session: &Session) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    for (source, number) in session.counts() {
        match source {
            AnswerSource::Agent => counts.agent += number,
            AnswerSource::Person => counts.person += number,
            _ => counts.automatic += number,
        }
    }
    counts
}

/// A page of the answers so far.
pub(super) fn answers(run: &RunSnapshot, page: &PageWanted) -> Answers {
    let questioning = run.questioning();
    let session = questioning.session();
    let log = session.log();
    let entries = log.iter().enumerate().skip(page.from);
    let told = entries
        .take(page.most.clamp(1, LARGEST_PAGE))
        .map(|(place, entry)| answered(session, place, entry));
    Answers {
        from: page.from,
        count: log.len(),
        answers: told.collect(),
    }
}

fn answered(session: &Session, place: usize, entry: &LogEntry) -> AnswerTold {
    AnswerTold {
        place,
        node: entry.node.map(|node| node.0),
        last: entry.last.map(|node| node.0),
        judgement: judgement_word(entry.judgement()),
        source: said_by(entry),
        overruled: !session.is_in_force(place),
    }
}
