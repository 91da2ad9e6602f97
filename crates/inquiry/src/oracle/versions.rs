//! Which methods have other code in the other version.
//!
//! A call whose own code is the same in both versions, and whose callees all did what the reference's
//! would have done, did what the reference would have done: the bug is not in it. So only calls of
//! methods whose code differs can be to blame. What compilers number is paired by what it is before
//! that is said ([`classfile::pairing`]).
//!
//! The same code may still do something else where a *declaration* differs: a class has other
//! ancestors, lacks a method that the reference would have called instead of an inherited one, or has
//! a field that only one version calls `volatile`. Those are told apart ([`declarations`]).

pub(crate) mod declarations;
mod dialect;
mod partners;

use std::collections::{BTreeSet, HashMap, HashSet};

use classfile::ClassFile;
use classfile::normal_form::{NormalCode, NormalInstruction};
use classfile::pairing::{Difference, Pairing};
use debug_engine::RoutineId;
use trace_format::{ClassNumber, MethodId};

use java_model::run::{JavaRun, routine};

use declarations::Declared;
pub(super) use dialect::Dialect;
use partners::Partners;

/// The class files of a run.
pub(super) type Files = HashMap<ClassNumber, ClassFile>;

/// See the module's header.
pub(super) struct Versions {
    /// The reference's methods that one of ours stands for; several if a class was loaded twice.
    partners: Partners,
    /// In what methods of ours differ. One without a partner is not listed.
    differences: HashMap<MethodId, Difference>,
    /// Declarations that differ, of classes that both runs loaded, and that may have mattered.
    declared: Vec<Declared>,
    /// Whether code was left out of a recording: it may differ without a trace.
    is_filtered: bool,
    ours: Dialect,
    theirs: Dialect,
    files: [Files; 2],
}

impl Versions {
    pub(super) fn of(ours: &JavaRun, theirs: &JavaRun) -> Versions {
        let files = [files(ours), files(theirs)];
        let [mine, others] = &files;
        let pairing = Pairing::new(in_order(mine), in_order(others));
        let partners = Partners::of(ours, theirs, &pairing);
        let renamed = partners.renamed(ours, theirs, &pairing);
        let mut differences = HashMap::new();
        for method in ours.methods() {
            let same_names = partners.same_names(method);
            let difference = partners.of_method(method).iter().find_map(|&other| {
                if !same_names {
                    return Some(Difference::Code);
                }
                let (one, another) = (place(ours, mine, method)?, place(theirs, others, other)?);
                let difference = pairing.difference(one, another)?;
                let is_in_words_only = difference == Difference::Code
                    && differ_in_words_only(
                        pairing.our_code(one.0, one.1),
                        pairing.their_code(another.0, another.1),
                        &renamed,
                    );
                (!is_in_words_only).then_some(difference)
            });
            if let Some(difference) = difference {
                differences.insert(method, difference);
            }
        }
        let declared = declarations::differing(ours, theirs, &pairing, &partners);
        let (our_dialect, their_dialect) = Dialect::both(ours, theirs, &pairing);
        Versions {
            is_filtered: [ours, theirs].iter().any(|run| is_filtered(run)),
            partners,
            differences,
            declared,
            ours: our_dialect,
            theirs: their_dialect,
            files,
        }
    }

    /// Whether a method's own code is the same.
    pub(super) fn is_same(&self, method: MethodId) -> bool {
        !self.is_filtered && self.has_same_code(method)
    }

    fn has_same_code(&self, method: MethodId) -> bool {
        !self.partners.of_method(method).is_empty() && !self.differences.contains_key(&method)
    }

    /// Whether the same code is sure to have called the same methods.
    pub(super) fn same_calls(&self) -> bool {
        !self.is_filtered && self.declared.is_empty()
    }

    /// The reference's methods that one of ours stands for.
    pub(super) fn partners(&self, method: MethodId) -> &[MethodId] {
        self.partners.of_method(method)
    }

    /// In what a method differs; `None` if in nothing, or if the reference does not have it.
    pub(super) fn difference(&self, method: MethodId) -> Option<Difference> {
        self.differences.get(&method).copied()
    }

    /// Declarations that differ and may have mattered.
    pub(super) fn declared(&self) -> &[Declared] {
        &self.declared
    }

    /// How our run and the reference's name things.
    pub(super) fn dialects(&self) -> [&Dialect; 2] {
        [&self.ours, &self.theirs]
    }

    /// The methods of ours that were called and are not the same in the reference.
    pub(super) fn changed_and_called(&self, run: &JavaRun) -> Vec<MethodId> {
        let changed = run.methods().filter(|method| !self.has_same_code(*method));
        changed.filter(|method| was_called(run, *method)).collect()
    }

