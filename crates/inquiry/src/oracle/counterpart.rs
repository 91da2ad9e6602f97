//! Which method of the other version a method is.
//!
//! Usually the one of the same name. A method that the other version does not have may have been
//! renamed or moved: it stands for the only one that the other version has and ours does not, with the
//! same parameters and result, in the same class or under the same name. If there are several, none.

use std::collections::HashSet;

use trace_format::MethodId;

use java_model::run::{JavaRun, MethodNames};

/// The other version's methods that a method of ours stands for; several if a class was loaded twice.
pub(super) fn counterparts(ours: &JavaRun, method: MethodId, theirs: &JavaRun) -> Vec<MethodId> {
    let names = ours.method_names(method);
    let of_the_same_name: Vec<MethodId> = theirs
        .methods()
        .filter(|&other| theirs.method_names(other) == names)
        .collect();
    if !of_the_same_name.is_empty() || is_special(names) {
        return of_the_same_name;
    }
    let mine: HashSet<MethodNames<'_>> = ours.methods().map(|one| ours.method_names(one)).collect();
    let their: HashSet<MethodNames<'_>> = theirs
        .methods()
        .map(|one| theirs.method_names(one))
        .collect();
    let only = |is_like: &dyn Fn(MethodNames<'_>) -> bool| {
        let new = theirs.methods().filter(|&other| {
            let other = theirs.method_names(other);
            !mine.contains(&other) && !is_special(other) && is_like(other)
        });
        let new: Vec<MethodId> = new.collect();
        let gone = mine
            .iter()
            .filter(|&&one| !their.contains(&one) && is_like(one));
        (gone.count() == 1 && new.len() == 1).then_some(new)
    };
    let descriptor = names.descriptor;
    let renamed = |one: MethodNames<'_>| one.class == names.class && one.descriptor == descriptor;
    let moved = |one: MethodNames<'_>| one.name == names.name && one.descriptor == descriptor;
    only(&renamed).or_else(|| only(&moved)).unwrap_or_default()
}

/// Made by the compiler or named by the JVM: such names say nothing.
fn is_special(names: MethodNames<'_>) -> bool {
    names.name.starts_with('<') || names.name.contains('$')
}
