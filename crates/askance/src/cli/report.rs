//! What is said when the questions are over.

mod verified;

use std::fmt::Write as _;

use debug_engine::session::{AnswerSource, Diagnosis, LogEntry, Question};
use debug_engine::transform::kind_of;
use debug_engine::view::render::{self, Bounds};
use debug_engine::view::{AskedView, NodeView};
use debug_engine::{NodeId, Session, Target};
use serde::Serialize;

use super::decided::{Decided, ReferenceFindings};
use super::failure::{Exit, Failure};
use super::output;
use crate::dialogue::{Blamed, Ending};
use inquiry::blame::lines_to_blame;
use inquiry::contradictions::{Contradicted, contradictions};
use inquiry::experimented::{BlamedChange, BlamedSetting, Experimented};
use inquiry::finding::{Finding, NO_CALL_LEFT, all_calls_of};
use inquiry::oracle::reference::{Declared, Suspect};
use inquiry::words::{count, judgement_word, said_with};
use java_analysis::lines::CallLines;
use java_analysis::recording::Recording;
use java_model::node_view::with_statics_as_inputs;

/// No more suspects than this are listed.
const MOST_SUSPECTS: usize = 1000;

/// What is said if two versions that differ ran the same code, as far as it was recorded.
const ELSEWHERE: &str = "Nothing is found: all recorded code that ran is the same in both versions. What else differs is \
     in code that is not recorded, in a file, or outside of the program.\n\
     Libraries that surround programs (build tools, test frameworks) are left out: --include 'org.example.*' records \
     what it names.\n";

/// The last line of `--json`.
#[derive(Debug, Serialize)]
pub(crate) struct Verdict<'a> {
    version: u32,
    outcome: &'static str,
    #[serde(flatten)]
    culprit: Option<Culprit>,
    questions: Counts,
    /// Calls that are right because a passing test showed the same, as far as it looked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    presumed: Vec<Presumed>,
    /// Answers that later ones contradict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contradicted: Vec<Contradicted>,
    /// The nodes that are left, at most a thousand of them.
    suspects: Vec<u32>,
    /// How many are left in all.
    suspects_left: u64,
    /// With a reference: whether running the program again has shown that this is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<bool>,
    /// How many times a version of the program was run for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    experiments: Option<usize>,
    /// The changes that are to blame together, or, if that is not verified, among which they are.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    changes: &'a [BlamedChange],
    /// Methods that the reference does not have and that run because of these changes: a part of them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    new_methods: &'a [BlamedChange],
    /// What was changed together with them: needed to mend the program, not to break the reference.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    changed_together: &'a [BlamedChange],
    /// Files that are no code and are verified to be to blame.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    resources: &'a [String],
    /// What the command gives the program and is verified to be to blame.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    settings: &'a [BlamedSetting],
    /// The methods that ran and are not the same in the reference, the likeliest first, if it did not decide.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    methods: &'a [Suspect],
    /// Declarations of classes that are not the same there.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    declarations: &'a [Declared],
    /// What the reference did instead, if it decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<&'a Decided>,
    /// What a person would be asked next.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<AskedView>,
}

/// A call that nobody looked at.
#[derive(Debug, Serialize)]
struct Presumed {
    node: u32,
    /// The passing tests that showed the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
}

#[derive(Debug, Serialize)]
struct Culprit {
    /// The call; none if it is a method of which no single call is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<u32>,
    /// The number that it had in the file that it was imported from.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    class: String,
    /// None if it is how a class is declared.
    method: Option<String>,
    descriptor: Option<String>,
    file: Option<String>,
    /// The loop, iteration or statement that is to blame, if the search went on inside the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    piece: Option<String>,
    /// The narrowest set that holds the bug.
    lines: Vec<u32>,
    /// Those that ran; empty if the call could not be re-executed.
    executed_lines: Vec<u32>,
    /// Those that had a part in what the call did, or in the value that was pointed at.
    slice_lines: Vec<u32>,
}

#[derive(Debug, Default, Serialize)]
struct Counts {
    person: usize,
    reference: usize,
    memory: usize,
    trusted: usize,
    #[serde(skip_serializing_if = "is_none")]
    tests: usize,
    command: usize,
    #[serde(skip_serializing_if = "is_none")]
    agent: usize,
}

fn is_none(number: &usize) -> bool {
    *number == 0
}

