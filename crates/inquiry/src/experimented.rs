//! What running a program again, with code of its reference in it, came to, and how that is said.
//!
//! Only what made the program right is said to be to blame. Everything else that experiments come to leaves suspects.

use std::fmt;

use serde::Serialize;

use crate::words::count;

/// What a number of experiments came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experimented {
    pub outcome: ExperimentalOutcome,
    /// How many times a version of the program was run.
    pub runs: usize,
}

/// See [`Experimented`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExperimentalOutcome {
    Verified(Box<VerifiedChanges>),
    /// With the reference's copy of these files, which are no code, the program does what the reference does.
    Resources(Vec<String>),
    /// With what the reference's command gives the program here, it does what the reference does.
    Settings(Vec<BlamedSetting>),
    /// These are enough, and what in them is needed was not found out.
    Narrowed(Vec<BlamedChange>),
    /// Nothing is known; this is why.
    Undecided(Undecided),
}

/// With the reference's side of the changes and of what comes along the program does what the reference does, and
/// without any one of them it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedChanges {
    /// To blame, together if there are several.
    pub changes: Vec<BlamedChange>,
    /// Methods that the reference does not have and that run because of the changes: a part of them.
    pub new: Vec<BlamedChange>,
    /// Changes without which the reference's side of those that are to blame does not fit into the program.
    pub along: Vec<BlamedChange>,
    /// Whether the reference shows the symptom with the program's side of the changes.
    pub is_cause: bool,
}

/// Why experiments did not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// With all code of the reference the program is as wrong as before.
    NotCode,
    /// The reference's code does not fit into the program.
    Unresolved,
    /// The same code ran in both.
    SameCode,
    /// Both versions print the same and end in the same way.
    NoSymptom,
    /// Two runs of the same version do not show the same.
    Flaky,
    OutOfTime,
    /// Somebody did not want to wait any longer.
    Interrupted,
    /// The program cannot be run again.
    NotRun(String),
}

/// In which way two versions differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BlamedChangeKind {
    /// A method does something else.
    Code,
    /// A method that the reference does not have.
    New,
    /// A method that only the reference has.
    Removed,
    /// Whether a method is synchronized.
    Synchronized,
    /// Whether a field is volatile.
    Volatile,
    /// Whether a field is transient.
    Transient,
    /// With what a method or a field is annotated.
    Annotations,
    /// From where a method or a field can be used, or which constant it is.
    Member,
    /// What a class extends or implements, by what it can be extended, and with what it is annotated.
    Declaration,
    /// Something in a class, nobody can tell what.
    Class,
}

/// A change that is to blame, alone or with others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlamedChange {
    pub change: BlamedChangeKind,
    /// As `Class.getName` gives it.
    pub class: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descriptor: Option<String>,
    pub file: Option<String>,
    /// The lines that differ; all of them if the reference does not have the method.
    pub lines: Vec<u32>,
    /// Whether of the lines that differ these are enough: with the reference's code of them alone, the program does
    /// what the reference does.
    #[serde(skip_serializing_if = "is_false")]
    pub lines_verified: bool,
    /// Whether the method differs in more than one place, so that lines had to be tried.
    #[serde(skip)]
    pub differs_elsewhere: bool,
    /// Its first call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives it so")]
fn is_false(value: &bool) -> bool {
    !value
}

/// What kind of setting is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BlamedSettingKind {
    Property,
    Environment,
    JvmOption,
    Argument,
}

/// What a command gives a program besides code, and is to blame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlamedSetting {
    pub kind: BlamedSettingKind,
    /// The name of a property or a variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What this run was given, if it was.
    pub ours: Option<String>,
    /// What the reference's was.
    pub theirs: Option<String>,
}

impl fmt::Display for BlamedSetting {
    /// `the property mode: "slow" here, "fast" in the reference`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            BlamedSettingKind::Property => "the property",
            BlamedSettingKind::Environment => "the environment variable",
            BlamedSettingKind::JvmOption => "an option of the JVM",
            BlamedSettingKind::Argument => "an argument",
        })?;
        if let Some(name) = &self.name {
            write!(f, " {name}")?;
        }
        let given = |value: &Option<String>| match value {
            Some(value) => format!("\"{value}\""),
            None => "not given".to_owned(),
        };
        let [ours, theirs] = [&self.ours, &self.theirs].map(given);
        write!(f, ": {ours} here, {theirs} in the reference")
    }
}

