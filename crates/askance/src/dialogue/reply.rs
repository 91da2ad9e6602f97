//! What can be said at the prompt, and in a file of scripted answers.

use debug_engine::session::{Answer, TrustScope, ValuePath};
use debug_engine::{NodeId, Target};

pub use java_model::calls::Scope;

/// A line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Answer(Answer),
    Trust(Scope),
    Undo,
    /// Takes back the answer with this number in the list of answers.
    TakeBack(usize),
    Answers,
    Go(Target),
    /// What was found is not the bug.
    Revise,
    /// Look for the statement inside the call that was found.
    Zoom,
    /// Switches transformations, or only shows which are on.
    Transform(String),
    /// Goes on with another strategy, or only shows which there are.
    Strategy(String),
    More,
    Source,
    Help,
    Leave,
    /// An empty line.
    Nothing,
}

/// The list of what can be said.
pub const HELP: &str = "  y   yes, this is right
  n   no, this is wrong
  w PATH   no, and this value shows it, e.g. w this.size
  d   don't know: ask about something else
  t   trust this method: never ask about it (t class, t package: all of its class or package)
  i   inadmissible: it should never have been called like this
  u   undo the last answer (u 3: take back answer 3 of the list)
  a   list the answers so far
  g NODE   ask about this call instead (g 3-17: about these calls together)
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
        "y" | "yes" => alone(Reply::Answer(Answer::Yes)),
        "n" | "no" => alone(Reply::Answer(Answer::No)),
        "d" | "unknown" | "dont-know" => alone(Reply::Answer(Answer::DontKnow)),
        "don't" if rest == "know" => Some(Reply::Answer(Answer::DontKnow)),
        "i" | "inadmissible" => alone(Reply::Answer(Answer::Inadmissible)),
        "t" | "trust" => match rest {
            "" | "method" => Some(Reply::Answer(Answer::Trust(TrustScope::Routine))),
            "class" => Some(Reply::Trust(Scope::Class)),
            "package" => Some(Reply::Trust(Scope::Package)),
            _ => None,
        },
        "w" | "wrong" if !rest.is_empty() => {
            Some(Reply::Answer(Answer::WrongPart(ValuePath(rest.to_owned()))))
        }
        "u" | "undo" if rest.is_empty() => Some(Reply::Undo),
        "u" | "undo" => rest.parse().ok().map(Reply::TakeBack),
        "a" | "answers" => alone(Reply::Answers),
        "g" | "go" => target(rest).map(Reply::Go),
        "r" | "revise" => alone(Reply::Revise),
        "z" | "zoom" => alone(Reply::Zoom),
        "x" | "transform" => Some(Reply::Transform(rest.to_owned())),
        "c" | "strategy" => Some(Reply::Strategy(rest.to_owned())),
        "m" | "more" => alone(Reply::More),
        "s" | "source" => alone(Reply::Source),
        "?" | "h" | "help" => alone(Reply::Help),
        "q" | "quit" | "exit" => alone(Reply::Leave),
        _ => None,
    }
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
        assert_eq!(parse("g 12"), Some(Reply::Go(NodeId(12).into())));
        let several = Target::between(NodeId(3), NodeId(17));
        assert_eq!(parse("g 3-#17"), Some(Reply::Go(several)));
        assert_eq!(parse("u 2"), Some(Reply::TakeBack(2)));
        assert_eq!(
            parse("x balance,-loops"),
            Some(Reply::Transform("balance,-loops".into()))
        );
        assert_eq!(parse("t class"), Some(Reply::Trust(Scope::Class)));
        let path = ValuePath("this.size".into());
        assert_eq!(
            parse("w this.size"),
            Some(Reply::Answer(Answer::WrongPart(path)))
        );
        assert_eq!(parse(" "), Some(Reply::Nothing));
    }

    #[test]
    fn nonsense_is_not_guessed() {
        for line in [
            "maybe", "y n", "g", "g x", "g 3-", "w", "t all", "yess", "u x", "r 2",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
