//! Experiments about a run and its reference: the comparison proposes, running hybrids decides.

use std::collections::HashMap;
use std::time::Duration;

use debug_engine::NodeId;
use experiments::{
    BothPrograms, CodeChange, CodeChangeKind, ExperimentFinding, ExperimentObserver,
    ExperimentOutcome, ExperimentSettings, Investigation, MethodName, ProgramVersion, ProvedLines,
    SettingChange, SettingKind, SymptomError, differing_resources,
};
use inquiry::experimented::{
    BlamedChange, BlamedChangeKind, BlamedSetting, BlamedSettingKind, ExperimentalOutcome,
    Experimented, Undecided, VerifiedChanges,
};
use inquiry::oracle::reference::Reference;
use java_model::run::JavaRun;
use java_names::names;
use trace_format::MethodId;

/// What is needed to run both versions again; who asks for it was allowed to.
pub struct ExperimentRequest<'r> {
    pub programs: &'r BothPrograms,
    /// How long everything may take.
    pub time: Duration,
    /// How long a run may take, if that is known.
    pub run_limit: Option<Duration>,
    /// Whether the wrong version did not end when it was recorded.
    pub is_endless: bool,
    /// Everything ends when it says so.
    pub interrupted: &'r (dyn Fn() -> bool + Sync),
}

/// Finds out by experiments which change is to blame; the observer hears how far they are.
pub fn experiment(
    reference: &mut Reference,
    request: &ExperimentRequest<'_>,
    observer: &mut dyn ExperimentObserver,
) -> Experimented {
    let [ours, theirs] = [reference.ours(), reference.theirs()].map(ProgramVersion::of);
    let suspicion = suspicion(reference);
    let defaults = ExperimentSettings::default();
    let finding = Investigation {
        ours: &ours,
        theirs: &theirs,
        experimenter: request.programs,
        resources: &|| differing_resources(request.programs),
        settings_changed: {
            let BothPrograms { ours, theirs } = request.programs;
            ours.settings_unlike(theirs)
        },
        settings: ExperimentSettings {
            run_limit: request.run_limit.unwrap_or(defaults.run_limit),
            time: request.time,
            ..defaults
        },
        is_endless: request.is_endless,
        suspicion,
        interrupted: request.interrupted,
    }
    .conclude(observer);
    experimented(reference, finding, (request.interrupted)())
}

/// The methods of our version in the order in which comparing suspects them.
fn suspicion(reference: &mut Reference) -> Vec<MethodName> {
    let first = reference.where_to_look();
    let ours = reference.ours();
    let innermost = first.last().map(|&node| name_of(ours, ours.method(node)));
    let suspects = reference.suspects();
    let suspects = suspects.into_iter().map(|suspect| MethodName {
        class: suspect.class.replace('.', "/"),
        name: suspect.method,
        descriptor: suspect.descriptor,
    });
    innermost.into_iter().chain(suspects).collect()
}

fn name_of(run: &JavaRun, method: MethodId) -> MethodName {
    let names = run.method_names(method);
    MethodName {
        class: names.class.to_owned(),
        name: names.name.to_owned(),
        descriptor: names.descriptor.to_owned(),
    }
}

fn experimented(
    reference: &Reference,
    finding: ExperimentFinding,
    was_interrupted: bool,
) -> Experimented {
    let methods = Methods::of(reference);
    let blamed = |changes: &[CodeChange]| -> Vec<BlamedChange> {
        changes
            .iter()
            .map(|change| methods.blamed(change))
            .collect()
    };
    let undecided = |why| ExperimentalOutcome::Undecided(why);
    let outcome = match finding.outcome {
        ExperimentOutcome::Verified {
            changes,
            along,
            broken,
            new_methods,
            lines,
        } => {
            let new = new_methods.iter();
            let new = new.map(|method| methods.method(BlamedChangeKind::New, method));
            let mut blamed_changes = blamed(&changes);
            for (told, change) in blamed_changes.iter_mut().zip(&changes) {
                tell_lines(told, change, &lines);
            }
            ExperimentalOutcome::Verified(Box::new(VerifiedChanges {
                new: new.collect(),
                along: blamed(&along),
                changes: blamed_changes,
                is_cause: broken == experiments::Seen::Wrong,
            }))
        }
        _ if was_interrupted => undecided(Undecided::Interrupted),
        ExperimentOutcome::Resources(paths) => ExperimentalOutcome::Resources(paths),
        ExperimentOutcome::Settings(settings) => {
            ExperimentalOutcome::Settings(settings.into_iter().map(blamed_setting).collect())
        }
        ExperimentOutcome::Narrowed(changes) => ExperimentalOutcome::Narrowed(blamed(&changes)),
        ExperimentOutcome::NotCode => undecided(Undecided::NotCode),
        ExperimentOutcome::Unresolved => undecided(Undecided::Unresolved),
        ExperimentOutcome::NoChange => undecided(Undecided::SameCode),
        ExperimentOutcome::Unclear(SymptomError::NoDifference) => undecided(Undecided::NoSymptom),
        ExperimentOutcome::Unclear(SymptomError::Flaky) => undecided(Undecided::Flaky),
        ExperimentOutcome::OutOfTime => undecided(Undecided::OutOfTime),
        ExperimentOutcome::Failed(why) => undecided(Undecided::NotRun(why)),
    };
    Experimented {
        outcome,
        runs: finding.runs,
    }
}

