//! Which transformations of the tree a person wants, by name: on the command line and in the middle
//! of a dialogue.
//!
//! A list such as `balance,chain=2..8,-loops` switches some on and others off and leaves the rest as
//! it is. Nothing is lost by switching: the answers are kept in terms of the recorded calls.

use std::collections::BTreeSet;
use std::fmt;

use debug_engine::RoutineId;
use debug_engine::transform::{Balancing, Transformations};

use java_names::glob::Glob;

/// The transformations by name, each with one line for a person.
pub const ALL: &[(&str, &str)] = &[
    (
        "balance",
        "put chains of calls together, so that each answer rules out more",
    ),
    (
        "unrestricted",
        "balance calls that are not chained as well: fewer and harder questions",
    ),
    (
        "chain=MIN..MAX",
        "how many calls may be put together (MAX may be left out)",
    ),
    (
        "closed",
        "do not open calls that were put together again: end with all of them",
    ),
    (
        "compress",
        "take a call that its own method made as a part of that call",
    ),
    (
        "inline=GLOB",
        "make calls of these classes or methods a part of their callers",
    ),
    (
        "ranges",
        "ask about several consecutive calls where that splits best",
    ),
    ("loops", "make loops and their iterations nodes of the tree"),
    (
        "statements",
        "go on inside the buggy call, down to a single statement",
    ),
    ("simplify", "show values in their shortest form"),
];

/// What is switched on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenTransformations {
    balance: bool,
    unrestricted: bool,
    shortest: Option<usize>,
    longest: Option<usize>,
    closed: bool,
    compress: bool,
    inlined: Vec<Glob>,
    pub ranges: bool,
    pub loops: bool,
    pub statements: bool,
    pub simplify: bool,
}

/// Why a text is no list of transformations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransformError {
    #[error("there is no transformation {0:?}; there are {names}", names = names())]
    Unknown(String),
    #[error("{0:?} is no number of calls; write chain=2..8, or chain=3 for three and more")]
    NoLengths(String),
    #[error("inline needs a pattern, such as inline=shop.Cart or inline=*.get*")]
    NoPattern,
}

/// All names in one line.
#[must_use]
pub fn names() -> String {
    let names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

/// The list with its explanations, one a line.
#[must_use]
pub fn explained() -> String {
    let lines = ALL
        .iter()
        .map(|(name, explanation)| format!("  {name:16} {explanation}\n"));
    lines.collect()
}

impl ChosenTransformations {
    /// What a list switches on.
    ///
    /// # Errors
    /// If a name in it is unknown, or what follows it makes no sense.
    pub fn parse(list: &str) -> Result<ChosenTransformations, TransformError> {
        let mut wanted = ChosenTransformations::default();
        wanted.switch(list)?;
        Ok(wanted)
    }

    /// Switches on what a list names, and off what it names with a minus sign; `none` is everything.
    ///
    /// # Errors
    /// If a name in it is unknown, or what follows it makes no sense; then nothing is switched.
    pub fn switch(&mut self, list: &str) -> Result<(), TransformError> {
        let mut changed = self.clone();
        for word in list.split([',', ' ']).filter(|word| !word.is_empty()) {
            match word.strip_prefix('-') {
                Some(name) => changed.set(name, false)?,
                None => changed.set(word.strip_prefix('+').unwrap_or(word), true)?,
            }
        }
        *self = changed;
        Ok(())
    }

    fn set(&mut self, word: &str, on: bool) -> Result<(), TransformError> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        match (name, value) {
            ("balance", None) => self.balance = on,
            ("unrestricted", None) => {
                self.unrestricted = on;
                self.balance |= on;
            }
            ("chain", None) if !on => (self.shortest, self.longest) = (None, None),
            ("chain", Some(lengths)) => {
                let lengths = on.then(|| chain_lengths(lengths)).transpose()?;
                (self.shortest, self.longest) = lengths
                    .map_or((None, None), |(shortest, longest)| {
                        (Some(shortest), longest)
                    });
                self.balance |= on;
            }
            ("closed", None) => self.closed = on,
            ("compress", None) => self.compress = on,
            ("inline", None) if !on => self.inlined.clear(),
            ("inline", pattern) => {
                let glob = Glob::new(pattern.unwrap_or_default());
                let glob = glob.map_err(|_| TransformError::NoPattern)?;
                self.inlined.retain(|known| *known != glob);
                if on {
                    self.inlined.push(glob);
                }
            }
            ("ranges", None) => self.ranges = on,
            ("loops", None) => self.loops = on,
            ("statements", None) => self.statements = on,
            ("simplify", None) => self.simplify = on,
            ("none", None) if on => *self = ChosenTransformations::default(),
            _ => return Err(TransformError::Unknown(word.to_owned())),
        }
        Ok(())
    }

    /// What the engine is told. `routines` finds the methods that a pattern means.
    #[must_use]
    pub fn transformations(
        &self,
        routines: &dyn Fn(&Glob) -> BTreeSet<RoutineId>,
    ) -> Transformations {
        let defaults = Balancing::default();
        let balancing = Balancing {
            shortest: self.shortest.unwrap_or(defaults.shortest),
            longest: self.longest,
            unrestricted: self.unrestricted,
            ..defaults
        };
        Transformations {
            balancing: self.balance.then_some(balancing),
            open_again: !self.closed,
            compression: self.compress,
            loops: self.loops,
            inlined: self.inlined.iter().flat_map(routines).collect(),
            simplification: self.simplify,
        }
    }
}

