//! What can be said at a prompt: a terminal's, a debug console's, and in a file of scripted answers.

use debug_engine::{NodeId, Target};

use super::command::{Command, Reach, Verdict};
use java_analysis::output_symptom::OutputPointer;

/// A line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Something is said to the session.
    Say(Command),
    Answers,
    /// Shows what is known beside the question.
    Show(Topic),
    /// Shows which transformations are on.
    Transformations,
    /// Shows which strategies there are.
    Strategies,
    More,
    Source,
    Help,
    Leave,
    /// An empty line.
    Nothing,
}

/// What can be looked at beside the question; `shown.rs` has it in lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The likeliest methods, with what speaks against each.
    Suspects,
    /// What the program printed.
    Output,
    /// Every write of a value of the call.
    History(String),
    /// Where a value of the call came from.
    Origin(String),
}

/// The list of what can be said.
pub const HELP: &str = "  y   yes, this is right
  n   no, this is wrong
  n 3  of several calls: the third is wrong (y 3, d 3, i 3, t 3 likewise; y: all are right)
  w PATH   no, and this value shows it, e.g. w this.size (of the third of several: w 3 this.size)
  w output:3   line 3 of what the program printed is wrong (w output:3:TEXT: this part of it;
      w error:3: line 3 of standard error)
  d   don't know: ask about something else
  t   trust this method: never ask about it (t class, t package: all of its class or package;
      t back: trust nothing any more, t back NODE: not the method of this call)
  i   inadmissible: it should never have been called like this
  u   undo the last answer (u 3: take back answer 3 of the list)
  a   list the answers so far
  g NODE   ask about this call instead (g 3-17: about these calls together)
  l   list the likeliest suspects, with what speaks against each
  o   show what the program printed (w output:3: its third line is wrong)
  h PATH   the history of a value: every write of it, e.g. h this.size
  b PATH   back to where a value came from, e.g. b return
  m   show more of the values
  s   show the source of the method
  x   show which transformations of the tree are on (x balance, x -balance: switch one)
  c   show how the next question is chosen (c NAME: choose otherwise)
  r   after a diagnosis: that is not it, ask the least certain answer again
  z   after a diagnosis: look for the statement inside the call
  q   leave; the answers are kept";

/// Reads a line; `None` if it makes no sense.
#[must_use]
pub fn parse(line: &str) -> Option<Reply> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let word = word.to_lowercase();
    let alone = |reply| rest.is_empty().then_some(reply);
    match word.as_str() {
        "" => Some(Reply::Nothing),
        "y" | "yes" => of_one(rest, Verdict::Right),
        "n" | "no" => of_one(rest, Verdict::Wrong),
        "d" | "unknown" | "dont-know" => of_one(rest, Verdict::Unknown),
        "don't" if rest == "know" => Some(answer(Verdict::Unknown)),
        "i" | "inadmissible" => of_one(rest, Verdict::Inadmissible),
        "t" | "trust" => trust(rest),
        "w" | "wrong" => match OutputPointer::parse(rest) {
            Some(at) => Some(Reply::Say(Command::WrongOutput(at))),
            None => wrong_part(rest),
        },
        "u" | "undo" if rest.is_empty() => Some(Reply::Say(Command::Undo)),
        "u" | "undo" => {
            let number: Option<usize> = rest.parse().ok();
            // The list begins with 1.
            let place = number.and_then(|number| number.checked_sub(1));
            place.map(|place| Reply::Say(Command::TakeBack(place)))
        }
        "a" | "answers" => alone(Reply::Answers),
        "g" | "go" => target(rest).map(|target| Reply::Say(Command::AskAbout(target))),
        "r" | "revise" => alone(Reply::Say(Command::Revise)),
        "z" | "zoom" => alone(Reply::Say(Command::LookInside { statements: true })),
        "x" | "transform" if rest.is_empty() => Some(Reply::Transformations),
        "x" | "transform" => Some(Reply::Say(Command::Transform(rest.to_owned()))),
        "c" | "strategy" if rest.is_empty() => Some(Reply::Strategies),
        "c" | "strategy" => Some(Reply::Say(Command::Strategy(rest.to_owned()))),
        "m" | "more" => alone(Reply::More),
        "s" | "source" => alone(Reply::Source),
        "l" | "suspects" => alone(Reply::Show(Topic::Suspects)),
        "o" | "output" => alone(Reply::Show(Topic::Output)),
        "h" | "history" if !rest.is_empty() => Some(Reply::Show(Topic::History(rest.to_owned()))),
        "b" | "from" if !rest.is_empty() => Some(Reply::Show(Topic::Origin(rest.to_owned()))),
        "?" | "h" | "help" => alone(Reply::Help),
        "q" | "quit" | "exit" => alone(Reply::Leave),
        _ => None,
    }
}

