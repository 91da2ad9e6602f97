//! One turn of the dialogue: lines are taken until one of them changes the session.

use std::io;

use debug_engine::session::{Diagnosis, Question};
use debug_engine::transform::kind_of;
use debug_engine::view::AskedView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{NodeId, Target};

use super::{Dialogue, DialogueError};
use inquiry::command::{Command, Outcome, Refusal, Speaker, Verdict};
use inquiry::finding::{Finding, NO_CALL_LEFT, all_calls_of};
use inquiry::reply::{self, Reply, Topic};
use inquiry::words::{self, count};
use inquiry::{chosen_transformations, shown};

const PROMPT_AFTER: &str = "[Enter] that is it, [r] that is not it, [z]oom in, [u]ndo [?] > ";

/// How a turn ended.
pub(super) enum Turn {
    Changed,
    Left,
    Silence,
}

const NO_ANSWER_HERE: &str = "That is no answer here; ? lists what can be said.";

impl Dialogue<'_> {
    /// Takes lines until one of them answers the question, or changes what is asked.
    pub(super) fn answer(&mut self, question: &Question) -> Result<Turn, DialogueError> {
        let mut bounds = self.questioning.bounds();
        loop {
            let prompt = self.questioning.prompt(question);
            let Some(line) = self.person.line(prompt)? else {
                return Ok(Turn::Silence);
            };
            let Some(reply) = reply::parse(&line) else {
                writeln!(self.talk, "That is no answer; ? lists what can be said.")?;
                continue;
            };
            match reply {
                Reply::Leave => return Ok(Turn::Left),
                Reply::More => {
                    bounds = wider(bounds);
                    self.tell_question(question, bounds)?;
                }
                Reply::Source => self.tell_source(question.node)?,
                Reply::Show(topic) => self.tell_about(&topic, question.node)?,
                Reply::Say(command) => {
                    if self.say(command)? {
                        return Ok(Turn::Changed);
                    }
                }
                other => self.show(&other)?,
            }
        }
    }

    /// Says something to the session, and tells what there is to know of it. Whether the session has changed: a
    /// refusal is told to a person, who can try again, and ends a script.
    pub(super) fn say(&mut self, command: Command) -> Result<bool, DialogueError> {
        let said = self.questioning.apply(self.calls, command, Speaker::PERSON);
        match said {
            Ok(Outcome { notice }) => {
                if let Some(notice) = notice {
                    writeln!(self.talk, "{}", words::sentence(&notice))?;
                }
                Ok(true)
            }
            Err(Refusal::Unsaved(error)) => Err(DialogueError::Save(error)),
            Err(refusal) if refusal.ends_a_script() && !self.person.can_correct_itself() => {
                Err(DialogueError::Refused(refusal.to_string()))
            }
            Err(refusal) => {
                writeln!(self.talk, "{}", refusal.sentence())?;
                Ok(false)
            }
        }
    }

    /// Tells what was found, and lets the person object. A script that has no more lines, or whose
    /// next line is an answer, agrees.
    pub(super) fn after(&mut self, diagnosis: &Diagnosis) -> Result<Turn, DialogueError> {
        let found = match diagnosis {
            Diagnosis::Found { node } => Some(*node),
            _ => None,
        };
        let mut goes_inside = None;
        if let Some(node) = found {
            let known;
            (goes_inside, known) = self.questioning.goes_inside(self.calls, node)?;
            if known.is_some() {
                self.blamed = known;
            }
        }
        if !self.person.is_there() {
            return Ok(Turn::Left);
        }
        if self.person.can_correct_itself() {
            self.tell_diagnosis(diagnosis)?;
            if let Some(sentence) = words::way_out(self.questioning.session().log()) {
                writeln!(self.talk, "{sentence}")?;
            }
        }
        if let Some(statements) = goes_inside
            && self.zoom(statements)?
        {
            return Ok(Turn::Left);
        }
        loop {
            let Some(line) = self.person.line(PROMPT_AFTER)? else {
                return Ok(Turn::Left);
            };
            let can_correct_itself = self.person.can_correct_itself();
            let right = Command::Answer(Verdict::Right);
            let wrong = Command::Answer(Verdict::Wrong);
            let command = match reply::parse(&line) {
                None => {
                    writeln!(self.talk, "{NO_ANSWER_HERE}")?;
                    continue;
                }
                Some(Reply::Nothing | Reply::Leave) => return Ok(Turn::Left),
                Some(Reply::Source) => {
                    match diagnosis.nodes().first() {
                        Some(&node) => self.tell_source(node)?,
                        None => writeln!(self.talk, "Nothing was found.")?,
                    }
                    continue;
                }
                Some(Reply::More) => {
                    self.tell_diagnosis(diagnosis)?;
                    continue;
                }
                Some(Reply::Show(topic)) => {
                    let node = diagnosis.nodes().first().copied();
                    self.tell_about(&topic, node.unwrap_or(NodeId(0)))?;
                    continue;
                }
                Some(Reply::Say(command)) if command == right => return Ok(Turn::Left),
                // What is left of a script when everything is answered is no objection.
                Some(Reply::Say(Command::Answer(_) | Command::AnswerOne(..)))
                    if !can_correct_itself =>
                {
                    self.tell_unused(&line)?;
                    return Ok(Turn::Left);
                }
                Some(Reply::Say(command)) if command == wrong => Command::Revise,
                Some(Reply::Say(command)) => command,
                Some(other) => {
                    self.show(&other)?;
                    continue;
                }
            };
            match command {
                Command::LookInside { statements } => {
                    if self.zoom(statements)? {
                        return Ok(Turn::Left);
                    }
                }
                Command::Answer(_) | Command::AnswerOne(..) => {
                    writeln!(self.talk, "{NO_ANSWER_HERE}")?;
                }
                command => {
                    if self.say(command)? {
                        return Ok(Turn::Changed);
                    }
                }
            }
        }
    }

    fn tell_unused(&mut self, line: &str) -> io::Result<()> {
        writeln!(
            self.talk,
            "Everything is answered; {line:?} and what follows it is not used (r objects)."
        )
    }

    /// Shows what was asked for.
    fn show(&mut self, reply: &Reply) -> io::Result<()> {
        match reply {
            Reply::Answers => self.tell_answers(),
            Reply::Transformations => self.tell_transformations(),
            Reply::Strategies => self.tell_strategies(),
            Reply::Help => writeln!(self.talk, "{}", reply::HELP),
            Reply::Say(_)
            | Reply::Show(_)
            | Reply::More
            | Reply::Source
            | Reply::Leave
            | Reply::Nothing => Ok(()),
        }
    }

    /// What is known beside the question; values are those of a call.
    fn tell_about(&mut self, topic: &Topic, node: NodeId) -> io::Result<()> {
        let session = self.questioning.session();
        let text = shown::told(topic, session, self.calls, node, Bounds::default());
        for line in text.lines() {
            writeln!(self.talk, "  {line}")?;
        }
        Ok(())
    }

    /// The answers so far, numbered as `u N` takes them back.
    fn tell_answers(&mut self) -> io::Result<()> {
        let lines = shown::answer_lines(self.questioning, self.calls, Bounds::default());
        for line in &lines {
            writeln!(self.talk, "  {line}")?;
        }
        if lines.is_empty() {
            writeln!(self.talk, "There is no answer yet.")?;
        }
        Ok(())
    }

    fn tell_diagnosis(&mut self, diagnosis: &Diagnosis) -> io::Result<()> {
        match diagnosis {
            Diagnosis::Found { node } => {
                let target = Target::Node(*node);
                let asked = self
                    .calls
                    .view(target, kind_of(target), self.questioning.bounds());
                let line = render::asked_in_one_line(&asked, self.questioning.bounds());
                writeln!(self.talk, "\nFound: {}{line}", number(&asked))
            }
            Diagnosis::Suspects { nodes } => {
                let finding = Finding::of(self.questioning.session(), diagnosis);
                if let Finding::Method { first, calls } = finding {
                    let first = Target::Node(first);
                    let asked = self
                        .calls
                        .view(first, kind_of(first), self.questioning.bounds());
                    let all = words::sentence(&all_calls_of(calls, asked.routine()));
                    return writeln!(self.talk, "\n{all}");
                }
                let calls = count(nodes.len() as u64, "call", "calls");
                writeln!(
                    self.talk,
                    "\n{calls} are left that the answers do not tell apart."
                )
            }
            Diagnosis::None => writeln!(self.talk, "\n{}", words::sentence(NO_CALL_LEFT)),
        }
    }

    fn tell_source(&mut self, node: NodeId) -> io::Result<()> {
        match self.calls.source(node) {
            Some(source) => writeln!(self.talk, "{source}"),
            None => writeln!(
                self.talk,
                "The source was not found; name its folder with --source-path."
            ),
        }
    }

    fn tell_transformations(&mut self) -> io::Result<()> {
        let on = self.questioning.chosen_transformations().to_string();
        let on = if on.is_empty() { "none" } else { &on };
        writeln!(
            self.talk,
            "Transformations that are on: {on}. There are:\n{}x NAME switches one on, x -NAME off, x none all off.",
            chosen_transformations::explained()
        )
    }

    fn tell_strategies(&mut self) -> io::Result<()> {
        writeln!(
            self.talk,
            "The next question is chosen by {}. There are:\n{}",
            self.questioning.session().strategy_name(),
            words::strategies()
        )
    }
}

/// The number of a call; a piece of a call has none of its own.
fn number(asked: &AskedView) -> String {
    match asked {
        AskedView::Call(view) => format!("#{} ", view.node),
        AskedView::Stretch(_) => String::new(),
    }
}

/// Bounds that show more.
pub(crate) fn wider(bounds: Bounds) -> Bounds {
    Bounds {
        width: bounds.width.saturating_mul(4),
        depth: bounds.depth.saturating_add(2),
        string: bounds.string.saturating_mul(4),
        length: bounds.length.saturating_mul(8),
        changes: bounds.changes.saturating_mul(4),
        calls: bounds.calls.saturating_mul(4),
        rows: bounds.rows.saturating_mul(8),
        ..bounds
    }
}
