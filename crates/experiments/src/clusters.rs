//! Changes that belong together: they use a field that only one of the versions has.
//!
//! Old code that reads a field which the new version lacks needs the old code that writes it, and new
//! code that reads a new field is lost without the new code that writes it. Such changes are tried
//! together first, and one by one only within the cluster that was found.

use std::collections::{BTreeSet, HashMap};

use classfile::Renaming;
use classfile::pairing::Pairing;

use crate::change::{CodeChange, CodeChangeKind};
use crate::program::{MethodName, ProgramVersion, declaring, field_at, method_at};

/// A field by class, name and descriptor, in our names.
type Field = (String, String, String);

/// The changes by their numbers, those that belong together in one list; in the order of the first of each.
pub(crate) fn clusters(
    all: &[CodeChange],
    ours: &ProgramVersion,
    theirs: &ProgramVersion,
    pairing: &Pairing<'_>,
) -> Vec<Vec<usize>> {
    let same_names = Renaming::default();
    let mut leaders: Vec<usize> = (0..all.len()).collect();
    let mut first: HashMap<Field, usize> = HashMap::new();
    for (at, change) in all.iter().enumerate() {
        let mut fields = BTreeSet::new();
        if let Some(method) = &change.ours {
            let other = Other::Theirs(pairing);
            fields.extend(own_of(ours, method, &same_names, &other).fields);
        }
        if let Some(method) = &change.theirs {
            let other = Other::Ours(ours);
            fields.extend(own_of(theirs, method, pairing.names(), &other).fields);
        }
        fields.extend(field_of_one(change, pairing));
        for field in fields {
            let one = leader(&leaders, at);
            let other = *first.entry(field).or_insert(one);
            let other = leader(&leaders, other);
            leaders[one.max(other)] = one.min(other);
        }
    }
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    for at in 0..all.len() {
        let place = *places.entry(leader(&leaders, at)).or_insert_with(|| {
            clusters.push(Vec::new());
            clusters.len() - 1
        });
        clusters[place].push(at);
    }
    clusters
}

/// A field that is a change because only one version has it.
fn field_of_one(change: &CodeChange, pairing: &Pairing<'_>) -> Option<Field> {
    let names = pairing.names();
    match (change.kind, &change.ours, &change.theirs) {
        (CodeChangeKind::Field, Some(field), None) => Some((
            field.class.clone(),
            field.name.clone(),
            field.descriptor.clone(),
        )),
        (CodeChangeKind::Field, None, Some(field)) => Some((
            change.class.clone(),
            field.name.clone(),
            names.descriptor(&field.descriptor).into_owned(),
        )),
        _ => None,
    }
}

fn leader(leaders: &[usize], mut one: usize) -> usize {
    while leaders[one] != one {
        one = leaders[one];
    }
    one
}

/// Methods that only our version has and that a changed method calls, directly or by others of them: they are a part
/// of the change. Only those that ran.
pub(crate) fn new_methods(
    change: &CodeChange,
    ours: &ProgramVersion,
    pairing: &Pairing<'_>,
) -> Vec<MethodName> {
    let Some(method) = &change.ours else {
        return Vec::new();
    };
    let own = own_of(ours, method, &Renaming::default(), &Other::Theirs(pairing));
    let is_new = |one: &MethodName| one != method && ours.ran.contains(one);
    own.methods.into_iter().filter(is_new).collect()
}

/// The version that may lack something, which is asked in our names.
enum Other<'o> {
    Ours(&'o ProgramVersion),
    Theirs(&'o Pairing<'o>),
}

impl Other<'_> {
    fn has_method(&self, class: &str, name: &str, descriptor: &str) -> bool {
        match self {
            Other::Ours(ours) => {
                let class = ours.class(class);
                class.is_some_and(|class| method_at(class, name, descriptor).is_some())
            }
            Other::Theirs(pairing) => pairing.their_method(class, name, descriptor).is_some(),
        }
    }

    /// Whether it has the class and not the field.
    fn lacks_field(&self, class: &str, name: &str, descriptor: &str) -> bool {
        let class = match self {
            Other::Ours(ours) => ours.class(class),
            Other::Theirs(pairing) => pairing.their_class(class),
        };
        class.is_some_and(|class| field_at(class, name, descriptor).is_none())
    }
}

/// What only one version has and a method uses.
#[derive(Default)]
struct Own {
    fields: BTreeSet<Field>,
    /// The method itself among them.
    methods: BTreeSet<MethodName>,
}

/// What a method uses and the other version does not have, also by way of methods that only its own has.
fn own_of(
    version: &ProgramVersion,
    method: &MethodName,
    names: &Renaming,
    other: &Other<'_>,
) -> Own {
    let mut found = Own::default();
    let mut met = BTreeSet::from([method.clone()]);
    let mut open = vec![method.clone()];
    while let Some(method) = open.pop() {
        let Some(class) = version.class(&method.class) else {
            continue;
        };
        let Some(at) = method_at(class, &method.name, &method.descriptor) else {
            continue;
        };
        let code = class.code(&class.methods[at]).ok().flatten();
        let instructions = code.and_then(|code| code.instructions().ok());
        for instruction in instructions.unwrap_or_default() {
            let member = instruction
                .cp_index()
                .map(|index| class.constants.member_ref(index));
            let Some(Ok(member)) = member else { continue };
            let is_method = instruction.is_invoke();
            let found_in =
                declaring(
                    |class| version.class(class),
                    &member.owner,
                    &|file| match is_method {
                        true => method_at(file, &member.name, &member.descriptor),
                        false => field_at(file, &member.name, &member.descriptor),
                    },
                );
            let Some((owner, _)) = found_in else {
                continue;
            };
            let host = names.class(&owner);
            let descriptor = names.descriptor(&member.descriptor);
            if is_method {
                let called = MethodName {
                    name: member.name.to_string(),
                    descriptor: member.descriptor.to_string(),
                    class: owner.clone(),
                };
                let is_own = |one: &MethodName| {
                    let name = names.method(&one.class, &one.name, &one.descriptor);
                    !other.has_method(&names.class(&one.class), &name, &descriptor)
                };
                if is_own(&called) && met.insert(called.clone()) {
                    // What a call of it may lead to as well is as much its own.
                    let below = version.overriding(&called).into_iter().filter(is_own);
                    open.extend(below.filter(|one| met.insert(one.clone())));
                    open.push(called);
                }
            } else if other.lacks_field(&host, &member.name, &descriptor) {
                found.fields.insert((
                    host.into_owned(),
                    member.name.into_owned(),
                    descriptor.into_owned(),
                ));
            }
        }
    }
    found.methods = met;
    found
}
