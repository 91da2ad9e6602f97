//! What can be said at the prompt, and in a file of scripted answers.

use debug_engine::NodeId;
use debug_engine::session::{Answer, TrustScope, ValuePath};

/// How far trust reaches beyond the method in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Class,
    Package,
}

/// A line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Answer(Answer),
    Trust(Scope),
    Undo,
    Go(NodeId),
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
  u   undo the last answer
  g NODE   ask about this call instead
  m   show more of the values
  s   show the source of the method
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
        "u" | "undo" => alone(Reply::Undo),
        "g" | "go" => rest
            .trim_start_matches('#')
            .parse()
            .ok()
            .map(|node| Reply::Go(NodeId(node))),
        "m" | "more" => alone(Reply::More),
        "s" | "source" => alone(Reply::Source),
        "?" | "h" | "help" => alone(Reply::Help),
        "q" | "quit" | "exit" => alone(Reply::Leave),
        _ => None,
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
        assert_eq!(parse("g 12"), Some(Reply::Go(NodeId(12))));
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
        for line in ["maybe", "y n", "g", "g x", "w", "t all", "yess"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
