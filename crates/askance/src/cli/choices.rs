//! Options of the command line that are one of a few words, each with its meaning and its value.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use trace_format::{Detail, JdkState, WhenFull};

/// A word, what it means to a person, and what it stands for.
type Choice<T> = (&'static str, &'static str, T);

pub(crate) fn detail() -> impl TypedValueParser<Value = Detail> {
    one_of([
        (
            "full",
            "All inputs of every call, and every heap write",
            Detail::Full,
        ),
        (
            "calls",
            "The calls with their arguments and results only",
            Detail::Calls,
        ),
    ])
}

pub(crate) fn jdk_state() -> impl TypedValueParser<Value = JdkState> {
    one_of([
        ("on", "Their content can be shown at any time", JdkState::On),
        ("off", "They are opaque", JdkState::Off),
    ])
}

pub(crate) fn when_full() -> impl TypedValueParser<Value = WhenFull> {
    one_of([
        (
            "stop",
            "Recording stops; the program goes on",
            WhenFull::Stop,
        ),
        (
            "ring",
            "The oldest part of the trace is given up: the newest calls are kept",
            WhenFull::Ring,
        ),
    ])
}

fn one_of<T, const N: usize>(choices: [Choice<T>; N]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Default + Send + Sync + 'static,
{
    let words = choices.map(|(word, help, _)| PossibleValue::new(word).help(help));
    PossibleValuesParser::new(words).map(move |given| {
        let mut choices = choices.iter();
        let chosen = choices.find(|(word, ..)| *word == given);
        chosen.map_or_else(T::default, |(_, _, value)| *value)
    })
}
