//! The debug console: expressions, the questions, and steps for which the protocol has no request.
//!
//! What can be said to the session is read by the parser of the terminal's dialogue and done by its interpreter. A
//! word that is an answer and also the name of a variable in the frame is neither: nobody should answer a question by
//! looking at a variable.

use askance_api::query::{QueryRequest, query};
use debug_engine::NodeId;
use debug_engine::session::{Diagnosis, SessionStep};
use debug_engine::view::render::Bounds;
use debug_engine::view::{history, slice};
use inquiry::blame::lines_to_blame;
use inquiry::command::{Command, Speaker, Verdict};
use inquiry::finding::{Finding, NO_CALL_LEFT, all_calls_of};
use inquiry::reply::{self, Reply};
use inquiry::words::{self, count, sentence};
use java_analysis::happening::{Happening, Moment};
use java_analysis::variable::{self, Variable};
use java_analysis::why;
use java_model::shown::{self, BRIEF};
use serde_json::{Value, json};
use time_travel::frames::{self, Frame};
use time_travel::{Direction, Expression, Step, Stop, Traveller};

use crate::requests::{CompletionsArguments, EvaluateArguments};
use crate::session::{Answer, Held, Refused, Session};
use crate::stop_reason::StopReason;

const MOST_SUSPECTS: usize = 10;
const MOST_WRITES: usize = 50;
const MOST_STEPS: usize = 50;
const MOST_ROWS: usize = 100;

/// What the console knows beside the answers, with what completion says of it.
const COMMANDS: [(&str, &str); 10] = [
    ("question", "show the question that is open"),
    (
        "suspects",
        "the likeliest methods, with what speaks against them",
    ),
    ("history ", "every write of a variable"),
    ("why ", "where a value came from"),
    ("sql ", "ask the whole run, as `askance query` does"),
    ("back in", "step back into the call before"),
    ("back out", "go back to before this call"),
    ("start", "go to the beginning of this call"),
    ("end", "go to the end of this call"),
    ("help", "everything that can be said"),
];

const HELP: &str =
    "Any expression is evaluated in the selected frame; `= n` where n is an answer as well.
  question   show the question that is open, and go to its call
  suspects   the likeliest methods
  history x  every write of a variable; why x: where its value came from
  sql SELECT …   ask the whole run, as `askance query` does
  back in, back out   step back into the call before, or to before this call
  start, end   the beginning and the end of this call
Answers:";

