//! Why the session stands where it stands, whoever led it there.

/// Why the run is shown at a place.
#[derive(Clone, Debug)]
pub(crate) enum StopReason {
    Step,
    Entry,
    /// What the run shows to be wrong, in words.
    Symptom(String),
    /// The recording of the thread begins or ends.
    Beginning,
    End,
    /// The program still runs, and no more of the thread is known yet.
    EndSoFar,
    /// Somebody wanted to see where the program is by now.
    Paused,
    Goto,
    Restart,
    /// It is asked about, or was found.
    Question(String),
}