impl Experimented {
    /// Whether something is verified to be to blame.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        matches!(
            self.outcome,
            ExperimentalOutcome::Verified(_)
                | ExperimentalOutcome::Resources(_)
                | ExperimentalOutcome::Settings(_)
        )
    }

    /// The files that are to blame and are no code.
    #[must_use]
    pub fn resources(&self) -> &[String] {
        match &self.outcome {
            ExperimentalOutcome::Resources(paths) => paths,
            _ => &[],
        }
    }

    /// What the command gives the program and is to blame.
    #[must_use]
    pub fn settings(&self) -> &[BlamedSetting] {
        match &self.outcome {
            ExperimentalOutcome::Settings(settings) => settings,
            _ => &[],
        }
    }

    /// The changes that are to blame, if that is verified.
    #[must_use]
    pub fn verified(&self) -> Option<&VerifiedChanges> {
        match &self.outcome {
            ExperimentalOutcome::Verified(verified) => Some(verified),
            _ => None,
        }
    }
}

impl fmt::Display for BlamedChange {
    /// `shop.Cart.total (Cart.java:7,8)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.method, &self.field, self.change) {
            (Some(method), ..) => write!(f, "{}.{method}", self.class)?,
            (None, Some(field), _) => write!(f, "{}.{field}", self.class)?,
            (None, None, BlamedChangeKind::Declaration) => {
                write!(f, "the declaration of {}", self.class)?
            }
            (None, None, _) => write!(f, "{}", self.class)?,
        }
        let lines: Vec<String> = self.lines.iter().map(u32::to_string).collect();
        match (&self.file, lines.is_empty()) {
            (Some(file), false) => write!(f, " ({file}:{})", lines.join(",")),
            (Some(file), true) => write!(f, " ({file})"),
            (None, false) => write!(f, " (lines {})", lines.join(",")),
            (None, true) => Ok(()),
        }
    }
}

/// How far experiments are: `experiment 4, 12 changes left`.
#[must_use]
pub fn progress(runs: usize, left: usize) -> String {
    let left = count(left as u64, "change", "changes");
    format!("experiment {runs}, {left} left")
}

/// What is asked before a program is run again.
pub const MAY_IT_RUN_AGAIN: &str = "To find out which change is to blame, the program must be run again, perhaps \
     dozens of times, and does whatever it does each time. Run it? [y/n] ";

/// What is said where nobody can be asked that; who knows how to allow it says that, too.
pub const NOT_RUN_UNASKED: &str = "the program was not run again to verify what is to blame";

/// `No code is to blame, but prices.txt: with the reference's copy of it, …`
#[must_use]
pub fn resources_to_blame(paths: &[String], runs: usize) -> String {
    let it = if paths.len() == 1 { "it" } else { "them" };
    format!(
        "No code is to blame, but {}.\nWith the reference's copy of {it}, the program does what the reference does: \
         verified by {}.\n",
        paths.join(", "),
        count(runs as u64, "run", "runs")
    )
}

/// `No code is to blame, but the property mode: …`
#[must_use]
pub fn settings_to_blame(settings: &[BlamedSetting], runs: usize) -> String {
    let it = if settings.len() == 1 { "it" } else { "them" };
    let settings: Vec<String> = settings.iter().map(BlamedSetting::to_string).collect();
    format!(
        "No code is to blame, but {}.\nWith what the reference was given for {it}, the program does what the reference \
         does: verified by {}.\n",
        settings.join("; "),
        count(runs as u64, "run", "runs")
    )
}

