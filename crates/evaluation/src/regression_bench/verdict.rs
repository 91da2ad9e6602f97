//! What was said at the end, held against what is known.

use serde::Deserialize;
use test_support::Finished;

use crate::regressions::Regression;

/// How good an answer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegressionVerdict {
    /// What was named is to blame, and the experiments have shown it.
    RightVerified,
    /// What was named is to blame; comparing has shown it.
    RightCompared,
    /// Nothing was named as the culprit, but this many suspects, the culprit among them at this place.
    Suspects { place: Option<usize>, of: usize },
    /// Something else was named.
    Wrong,
    /// There was no verdict at all.
    Failed(String),
}

pub(super) struct Heard {
    pub(super) verdict: RegressionVerdict,
    pub(super) named: Vec<String>,
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

pub(super) fn heard(regression: &Regression, finished: &Finished) -> Heard {
    let text = finished.stdout_text();
    let said = text.lines().last().map(serde_json::from_str::<Said>);
    let Some(Ok(said)) = said else {
        let why = match finished.timed_out {
            true => "it took too long".to_owned(),
            false => finished.stderr_text().trim().to_owned(),
        };
        return Heard {
            verdict: RegressionVerdict::Failed(why),
            named: Vec::new(),
            runs: 0,
        };
    };
    let is_named = matches!(&*said.outcome, "found" | "found_method");
    let runs = said.experiments.unwrap_or(0);
    if !is_named {
        let all: Vec<&Named> = said.methods.iter().chain(&said.declarations).collect();
        let place = all.iter().position(|one| one.is_to_blame(regression));
        let verdict = RegressionVerdict::Suspects {
            place: place.map(|at| at + 1),
            of: all.len(),
        };
        return Heard {
            verdict,
            named: Vec::new(),
            runs,
        };
    }
    let blamed: Vec<&Named> = match said.changes.as_slice() {
        [] => vec![&said.culprit],
        changes => changes.iter().collect(),
    };
    let is_right = blamed.iter().any(|one| one.is_to_blame(regression))
        || said
            .resources
            .iter()
            .any(|one| regression.resources.contains(one));
    let verdict = match (is_right, said.verified) {
        (true, Some(true)) => RegressionVerdict::RightVerified,
        (true, _) => RegressionVerdict::RightCompared,
        (false, _) => RegressionVerdict::Wrong,
    };
    let mut named: Vec<String> = blamed.iter().map(|one| one.text()).collect();
    named.extend(said.resources);
    Heard {
        verdict,
        named,
        runs,
    }
}