impl Session<'_> {
    pub(crate) fn evaluate(&mut self, wanted: &EvaluateArguments) -> Answer {
        match wanted.context.as_str() {
            "repl" => self.console(wanted),
            _ => self.expression(&wanted.expression, wanted.frame_id),
        }
    }

    fn expression(&mut self, text: &str, frame: Option<u32>) -> Answer {
        let frame = self.frame_or_here(frame)?;
        let held = self.held()?;
        let expression = Expression::parse(text).map_err(|error| error.to_string())?;
        let found = expression.evaluate(&held.traveller()?, &frame);
        let found = found.map_err(|error| error.to_string())?;
        let mut told = self.told(held.run()?, "", &found.value, frame.time, Some(text));
        let mut body = json!({
            "result": told["value"].take(),
            "variablesReference": told["variablesReference"].take(),
        });
        for part in ["type", "indexedVariables"] {
            if !told[part].is_null() {
                body[part] = told[part].take();
            }
        }
        Ok(body)
    }

    fn console(&mut self, wanted: &EvaluateArguments) -> Answer {
        let line = wanted.expression.trim();
        if let Some(expression) = line.strip_prefix('=') {
            return self.expression(expression, wanted.frame_id);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("question" | "?", "") => return said(self.tell_standing()?),
            ("help" | "h", "") => return said(format!("{HELP}\n{}", reply::HELP)),
            ("history", variable) if !variable.is_empty() => {
                return said(self.history(variable, wanted.frame_id)?);
            }
            ("why", path) if !path.is_empty() => return said(self.why(path, wanted.frame_id)?),
            ("sql", sql) if !sql.is_empty() && self.is_no_variable(word, wanted.frame_id) => {
                return said(self.sql(sql)?);
            }
            ("back", "in" | "out") | ("start" | "end", "")
                if self.is_no_variable(word, wanted.frame_id) =>
            {
                return self.walk(word, rest, wanted.frame_id);
            }
            _ => {}
        }
        match reply::parse(line) {
            None => self.expression(line, wanted.frame_id),
            Some(Reply::Nothing) => said(String::new()),
            Some(reply) => {
                if !self.is_no_variable(line, wanted.frame_id) {
                    return Err(format!(
                        "`{line}` is a variable here and an answer as well: `= {line}` shows the variable, \
                         the answer in full (yes, no, …) answers"
                    )
                    .into());
                }
                said(self.say(&reply)?)
            }
        }
    }

    /// Whether a word names nothing in the frame's method, even later in it.
    fn is_no_variable(&self, word: &str, frame: Option<u32>) -> bool {
        let (Ok(frame), Ok(held)) = (self.frame_or_here(frame), self.held()) else {
            return true;
        };
        let run = held.run();
        run.map_or(true, |run| !frames::is_declared(run, &frame, word))
    }

    fn walk(&mut self, word: &str, rest: &str, frame: Option<u32>) -> Answer {
        let held = self.held()?;
        let traveller = held.traveller()?;
        let node = self.frame_or_here(frame)?.node();
        match (word, rest) {
            ("back", "in") => self.step(&self.here()?, Step::Into, Direction::Backwards)?,
            ("back", _) => self.step(&self.here()?, Step::Out, Direction::Backwards)?,
            _ => {
                let stop = match word {
                    "start" => traveller.first_stop(node),
                    _ => traveller.last_stop(node),
                };
                let stop = stop.ok_or("the call cannot be read")?;
                self.arrive(stop, &StopReason::Goto, &[]);
            }
        }
        said(String::new())
    }

    /// Says something to the session and tells what came of it.
    fn say(&mut self, reply: &Reply) -> Result<String, Refused> {
        let held = self.held()?;
        let mut questioning = held.snapshot().settled_questioning();
        let is_done = matches!(questioning.step(), SessionStep::Done(_));
        let is_inside = questioning.is_inside();
        let command = match reply {
            Reply::Say(command) => command.clone(),
            Reply::Answers => {
                let lines = questioning.answer_lines(Bounds::default());
                return Ok(match lines.is_empty() {
                    true => "There is no answer yet.".to_owned(),
                    false => lines.join("\n"),
                });
            }
            Reply::Transformations => {
                let on = questioning.chosen_transformations().to_string();
                let on = if on.is_empty() { "none" } else { &on };
                let there = inquiry::chosen_transformations::explained();
                return Ok(format!(
                    "Transformations that are on: {on}. There are:\n{there}"
                ));
            }
            Reply::Strategies => {
                let name = questioning.session().strategy_name();
                let there = words::strategies();
                return Ok(format!(
                    "The next question is chosen by {name}. There are:\n{there}"
                ));
            }
            Reply::More => {
                let wide = askance_api::ROOMY;
                let text = questioning.question_text(wide);
                return Ok(text.unwrap_or_else(|| "Nothing is asked.".to_owned()));
            }
            Reply::Show(topic) => {
                let node = match questioning.step() {
                    SessionStep::Ask(question) => Some(question.node),
                    SessionStep::Done(diagnosis) => diagnosis.nodes().first().copied(),
                };
                return Ok(questioning.told(topic, node.unwrap_or(NodeId(0)), Bounds::default()));
            }
            Reply::Source => {
                drop(questioning);
                return self.tell_standing();
            }
            Reply::Help | Reply::Leave | Reply::Nothing => {
                return Ok("The answers are kept; the session ends with the debugger.".to_owned());
            }
        };
        drop(questioning);
        // After a diagnosis these are about it and not about a call.
        let command = match command {
            Command::Answer(Verdict::Right) if is_done && !is_inside => {
                return Ok("Then that is it.".to_owned());
            }
            Command::Answer(Verdict::Wrong) if is_done && !is_inside => Command::Revise,
            command => command,
        };
        let debuggee = self.debuggee.as_ref().ok_or("nothing is debugged yet")?;
        let mut notice = None;
        let changed = debuggee.live.change(|_, questioning| {
            notice = questioning.apply(None, command, Speaker::PERSON)?.notice;
            Ok(())
        });
        changed.map_err(|error| Refused(sentence(&error.text())))?;
        self.go_over();
        self.tell_changed();
        let standing = self.tell_standing()?;
        Ok(match notice {
            Some(notice) => format!("{}\n{standing}", sentence(&notice)),
            None => standing,
        })
    }

    /// The open question, or what was found; goes to its call.
    fn tell_standing(&mut self) -> Result<String, Refused> {
        let held = self.held()?;
        let mut questioning = held.snapshot().settled_questioning();
        let text = questioning.question_text(Bounds::default());
        let piece = questioning.blamed_piece();
        let step = questioning.step();
        let session = questioning.session();
        match (text, step) {
            (Some(text), SessionStep::Ask(question)) => {
                let node = question.target.last();
                let why = questioning.why_asked(&question);
                drop(questioning);
                self.go_to_end(&held, node, "is this call right?")?;
                Ok(match why {
                    Some(why) => format!("{text}\n({why})"),
                    None => text,
                })
            }
            // A piece of the call that was found.
            (Some(text), SessionStep::Done(_)) => Ok(text),
            (None, SessionStep::Done(diagnosis)) => {
                let finding = Finding::of(session, &diagnosis);
                let log = session.log().to_vec();
                drop(questioning);
                let Finding::Call(node) = finding else {
                    return Ok(found_words(&held, &finding, &diagnosis));
                };
                let recording = held.snapshot().recording();
                let mut lines = lines_to_blame(recording, &log, node).narrowest;
                let mut title = String::new();
                if let Some(piece) = piece {
                    title = format!(", {}", piece.title);
                    lines = piece.lines;
                }
                self.tell_culprit(&held, node, &lines, &title)
            }
            (None, SessionStep::Ask(_)) => Ok("Nothing is asked.".to_owned()),
        }
    }

    fn go_to_end(&mut self, held: &Held, node: NodeId, words: &str) -> Result<(), Refused> {
        let stop = held.traveller()?.last_stop(node);
        if let Some(stop) = stop {
            self.arrive(stop, &StopReason::Question(words.to_owned()), &[]);
        }
        Ok(())
    }

    /// Says which call is to blame, as output that leads to its line, and goes there.
    fn tell_culprit(
        &mut self,
        held: &Held,
        node: NodeId,
        lines: &[u32],
        title: &str,
    ) -> Result<String, Refused> {
        let (run, traveller) = (held.run()?, held.traveller()?);
        let routine = run.routine_of(node);
        let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
        let call = java_model::node_view::call_line(run, node);
        let place = match (shown::file(run, node), numbers.len()) {
            (Some(file), 1..) => format!(" ({file}:{})", numbers.join(", ")),
            _ => String::new(),
        };
        let text = format!("The bug is in {routine}{place}{title}: #{node} {call}");
        if let Some(stop) = stop_in(&traveller, node, lines) {
            self.print(run, &Frame::of(&stop), "important", &format!("{text}\n"));
            let words = format!("the bug is in {routine}");
            self.arrive(stop, &StopReason::Question(words), &[]);
        }
        Ok(text)
    }

    fn sql(&self, sql: &str) -> Result<String, Refused> {
        let wanted = QueryRequest {
            sql: sql.to_owned(),
            most: MOST_ROWS,
        };
        let found = query(self.held()?.snapshot(), &wanted);
        Ok(found.map_err(|error| error.text())?.text())
    }

    fn history(&self, text: &str, frame: Option<u32>) -> Result<String, Refused> {
        let held = self.held()?;
        let (run, frame) = (held.run()?, self.frame_or_here(frame)?);
        let found = variable::find(
            run,
            run.program(),
            text,
            Some(frame.node()),
            Some(frame.time),
        );
        let found = found.map_err(|error| format!("{}; {}", error.sentence, error.hint))?;
        if matches!(
            found.variable,
            Variable::Object(_) | Variable::Return { .. }
        ) {
            let label = found.label;
            return Err(format!(
                "{label} has no history of its own: name a field or an element of it"
            )
            .into());
        }
        let page = java_analysis::history::history_page(run, run.program(), &found, 0, MOST_WRITES);
        Ok(history::text(&page, BRIEF))
    }

    fn why(&self, path: &str, frame: Option<u32>) -> Result<String, Refused> {
        let held = self.held()?;
        let (run, frame) = (held.run()?, self.frame_or_here(frame)?);
        let options = why::Options {
            control: false,
            steps: MOST_STEPS,
        };
        let found = why::why(run, run.program(), frame.node(), path, options);
        let found = found.map_err(|error| format!("{}; {}", error.sentence, error.hint))?;
        Ok(slice::text(&found, BRIEF))
    }

    pub(crate) fn completions(&mut self, wanted: &CompletionsArguments) -> Answer {
        let end = wanted.column.saturating_sub(self.first_column);
        let typed: String = wanted.text.chars().take(end).collect();
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
        let word = typed.rsplit(|sign| !is_part(sign)).next().unwrap_or("");
        let start = typed.chars().count() - word.chars().count();
        let mut targets = Vec::new();
        let mut add = |label: &str, detail: &str, kind: &str, replaced: (usize, usize)| {
            targets.push(json!({
                "label": label.trim_end(),
                "text": label,
                "detail": detail,
                "type": kind,
                "start": replaced.0,
                "length": replaced.1,
            }));
        };
        let before = typed.get(..typed.len() - word.len()).unwrap_or("");
        match before.trim_end().strip_suffix('.') {
            Some(whole) => {
                let whole = whole
                    .rsplit(|sign: char| !is_part(sign) && !".[]".contains(sign))
                    .next();
                for name in self.fields_of(whole.unwrap_or(""), wanted.frame_id) {
                    if name.starts_with(word) {
                        add(&name, "field", "field", (start, word.len()));
                    }
                }
            }
            None => {
                for (command, detail) in COMMANDS {
                    if command.starts_with(typed.trim_start()) {
                        add(command, detail, "keyword", (0, typed.chars().count()));
                    }
                }
                for name in self.names_in(wanted.frame_id) {
                    if name.starts_with(word) {
                        add(&name, "variable", "variable", (start, word.len()));
                    }
                }
            }
        }
        Ok(json!({"targets": targets}))
    }

    fn names_in(&self, frame: Option<u32>) -> Vec<String> {
        let (Ok(frame), Ok(held)) = (self.frame_or_here(frame), self.held()) else {
            return Vec::new();
        };
        let found = held
            .traveller()
            .map(|traveller| frames::variables(&traveller, &frame));
        let found = found.unwrap_or_default().into_iter();
        found.map(|variable| variable.name).collect()
    }

    fn fields_of(&self, whole: &str, frame: Option<u32>) -> Vec<String> {
        use java_model::heap::Heap as _;
        let (Ok(frame), Ok(held)) = (self.frame_or_here(frame), self.held()) else {
            return Vec::new();
        };
        let (Ok(run), Ok(traveller)) = (held.run(), held.traveller()) else {
            return Vec::new();
        };
        let value = Expression::parse(whole).ok();
        let value = value.and_then(|whole| whole.evaluate(&traveller, &frame).ok());
        match value.map(|found| found.value) {
            Some(time_travel::JavaValue::Known(trace_format::Value::Ref(object))) => {
                let fields = run.fields(object, frame.time);
                fields.iter().map(|field| field.name.to_string()).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn said(text: String) -> Answer {
    let answer: Value = json!({"result": text, "variablesReference": 0});
    Ok(answer)
}

/// What was found, where that is no single call.
fn found_words(held: &Held, finding: &Finding, diagnosis: &Diagnosis) -> String {
    match finding {
        Finding::Method { first, calls } => {
            let routine = held.snapshot().recording().code_of(*first).routine;
            sentence(&all_calls_of(*calls, &routine))
        }
        Finding::Suspects(_) => {
            let nodes = diagnosis.nodes();
            let calls = count(nodes.len() as u64, "call", "calls");
            let mut text = format!("{calls} are left that the answers do not tell apart.");
            for node in nodes.iter().take(MOST_SUSPECTS) {
                let line = askance_api::tree::line(held.snapshot(), *node);
                text.push_str(&format!("\n  #{node} {line}"));
            }
            text
        }
        _ => sentence(NO_CALL_LEFT),
    }
}

/// Where a call comes to the first of some lines; its end, if it comes to none.
fn stop_in(traveller: &Traveller<'_>, node: NodeId, lines: &[u32]) -> Option<Stop> {
    let mut moments = traveller.moments(node)?;
    let is_it = |moment: &Moment| {
        moment.what == Happening::Line && moment.line.is_some_and(|line| lines.contains(&line))
    };
    match moments.find(is_it) {
        Some(moment) => traveller.stop(time_travel::Position {
            node,
            event: moment.event,
        }),
        None => traveller.last_stop(node),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the console takes for itself must not be an answer, nor the other way round.
    #[test]
    fn commands_and_answers_do_not_overlap() {
        for (command, _) in COMMANDS {
            let is_answer = reply::parse(command).is_some();
            let is_said_everywhere = ["help", "suspects"].contains(&command);
            assert_eq!(is_answer, is_said_everywhere, "{command}");
        }
    }
}