/// What is known of a buggy call besides its lines that ran.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Narrowed<'a> {
    /// The piece of it that is to blame, if the search went on inside it.
    pub(crate) blamed: Option<&'a Blamed>,
    /// What a reference adds.
    pub(crate) told: Option<&'a ReferenceFindings>,
    /// What running the program again has shown.
    pub(crate) experimented: Option<&'a Experimented>,
}

impl<'a> Narrowed<'a> {
    /// The call's lines that the reference has differently, if the reference found it wrong.
    fn changed(&self) -> &'a [u32] {
        self.told.map(|told| &*told.changed).unwrap_or_default()
    }

    /// How the reference found it wrong.
    fn decided(&self) -> Option<&'a Decided> {
        self.told?.decided.as_ref()
    }

    /// The methods that ran and differ, where no call was found and nothing is verified.
    fn methods(&self) -> &'a [Suspect] {
        let told = self.told.filter(|_| !self.is_verified());
        told.map(|told| &*told.methods).unwrap_or_default()
    }

    /// What differs and is no code of a method.
    fn declared(&self) -> &'a [Declared] {
        let told = self.told.filter(|_| !self.is_verified());
        told.map(|told| &*told.declared).unwrap_or_default()
    }

    /// Whether what is to blame is nothing that was recorded: the reference ran the same code, and could not tell where
    /// something else came in.
    fn is_elsewhere(&self) -> bool {
        self.told
            .is_some_and(|told| told.is_of_same_code && told.decided.is_none())
    }

    /// What a diagnosis comes to. That all suspects are calls of one method says nothing about declarations that
    /// differ; and if just one method that ran differs, it is that one.
    fn finding(&self, run: &dyn Recording, session: &Session, diagnosis: &Diagnosis) -> Finding {
        let finding = Finding::of(session, diagnosis);
        let Some(told) = self.told else {
            return finding;
        };
        if self.is_elsewhere() {
            return Finding::Nothing;
        }
        let mut old = told.methods.iter().filter(|method| !method.is_new);
        let only = old.next().filter(|_| old.next().is_none());
        let is_of = |only: &Suspect, node: NodeId| {
            let code = run.code_of(node);
            (&code.class, &code.method, &code.descriptor)
                == (&only.class, &only.method, &only.descriptor)
        };
        match (finding, diagnosis.nodes(), only) {
            (Finding::Method { calls, .. }, ..)
                if !told.declared.is_empty() || !self.changes().is_empty() =>
            {
                Finding::Suspects(calls)
            }
            (Finding::Nothing, ..) if !told.declared.is_empty() => Finding::Suspects(0),
            (Finding::Suspects(calls), [first, ..], Some(only))
                if told.declared.is_empty()
                    && diagnosis.nodes().iter().all(|&node| is_of(only, node)) =>
            {
                Finding::Method {
                    first: *first,
                    calls,
                }
            }
            _ => finding,
        }
    }
}

/// Prints the verdict as JSON or for a person.
pub(crate) fn tell(
    run: &dyn Recording,
    session: &mut Session,
    ending: &Ending,
    narrowed: Narrowed<'_>,
    json: bool,
) -> Result<Exit, Failure> {
    let is_found = if json {
        let verdict = verdict(run, session, ending, narrowed);
        output::json(&verdict)?;
        verdict.outcome.starts_with("found")
    } else {
        output::data(&describe(run, session, ending, narrowed))?;
        blamed(run, session, ending, narrowed)
            .0
            .starts_with("found")
    };
    Ok(if is_found { Exit::Done } else { Exit::Nothing })
}

/// What was found, in a word, and what is to blame.
fn blamed(
    run: &dyn Recording,
    session: &Session,
    ending: &Ending,
    narrowed: Narrowed<'_>,
) -> (&'static str, Option<Culprit>) {
    match ending {
        _ if narrowed.is_verified() => match narrowed.verified_call(run, ending) {
            Some(node) => ("found", Some(culprit(run, session, node, narrowed))),
            None => narrowed.verified_culprit(),
        },
        Ending::Done(diagnosis) => {
            let finding = narrowed.finding(run, session, diagnosis);
            let culprit = match finding {
                Finding::Call(node) => Some(culprit(run, session, node, narrowed)),
                Finding::Method { first, .. } => Some(method_culprit(run, first, narrowed)),
                Finding::Suspects(_) | Finding::Nothing => None,
            };
            (finding.kind().word(), culprit)
        }
        Ending::Unanswered(_) | Ending::Left | Ending::Grown => ("suspects", None),
    }
}