/// `With the reference's code of it, the program does what the reference does: verified by 7 runs.`
#[must_use]
pub fn proof(verified: &VerifiedChanges, runs: usize) -> String {
    let it = |number: usize| if number == 1 { "it" } else { "them" };
    let blamed = it(verified.changes.len());
    let all = it(verified.changes.len() + verified.along.len());
    let mut text = format!(
        "With the reference's code of {all}, the program does what the reference does: verified by {}.",
        count(runs as u64, "run", "runs")
    );
    if verified.is_cause {
        let alone = if verified.along.is_empty() {
            ""
        } else {
            " alone"
        };
        text.push_str(" With this version's code of ");
        text.push_str(match (verified.along.len(), &*verified.changes) {
            // There is more than one thing that "it" could be.
            (1.., [_]) => "the first",
            _ => blamed,
        });
        text.push_str(alone);
        text.push_str(", the reference is wrong in the same way.");
    }
    text.push_str(&proof_of_lines(&verified.changes));
    text
}

/// What was tried about lines, if they are not simply all that differ.
fn proof_of_lines(changes: &[BlamedChange]) -> String {
    let mut text = String::new();
    for change in changes.iter().filter(|change| change.differs_elsewhere) {
        let lines: Vec<String> = change.lines.iter().map(u32::to_string).collect();
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let of = match (changes, &change.method) {
            ([_], _) | (_, None) => String::new(),
            (_, Some(method)) => format!(" of {method}"),
        };
        text.push_str(&match change.lines_verified {
            true => format!(
                " Of what differs in it, {word} {}{of} alone {} enough.",
                lines.join(", "),
                if lines.len() == 1 { "is" } else { "are" }
            ),
            false => format!(
                " Which of the {} lines{of} that differ are needed was not found out.",
                lines.len()
            ),
        });
    }
    text
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Undecided::NotCode => {
                "with all code of the reference in it the program is as wrong as before"
            }
            Undecided::Unresolved => "the reference's code does not fit into this version",
            Undecided::SameCode => "the same code ran in both versions",
            Undecided::NoSymptom => "both versions print the same and end in the same way",
            Undecided::Flaky => "two runs of the same version do not show the same: it is flaky",
            Undecided::OutOfTime => "there was no more time",
            Undecided::Interrupted => "it was interrupted",
            Undecided::NotRun(why) => why,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(change: BlamedChangeKind, method: Option<&str>, lines: &[u32]) -> BlamedChange {
        BlamedChange {
            change,
            class: "shop.Cart".to_owned(),
            field: None,
            method: method.map(str::to_owned),
            descriptor: None,
            file: Some("Cart.java".to_owned()),
            lines: lines.to_vec(),
            lines_verified: false,
            differs_elsewhere: false,
            node: None,
        }
    }

    #[test]
    fn a_change_is_named_with_its_place() {
        let code = change(BlamedChangeKind::Code, Some("total"), &[7, 8]);
        assert_eq!(code.to_string(), "shop.Cart.total (Cart.java:7,8)");
        let declared = change(BlamedChangeKind::Declaration, None, &[]);
        assert_eq!(
            declared.to_string(),
            "the declaration of shop.Cart (Cart.java)"
        );
    }

    #[test]
    fn a_proof_says_how_often_it_was_tried() {
        let one = change(BlamedChangeKind::Code, Some("total"), &[7]);
        let mut verified = VerifiedChanges {
            changes: vec![one.clone()],
            new: vec![one.clone()],
            along: Vec::new(),
            is_cause: false,
        };
        assert!(
            proof(&verified, 7)
                .ends_with("of it, the program does what the reference does: verified by 7 runs.")
        );
        verified.is_cause = true;
        verified.along.push(one.clone());
        assert!(proof(&verified, 9).ends_with(
            "of them, the program does what the reference does: verified by 9 runs. With this version's code of the \
             first alone, the reference is wrong in the same way."
        ));
        verified.along.clear();
        verified.changes[0].differs_elsewhere = true;
        assert!(proof(&verified, 9).ends_with(" needed was not found out."));
        verified.changes[0].lines_verified = true;
        assert!(proof(&verified, 9).ends_with(" Of what differs in it, line 7 alone is enough."));
        verified.changes[0].differs_elsewhere = false;
        verified.changes.push(one);
        assert!(
            proof(&verified, 9).ends_with("code of them, the reference is wrong in the same way.")
        );
    }
}
