//! Where the bug is likeliest to be, before any answer and after some, with what speaks for it. Nothing in the list is
//! proven.

use debug_engine::transform::kind_of;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{Session, Target};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use inquiry::suspects::suspects;
use inquiry::words::{count, sentence};
use java_analysis::calls::Calls;
use java_analysis::recording::Recording;

/// A longer list is no help.
const LONGEST_LIST: usize = 50;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct SuspectsRequest {
    /// How many methods.
    #[serde(default = "usual")]
    pub most: usize,
}

fn usual() -> usize {
    5
}

/// Methods that may be to blame, the likeliest first; none if nothing is known that would tell calls apart.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SuspectList {
    pub suspects: Vec<SuspectTold>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SuspectTold {
    pub class: String,
    pub method: String,
    pub descriptor: String,
    pub file: Option<String>,
    pub lines: Vec<u32>,
    /// From 0 to 1, over all suspects.
    pub likelihood: f64,
    /// The likeliest of its calls, and what that did.
    pub node: u32,
    pub call: String,
    /// How many of its calls are suspects.
    pub calls: usize,
    /// What speaks against the call, in sentences without their ends.
    pub reasons: Vec<String>,
}

impl SuspectTold {
    /// `43 %  Hourly.monthlyPay (Hourly.java:18-22)`, its likeliest call, and why.
    #[must_use]
    pub fn text(&self) -> String {
        let place = match (&self.file, self.lines.first(), self.lines.last()) {
            (Some(file), Some(first), Some(last)) if first != last => {
                format!(" ({file}:{first}-{last})")
            }
            (Some(file), Some(line), _) => format!(" ({file}:{line})"),
            (Some(file), ..) => format!(" ({file})"),
            _ => String::new(),
        };
        let likelihood = 100.0 * self.likelihood;
        let calls = match self.calls {
            1 => String::new(),
            calls => format!(
                ", the likeliest of {}",
                count(calls as u64, "call", "calls")
            ),
        };
        let mut text = format!(
            "{likelihood:3.0} %  {}.{}{place}\n       #{} {}{calls}\n",
            self.class, self.method, self.node, self.call
        );
        for reason in &self.reasons {
            text.push_str(&format!("       {}\n", sentence(reason)));
        }
        text
    }
}

impl SuspectList {
    pub fn of(
        recording: &dyn Recording,
        session: &Session,
        calls: &dyn Calls,
        most: usize,
    ) -> SuspectList {
        let bounds = Bounds::default();
        let found = suspects(session, most).into_iter();
        let told = found.map(|suspect| {
            let code = recording.code_of(suspect.call);
            let target = Target::Node(suspect.call);
            let asked = calls.view(target, kind_of(target), bounds);
            SuspectTold {
                class: code.class,
                method: code.method,
                descriptor: code.descriptor,
                file: code.file,
                lines: recording.lines_to_blame(suspect.call, None).narrowest,
                likelihood: suspect.likelihood,
                node: suspect.call.0,
                call: render::asked_in_one_line(&asked, bounds),
                calls: suspect.calls,
                reasons: suspect.reasons,
            }
        });
        SuspectList {
            suspects: told.collect(),
        }
    }
}

/// The suspects of a session as it stands.
pub fn of_session(run: &RunSnapshot, wanted: &SuspectsRequest) -> Result<SuspectList, ApiError> {
    let questioning = run.questioning();
    let most = wanted.most.min(LONGEST_LIST);
    Ok(SuspectList::of(
        run.recording(),
        questioning.session(),
        questioning.calls(),
        most,
    ))
}
