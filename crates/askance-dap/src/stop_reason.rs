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
    Goto,
    Restart,
    /// It is asked about, or was found.
    Question(String),
}
