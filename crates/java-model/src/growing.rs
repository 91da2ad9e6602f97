//! A run that is being recorded: indexed step by step, with a [`JavaRun`] of what is there whenever one is wanted.

use std::path::Path;
use std::sync::Arc;

use trace_store::{Growing, Trace};

use super::classes::ClassTable;
use super::outside_search::BackgroundSearch;
use super::run::{Chosen, JavaRun, Known, OpenError, set_hierarchy};

/// A run of which there will be more.
#[derive(Debug)]
pub struct GrowingRun {
    chosen: Chosen,
    growing: Growing,
    classes: Arc<ClassTable>,
    known: Known,
    /// How many writes from outside were found when that was.
    outside_known: usize,
    /// How many symbols there were when the classes were read.
    symbols: u64,
    outside: BackgroundSearch,
    /// Something was indexed since the search began with what it searches.
    is_ahead: bool,
    /// The run is too long to be searched.
    is_long: bool,
}

impl GrowingRun {
    /// Begins with a JVM of a run, or with the one that is most interesting by now.
    ///
    /// # Errors
    /// If there is no trace, or not of that JVM.
    pub fn open(folder: &Path, jvm: Option<u32>) -> Result<GrowingRun, OpenError> {
        let chosen = Chosen::of(folder, jvm)?;
        Ok(GrowingRun {
            growing: Growing::open(&chosen.jvm)?,
            chosen,
            classes: Arc::default(),
            known: Known::default(),
            outside_known: 0,
            symbols: 0,
            outside: BackgroundSearch::start(),
            is_ahead: false,
            is_long: false,
        })
    }

    /// The process that is followed.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.chosen.pid
    }

    /// Makes the indexes of about so many bytes more; whether there was anything new.
    ///
    /// # Errors
    /// If the trace cannot be read, or an index not be written.
    pub fn advance(&mut self, bytes: u64) -> Result<bool, OpenError> {
        let is_new = self.growing.advance(bytes)?;
        self.is_ahead |= is_new;
        if self.is_ahead
            && let Some(trace) = self.trace()
        {
            self.is_long = !frame_replay::is_searched(&trace);
            if self.outside.is_done() && !self.is_long {
                self.outside.go_on(trace);
                self.is_ahead = false;
            }
        }
        Ok(is_new)
    }

    /// How much of what is recorded is indexed, in bytes.
    #[must_use]
    pub fn indexed(&self) -> u64 {
        self.growing.indexed_bytes()
    }

    /// Whether all that was recorded is indexed, and searched for writes from outside.
    #[must_use]
    pub fn is_up_to_date(&self) -> bool {
        let is_searched = !self.is_ahead && self.outside.is_done();
        self.growing.is_up_to_date() && (self.is_long || is_searched)
    }

    /// What is indexed so far.
    ///
    /// # Errors
    /// If there is no call in it yet.
    pub fn snapshot(&mut self) -> Result<JavaRun, OpenError> {
        let Some(mut trace) = self.trace() else {
            return Err(OpenError::NoCalls(self.chosen.jvm.clone()));
        };
        let outside = self.outside.found();
        trace.set_outside_writes(&outside)?;
        if outside.len() != self.outside_known {
            // Something held what nobody knew of.
            self.known.cache = Arc::default();
            self.outside_known = outside.len();
        }
        let classes = Arc::clone(&self.classes);
        JavaRun::of_trace(&self.chosen, trace, classes, self.known.clone())
    }

    fn trace(&mut self) -> Option<Trace> {
        let mut trace = self.growing.trace()?;
        let symbols = trace.symbols().size();
        if symbols != self.symbols {
            Arc::make_mut(&mut self.classes).read_more(&trace);
            self.symbols = symbols;
        }
        set_hierarchy(&mut trace, &self.classes);
        Some(trace)
    }
}