fn verdict<'a>(
    run: &dyn Recording,
    session: &Session,
    ending: &Ending,
    narrowed: Narrowed<'a>,
) -> Verdict<'a> {
    let (outcome, culprit) = blamed(run, session, ending, narrowed);
    let question = match ending {
        Ending::Unanswered(question) => Some(asked(run, question)),
        _ => None,
    };
    let (suspects, suspects_left) = match ending {
        _ if narrowed.is_verified() => {
            let nodes = narrowed.verified_nodes(run, ending);
            let left = nodes.len() as u64;
            (nodes, left)
        }
        Ending::Done(_) if narrowed.is_elsewhere() => (Vec::new(), 0),
        Ending::Done(diagnosis) => (diagnosis.nodes().to_vec(), diagnosis.nodes().len() as u64),
        _ => {
            let space = session.space();
            (
                space.suspects_in_order().take(MOST_SUSPECTS).collect(),
                space.suspects(),
            )
        }
    };
    let suspects = suspects
        .iter()
        .take(MOST_SUSPECTS)
        .map(|node| node.0)
        .collect();
    Verdict {
        version: 1,
        outcome,
        culprit,
        questions: counts(session),
        presumed: presumed(run, session),
        contradicted: contradictions(session),
        suspects,
        suspects_left,
        verified: narrowed.told.map(|_| narrowed.is_verified()),
        experiments: narrowed
            .told
            .map(|_| narrowed.experimented.map_or(0, |one| one.runs)),
        changes: narrowed.changes(),
        new_methods: narrowed.new_methods(),
        changed_together: narrowed.along(),
        resources: narrowed.resources(),
        settings: narrowed.settings(),
        methods: narrowed.methods(),
        declarations: narrowed.declared(),
        decided: narrowed.decided(),
        question,
    }
}

fn asked(run: &dyn Recording, question: &Question) -> AskedView {
    let bounds = Bounds::default();
    match question.target {
        Target::Node(node) => AskedView::Call(Box::new(run.exact_view(node, bounds))),
        several => AskedView::Stretch(run.call_range(several, question.kind, bounds)),
    }
}

/// The lines of the buggy call, narrowed by what is known to be wrong.
fn lines(
    run: &dyn Recording,
    session: &Session,
    node: NodeId,
    narrowed: Narrowed<'_>,
) -> CallLines {
    let mut lines = lines_to_blame(run, session.log(), node);
    if let Some(proved) = narrowed.proved_lines(run, node) {
        lines.narrowest = proved.to_vec();
    } else if let Some(blamed) = narrowed.blamed {
        lines.narrowest.clone_from(&blamed.lines);
    } else {
        lines.narrow_to(narrowed.changed());
    }
    lines
}

fn culprit(
    run: &dyn Recording,
    session: &Session,
    node: NodeId,
    narrowed: Narrowed<'_>,
) -> Culprit {
    let code = run.code_of(node);
    let lines = lines(run, session, node, narrowed);
    Culprit {
        piece: narrowed.blamed.map(|blamed| blamed.title.clone()),
        node: Some(node.0),
        id: run.foreign_id(node),
        class: code.class,
        method: Some(code.method),
        descriptor: Some(code.descriptor),
        file: code.file,
        lines: lines.narrowest,
        executed_lines: lines.executed,
        slice_lines: lines.slice,
    }
}

/// A method of which no single call is to blame: all of its lines are, or those that differ from a reference's.
fn method_culprit(run: &dyn Recording, call: NodeId, narrowed: Narrowed<'_>) -> Culprit {
    let mut code = run.code_of(call);
    let mut changed = narrowed.methods().iter().filter(|one| !one.is_new);
    if let Some(one) = changed.next()
        && !one.lines.is_empty()
    {
        code.lines.clone_from(&one.lines);
    }
    Culprit {
        node: None,
        id: None,
        class: code.class,
        method: Some(code.method),
        descriptor: Some(code.descriptor),
        file: code.file,
        piece: None,
        lines: code.lines,
        executed_lines: Vec::new(),
        slice_lines: Vec::new(),
    }
}