fn answer(verdict: Verdict) -> Reply {
    Reply::Say(Command::Answer(verdict))
}

/// Of the open question, or of the call with this number in its list.
fn of_one(number: &str, verdict: Verdict) -> Option<Reply> {
    if number.is_empty() {
        return Some(answer(verdict));
    }
    let number = number.parse().ok().filter(|&number| number > 0)?;
    Some(Reply::Say(Command::AnswerOne(number, verdict)))
}

/// `this.size`, `3 this.size`: a path does not begin with a number.
fn wrong_part(rest: &str) -> Option<Reply> {
    let (number, path) = match rest.split_once(char::is_whitespace) {
        Some((number, path)) if number.parse::<usize>().is_ok() => (number, path.trim()),
        _ => ("", rest),
    };
    let names_a_value = !path.is_empty() && path.parse::<usize>().is_err();
    names_a_value.then(|| of_one(number, Verdict::WrongPart(path.to_owned())))?
}

fn trust(rest: &str) -> Option<Reply> {
    if rest.parse::<usize>().is_ok() {
        return of_one(rest, Verdict::Trust(Reach::Method));
    }
    let reach = match rest.split_once(char::is_whitespace).unwrap_or((rest, "")) {
        ("" | "method", "") => Reach::Method,
        ("class", "") => Reach::Class,
        ("package", "") => Reach::Package,
        ("back", "") => return Some(Reply::Say(Command::TakeBackTrust(None))),
        ("back", node) => {
            let node = target(node)?.node()?;
            return Some(Reply::Say(Command::TakeBackTrust(Some(node))));
        }
        _ => return None,
    };
    Some(answer(Verdict::Trust(reach)))
}

/// `12`, `#12`, `3-17`.
fn target(text: &str) -> Option<Target> {
    let node = |text: &str| text.trim().trim_start_matches('#').parse().ok().map(NodeId);
    match text.split_once(['-', '–']) {
        None => node(text).map(Target::Node),
        Some((first, last)) => Some(Target::between(node(first)?, node(last)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_words_mean_the_same() {
        for (letter, word) in [
            ("y", "yes"),
            ("N", "no"),
            ("d", "unknown"),
            ("t", " trust "),
            ("i", "inadmissible"),
            ("u", "undo"),
            ("q", "quit"),
            ("?", "help"),
        ] {
            assert_eq!(parse(letter), parse(word), "{letter}");
            assert!(parse(letter).is_some(), "{letter}");
        }
    }

    #[test]
    fn some_take_a_word_more() {
        let said = |line: &str| match parse(line) {
            Some(Reply::Say(command)) => command,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(said("g 12"), Command::AskAbout(NodeId(12).into()));
        let several = Target::between(NodeId(3), NodeId(17));
        assert_eq!(said("g 3-#17"), Command::AskAbout(several));
        assert_eq!(said("u 2"), Command::TakeBack(1));
        assert_eq!(
            said("x balance,-loops"),
            Command::Transform("balance,-loops".into())
        );
        let class = Verdict::Trust(Reach::Class);
        assert_eq!(said("t class"), Command::Answer(class));
        assert_eq!(said("t back"), Command::TakeBackTrust(None));
        assert_eq!(said("t back #7"), Command::TakeBackTrust(Some(NodeId(7))));
        let part = Verdict::WrongPart("this.size".into());
        assert_eq!(said("w this.size"), Command::Answer(part));
        let third = Command::AnswerOne(3, Verdict::Wrong);
        assert_eq!(said("n 3"), third);
        let part = Verdict::WrongPart("this.size".into());
        assert_eq!(said("w 3 this.size"), Command::AnswerOne(3, part));
        let trust = Verdict::Trust(Reach::Method);
        assert_eq!(said("t 2"), Command::AnswerOne(2, trust));
        let line = OutputPointer::parse("output:3:a b").unwrap();
        assert_eq!(said("w output:3:a b"), Command::WrongOutput(line));
        assert_eq!(parse(" "), Some(Reply::Nothing));
    }

    #[test]
    fn nonsense_is_not_guessed() {
        for line in [
            "maybe", "y n", "g", "g x", "g 3-", "w", "t all", "yess", "u x", "u 0", "r 2",
            "t back x", "n 0", "w 3", "n 3 4",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
