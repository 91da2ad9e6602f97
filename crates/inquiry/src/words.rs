//! How things are said in a dialogue and in what is reported after it.

use debug_engine::session::{AnswerSource, LogEntry};
use debug_engine::strategy;
use debug_engine::transform::NodeKind;
use debug_engine::view::recursion::{self, Recursion};
use debug_engine::view::{AskedView, OutcomeView};
use debug_engine::{ExecutionTree, Judgement, Target};

/// How a judgement is said.
#[must_use]
pub fn judgement_word(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Undefined => "not judged",
        Judgement::Correct => "right",
        Judgement::Wrong => "wrong",
        Judgement::Trusted => "trusted",
        Judgement::Inadmissible => "inadmissible",
        Judgement::Unknown => "unknown",
    }
}

/// How a source is said.
#[must_use]
pub fn source_word(source: AnswerSource) -> &'static str {
    match source {
        AnswerSource::Person => "you",
        AnswerSource::Reference => "reference",
        AnswerSource::Memory => "remembered",
        AnswerSource::Trusted => "trusted code",
        AnswerSource::Tests => "presumed: seen in a passing test",
        AnswerSource::Command => "oracle command",
        AnswerSource::Agent => "an agent",
        AnswerSource::Run => "the run itself",
    }
}

/// Who gave an answer, and how sure they were if they said so: `an agent, 70 % sure`.
#[must_use]
pub fn said_by(entry: &LogEntry) -> String {
    let source = source_word(entry.source);
    match entry.confidence {
        Some(confidence) => format!("{source}, {confidence} sure"),
        None => source.to_owned(),
    }
}

/// The same, with the passing test that speaks for a call if that is known.
#[must_use]
pub fn said_with(entry: &LogEntry, witness: Option<String>) -> String {
    match witness.filter(|_| entry.source == AnswerSource::Tests) {
        Some(test) => format!("presumed: seen in passing test {test}"),
        None => said_by(entry),
    }
}

/// What is said of a list of calls by whoever does not say which one.
#[must_use]
pub fn one_of(calls: usize) -> String {
    format!("one of {calls} calls is wrong")
}

/// The question about a list of calls.
pub const WHICH_IS_WRONG: &str = "Is one wrong?";

/// The question itself.
#[must_use]
pub fn question_word(asked: &AskedView) -> &'static str {
    match asked {
        AskedView::Call(view) if view.outcome == OutcomeView::Open => {
            "Should this call still have been running?"
        }
        AskedView::Call(view) if has_no_stack_left(&view.outcome) => {
            "Is this right? Should it have gone this deep?"
        }
        AskedView::Stretch(view)
            if matches!(view.kind, NodeKind::Projection | NodeKind::Collapse) =>
        {
            "Taken together, is this right?"
        }
        AskedView::Call(_) | AskedView::Stretch(_) => "Is this right?",
    }
}

/// Whether the call ended because there were too many calls in it.
fn has_no_stack_left(outcome: &OutcomeView) -> bool {
    matches!(outcome, OutcomeView::Thrown(exception)
        if exception.class.as_deref() == Some("java.lang.StackOverflowError"))
}

/// What there is to know of a call's place in the run: how deep it is in a recursion, and how far it had come when it
/// was stopped.
pub fn standing_of(tree: &dyn ExecutionTree, target: Target) -> Option<String> {
    let parts = [level_of(tree, target), progress_of(tree, target)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// `↻ level 3 of 10 231, from #12 to #20471`.
fn level_of(tree: &dyn ExecutionTree, target: Target) -> Option<String> {
    let recursion = recursion::around(tree, target.first())?;
    let Recursion { first, last, .. } = recursion;
    let level = grouped(recursion.level);
    let levels = levels(&recursion);
    Some(format!(
        "↻ level {level} of {levels}, from #{first} to #{last}"
    ))
}

/// `10 231 calls in it so far`, of a call that has not ended.
fn progress_of(tree: &dyn ExecutionTree, target: Target) -> Option<String> {
    let node = target.node().filter(|&node| !tree.is_complete(node))?;
    Some(match tree.subtree_size(node) - 1 {
        0 => "no call in it so far: it may just have begun".to_owned(),
        1 => "1 call in it so far".to_owned(),
        calls => format!("{} calls in it so far", grouped(calls)),
    })
}

/// `10 231`, or `at least 100 001` where they were not all counted.
#[must_use]
pub fn levels(recursion: &Recursion) -> String {
    let levels = grouped(recursion.levels);
    if recursion.is_cut {
        format!("at least {levels}")
    } else {
        levels
    }
}

/// `10 231`.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// The way out of a diagnosis that rests on few answers of a person.
#[must_use]
pub fn way_out(log: &[LogEntry]) -> Option<String> {
    const FEW: u64 = 3;
    let by_person = log
        .iter()
        .filter(|entry| entry.source == AnswerSource::Person);
    let given = by_person.count() as u64;
    (1..=FEW).contains(&given).then(|| {
        let answers = count(given, "answer of yours", "answers of yours");
        format!(
            "This rests on {answers}: if it is not the bug, r asks the least certain one again."
        )
    })
}

/// A sentence that begins and ends as one.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    let begun: String = first.into_iter().flatten().chain(letters).collect();
    match begun.ends_with(['.', '?', '!']) {
        true => begun,
        false => format!("{begun}."),
    }
}

/// `1 suspect`, `7 suspects`.
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{number} {many}")
    }
}

/// `about 3 questions`.
pub fn about(questions: u32) -> String {
    match questions {
        0 | 1 => "about one question".to_owned(),
        more => format!("about {more} questions"),
    }
}

/// Every strategy with its explanation, one a line; a star marks the default.
#[must_use]
pub fn strategies() -> String {
    let lines = strategy::ALL.iter().map(|info| {
        let mark = if info.name == strategy::DEFAULT {
            "*"
        } else {
            " "
        };
        format!("{mark} {:22} {}\n", info.name, info.explanation)
    });
    lines.collect()
}
