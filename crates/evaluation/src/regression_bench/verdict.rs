//! What was said at the end, held against what is known.

use serde::{Deserialize, Serialize};
use test_support::Finished;

use crate::regressions::Regression;

/// How good an answer is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum RegressionVerdict {
    /// What was named is to blame, and the experiments have shown it.
    RightVerified,
    /// The same of a method that is new and runs because of what was named.
    NewVerified,
    /// What was named is to blame; comparing has shown it.
    RightCompared,
    /// Nothing was named as the culprit, but this many suspects, the culprit among them at this place.
    Suspects { place: Option<usize>, of: usize },
    /// Something else was named.
    Wrong,
    /// There was no verdict at all.
    Failed(String),
}

/// What was said.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// What is said to be to blame.
    pub(super) named: Vec<String>,
    /// Methods that are new and run because of it.
    pub(super) new_methods: usize,
    /// What was changed together with it.
    pub(super) together: usize,
    pub(super) runs: usize,
}

#[derive(Debug, Deserialize)]
struct Said {
    outcome: String,
    #[serde(flatten)]
    culprit: Named,
    verified: Option<bool>,
    experiments: Option<usize>,
    #[serde(default)]
    changes: Vec<Named>,
    #[serde(default)]
    new_methods: Vec<Named>,
    #[serde(default)]
    changed_together: Vec<Named>,
    #[serde(default)]
    methods: Vec<Named>,
    #[serde(default)]
    declarations: Vec<Named>,
    #[serde(default)]
    resources: Vec<String>,
}

/// A method, or a class.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Named {
    class: String,
    method: Option<String>,
}

impl Named {
    fn text(&self) -> String {
        match &self.method {
            Some(method) => format!("{}.{method}", self.class),
            None => self.class.clone(),
        }
    }

    fn is_to_blame(&self, regression: &Regression) -> bool {
        match self.method {
            Some(_) => regression.is_to_blame(&self.text()),
            None => regression.declarations.contains(&self.class),
        }
    }
}

pub(super) fn heard(regression: &Regression, finished: &Finished) -> (RegressionVerdict, Heard) {
    let text = finished.stdout_text();
    let said = text.lines().last().map(serde_json::from_str::<Said>);
    let Some(Ok(said)) = said else {
        let why = match finished.timed_out {
            true => "it took too long".to_owned(),
            false => finished.stderr_text().trim().to_owned(),
        };
        return (RegressionVerdict::Failed(why), Heard::default());
    };
    let mut heard = Heard {
        named: Vec::new(),
        new_methods: said.new_methods.len(),
        together: said.changed_together.len(),
        runs: said.experiments.unwrap_or(0),
    };
    if !said.outcome.starts_with("found") {
        let all: Vec<&Named> = said.methods.iter().chain(&said.declarations).collect();
        let place = all.iter().position(|one| one.is_to_blame(regression));
        let verdict = RegressionVerdict::Suspects {
            place: place.map(|at| at + 1),
            of: all.len(),
        };
        return (verdict, heard);
    }
    let blamed: Vec<&Named> = match (said.changes.as_slice(), said.resources.is_empty()) {
        ([], true) => vec![&said.culprit],
        (changes, _) => changes.iter().collect(),
    };
    let is_right = blamed.iter().any(|one| one.is_to_blame(regression))
        || said
            .resources
            .iter()
            .any(|one| regression.resources.contains(one));
    let is_new = said
        .new_methods
        .iter()
        .any(|one| one.is_to_blame(regression));
    let verdict = match (is_right, is_new, said.verified) {
        (true, _, Some(true)) => RegressionVerdict::RightVerified,
        (false, true, Some(true)) => RegressionVerdict::NewVerified,
        (true, ..) => RegressionVerdict::RightCompared,
        (false, ..) => RegressionVerdict::Wrong,
    };
    heard.named = blamed.iter().map(|one| one.text()).collect();
    heard.named.extend(said.resources);
    (verdict, heard)
}
