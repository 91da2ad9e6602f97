//! What is on the screen, and what changes it; neither terminal nor keys are known here.

use debug_engine::oracle::Cascade;
use debug_engine::session::{Diagnosis, Question, SessionStep};
use debug_engine::transform::NodeKind;
use debug_engine::view::AskedView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{Judgement, NodeId, Session, Target};
use ratatui::text::Line;

use super::TuiError;
use super::beside::{Beside, BesideView};
use super::open_tree::{OpenTree, Row};
use super::text;
use inquiry::Questioning;
use inquiry::command::{Command, Outcome, Refusal, Speaker};
use inquiry::finding::Finding;
use inquiry::inside::InsideSearch;
use inquiry::reply::Topic;
use inquiry::shown::{self, answer_lines, list_of};
use inquiry::words::sentence;
use inquiry::words::standing_of;
use java_analysis::calls::Calls;

/// The parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pane {
    Question,
    Tree,
    /// The call that is looked at, the suspects, or the output.
    Beside,
    Source,
}

impl Pane {
    pub(super) const ALL: [Pane; 4] = [Pane::Question, Pane::Tree, Pane::Beside, Pane::Source];

    pub(super) fn title(self) -> &'static str {
        match self {
            Pane::Question => "Question",
            Pane::Tree => "Calls",
            Pane::Beside => "Beside",
            Pane::Source => "Source",
        }
    }

    fn index(self) -> usize {
        self as usize
    }

    fn beside(self, by: usize) -> Pane {
        Pane::ALL[(self.index() + by) % Pane::ALL.len()]
    }
}

/// Something that covers the screen until a key is pressed.
pub(super) struct Sheet {
    pub(super) title: &'static str,
    pub(super) text: String,
    pub(super) scroll: u16,
}

/// See the module's header.
pub(super) struct Screen<'run> {
    pub(super) title: String,
    questioning: &'run mut Questioning,
    calls: &'run dyn Calls,
    cascade: Cascade<'run>,
    step: SessionStep,
    tree: OpenTree,
    pub(super) chosen: NodeId,
    /// The row that the tree began with when it was drawn last.
    pub(super) tree_top: NodeId,
    pub(super) focus: Pane,
    /// Whether the focused part has the whole screen.
    pub(super) is_full: bool,
    pub(super) scroll: [u16; 4],
    bounds: Bounds,
    /// A line that is being typed.
    pub(super) input: Option<String>,
    pub(super) sheet: Option<Sheet>,
    message: Option<String>,
    shown: Shown,
    beside: Beside,
    /// The value of the question that is pointed at, by its place among [`Shown::values`].
    value: Option<usize>,
}

/// What is worked out once for each question and each chosen call.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) question: Vec<Line<'static>>,
    /// The values in it that can be pointed at: their lines, and how one names them.
    pub(super) values: Vec<(usize, String)>,
    pub(super) call: Vec<Line<'static>>,
    pub(super) source: Vec<Line<'static>>,
}