/// The lines that experiments have shown to be enough, in place of all that differ.
fn tell_lines(told: &mut BlamedChange, change: &CodeChange, proved: &[ProvedLines]) {
    if told.change != BlamedChangeKind::Code || change.theirs.is_none() {
        return;
    }
    let found = proved
        .iter()
        .find(|one| Some(&one.method) == change.ours.as_ref());
    told.lines_verified = found.is_some();
    match found {
        Some(found) => {
            told.differs_elsewhere = told.lines.iter().any(|line| !found.lines.contains(line));
            told.lines.clone_from(&found.lines);
        }
        None => told.differs_elsewhere = told.lines.len() > 1,
    }
}

fn blamed_setting(change: SettingChange) -> BlamedSetting {
    BlamedSetting {
        kind: match change.kind {
            SettingKind::Property => BlamedSettingKind::Property,
            SettingKind::Environment => BlamedSettingKind::Environment,
            SettingKind::JvmOption => BlamedSettingKind::JvmOption,
            SettingKind::Argument => BlamedSettingKind::Argument,
        },
        name: change.name,
        ours: change.ours,
        theirs: change.theirs,
    }
}

/// The methods of our run by their names.
struct Methods<'r> {
    reference: &'r Reference,
    ids: HashMap<MethodName, MethodId>,
}

impl<'r> Methods<'r> {
    fn of(reference: &'r Reference) -> Methods<'r> {
        let ours = reference.ours();
        let ids = ours.methods().map(|method| (name_of(ours, method), method));
        Methods {
            reference,
            ids: ids.collect(),
        }
    }

    fn blamed(&self, change: &CodeChange) -> BlamedChange {
        let kind = match change.kind {
            CodeChangeKind::Code => BlamedChangeKind::Code,
            CodeChangeKind::Added => BlamedChangeKind::New,
            CodeChangeKind::Removed => BlamedChangeKind::Removed,
            CodeChangeKind::Synchronized => BlamedChangeKind::Synchronized,
            CodeChangeKind::Volatile => BlamedChangeKind::Volatile,
            CodeChangeKind::Transient => BlamedChangeKind::Transient,
            CodeChangeKind::Annotations | CodeChangeKind::FieldAnnotations => {
                BlamedChangeKind::Annotations
            }
            CodeChangeKind::Field => match (&change.ours, &change.theirs) {
                (Some(_), None) => BlamedChangeKind::New,
                (None, _) => BlamedChangeKind::Removed,
                (Some(_), Some(_)) => BlamedChangeKind::Member,
            },
            CodeChangeKind::Visibility => BlamedChangeKind::Member,
            CodeChangeKind::Declaration => BlamedChangeKind::Declaration,
            CodeChangeKind::Class => BlamedChangeKind::Class,
        };
        if let (Some(method), false) = (&change.ours, change.is_of_field()) {
            return self.method(kind, method);
        }
        let name = change.method().map(|member| member.name.clone());
        let (field, method) = match change.is_of_field() {
            true => (name, None),
            false => (None, name),
        };
        let descriptor = change.method().filter(|_| method.is_some());
        BlamedChange {
            change: kind,
            class: names::class(&change.class),
            field,
            descriptor: descriptor.map(|method| method.descriptor.clone()),
            method,
            file: self.file(&change.class),
            lines: Vec::new(),
            lines_verified: false,
            differs_elsewhere: false,
            node: None,
        }
    }

    fn method(&self, kind: BlamedChangeKind, method: &MethodName) -> BlamedChange {
        let ours = self.reference.ours();
        let id = self.ids.get(method).copied();
        let first = id.and_then(|id| {
            let calls = ours.trace().calls_of_method(id);
            let mut calls = calls.into_iter().flatten();
            calls.find_map(|call| ours.node(call))
        });
        let described = id.map(|id| (id, first.unwrap_or(NodeId(0))));
        let described = described.and_then(|one| self.reference.described(&[one]).pop());
        BlamedChange {
            change: kind,
            class: names::class(&method.class),
            field: None,
            method: Some(method.name.clone()),
            descriptor: Some(method.descriptor.clone()),
            file: self.file(&method.class),
            lines: described.map(|one| one.lines).unwrap_or_default(),
            lines_verified: false,
            differs_elsewhere: false,
            node: first.map(|node| node.0),
        }
    }

    fn file(&self, class: &str) -> Option<String> {
        let class = self.reference.ours().classes().get(class)?;
        class.source_file.clone()
    }
}