/// The list that switches this on.
impl fmt::Display for ChosenTransformations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Vec::new();
        let mut add = |is_on: bool, name: &str| {
            if is_on {
                names.push(name.to_owned());
            }
        };
        add(self.balance, "balance");
        add(self.unrestricted, "unrestricted");
        add(self.closed, "closed");
        add(self.compress, "compress");
        add(self.ranges, "ranges");
        add(self.loops, "loops");
        add(self.statements, "statements");
        add(self.simplify, "simplify");
        if let Some(shortest) = self.shortest {
            let longest = self.longest.map_or(String::new(), |most| most.to_string());
            names.push(format!("chain={shortest}..{longest}"));
        }
        names.extend(self.inlined.iter().map(|glob| format!("inline={glob}")));
        f.write_str(&names.join(","))
    }
}

/// `3`, `3..`, `2..8`.
fn chain_lengths(text: &str) -> Result<(usize, Option<usize>), TransformError> {
    let wrong = || TransformError::NoLengths(text.to_owned());
    let number = |text: &str| {
        let number: usize = text.parse().map_err(|_| wrong())?;
        if number < 2 { Err(wrong()) } else { Ok(number) }
    };
    match text.split_once("..") {
        None => Ok((number(text)?, None)),
        Some((shortest, "")) => Ok((number(shortest)?, None)),
        Some((shortest, longest)) => {
            let (shortest, longest) = (number(shortest)?, number(longest)?);
            if shortest > longest {
                return Err(wrong());
            }
            Ok((shortest, Some(longest)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_switches_on_and_off_and_is_written_back() {
        let mut wanted =
            ChosenTransformations::parse("balance,chain=2..8,inline=shop.*,loops").unwrap();
        assert_eq!(wanted.to_string(), "balance,loops,chain=2..8,inline=shop.*");
        assert_eq!(
            ChosenTransformations::parse(&wanted.to_string()).unwrap(),
            wanted
        );
        wanted.switch("-loops -inline=shop.* +ranges").unwrap();
        assert_eq!(wanted.to_string(), "balance,ranges,chain=2..8");
        wanted.switch("none").unwrap();
        assert_eq!(wanted, ChosenTransformations::default());
    }

    #[test]
    fn parameters_reach_the_engine() {
        let none = |_: &Glob| BTreeSet::new();
        let wanted = ChosenTransformations::parse("unrestricted,chain=3,closed").unwrap();
        let transformations = wanted.transformations(&none);
        let balancing = transformations.balancing.unwrap();
        assert_eq!((balancing.shortest, balancing.longest), (3, None));
        assert!(balancing.unrestricted && !transformations.open_again);
        assert!(
            ChosenTransformations::default()
                .transformations(&none)
                .is_default()
        );
    }

    #[test]
    fn nonsense_changes_nothing() {
        let mut wanted = ChosenTransformations::parse("balance").unwrap();
        for list in [
            "balanse",
            "chain=1",
            "chain=5..2",
            "inline=",
            "loops=3",
            "compress,x",
        ] {
            assert!(wanted.switch(list).is_err(), "{list}");
        }
        assert_eq!(wanted.to_string(), "balance");
    }
}