    /// The methods that cannot be to blame; none if no code that ran is different, for then the
    /// versions differ in something else.
    ///
    /// A method that only ours has belongs to those that call it, if their code differs too.
    pub(super) fn blameless(&self, run: &JavaRun) -> BTreeSet<RoutineId> {
        if self.is_filtered || self.changed_and_called(run).is_empty() {
            return BTreeSet::new();
        }
        let callers = callers(run);
        let belongs_to_callers = |method: MethodId| {
            self.partners.of_method(method).is_empty()
                && callers.get(&method).is_some_and(|callers| {
                    let mut callers = callers.iter();
                    callers.all(|&caller| !self.has_same_code(caller))
                })
        };
        run.methods()
            .filter(|&method| self.has_same_code(method) || belongs_to_callers(method))
            .map(routine)
            .collect()
    }

    /// The code of a method of ours and of the reference's that it stands for, if there is just one.
    pub(super) fn codes(
        &self,
        ours: &JavaRun,
        theirs: &JavaRun,
        methods: &[MethodId],
    ) -> Vec<Option<(NormalCode, NormalCode)>> {
        let [mine, others] = &self.files;
        let pairing = Pairing::named(in_order(mine), in_order(others), self.theirs.names());
        let code_of = |&method: &MethodId| {
            let [other] = self.partners.of_method(method) else {
                return None;
            };
            let (one, another) = (place(ours, mine, method)?, place(theirs, others, *other)?);
            let mine = pairing.our_code(one.0, one.1)?;
            Some((mine, pairing.their_code(another.0, another.1)?))
        };
        methods.iter().map(code_of).collect()
    }
}

/// Who calls each method in a run.
fn callers(run: &JavaRun) -> HashMap<MethodId, HashSet<MethodId>> {
    let mut callers: HashMap<MethodId, HashSet<MethodId>> = HashMap::new();
    for thread in run.trace().all_calls().into_iter().flatten() {
        for (caller, callee) in thread.graph() {
            callers.entry(callee).or_default().insert(caller);
        }
    }
    for (caller, callee) in run.handing_over() {
        callers.entry(callee).or_default().insert(caller);
    }
    callers
}

pub(super) fn was_called(run: &JavaRun, method: MethodId) -> bool {
    let mut calls = run.trace().calls_of_method(method).into_iter().flatten();
    calls.next().is_some()
}

/// The class files of the methods that were recorded.
fn files(run: &JavaRun) -> Files {
    let mut files = Files::new();
    for symbol in run.trace().symbols().classes() {
        let bytes = run.read(run.trace().class_file(symbol.class)).flatten();
        if let Some(class) = bytes.and_then(|bytes| ClassFile::parse(&bytes).ok()) {
            files.insert(symbol.class, class);
        }
    }
    files
}

/// Of several classes with one name the first that was loaded counts.
fn in_order(files: &Files) -> impl Iterator<Item = &ClassFile> {
    let mut numbers: Vec<&ClassNumber> = files.keys().collect();
    numbers.sort_unstable();
    numbers.into_iter().filter_map(|number| files.get(number))
}

/// Where a method is declared.
fn place<'f>(run: &JavaRun, files: &'f Files, method: MethodId) -> Option<(&'f ClassFile, usize)> {
    let symbol = &run.trace().symbols().method(method)?.symbol;
    Some((files.get(&symbol.class)?, symbol.index.into()))
}

/// Whether two codes are the same but for texts that are secrets, and masked in the one trace and not in the other, and
/// for the names of methods that were renamed or moved.
fn differ_in_words_only(
    one: Option<NormalCode>,
    other: Option<NormalCode>,
    renamed: &HashMap<String, String>,
) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return false;
    };
    let is_masked = |word: &str| {
        let inside = word.strip_prefix("ldc \"")?.strip_suffix('"')?;
        Some(!inside.is_empty() && inside.bytes().all(|sign| sign == b'*'))
    };
    let is_renamed = |one: &str, other: &str| {
        let called = |word: &str| {
            let (kind, called) = word.split_once(' ')?;
            kind.starts_with("invoke").then(|| called.to_owned())
        };
        let other = called(other).and_then(|other| renamed.get(&other));
        other.is_some() && other == called(one).as_ref()
    };
    let same = |(one, other): (&NormalInstruction, &NormalInstruction)| {
        one == other
            || is_renamed(&one.text, &other.text)
            || matches!(
                (is_masked(&one.text), is_masked(&other.text)),
                (Some(true), Some(_)) | (Some(_), Some(true))
            )
    };
    one.handlers == other.handlers
        && one.words.len() == other.words.len()
        && one.words.iter().zip(&other.words).all(same)
}

/// Whether code was left out of the recording.
fn is_filtered(run: &JavaRun) -> bool {
    let options = run.run_file().map(|file| &file.options);
    options.is_some_and(|options| !options.include.is_empty() || !options.exclude.is_empty())
}