fn presumed(run: &dyn Recording, session: &Session) -> Vec<Presumed> {
    let in_force = session.log().iter().filter(|entry| {
        let target = entry.target();
        entry.source == AnswerSource::Tests
            && target.is_some_and(|target| session.answer_for_target(target) == Some(entry))
    });
    let told = in_force.filter_map(|entry| {
        let node = entry.target()?.first();
        Some(Presumed {
            node: node.0,
            test: run.witness(node),
        })
    });
    told.collect()
}

fn counts(session: &Session) -> Counts {
    let mut counts = Counts::default();
    for (source, number) in session.counts() {
        match source {
            AnswerSource::Person => counts.person += number,
            AnswerSource::Reference => counts.reference += number,
            AnswerSource::Memory => counts.memory += number,
            AnswerSource::Trusted => counts.trusted += number,
            AnswerSource::Command => counts.command += number,
            AnswerSource::Agent => counts.agent += number,
            AnswerSource::Tests => counts.tests += number,
            AnswerSource::Run => {}
        }
    }
    counts
}

/// The verdict for a person.
pub(crate) fn describe(
    run: &dyn Recording,
    session: &Session,
    ending: &Ending,
    narrowed: Narrowed<'_>,
) -> String {
    match ending {
        _ if narrowed.is_verified() => match narrowed.verified_call(run, ending) {
            Some(node) if narrowed.is_single() => found(run, session, node, narrowed),
            _ => narrowed.verified_text(),
        },
        Ending::Done(_) if narrowed.is_elsewhere() => ELSEWHERE.to_owned(),
        Ending::Done(Diagnosis::Found { node }) => found(run, session, *node, narrowed),
        _ if !narrowed.changes().is_empty() => verified::describe_narrowed(narrowed.changes()),
        Ending::Done(Diagnosis::None) if !narrowed.declared().is_empty() => differing(narrowed),
        Ending::Done(Diagnosis::None) => {
            format!("No bug found: {NO_CALL_LEFT}.\n")
        }
        Ending::Done(diagnosis @ Diagnosis::Suspects { nodes }) => {
            match narrowed.finding(run, session, diagnosis) {
                Finding::Suspects(_) if narrowed.told.is_some() => differing(narrowed),
                finding => suspects(run, nodes, finding),
            }
        }
        Ending::Unanswered(question) => unanswered(question),
        Ending::Left | Ending::Grown => String::new(),
    }
}

fn found(run: &dyn Recording, session: &Session, node: NodeId, narrowed: Narrowed<'_>) -> String {
    let view = with_statics_as_inputs(run.view(node, Bounds::default()));
    let mut text = format!("The bug is in {}{}\n", view.routine, place(run, &view));
    let _ = writeln!(
        text,
        "  #{node} {}",
        render::one_line(&view, Bounds::default())
    );
    if let Some(blamed) = narrowed.blamed {
        let _ = writeln!(text, "  in {}", blamed.title);
    }
    let lines = lines(run, session, node, narrowed);
    let marked = if lines.executed.is_empty() {
        &[][..]
    } else {
        &lines.narrowest
    };
    if let Some(excerpt) = run.source(node, marked) {
        let _ = writeln!(text, "\n{excerpt}");
        if !marked.is_empty() {
            text.push_str(match (narrowed.blamed, narrowed.changed()) {
                (Some(_), _) => "  (> is what is to blame)\n",
                (None, []) => "  (> ran, and had a part in what the call did)\n",
                (None, _) => "  (> ran, and is not the same in the reference)\n",
            });
        }
    }
    if let Some(proof) = narrowed.proof() {
        let _ = writeln!(text, "\n{proof}");
    }
    if let Some(decided) = narrowed.decided() {
        let _ = writeln!(text, "\n{decided}");
    }
    let answers: Vec<&LogEntry> = session
        .log()
        .iter()
        .filter(|entry| entry.node.is_some())
        .collect();
    if !answers.is_empty() {
        let _ = writeln!(
            text,
            "\nBecause of {}:",
            count(answers.len() as u64, "answer", "answers")
        );
    }
    for entry in answers {
        let Some(target) = entry.target() else {
            continue;
        };
        let _ = writeln!(
            text,
            "  {:12} {} ({})",
            judgement_word(entry.judgement()),
            judged(run, target),
            said_with(entry, run.witness(target.first())),
        );
    }
    for one in contradictions(session) {
        let _ = writeln!(text, "Contradicted: {one}");
    }
    text
}

