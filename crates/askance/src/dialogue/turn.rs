//! One turn of the dialogue: lines are taken until one of them changes the session.

use std::io;

use debug_engine::session::{Answer, Diagnosis, Question, Source, TrustScope};
use debug_engine::transform::kind_of;
use debug_engine::view::AskedView;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{NodeId, Target};

use super::reply::{self, Reply};
use super::{Dialogue, DialogueError};
use inquiry::wanted;
use inquiry::words::{self, count, judgement_word, said_by};

const PROMPT: &str = "[y]es [n]o [d]on't know [t]rust [i]nadmissible [u]ndo [?] > ";
const PROMPT_AFTER: &str = "[Enter] that is it, [r] that is not it, [z]oom in, [u]ndo [?] > ";

/// How a turn ended.
pub(super) enum Turn {
    Changed,
    Left,
    Silence,
}

/// What became of a line that is no answer to a question.
enum Taken {
    /// The session is not what it was.
    Changed,
    /// Something was shown.
    Told,
    /// The line makes no sense here.
    Misplaced,
}

impl Dialogue<'_> {
    /// Takes lines until one of them answers the question, or changes what is asked.
    pub(super) fn answer(&mut self, question: &Question) -> Result<Turn, DialogueError> {
        let mut bounds = self.bounds();
        loop {
            let Some(line) = self.person.line(PROMPT)? else {
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
                Reply::Answer(Answer::WrongPart(path)) => {
                    match self.calls.check_path(question.target, &path.0) {
                        Err(sentence) if self.person.can_correct_itself() => {
                            writeln!(self.talk, "{sentence}.")?;
                        }
                        _ => {
                            self.questioning.session.answer(Answer::WrongPart(path))?;
                            if let Some(producer) = self.questioning.follow_value()? {
                                let sentence =
                                    format!("That value was produced by call #{producer}.");
                                writeln!(self.talk, "{sentence}")?;
                            }
                            return Ok(Turn::Changed);
                        }
                    }
                }
                Reply::Answer(answer) => {
                    self.questioning.session.answer(answer)?;
                    return Ok(Turn::Changed);
                }
                Reply::Trust(scope) => {
                    let routines = self.calls.routines_beside(question.node, scope);
                    self.questioning
                        .session
                        .answer(Answer::Trust(TrustScope::Routines(routines)))?;
                    return Ok(Turn::Changed);
                }
                other => match self.take(other)? {
                    Taken::Changed => return Ok(Turn::Changed),
                    Taken::Told => {}
                    Taken::Misplaced => writeln!(self.talk, "Nothing has been found yet.")?,
                },
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
        let (loops, statements) = {
            let wanted = self.questioning.wanted();
            (wanted.loops, wanted.statements)
        };
        let knows_piece = match found {
            Some(node) => self.knows_piece(node)?,
            None => false,
        };
        if !self.person.is_there() {
            return Ok(Turn::Left);
        }
        if self.person.can_correct_itself() {
            self.tell_diagnosis(diagnosis)?;
        }
        let goes_on = statements || (loops && !knows_piece);
        if let Some(node) = found
            && goes_on
            && self.zoom(node, statements)?
        {
            return Ok(Turn::Left);
        }
        loop {
            let Some(line) = self.person.line(PROMPT_AFTER)? else {
                return Ok(Turn::Left);
            };
            let can_correct_itself = self.person.can_correct_itself();
            match reply::parse(&line) {
                Some(Reply::Nothing | Reply::Leave | Reply::Answer(Answer::Yes)) => {
                    return Ok(Turn::Left);
                }
                // What is left of a script when everything is answered is no objection.
                Some(Reply::Answer(_) | Reply::Trust(_)) if !can_correct_itself => {
                    writeln!(
                        self.talk,
                        "Everything is answered; {line:?} and what follows it is not used (r objects)."
                    )?;
                    return Ok(Turn::Left);
                }
                Some(Reply::Revise | Reply::Answer(Answer::No)) => {
                    match self.questioning.session.revise()? {
                        Some(entry) => {
                            writeln!(
                                self.talk,
                                "Then one of the answers was not right. The least certain one, {}, is asked again.",
                                said_by(&entry)
                            )?;
                            return Ok(Turn::Changed);
                        }
                        None => writeln!(self.talk, "There is no answer left to doubt.")?,
                    }
                }
                Some(Reply::Zoom) => match found {
                    Some(node) if self.zoom(node, true)? => return Ok(Turn::Left),
                    Some(_) => {}
                    None => writeln!(self.talk, "No single call was found.")?,
                },
                Some(Reply::Source) => match diagnosis.nodes().first() {
                    Some(&node) => self.tell_source(node)?,
                    None => writeln!(self.talk, "Nothing was found.")?,
                },
                Some(Reply::More) => self.tell_diagnosis(diagnosis)?,
                Some(Reply::Answer(_) | Reply::Trust(_)) | None => {
                    writeln!(
                        self.talk,
                        "That is no answer here; ? lists what can be said."
                    )?;
                }
                Some(other) => {
                    if let Taken::Changed = self.take(other)? {
                        return Ok(Turn::Changed);
                    }
                }
            }
        }
    }

    /// What can be said with and without a question.
    fn take(&mut self, reply: Reply) -> Result<Taken, DialogueError> {
        match reply {
            Reply::Undo => {
                if !self.questioning.session.undo_to_person().is_empty() {
                    return Ok(Taken::Changed);
                }
                writeln!(self.talk, "There is no answer of yours to take back.")?;
            }
            Reply::TakeBack(number) => match self.numbered(number) {
                Some(target) => {
                    let taken_back = Answer::TakenBack;
                    self.questioning
                        .session
                        .judge_target(target, taken_back, Source::Person)?;
                    return Ok(Taken::Changed);
                }
                None => writeln!(self.talk, "There is no answer {number}; a lists them.")?,
            },
            Reply::Answers => self.tell_answers()?,
            Reply::Go(target) => {
                let asked = self.questioning.session.ask_about(target);
                return self.changed(asked.map_err(DialogueError::from));
            }
            Reply::Transform(list) if list.is_empty() => self.tell_transformations()?,
            Reply::Transform(list) => {
                let mut wanted = self.questioning.wanted().clone();
                match wanted.switch(&list) {
                    Ok(()) => {
                        self.questioning.transform(self.calls, wanted)?;
                        return Ok(Taken::Changed);
                    }
                    Err(error) => writeln!(self.talk, "{error}.")?,
                }
            }
            Reply::Strategy(name) if name.is_empty() => self.tell_strategies()?,
            Reply::Strategy(name) => {
                let set = self.questioning.session.set_strategy(&name);
                return self.changed(set.map_err(DialogueError::from));
            }
            Reply::Help => writeln!(self.talk, "{}", reply::HELP)?,
            Reply::Nothing => {}
            Reply::Zoom | Reply::Revise => return Ok(Taken::Misplaced),
            Reply::Answer(_) | Reply::Trust(_) | Reply::More | Reply::Source | Reply::Leave => {}
        }
        Ok(Taken::Told)
    }

    /// A mistake is told to a person, who can try again, and ends a script.
    fn changed(&mut self, result: Result<(), DialogueError>) -> Result<Taken, DialogueError> {
        match result {
            Ok(()) => Ok(Taken::Changed),
            Err(error) if self.person.can_correct_itself() => {
                writeln!(self.talk, "{error}.")?;
                Ok(Taken::Told)
            }
            Err(error) => Err(error),
        }
    }

    /// What the answer with this number in the list is about.
    fn numbered(&self, number: usize) -> Option<Target> {
        let answers = self
            .questioning
            .session
            .log()
            .iter()
            .filter_map(|entry| entry.target());
        answers.into_iter().nth(number.checked_sub(1)?)
    }

    fn tell_answers(&mut self) -> io::Result<()> {
        let mut number = 0;
        for entry in self.questioning.session.log() {
            let Some(target) = entry.target() else {
                let methods = entry
                    .trusted_routines(&**self.questioning.session.tree())
                    .len() as u64;
                let methods = count(methods, "method", "methods");
                let source = said_by(entry);
                writeln!(self.talk, "   –  {methods} trusted ({source})")?;
                continue;
            };
            number += 1;
            let asked = self.calls.view(target, kind_of(target), Bounds::default());
            writeln!(
                self.talk,
                "  {number:2}  {} ({}): {}",
                judgement_word(entry.judgement()),
                said_by(entry),
                render::asked_in_one_line(&asked, Bounds::default())
            )?;
        }
        if self.questioning.session.log().is_empty() {
            writeln!(self.talk, "There is no answer yet.")?;
        }
        Ok(())
    }

    fn tell_diagnosis(&mut self, diagnosis: &Diagnosis) -> io::Result<()> {
        match diagnosis {
            Diagnosis::Found { node } => {
                let target = Target::Node(*node);
                let asked = self.calls.view(target, kind_of(target), self.bounds());
                let line = render::asked_in_one_line(&asked, self.bounds());
                writeln!(self.talk, "\nFound: {}{line}", number(&asked))
            }
            Diagnosis::Suspects { nodes } => {
                let calls = count(nodes.len() as u64, "call", "calls");
                writeln!(
                    self.talk,
                    "\n{calls} are left that the answers do not tell apart."
                )
            }
            Diagnosis::None => writeln!(self.talk, "\nBy these answers every call is right."),
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
        let on = self.questioning.wanted().to_string();
        let on = if on.is_empty() { "none" } else { &on };
        writeln!(
            self.talk,
            "Transformations that are on: {on}. There are:\n{}x NAME switches one on, x -NAME off, x none all off.",
            wanted::explained()
        )
    }

    fn tell_strategies(&mut self) -> io::Result<()> {
        writeln!(
            self.talk,
            "The next question is chosen by {}. There are:\n{}",
            self.questioning.session.strategy_name(),
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
        ..bounds
    }
}
