//! What was found: the call, its lines, the answers that led to it, and all of that as Markdown.

use std::fmt::Write as _;

use debug_engine::session::{Diagnosis, LogEntry, SessionStep};
use debug_engine::view::OutcomeView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{NodeId, Target};
use schemars::JsonSchema;
use serde::Serialize;

use super::node::brief;
use super::tree::line;
use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use inquiry::blame::{lines_to_blame, wrong_value};
use inquiry::contradictions::{Contradicted, contradictions};
use inquiry::finding::{DiagnosisKind, Finding, NO_CALL_LEFT, all_calls_of};
use inquiry::words::{judgement_word, said_by, sentence};
use java_analysis::calls::Blamed;
use java_analysis::why::{Options, why};
use java_model::node_view::with_statics_as_inputs;

const MOST_SUSPECTS: usize = 200;

/// How the session ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DiagnosisReport {
    outcome: DiagnosisKind,
    culprit: Option<Culprit>,
    suspects: Vec<Suspect>,
    /// How many there are in all.
    suspects_left: usize,
    /// Answers that later ones contradict.
    contradicted: Vec<Contradicted>,
    #[serde(skip_serializing_if = "String::is_empty")]
    markdown: String,
}

impl DiagnosisReport {
    /// Without the text that lists every answer, and with nothing said twice.
    pub fn in_short(mut self) -> DiagnosisReport {
        self.markdown.clear();
        if let Some(culprit) = &mut self.culprit {
            culprit.line.clear();
            if culprit.node.is_some() {
                self.suspects.clear();
            }
        }
        self
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct Suspect {
    node: u32,
    line: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Culprit {
    /// The call; none if it is a method of which no single call is to blame.
    node: Option<u32>,
    routine: String,
    file: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    line: String,
    /// The call on several lines.
    text: String,
    /// The narrowest set of lines that holds the bug.
    lines: Vec<u32>,
    /// The piece of the call that was found after it: `iteration 3 of the loop in lines 12–16`.
    #[serde(skip_serializing_if = "Option::is_none")]
    piece: Option<String>,
    executed: Vec<u32>,
    slice: Vec<u32>,
    /// What the call should have returned, where the failed assertion tells that.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    /// The value that was called wrong, if one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<WrongValue>,
    /// The method with the lines to blame pointed at.
    source: Option<String>,
}

/// A value that was called wrong, and the write that made it.
#[derive(Debug, Serialize, JsonSchema)]
struct WrongValue {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// What gave it its value last: the call, the line, and the instruction of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    routine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instruction: Option<u64>,
}

impl WrongValue {
    /// In Markdown.
    fn sentence(&self) -> String {
        let mut text = format!("Wrong: `{}", self.path);
        if let Some(value) = &self.value {
            text.push_str(&format!(" = {value}"));
        }
        text.push('`');
        match (&self.routine, self.line) {
            (Some(routine), Some(line)) => {
                text.push_str(&format!(", made in `{routine}`, line {line}"));
            }
            (Some(routine), None) => text.push_str(&format!(", made in `{routine}`")),
            (None, _) => {}
        }
        text
    }
}

/// What was found, if nothing is left to ask.
pub fn report_on(run: &RunSnapshot) -> Result<DiagnosisReport, ApiError> {
    let mut questioning = run.questioning();
    let SessionStep::Done(diagnosis) = questioning.step() else {
        return Err(ApiError::missing("there are questions left"));
    };
    let session = questioning.session();
    let log = session.log().to_vec();
    let contradicted = contradictions(session);
    let finding = Finding::of(session, &diagnosis);
    let piece = questioning.blamed_piece();
    drop(questioning);
    Ok(report(run, &diagnosis, finding, &log, contradicted, piece))
}

fn report(
    run: &RunSnapshot,
    diagnosis: &Diagnosis,
    finding: Finding,
    log: &[LogEntry],
    contradicted: Vec<Contradicted>,
    piece: Option<Blamed>,
) -> DiagnosisReport {
    let culprit = match finding {
        Finding::Call(node) => Some(culprit(run, log, node, piece)),
        Finding::Method { first, calls } => Some(method_culprit(run, first, calls)),
        Finding::Suspects(_) | Finding::Nothing => None,
    };
    let nodes = diagnosis.nodes();
    let suspects = nodes.iter().take(MOST_SUSPECTS).map(|&node| Suspect {
        node: node.0,
        line: line(run, node).to_string(),
    });
    let mut report = DiagnosisReport {
        outcome: finding.kind(),
        culprit,
        suspects: suspects.collect(),
        suspects_left: nodes.len(),
        contradicted,
        markdown: String::new(),
    };
    report.markdown = markdown(run, &report, log);
    report
}

fn culprit(run: &RunSnapshot, log: &[LogEntry], node: NodeId, piece: Option<Blamed>) -> Culprit {
    let recording = run.recording();
    let view = with_statics_as_inputs(recording.view(node, Bounds::default()));
    let mut lines = lines_to_blame(recording, log, node);
    let piece = piece.map(|blamed| {
        lines.narrowest = blamed.lines;
        blamed.title
    });
    let outcome = match &view.outcome {
        OutcomeView::Returned(value) | OutcomeView::Thrown(value) => Some(value),
        _ => None,
    };
    let expected = outcome.and_then(|value| value.expected.clone());
    Culprit {
        node: Some(node.0),
        expected,
        line: render::one_line(&view, Bounds::default()),
        text: render::multi_line(&view, Bounds::default()),
        routine: view.routine,
        file: view.file,
        wrong: wrong_value(log, node).map(|path| wrong(run, node, path)),
        source: recording.source(node, &lines.narrowest),
        lines: lines.narrowest,
        piece,
        executed: lines.executed,
        slice: lines.slice,
    }
}

/// A value with the step that gave it, as far as that is known.
fn wrong(run: &RunSnapshot, node: NodeId, path: &str) -> WrongValue {
    let options = Options {
        control: false,
        steps: 1,
    };
    let java = run.java().ok();
    let slice = java.and_then(|java| why(java, java.program(), node, path, options).ok());
    let value = slice.as_ref().and_then(|slice| slice.value.as_ref());
    let value = value.map(brief);
    let step = slice.and_then(|slice| slice.steps.into_iter().next());
    WrongValue {
        path: path.to_owned(),
        value,
        node: step.as_ref().and_then(|step| Some(step.node?.0)),
        line: step.as_ref().and_then(|step| step.line),
        instruction: step.as_ref().and_then(|step| step.instruction),
        routine: step.and_then(|step| step.routine),
    }
}

/// A method of which no single call is to blame.
fn method_culprit(run: &RunSnapshot, first: NodeId, calls: usize) -> Culprit {
    let recording = run.recording();
    let code = recording.code_of(first);
    let all = all_calls_of(calls, &code.routine);
    Culprit {
        node: None,
        line: all.clone(),
        text: all,
        routine: code.routine,
        file: code.file,
        expected: None,
        wrong: None,
        source: recording.source(first, &[]),
        lines: code.lines,
        piece: None,
        executed: Vec::new(),
        slice: Vec::new(),
    }
}

fn markdown(run: &RunSnapshot, report: &DiagnosisReport, log: &[LogEntry]) -> String {
    let mut text = String::new();
    match &report.culprit {
        Some(culprit) => {
            let _ = write!(text, "## The bug is in `{}`", culprit.routine);
            match &culprit.piece {
                Some(piece) => writeln!(text, ", {piece}"),
                None => writeln!(text),
            }
            .ok();
            if let Some(file) = &culprit.file {
                let lines: Vec<String> = culprit.lines.iter().map(u32::to_string).collect();
                let word = if lines.len() == 1 { "line" } else { "lines" };
                let _ = writeln!(text, "\n{file}, {word} {}", lines.join(", "));
            }
            if let Some(wrong) = &culprit.wrong {
                let _ = writeln!(text, "\n{}", wrong.sentence());
            }
            if let Some(expected) = &culprit.expected {
                let _ = writeln!(text, "\nExpected: `{expected}`");
            }
            let _ = writeln!(text, "\n```\n{}\n```", culprit.text);
            if let Some(source) = &culprit.source {
                let _ = writeln!(text, "\n```\n{source}\n```");
            }
        }
        None if report.suspects.is_empty() => {
            let _ = writeln!(text, "## No bug found\n\n{}", sentence(NO_CALL_LEFT));
        }
        None => {
            let _ = writeln!(text, "## {} suspects are left\n", report.suspects_left);
            for suspect in &report.suspects {
                let _ = writeln!(text, "- `#{} {}`", suspect.node, suspect.line);
            }
        }
    }
    let answers = log.iter().filter_map(|entry| match entry.target()? {
        Target::Node(node) => Some((entry, line(run, node).to_string())),
        Target::Range { first, last } => Some((entry, format!("calls #{first} to #{last}"))),
        Target::Piece { first, last } => {
            Some((entry, format!("the loop with calls #{first} to #{last}")))
        }
    });
    text.push_str("\n### Answers\n\n");
    for (entry, line) in answers {
        let word = judgement_word(entry.judgement());
        let _ = writeln!(text, "- {word} ({}): `{line}`", said_by(entry));
    }
    for one in &report.contradicted {
        let _ = writeln!(text, "- contradicted: {one}");
    }
    text
}