/// What an answer was about, in one line.
fn judged(run: &dyn Recording, target: Target) -> String {
    let bounds = Bounds::default();
    match target {
        Target::Node(node) => {
            let view = with_statics_as_inputs(run.view(node, bounds));
            format!("#{node} {}", render::one_line(&view, bounds))
        }
        Target::Range { first, last } | Target::Piece { first, last } => {
            let view = run.call_range(target, kind_of(target), bounds);
            let line = render::asked_in_one_line(&AskedView::Stretch(view), bounds);
            match target.is_piece() {
                true => line,
                false => format!("#{first}–#{last} {line}"),
            }
        }
    }
}

/// ` (MergeSort.java:9-15)`.
fn place(run: &dyn Recording, view: &NodeView) -> String {
    let lines = &run.code_of(view.node).lines;
    match (&view.file, lines.first(), lines.last()) {
        (Some(file), Some(first), Some(last)) if first == last => format!(" ({file}:{first})"),
        (Some(file), Some(first), Some(last)) => format!(" ({file}:{first}-{last})"),
        (Some(file), ..) => format!(" ({file}; without debug information its lines are not known)"),
        (None, Some(first), Some(last)) if first == last => format!(" (line {first})"),
        (None, Some(first), Some(last)) => format!(" (lines {first}-{last})"),
        (None, ..) => String::new(),
    }
}

fn suspects(run: &dyn Recording, nodes: &[NodeId], finding: Finding) -> String {
    const MOST_TOLD: usize = 20;
    let mut text = match finding {
        Finding::Method { first, calls } => {
            let view = with_statics_as_inputs(run.view(first, Bounds::default()));
            let all = all_calls_of(calls, &view.routine);
            let place = place(run, &view);
            format!(
                "The bug is in {}{place}: {all}, and what is known does not tell them apart:\n",
                view.routine
            )
        }
        _ => format!(
            "The bug is in one of {}; what is known does not tell them apart:\n",
            count(nodes.len() as u64, "call", "calls")
        ),
    };
    for &node in nodes.iter().take(MOST_TOLD) {
        let view = with_statics_as_inputs(run.view(node, Bounds::default()));
        let _ = writeln!(text, "  #{node} {}{}", view.routine, place(run, &view));
        let _ = writeln!(text, "     {}", render::one_line(&view, Bounds::default()));
    }
    if nodes.len() > MOST_TOLD {
        let _ = writeln!(text, "  … {} more", nodes.len() - MOST_TOLD);
    }
    text
}

/// What is not the same in the reference, where comparing did not tell what of it is to blame.
fn differing(narrowed: Narrowed<'_>) -> String {
    const MOST_TOLD: usize = 20;
    let (methods, declared) = (narrowed.methods(), narrowed.declared());
    let mut text = "Comparing does not tell what is to blame.".to_owned();
    if !methods.is_empty() {
        let _ = write!(
            text,
            " {} not the same in the reference, the likeliest first:",
            count(
                methods.len() as u64,
                "method that ran is",
                "methods that ran are"
            ),
        );
    }
    text.push('\n');
    for method in methods.iter().take(MOST_TOLD) {
        let file = method.file.as_deref().unwrap_or("?");
        let lines: Vec<String> = method.lines.iter().map(u32::to_string).collect();
        let new = if method.is_new { ", new" } else { "" };
        let _ = writeln!(
            text,
            "  {}.{} ({file}:{}{new}; first called in #{})",
            method.class,
            method.method,
            lines.join(","),
            method.node,
        );
    }
    if methods.len() > MOST_TOLD {
        let _ = writeln!(text, "  … {} more", methods.len() - MOST_TOLD);
    }
    for one in declared.iter().take(MOST_TOLD) {
        let _ = writeln!(text, "  {one}");
    }
    text
}

fn unanswered(question: &Question) -> String {
    format!(
        "{} left; nobody answered the question about {}.\n",
        count(question.suspects_left, "suspect is", "suspects are"),
        match question.target {
            Target::Node(node) => format!("call #{node}"),
            Target::Range { first, last } => format!("calls #{first} to #{last}"),
            Target::Piece { first, last } => format!("the loop with calls #{first} to #{last}"),
        }
    )
}

#[cfg(test)]
mod tests;
