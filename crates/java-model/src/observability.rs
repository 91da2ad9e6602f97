//! What a method can see of the heap, as far as its types tell: which writes between two calls can
//! matter to them.
//!
//! A call sees its object, its arguments, the statics that it or anything below it names, and what
//! can be reached from those. Which objects these are changes with every call; which *classes* they
//! are of does not, and that is enough to rule out most writes: a call that is handed an `Item` with
//! a name and a price cannot see that its caller adds to `Order.total`. Where types do not tell (an
//! interface, `Object`, a class that was not recorded), everything can be reached.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use trace_format::{FieldId, Kind, MethodId};
use trace_store::{ChangeKind, Observability};

use super::classes::ClassTable;
use super::method_code::FieldName;
use super::run::JavaRun;
use super::statics::own;

/// Classes of the JDK that lead nowhere and never change.
const LEAVES: [&str; 12] = [
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Class",
    "java/math/BigInteger",
    "java/math/BigDecimal",
];

/// What can be reached.
#[derive(Debug, Default, PartialEq, Eq)]
struct Reachable {
    everything: bool,
    /// Internal names.
    classes: HashSet<String>,
    arrays: BTreeSet<Kind>,
    statics: BTreeSet<Arc<FieldName>>,
}

/// What the methods of a run can see.
pub(super) struct MethodObservability<'run> {
    run: &'run JavaRun,
    subclasses: OnceLock<HashMap<&'run str, Vec<&'run str>>>,
    known: Mutex<HashMap<MethodId, Arc<Reachable>>>,
}

impl<'run> MethodObservability<'run> {
    pub(super) fn new(run: &'run JavaRun) -> Self {
        MethodObservability {
            run,
            subclasses: OnceLock::new(),
            known: Mutex::default(),
        }
    }

    fn reachable(&self, method: MethodId) -> Arc<Reachable> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let reachable = known
            .entry(method)
            .or_insert_with(|| Arc::new(self.work_out(method)));
        Arc::clone(reachable)
    }

    fn work_out(&self, method: MethodId) -> Reachable {
        let names = self.run.method_names(method);
        let symbol = self.run.trace().symbols().method(method);
        let is_static = symbol.is_none_or(|method| method.symbol.is_static());
        let mut reachable = Reachable::default();
        let mut open = Vec::new();
        // A constructor's object is new: nobody wrote to it before.
        if !is_static && names.name != "<init>" {
            open.push(format!("L{};", names.class));
        }
        open.extend(reference_types(names.descriptor).map(str::to_owned));
        let below = self.run.statics_below().reach(self.run, method);
        for name in &below.statics {
            if let Some((_, field)) = self.run.classes().declaring(&name.owner, &name.name) {
                open.push(field.descriptor.clone());
            }
        }
        reachable.statics.clone_from(&below.statics);
        while let Some(descriptor) = open.pop() {
            self.follow(&descriptor, &mut reachable, &mut open);
        }
        reachable
    }

    /// Takes in one type, and leaves those that it leads to in `open`.
    fn follow(&self, descriptor: &str, reachable: &mut Reachable, open: &mut Vec<String>) {
        if let Some(element) = descriptor.strip_prefix('[') {
            let kind = element.bytes().next().and_then(Kind::from_descriptor);
            // `bastore` serves boolean arrays too, and is noted as a byte's.
            let kind = kind.map(|kind| match kind {
                Kind::Boolean => Kind::Byte,
                other => other,
            });
            reachable.arrays.extend(kind);
            open.push(element.to_owned());
            return;
        }
        let Some(name) = descriptor
            .strip_prefix('L')
            .and_then(|rest| rest.strip_suffix(';'))
        else {
            return;
        };
        if LEAVES.contains(&name) || !reachable.classes.insert(name.to_owned()) {
            return;
        }
        let classes = self.run.classes();
        match classes.get(name) {
            Some(class) if !class.is_interface => {
                for (_, declared) in classes.chain(name) {
                    let fields = declared.fields.iter().filter(|field| !field.is_static);
                    open.extend(fields.map(|field| field.descriptor.clone()));
                }
                reachable.everything |= !ends_in_known_top(classes, name);
                let subclasses = self.subclasses().get(name).into_iter().flatten();
                open.extend(subclasses.map(|subclass| format!("L{subclass};")));
            }
            _ => reachable.everything = true,
        }
    }

    fn subclasses(&self) -> &HashMap<&'run str, Vec<&'run str>> {
        self.subclasses.get_or_init(|| {
            let mut subclasses: HashMap<&str, Vec<&str>> = HashMap::new();
            for (name, class) in self.run.classes().all() {
                if let Some(super_name) = &class.super_name {
                    subclasses.entry(super_name).or_default().push(name);
                }
            }
            subclasses
        })
    }

    fn sees_field(&self, reachable: &Reachable, field: FieldId) -> bool {
        let classes = self.run.classes();
        let Some(symbol) = self.run.trace().symbols().field(field) else {
            return true;
        };
        match classes.declaring(&symbol.owner, &symbol.name) {
            // All subclasses of what is reachable are reachable, but not their superclasses.
            Some((declaring, _)) => {
                let mut reached = reachable.classes.iter();
                reached.any(|class| classes.chain(class).any(|(name, _)| name == declaring))
            }
            None => true,
        }
    }

    fn sees_static(&self, reachable: &Reachable, field: FieldId) -> bool {
        let Some(symbol) = self.run.trace().symbols().field(field) else {
            return true;
        };
        let name = FieldName {
            owner: symbol.owner.clone(),
            name: symbol.name.clone(),
        };
        own(self.run, &name).is_some_and(|name| reachable.statics.contains(&name))
    }
}

