//! What stands beside the question: the call that is looked at, the likeliest suspects, what the program printed. One
//! of them at a time, and the call only where it is not the one in question: nothing is on the screen twice.

use debug_engine::{NodeId, Session};
use ratatui::text::{Line, Span};

use super::text::{QUIET, STRONG};
use inquiry::command::Command;
use inquiry::shown::{SuspectLine, printed_lines, suspect_lines};
use java_analysis::calls::Calls;
use java_analysis::output_symptom::{OutputPointer, ShownLine};
use trace_format::StandardStream;

/// Of a longer output the end is shown.
const MOST_PRINTED: usize = 500;

/// The views that share a part of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BesideView {
    Call,
    Suspects,
    Output,
}

impl BesideView {
    pub(super) const ALL: [BesideView; 3] =
        [BesideView::Call, BesideView::Suspects, BesideView::Output];

    pub(super) fn beside(self, by: usize) -> BesideView {
        let place = BesideView::ALL.iter().position(|view| *view == self);
        BesideView::ALL[(place.unwrap_or_default() + by) % BesideView::ALL.len()]
    }

    pub(super) fn title(self, chosen: NodeId) -> String {
        match self {
            BesideView::Call => format!("Call #{chosen}"),
            BesideView::Suspects => "Suspects".to_owned(),
            BesideView::Output => "Output".to_owned(),
        }
    }
}

/// See the module's header.
#[derive(Default)]
pub(super) struct Beside {
    /// What somebody wants to see, until the next question.
    pub(super) wanted: Option<BesideView>,
    printed: Vec<ShownLine>,
    suspects: Vec<SuspectLine>,
    /// The line of the output, or the suspect, that is pointed at.
    place: usize,
}

impl Beside {
    pub(super) fn new(calls: &dyn Calls) -> Beside {
        Beside {
            printed: calls.last_printed(MOST_PRINTED).0,
            ..Beside::default()
        }
    }

    /// There is another question.
    pub(super) fn renew(&mut self, session: &Session, calls: &dyn Calls) {
        self.suspects = suspect_lines(session, calls, super::text::SHORT);
        self.wanted = None;
        self.place = 0;
    }

    /// What is shown while nobody wants anything else: before the first answer what the program printed, because a
    /// wrong line of it is the best beginning.
    pub(super) fn view(&self, is_call_asked: bool, is_first: bool) -> BesideView {
        if let Some(view) = self.wanted {
            return view;
        }
        match is_call_asked {
            true if is_first && !self.printed.is_empty() => BesideView::Output,
            true if !self.suspects.is_empty() => BesideView::Suspects,
            true if !self.printed.is_empty() => BesideView::Output,
            _ => BesideView::Call,
        }
    }

    pub(super) fn turn(&mut self, from: BesideView, by: usize) {
        self.wanted = Some(from.beside(by));
        self.place = 0;
    }

    fn len(&self, view: BesideView) -> usize {
        match view {
            BesideView::Call => 0,
            BesideView::Suspects => self.suspects.len(),
            BesideView::Output => self.printed.len(),
        }
    }

    /// Points further down or up; whether there is anything to point at.
    pub(super) fn point(&mut self, view: BesideView, by: i32) -> bool {
        let last = self.len(view).saturating_sub(1);
        let by_rows = by.unsigned_abs() as usize;
        self.place = match by > 0 {
            true => self.place.saturating_add(by_rows).min(last),
            false => self.place.saturating_sub(by_rows),
        };
        self.len(view) > 0
    }

    /// The call that is pointed at.
    pub(super) fn suspect(&self) -> Option<NodeId> {
        self.suspects.get(self.place).map(|suspect| suspect.node)
    }

    /// That the line that is pointed at is wrong.
    pub(super) fn wrong_line(&self) -> Option<Command> {
        let line = self.printed.get(self.place)?;
        Some(Command::WrongOutput(OutputPointer::Line {
            stream: line.stream,
            line: line.number,
            text: None,
        }))
    }

    /// The same as somebody would type it, to be gone on with.
    pub(super) fn wrong_words(&self) -> Option<String> {
        let line = self.printed.get(self.place)?;
        let stream = match line.stream {
            StandardStream::Output => "output",
            StandardStream::Error => "error",
        };
        Some(format!("w {stream}:{}", line.number))
    }

    /// The lines of a view, and which of them is pointed at.
    pub(super) fn lines(&self, view: BesideView) -> (Vec<Line<'static>>, usize) {
        match view {
            BesideView::Call => (Vec::new(), 0),
            BesideView::Output if self.printed.is_empty() => (nothing("nothing was printed"), 0),
            BesideView::Output => {
                let lines = printed_lines(&self.printed);
                (lines.into_iter().map(Line::raw).collect(), self.place)
            }
            BesideView::Suspects if self.suspects.is_empty() => {
                (nothing("no call is likelier to be wrong than another"), 0)
            }
            BesideView::Suspects => {
                let mut lines = Vec::new();
                let mut pointed = 0;
                for (place, suspect) in self.suspects.iter().enumerate() {
                    if place == self.place {
                        pointed = lines.len();
                    }
                    lines.push(Line::from(vec![
                        Span::styled(format!("{:3.0} % ", 100.0 * suspect.likelihood), STRONG),
                        Span::raw(format!("#{} {}", suspect.node, suspect.call)),
                    ]));
                    let reason = suspect.reason.as_ref();
                    lines.extend(reason.map(|it| Line::styled(format!("      {it}"), QUIET)));
                }
                (lines, pointed)
            }
        }
    }
}

fn nothing(text: &'static str) -> Vec<Line<'static>> {
    vec![Line::styled(text, QUIET)]
}
