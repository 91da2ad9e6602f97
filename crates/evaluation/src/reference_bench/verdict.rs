//! What `askance debug --json` says at its end, as far as it is looked at.

use serde::Deserialize;
use test_support::Finished;

use super::Mistake;

#[derive(Debug, Deserialize)]
struct Verdict {
    outcome: String,
    #[serde(default)]
    class: String,
    #[serde(default)]
    method: String,
    #[serde(default)]
    descriptor: String,
    #[serde(default)]
    lines: Vec<u32>,
    #[serde(default)]
    verified: bool,
    #[serde(default)]
    experiments: usize,
    questions: Questions,
}

#[derive(Debug, Deserialize)]
struct Questions {
    person: u64,
}

impl Mistake {
    /// Takes in what was said of it.
    pub(super) fn heard(mut self, said: &Finished) -> Mistake {
        let text = said.stdout_text();
        let verdict = text.lines().last().map(serde_json::from_str::<Verdict>);
        match verdict {
            Some(Ok(verdict)) => {
                self.named = method_name(&verdict.class, &verdict.method, &verdict.descriptor);
                self.outcome = verdict.outcome;
                self.named_lines = verdict.lines;
                self.verified = verdict.verified;
                self.experiments = verdict.experiments;
                self.person = verdict.questions.person;
            }
            _ if said.timed_out => self.outcome = "took too long".to_owned(),
            _ => self.outcome = format!("no verdict: {}", said.stderr_text().trim()),
        }
        self
    }
}

/// A method as the table names it.
pub(super) fn method_name(class: &str, method: &str, descriptor: &str) -> String {
    format!("{}.{method}{descriptor}", class.replace('/', "."))
}
