//! What tells methods apart that would else be shown under one name: the lambdas of a method, by their lines, and
//! the methods of a class and its superclass, by the class.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

use classfile::ClassFile;
use debug_engine::NodeId;
use trace_format::{MethodId, ObjectId};

use super::lambda_order::lambdas_in_order;
use super::run::JavaRun;
use super::shown;
use java_names::names;

/// See the module's header.
#[derive(Default)]
pub(super) struct Distinctions {
    /// What stands behind the name of a lambda whose method has several.
    lambdas: HashMap<MethodId, String>,
    /// Class, name and descriptor of every method, as one number each. Should two be the same, a name is longer
    /// than it need be.
    declared: HashSet<u64>,
}

impl Distinctions {
    fn of(run: &JavaRun) -> Distinctions {
        let mut found = Distinctions::default();
        let mut hosts: HashMap<(&str, &str), Vec<MethodId>> = HashMap::new();
        for method in run.methods() {
            let symbol = run.method_names(method);
            let declared = (symbol.class, symbol.name, symbol.descriptor);
            found.declared.insert(number(declared));
            if let Some(host) = names::lambda_host(symbol.name) {
                hosts.entry((symbol.class, host)).or_default().push(method);
            }
        }
        for lambdas in hosts.into_values().filter(|lambdas| lambdas.len() > 1) {
            found.tell_apart(run, lambdas);
        }
        found
    }

    /// `:22`, and in a line of several `:22.1`, `:22.2`, as they stand there.
    fn tell_apart(&mut self, run: &JavaRun, lambdas: Vec<MethodId>) {
        let mut lines: HashMap<Option<u32>, Vec<MethodId>> = HashMap::new();
        for method in lambdas {
            let line = run.code(method).lines.first().copied();
            lines.entry(line).or_default().push(method);
        }
        for (line, mut methods) in lines {
            let line = line.map_or(String::new(), |line| line.to_string());
            if let [only] = methods[..] {
                self.lambdas.insert(only, format!(":{line}"));
                continue;
            }
            let order = written_order(run, methods[0]);
            methods.sort_by_key(|method| {
                let symbol = run.trace().symbols().method(*method);
                let index = symbol.map(|symbol| symbol.symbol.index);
                let place = order.iter().position(|place| Some(*place) == index);
                // What nothing makes, as far as can be seen, comes last.
                (place.unwrap_or(order.len()), method.0)
            });
            for (place, method) in (1..).zip(methods) {
                self.lambdas.insert(method, format!(":{line}.{place}"));
            }
        }
    }
}

/// In which order the lambdas of a method's class stand in its source; empty if the class cannot be read.
fn written_order(run: &JavaRun, method: MethodId) -> Vec<u16> {
    let symbol = run.trace().symbols().method(method);
    let bytes = symbol.and_then(|symbol| {
        run.read(run.trace().class_file(symbol.symbol.class))
            .flatten()
    });
    let class = bytes.and_then(|bytes| ClassFile::parse(&bytes).ok());
    class.map_or(Vec::new(), |class| lambdas_in_order(&class))
}

fn number(declared: (&str, &str, &str)) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(declared)
}

impl JavaRun {
    fn told_apart(&self) -> &Distinctions {
        self.facts().get_or_make(|| Distinctions::of(self))
    }

    fn distinction(&self, method: MethodId) -> &str {
        // Only lambdas have one, and most runs ask about many calls of other methods first.
        if names::lambda_host(self.method_names(method).name).is_none() {
            return "";
        }
        let distinction = self.told_apart().lambdas.get(&method);
        distinction.map_or("", String::as_str)
    }

    /// A method as a person would name it: `MergeSort.merge`, `Main: lambda in sort:22`.
    #[must_use]
    pub fn routine_named(&self, method: MethodId) -> String {
        let names = self.method_names(method);
        names::routine(names.class, names.name) + self.distinction(method)
    }

    /// The routine of a node's call.
    #[must_use]
    pub fn routine_of(&self, node: NodeId) -> String {
        self.routine_named(self.method(node))
    }

    /// A method without its class.
    #[must_use]
    pub fn method_named(&self, method: MethodId) -> String {
        let names = self.method_names(method);
        names::method(names.class, names.name) + self.distinction(method)
    }

    /// The class of a method, without its package, where the class of the receiver has another method of the same
    /// name, or one between the two has.
    pub(super) fn overridden_in(&self, receiver: ObjectId, method: MethodId) -> Option<String> {
        let symbol = self.method_names(method);
        let class = names::internal(&shown::class_of(self, receiver)?);
        if class == symbol.class {
            return None;
        }
        let declared = &self.told_apart().declared;
        let mut below = self.classes().chain(&class);
        let is_another = |(class, _): &(&str, _)| {
            *class != symbol.class
                && declared.contains(&number((class, symbol.name, symbol.descriptor)))
        };
        let mut below = below
            .by_ref()
            .take_while(|(class, _)| *class != symbol.class);
        below
            .any(|it| is_another(&it))
            .then(|| names::innermost(symbol.class))
    }
}