impl Observability for MethodObservability<'_> {
    fn sees(&self, method: MethodId, change: ChangeKind) -> bool {
        let reachable = self.reachable(method);
        match change {
            ChangeKind::Static(field) => self.sees_static(&reachable, field),
            _ if reachable.everything => true,
            ChangeKind::Field(field) => self.sees_field(&reachable, field),
            ChangeKind::Elements(kind) => reachable.arrays.contains(&kind),
        }
    }
}

/// Superclasses from the JDK that have no field through which anything else is reached.
const TOPS: [&str; 4] = [
    "java/lang/Object",
    "java/lang/Enum",
    "java/lang/Record",
    "java/lang/Number",
];

/// Whether all superclasses are in the trace: another one might have fields of its own.
fn ends_in_known_top(classes: &ClassTable, name: &str) -> bool {
    let top = classes.chain(name).last();
    let above = top.and_then(|(_, class)| class.super_name.as_deref());
    above.is_some_and(|above| TOPS.contains(&above))
}

/// The parameter types of a method descriptor that are no primitives.
fn reference_types(descriptor: &str) -> impl Iterator<Item = &str> {
    let parameters = descriptor.strip_prefix('(').unwrap_or_default();
    let end = parameters.find(')').unwrap_or(parameters.len());
    let mut rest = &parameters[..end];
    std::iter::from_fn(move || {
        let name = rest.trim_start_matches('[');
        let dimensions = rest.len() - name.len();
        let length = match name.bytes().next()? {
            b'L' => name.find(';')? + 1,
            _ => 1,
        };
        let (first, after) = rest.split_at(dimensions + length);
        rest = after;
        Some(first)
    })
    .filter(|descriptor| descriptor.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_in_a_descriptor() {
        let types = |descriptor| reference_types(descriptor).collect::<Vec<_>>();
        assert_eq!(types("()V"), [""; 0]);
        assert_eq!(
            types("(IJLa/B;[[I[La/C;Z)La/D;"),
            ["La/B;", "[[I", "[La/C;"]
        );
    }
}
