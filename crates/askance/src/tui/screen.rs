//! What is on the screen, and what changes it; neither terminal nor keys are known here.

use debug_engine::oracle::Cascade;
use debug_engine::session::{Answer, Diagnosis, Question, Source, Step, TrustScope};
use debug_engine::transform::{NodeKind, kind_of};
use debug_engine::view::AskedView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{Judgement, NodeId, Session, Target};
use ratatui::text::Line;

use super::TuiError;
use super::open_tree::{OpenTree, Row};
use super::text;
use inquiry::Questioning;
use inquiry::words::judgement_word;
use inquiry::words::said_by;
use inquiry::words::standing_of;
use java_model::calls::{Calls, Scope};

/// The parts of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pane {
    Question,
    Tree,
    Call,
    Source,
}

impl Pane {
    pub(super) const ALL: [Pane; 4] = [Pane::Question, Pane::Tree, Pane::Call, Pane::Source];

    pub(super) fn title(self) -> &'static str {
        match self {
            Pane::Question => "Question",
            Pane::Tree => "Calls",
            Pane::Call => "Call",
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
    step: Step,
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
}

/// What is worked out once for each question and each chosen call.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) question: Vec<Line<'static>>,
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
        let tree = OpenTree::new(std::sync::Arc::clone(questioning.session.tree()));
        let step = questioning.session.poll();
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
            bounds: Bounds::default(),
            input: None,
            sheet: None,
            message: None,
            shown: Shown::default(),
        };
        screen.go_on()?;
        Ok(screen)
    }

    pub(super) fn step(&self) -> &Step {
        &self.step
    }

    pub(super) fn calls(&self) -> &'run dyn Calls {
        self.calls
    }

    pub(super) fn session(&self) -> &Session {
        &self.questioning.session
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
        self.bounds = Bounds::default();
        let node = match &self.step {
            Step::Ask(question) => Some(question.node),
            Step::Done(diagnosis) => diagnosis.nodes().first().copied(),
        };
        self.scroll = [0; 4];
        self.choose(node.unwrap_or(self.chosen));
        Ok(())
    }

    /// Something was said: keeps it, and goes on.
    fn changed(&mut self) -> Result<(), TuiError> {
        self.questioning.keep().map_err(TuiError::Save)?;
        self.go_on()
    }

    /// Whether a search inside the call is wanted as soon as it is found.
    pub(super) fn zooms_by_itself(&self) -> Option<(NodeId, bool)> {
        let wanted = self.questioning.wanted();
        match &self.step {
            Step::Done(Diagnosis::Found { node }) if wanted.loops || wanted.statements => {
                Some((*node, wanted.statements))
            }
            _ => None,
        }
    }

    pub(super) fn found(&self) -> Option<NodeId> {
        match &self.step {
            Step::Done(Diagnosis::Found { node }) => Some(*node),
            _ => None,
        }
    }

    pub(super) fn question(&self) -> Option<&Question> {
        match &self.step {
            Step::Ask(question) => Some(question),
            Step::Done(_) => None,
        }
    }

    /// Answers the open question; whether there was one.
    pub(super) fn answer(&mut self, answer: Answer) -> Result<bool, TuiError> {
        let Some(question) = self.question().cloned() else {
            return Ok(false);
        };
        let points_at_value = matches!(answer, Answer::WrongPart(_));
        if let Answer::WrongPart(path) = &answer
            && let Err(sentence) = self.calls.check_path(question.target, &path.0)
        {
            self.tell(format!("{sentence}."));
            return Ok(true);
        }
        self.questioning.session.answer(answer)?;
        let producer = if points_at_value {
            self.questioning.follow_value()?
        } else {
            None
        };
        self.changed()?;
        if let Some(producer) = producer {
            self.tell(format!("That value was produced by call #{producer}."));
        }
        Ok(true)
    }

    pub(super) fn trust_beside(&mut self, scope: Scope) -> Result<bool, TuiError> {
        let Some(question) = self.question() else {
            return Ok(false);
        };
        let routines = self.calls.routines_beside(question.node, scope);
        self.answer(Answer::Trust(TrustScope::Routines(routines)))
    }

    pub(super) fn undo(&mut self) -> Result<(), TuiError> {
        if self.questioning.session.undo_to_person().is_empty() {
            self.tell("There is no answer of yours to take back.");
            return Ok(());
        }
        self.changed()
    }

    /// Takes back an answer by its number in the list.
    pub(super) fn take_back(&mut self, number: usize) -> Result<(), TuiError> {
        let mut answers = self
            .session()
            .log()
            .iter()
            .filter_map(|entry| entry.target());
        let target = number.checked_sub(1).and_then(|place| answers.nth(place));
        let Some(target) = target else {
            self.tell(format!("There is no answer {number}; a lists them."));
            return Ok(());
        };
        let session = &mut self.questioning.session;
        session.judge_target(target, Answer::TakenBack, Source::Person)?;
        self.changed()
    }

    pub(super) fn ask_about(&mut self, target: Target) -> Result<(), TuiError> {
        match self.questioning.session.ask_about(target) {
            Ok(()) => self.go_on(),
            Err(error) => {
                self.tell(format!("{error}."));
                Ok(())
            }
        }
    }

    pub(super) fn revise(&mut self) -> Result<(), TuiError> {
        match self.questioning.session.revise()? {
            Some(entry) => {
                let source = said_by(&entry);
                self.changed()?;
                self.tell(format!(
                    "Then one of the answers was not right. The least certain one, {source}, is asked again."
                ));
            }
            None => self.tell("There is no answer left to doubt."),
        }
        Ok(())
    }

    pub(super) fn set_strategy(&mut self, name: &str) -> Result<(), TuiError> {
        match self.questioning.session.set_strategy(name) {
            Ok(()) => self.changed(),
            Err(error) => {
                self.tell(format!("{error}."));
                Ok(())
            }
        }
    }

    pub(super) fn transform(&mut self, list: &str) -> Result<(), TuiError> {
        let mut wanted = self.questioning.wanted().clone();
        match wanted.switch(list) {
            Ok(()) => {
                self.questioning.transform(self.calls, wanted)?;
                self.changed()
            }
            Err(error) => {
                self.tell(format!("{error}."));
                Ok(())
            }
        }
    }

    pub(super) fn transformations(&self) -> String {
        self.questioning.wanted().to_string()
    }

    /// Looks at a call.
    pub(super) fn choose(&mut self, node: NodeId) {
        self.tree.reveal(node);
        self.chosen = node;
        self.scroll[Pane::Call.index()] = 0;
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
        let question = match &self.step {
            Step::Ask(question) => {
                let asked = self.view(question.target, question.kind);
                let level = standing_of(&**self.session().tree(), question.target);
                text::question(question, &asked, level, self.bounds)
            }
            Step::Done(diagnosis) => text::diagnosis(diagnosis, &call, self.bounds),
        };
        self.shown = Shown {
            question,
            call: text::asked(&call, self.bounds),
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
        let mut lines = Vec::new();
        let mut number = 0;
        for entry in self.session().log() {
            let word = judgement_word(entry.judgement());
            let source = said_by(entry);
            match entry.target() {
                Some(target) => {
                    number += 1;
                    let view = self.view(target, kind_of(target));
                    let line = render::asked_in_one_line(&view, text::SHORT);
                    lines.push(format!("{number:3}  {word} ({source}): {line}"));
                }
                None => lines.push(format!("  –  trusted by name ({source})")),
            }
        }
        if lines.is_empty() {
            return "There is no answer yet.".to_owned();
        }
        lines.push("\nu NUMBER takes one of them back.".to_owned());
        lines.join("\n")
    }
}
