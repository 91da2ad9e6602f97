//! Answers that did not last: a later answer about the same says otherwise.

use std::fmt;

use debug_engine::Session;
use schemars::JsonSchema;
use serde::Serialize;

use crate::words::{judgement_word, said_by};

/// An answer that did not last.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Contradicted {
    /// The call, or the first of the calls that it is about.
    pub node: u32,
    pub said: &'static str,
    pub source: String,
    pub now: &'static str,
    pub now_source: String,
}

impl fmt::Display for Contradicted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradicted {
            node, said, now, ..
        } = self;
        let (source, now_source) = (&self.source, &self.now_source);
        write!(
            f,
            "#{node} was called {said} ({source}), then {now} ({now_source})"
        )
    }
}

/// All of a session's.
#[must_use]
pub fn contradictions(session: &Session) -> Vec<Contradicted> {
    let pairs = session.contradicted().into_iter();
    let told = pairs.filter_map(|(entry, later)| {
        Some(Contradicted {
            node: entry.target()?.first().0,
            said: judgement_word(entry.judgement()),
            source: said_by(entry),
            now: judgement_word(later.judgement()),
            now_source: said_by(later),
        })
    });
    told.collect()
}