impl<'run> Screen<'run> {
    pub(super) fn new(
        title: String,
        questioning: &'run mut Questioning,
        calls: &'run dyn Calls,
        cascade: Cascade<'run>,
    ) -> Result<Screen<'run>, TuiError> {
        let tree = OpenTree::new(std::sync::Arc::clone(questioning.session().tree()));
        let step = questioning.step();
        let mut screen = Screen {
            title,
            questioning,
            calls,
            cascade,
            step,
            tree,
            chosen: NodeId(0),
            tree_top: NodeId(0),
            focus: Pane::Question,
            is_full: false,
            scroll: [0; 4],
            bounds: Bounds::of_question(),
            input: None,
            sheet: None,
            message: None,
            shown: Shown::default(),
            beside: Beside::new(calls),
            value: None,
        };
        screen.go_on()?;
        Ok(screen)
    }

    pub(super) fn step(&self) -> &SessionStep {
        &self.step
    }

    pub(super) fn session(&self) -> &Session {
        self.questioning.session()
    }

    pub(super) fn shown(&self) -> &Shown {
        &self.shown
    }

    pub(super) fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Says a sentence until the next key.
    pub(super) fn tell(&mut self, sentence: impl Into<String>) {
        self.message = Some(sentence.into());
    }

    pub(super) fn forget_message(&mut self) {
        self.message = None;
    }

    /// Lets the oracles answer, and shows what is asked then.
    fn go_on(&mut self) -> Result<(), TuiError> {
        let heard = self.session().log().len();
        self.step = self.questioning.hear(&mut self.cascade, self.calls)?;
        let automatic = self.session().log().len().saturating_sub(heard);
        if automatic > 0 {
            self.tell(format!(
                "{automatic} answered without asking; a lists the answers"
            ));
        }
        self.bounds = Bounds::of_question();
        let node = match &self.step {
            SessionStep::Ask(question) => Some(question.node),
            SessionStep::Done(diagnosis) => diagnosis.nodes().first().copied(),
        };
        self.scroll = [0; 4];
        self.value = None;
        self.beside.renew(self.questioning.session(), self.calls);
        self.choose(node.unwrap_or(self.chosen));
        Ok(())
    }

    /// Whether a search inside the call is wanted as soon as it is found.
    pub(super) fn goes_inside(&mut self) -> Result<Option<bool>, TuiError> {
        Ok(match self.found() {
            Some(node) => self.questioning.goes_inside(self.calls, node)?.0,
            None => None,
        })
    }

    /// The search inside the call that was found, once it has begun.
    pub(super) fn inside(&mut self) -> Option<&mut InsideSearch> {
        self.questioning.inside()
    }

    pub(super) fn found(&self) -> Option<NodeId> {
        match &self.step {
            SessionStep::Done(Diagnosis::Found { node }) => Some(*node),
            _ => None,
        }
    }

    pub(super) fn question(&self) -> Option<&Question> {
        match &self.step {
            SessionStep::Ask(question) => Some(question),
            SessionStep::Done(_) => None,
        }
    }

    /// Says something to the session, and tells what there is to know of it. Whether it was not refused.
    pub(super) fn say(&mut self, command: Command) -> Result<bool, TuiError> {
        match self.questioning.apply(self.calls, command, Speaker::PERSON) {
            Ok(Outcome { notice }) => {
                self.go_on()?;
                if let Some(notice) = notice {
                    self.tell(sentence(&notice));
                }
                Ok(true)
            }
            Err(Refusal::Unsaved(error)) => Err(TuiError::Save(error)),
            Err(refusal) => {
                self.tell(refusal.sentence());
                Ok(false)
            }
        }
    }

    pub(super) fn transformations(&self) -> String {
        self.questioning.chosen_transformations().to_string()
    }

    /// Looks at a call.
    pub(super) fn choose(&mut self, node: NodeId) {
        self.tree.reveal(node);
        self.chosen = node;
        self.scroll[Pane::Beside.index()] = 0;
        self.scroll[Pane::Source.index()] = 0;
        self.look();
    }

    /// Shows more of the values.
    pub(super) fn widen(&mut self) {
        self.bounds = crate::dialogue::wider(self.bounds);
        self.look();
    }

    fn look(&mut self) {
        let call = self.view(Target::Node(self.chosen), NodeKind::Routine);
        let why = |question| self.questioning.why_asked(question);
        let question = match &self.step {
            SessionStep::Ask(question) if question.is_list() => {
                let calls = list_of(question, self.calls, self.bounds);
                text::list(question, calls, why(question))
            }
            SessionStep::Ask(question) => {
                let asked = self.view(question.target, question.kind);
                let level = standing_of(&**self.session().tree(), question.target);
                text::question(question, &asked, level, why(question), self.bounds)
            }
            SessionStep::Done(diagnosis) => {
                let finding = Finding::of(self.session(), diagnosis);
                let first = match finding {
                    Finding::Method { first, .. } => {
                        Some(self.view(Target::Node(first), NodeKind::Routine))
                    }
                    _ => None,
                };
                let shown = first.as_ref().unwrap_or(&call);
                text::diagnosis(diagnosis, finding, shown, self.bounds)
            }
        };
        let (question, paths): (Vec<_>, Vec<_>) = question.into_iter().unzip();
        let values = paths.into_iter().enumerate();
        self.shown = Shown {
            question,
            values: values
                .filter_map(|(line, path)| Some((line, path?)))
                .collect(),
            call: text::asked(&call, self.bounds)
                .into_iter()
                .map(|(line, _)| line)
                .collect(),
            source: text::source(self.calls.source(self.chosen).as_deref()),
        };
    }

    fn view(&self, target: Target, kind: NodeKind) -> AskedView {
        self.calls.view(target, kind, self.bounds)
    }

    /// A call in one line, for the tree.
    pub(super) fn line(&self, node: NodeId) -> String {
        let view = self.view(Target::Node(node), NodeKind::Routine);
        render::asked_in_one_line(&view, text::SHORT)
    }

    pub(super) fn judgement(&self, node: NodeId) -> Judgement {
        self.session().judgement(node)
    }

    /// Whether the open question is about this call, alone or with its neighbours.
    pub(super) fn is_asked(&self, node: NodeId) -> bool {
        self.question()
            .is_some_and(|question| match question.target {
                Target::Node(asked) => asked == node,
                Target::Range { first, last } | Target::Piece { first, last } => {
                    first <= node
                        && node <= last
                        && self.tree.parent(node) == self.tree.parent(first)
                }
            })
    }

    /// Whether there are calls above the first of these rows, and below the last.
    pub(super) fn goes_on(&self, rows: &[Row]) -> (bool, bool) {
        let first = rows.first().and_then(|row| self.tree.previous(row.node));
        let last = rows.last().and_then(|row| self.tree.next(row.node));
        (first.is_some(), last.is_some())
    }

    pub(super) fn rows(&mut self, height: usize) -> Vec<Row> {
        let rows = self.tree.rows(self.chosen, self.tree_top, height);
        self.tree_top = rows.first().map_or(self.tree_top, |row| row.node);
        rows
    }

    pub(super) fn tree_mut(&mut self) -> &mut OpenTree {
        &mut self.tree
    }

    /// Moves in the tree by rows.
    pub(super) fn move_by(&mut self, rows: i32) {
        let mut node = self.chosen;
        for _ in 0..rows.unsigned_abs() {
            let next = if rows > 0 {
                self.tree.next(node)
            } else {
                self.tree.previous(node)
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        self.choose(node);
    }

    /// What stands beside the question, and whether it is the call.
    pub(super) fn beside_view(&self) -> BesideView {
        let is_asked = match self.question() {
            Some(question) => !question.is_list() && question.target == Target::Node(self.chosen),
            None => self.found() == Some(self.chosen),
        };
        let is_in_list = self.question().is_some_and(|question| {
            question.is_list() && question.targets().any(|it| it == Target::Node(self.chosen))
        });
        let is_first = self.session().log().is_empty();
        self.beside
            .view(is_asked || is_in_list && is_first, is_first)
    }

    pub(super) fn beside(&self) -> &Beside {
        &self.beside
    }

    pub(super) fn beside_mut(&mut self) -> &mut Beside {
        &mut self.beside
    }

    /// Points at the next value of the question, or the one before; whether it has any.
    pub(super) fn point_at_value(&mut self, by: i32) -> bool {
        let Some(last) = self.shown.values.len().checked_sub(1) else {
            return false;
        };
        self.value = Some(match (self.value, by > 0) {
            (None, _) => 0,
            (Some(at), true) => (at + 1).min(last),
            (Some(at), false) => at.saturating_sub(1),
        });
        true
    }

    /// The line of the question with the value that is pointed at, and how one names it.
    pub(super) fn pointed_value(&self) -> Option<&(usize, String)> {
        self.shown.values.get(self.value?)
    }

    /// What is known beside the question, in lines; values are those of the call in question.
    pub(super) fn told(&self, topic: &Topic) -> String {
        let node = self
            .question()
            .map_or(self.chosen, |question| question.node);
        shown::told(topic, self.session(), self.calls, node, Bounds::default())
    }

    pub(super) fn scroll_by(&mut self, lines: i32) {
        let scroll = &mut self.scroll[self.focus.index()];
        let moved = i32::from(*scroll).saturating_add(lines).max(0);
        *scroll = u16::try_from(moved).unwrap_or(u16::MAX);
    }

    pub(super) fn focus_next(&mut self, by: usize) {
        self.focus = self.focus.beside(by);
    }

    /// The answers so far, numbered as `u N` takes them back.
    pub(super) fn answers(&self) -> String {
        let lines = answer_lines(self.questioning, self.calls, text::SHORT);
        if lines.is_empty() {
            return "There is no answer yet.".to_owned();
        }
        let mut lines: Vec<String> = lines.iter().map(|line| format!(" {line}")).collect();
        lines.push("\nu NUMBER takes one of them back.".to_owned());
        lines.join("\n")
    }
}
