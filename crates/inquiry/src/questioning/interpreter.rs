//! What each [`Command`] does to a session, and when it is refused: the one interpreter, below every front end.

use std::collections::BTreeSet;

use debug_engine::session::{
    Answer, AnswerSource, Diagnosis, LogEntry, Question, SessionError, SessionStep, TrustScope,
    ValuePath,
};
use debug_engine::{NodeId, Target};

use super::Questioning;
use super::command::{Command, Outcome, Reach, Refusal, Speaker, Verdict};
use super::inside::InsideSearch;
use crate::words::{count, said_by};
use java_analysis::calls::{Calls, Scope};
use java_analysis::output_symptom::OutputPointer;

impl Questioning {
    /// Does what a command says, and keeps the answers. After a refusal everything is as it was.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn apply(
        &mut self,
        calls: &dyn Calls,
        command: Command,
        by: Speaker,
    ) -> Result<Outcome, Refusal> {
        let is_inside = matches!(
            command,
            Command::Answer(_) | Command::AnswerOne(..) | Command::Undo
        );
        if let Some(inside) = self.inside.as_mut().filter(|_| is_inside) {
            return inside.apply(command, by);
        }
        let outcome = match command {
            Command::LookInside { statements } => return self.look_inside(calls, statements),
            Command::LeaveInside => {
                let was_inside = self.inside.take().is_some();
                return was_inside.then(Outcome::default).ok_or(Refusal::NotInside);
            }
            Command::Answer(verdict) => match self.session.poll() {
                SessionStep::Ask(question) if question.is_list() => {
                    self.judge_list(calls, &question, verdict, by)?
                }
                SessionStep::Ask(question) => self.judge(calls, question.target, verdict, by)?,
                SessionStep::Done(_) => return Err(SessionError::NothingAsked.into()),
            },
            Command::AnswerOne(number, verdict) => {
                let target = self.session.listed(number)?;
                self.judge(calls, target, verdict, by)?
            }
            Command::Judge(target, verdict) => self.judge(calls, target, verdict, by)?,
            Command::WrongOutput(at) => self.wrong_output(calls, &at, by)?,
            Command::Undo => self.undo(by)?,
            Command::TakeBack(place) => self.take_back(place, by)?,
            Command::TakeBackTrust(node) => self.take_back_trust(node, by)?,
            Command::AskAbout(target) => {
                self.session.ask_about(target)?;
                Outcome::default()
            }
            Command::Revise => self.revise(by)?,
            Command::Strategy(name) => {
                self.session.set_strategy(&name)?;
                Outcome::default()
            }
            Command::Transform(list) => {
                let mut wanted = self.wanted.clone();
                wanted.switch(&list)?;
                self.transform(calls, wanted)?;
                Outcome::default()
            }
        };
        self.inside = None;
        self.keep().map_err(Refusal::Unsaved)?;
        Ok(outcome)
    }

    fn judge(
        &mut self,
        calls: &dyn Calls,
        target: Target,
        verdict: Verdict,
        by: Speaker,
    ) -> Result<Outcome, Refusal> {
        let points_at_value = matches!(verdict, Verdict::WrongPart(_));
        let answer = match verdict {
            Verdict::Right => Answer::Yes,
            Verdict::Wrong => Answer::No,
            Verdict::Unknown => Answer::DontKnow,
            Verdict::Inadmissible => Answer::Inadmissible,
            Verdict::Trust(reach) => Answer::Trust(self.trust_in(calls, target, reach)),
            Verdict::WrongPart(path) => {
                let path = path.trim();
                if path.is_empty() {
                    return Err(Refusal::NoPath);
                }
                calls
                    .check_path(target, path)
                    .map_err(Refusal::NoSuchValue)?;
                Answer::WrongPart(ValuePath(path.to_owned()))
            }
        };
        let entry = LogEntry::about(target, answer, by.source);
        self.session
            .judge_as(entry.with_confidence(by.confidence))?;
        self.note_for_memory(target);
        let producer = match points_at_value {
            true => self.follow_value()?,
            false => None,
        };
        let notice = producer.map(|call| format!("that value was produced by call #{call}"));
        Ok(Outcome { notice })
    }

    /// Says something of a list of calls as a whole.
    fn judge_list(
        &mut self,
        calls: &dyn Calls,
        question: &Question,
        verdict: Verdict,
        by: Speaker,
    ) -> Result<Outcome, Refusal> {
        let mut notice = None;
        let answer = match verdict {
            Verdict::Right => Answer::Yes,
            Verdict::Wrong => {
                notice = Some("one of them, then; which one is asked next".to_owned());
                Answer::No
            }
            Verdict::Unknown => Answer::DontKnow,
            Verdict::Trust(Reach::Method) => Answer::Trust(TrustScope::Routine),
            Verdict::Trust(reach) => {
                let scopes = question
                    .targets()
                    .map(|target| self.trust_in(calls, target, reach));
                let routines = scopes.flat_map(|scope| match scope {
                    TrustScope::Routines(routines) => routines,
                    TrustScope::Routine => BTreeSet::new(),
                });
                Answer::Trust(TrustScope::Routines(routines.collect()))
            }
            Verdict::Inadmissible | Verdict::WrongPart(_) => {
                return Err(SessionError::WhichOne.into());
            }
        };
        self.session
            .judge_question(question, answer, by.source, by.confidence)?;
        for target in question.targets() {
            self.note_for_memory(target);
        }
        Ok(Outcome { notice })
    }

    /// What was printed is wrong, and so is the outermost call of what printed it.
    fn wrong_output(
        &mut self,
        calls: &dyn Calls,
        at: &OutputPointer,
        by: Speaker,
    ) -> Result<Outcome, Refusal> {
        let symptom = calls.output_symptom(at).map_err(Refusal::NoSuchValue)?;
        let root = Target::Node(symptom.root.ok_or(Refusal::NothingRecorded)?);
        let answer = symptom.answer();
        let said = self.session.answer_for_target(root);
        if said.is_none_or(|said| said.answer != answer) {
            let entry = LogEntry::about(root, answer, by.source);
            self.session
                .judge_as(entry.with_confidence(by.confidence))?;
            self.note_for_memory(root);
        }
        let notice = Some(symptom.to_string());
        self.output = Some(symptom);
        Ok(Outcome { notice })
    }

    /// Trust in the methods of a call or of several, or in everything beside each of them.
    fn trust_in(&self, calls: &dyn Calls, target: Target, reach: Reach) -> TrustScope {
        let scope = match reach {
            Reach::Method => return TrustScope::Routine,
            Reach::Class => Scope::Class,
            Reach::Package => Scope::Package,
        };
        let tree = self.session.tree();
        let mut seen = BTreeSet::new();
        let mut trusted = BTreeSet::new();
        for node in target.members(&**tree) {
            let routine = tree.routine(node);
            if seen.insert(routine) && !trusted.contains(&routine) {
                trusted.extend(calls.routines_beside(node, scope));
            }
        }
        TrustScope::Routines(trusted)
    }

    fn undo(&mut self, by: Speaker) -> Result<Outcome, Refusal> {
        let undone = match by.source {
            AnswerSource::Agent => self.session.undo_to_agent()?,
            _ => self.session.undo_to_person(),
        };
        if undone.is_empty() {
            return Err(Refusal::NothingToUndo);
        }
        let by_person = undone
            .iter()
            .filter(|entry| entry.source == AnswerSource::Person);
        for target in by_person.filter_map(LogEntry::target) {
            self.note_for_memory(target);
        }
        Ok(Outcome::default())
    }

    fn take_back(&mut self, place: usize, by: Speaker) -> Result<Outcome, Refusal> {
        let entry = self.session.log().get(place);
        let entry = entry.ok_or(Refusal::NoSuchAnswer(place))?;
        match entry.target() {
            Some(target) => {
                self.session
                    .judge_target(target, Answer::TakenBack, by.source)?;
                self.note_for_memory(target);
            }
            // Trust by name.
            None if by.source == AnswerSource::Agent && entry.source != AnswerSource::Agent => {
                return Err(Refusal::TrustOfOthers);
            }
            None => drop(self.session.withdraw(place)),
        }
        Ok(Outcome::default())
    }

    fn take_back_trust(&mut self, node: Option<NodeId>, by: Speaker) -> Result<Outcome, Refusal> {
        let tree = self.session.tree();
        if let Some(node) = node.filter(|node| node.0 >= tree.len()) {
            return Err(SessionError::NoSuchNode(node, tree.len()).into());
        }
        let wanted = node.map(|node| tree.routine(node));
        let mut places = Vec::new();
        let mut methods = BTreeSet::new();
        for (place, entry) in self.session.log().iter().enumerate() {
            let trusted = entry.trusted_routines(&**tree);
            let is_meant = wanted.is_none_or(|wanted| trusted.contains(&wanted));
            if is_meant && !trusted.is_empty() && self.session.is_in_force(place) {
                if by.source == AnswerSource::Agent && entry.source != AnswerSource::Agent {
                    return Err(Refusal::TrustOfOthers);
                }
                places.push(place);
                methods.extend(trusted);
            }
        }
        if places.is_empty() {
            let is_made =
                wanted.is_some_and(|routine| self.session.options().trusted.contains(&routine));
            return Err(match is_made {
                true => Refusal::MadeByCompiler,
                false => Refusal::NoTrust,
            });
        }
        // From the end, because trust by name leaves the log.
        for place in places.into_iter().rev() {
            self.take_back(place, by)?;
        }
        let methods = count(methods.len() as u64, "method is", "methods are");
        let notice = Some(format!("{methods} asked about again"));
        Ok(Outcome { notice })
    }

    fn revise(&mut self, by: Speaker) -> Result<Outcome, Refusal> {
        if matches!(self.session.poll(), SessionStep::Ask(_)) {
            return Err(Refusal::NothingFound);
        }
        let doubted = self.session.revise_for(by.source)?;
        let doubted = doubted.ok_or(Refusal::NothingToDoubt)?;
        if let Some(target) = doubted.target() {
            self.note_for_memory(target);
        }
        let source = said_by(&doubted);
        Ok(Outcome {
            notice: Some(format!(
                "then one of the answers was not right. The least certain one, {source}, is asked again"
            )),
        })
    }

    fn look_inside(&mut self, calls: &dyn Calls, statements: bool) -> Result<Outcome, Refusal> {
        let call = match self.session.poll() {
            SessionStep::Done(Diagnosis::Found { node }) => node,
            SessionStep::Done(_) => return Err(Refusal::NoSingleCall),
            SessionStep::Ask(_) => return Err(Refusal::NothingFound),
        };
        self.inside = Some(InsideSearch::begin(&self.session, calls, call, statements)?);
        Ok(Outcome::default())
    }

    /// Notes for other sessions what a person says of a call now, or that it no longer counts.
    fn note_for_memory(&mut self, target: Target) {
        if !self.remembers || target.node().is_none() {
            return;
        }
        let said = match self.session.answer_for_target(target) {
            Some(entry) if entry.source == AnswerSource::Person => entry.clone(),
            Some(_) => return,
            None => LogEntry::about(target, Answer::TakenBack, AnswerSource::Person),
        };
        self.to_remember.push(said);
    }
}
