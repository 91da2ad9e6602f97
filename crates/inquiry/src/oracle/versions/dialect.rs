//! How one of two runs names things, and what of its state the other one has too.

use std::collections::HashSet;

use classfile::Renaming;
use classfile::pairing::Pairing;
use trace_format::FieldId;

use java_model::run::JavaRun;
use java_names::names;

/// See the module's header. The default one renames nothing and leaves nothing out.
#[derive(Debug, Default)]
pub(in crate::oracle) struct Dialect {
    names: Renaming,
    /// Fields of objects and statics that the other version does not have, by class (`a.b.C`) and name.
    only_here: HashSet<(String, String)>,
}

impl Dialect {
    /// That of our run, and that of the reference, which is read in our names.
    pub(super) fn both(
        ours: &JavaRun,
        theirs: &JavaRun,
        pairing: &Pairing<'_>,
    ) -> (Dialect, Dialect) {
        let none = Renaming::default();
        let (mine, others) = (fields(ours, &none), fields(theirs, pairing.names()));
        let dialect = |run: &JavaRun, names: &Renaming, others: &Fields| {
            let mut dialect = Dialect {
                names: names.clone(),
                ..Dialect::default()
            };
            for (class, declared) in run.classes().all() {
                for field in &declared.fields {
                    let key = key(names, class, &field.name, &field.descriptor);
                    let has_class = others.classes.contains(&key.0);
                    if has_class && !others.fields.contains(&key) {
                        let owner = names::class(class);
                        dialect.only_here.insert((owner, field.name.clone()));
                    }
                }
            }
            dialect
        };
        (
            dialect(ours, &none, &others),
            dialect(theirs, pairing.names(), &mine),
        )
    }

    pub(super) fn names(&self) -> &Renaming {
        &self.names
    }

    /// A class (`a.b.C`) as our run calls it.
    pub(in crate::oracle) fn class(&self, class: &str) -> String {
        let class = names::stable_class(class);
        let internal = names::internal(class);
        match self.names.class(&internal) {
            std::borrow::Cow::Borrowed(_) => class.to_owned(),
            std::borrow::Cow::Owned(ours) => names::class(&ours),
        }
    }

    /// Whether the other version does not have this field of a class `a.b.C`.
    pub(in crate::oracle) fn is_only_here(&self, owner: &str, name: &str) -> bool {
        !self.only_here.is_empty()
            && self
                .only_here
                .contains(&(owner.to_owned(), name.to_owned()))
    }

    /// The same by the field's number in the trace.
    pub(in crate::oracle) fn is_written_only_here(&self, run: &JavaRun, field: FieldId) -> bool {
        let symbol = run.trace().symbols().field(field);
        !self.only_here.is_empty()
            && symbol
                .is_some_and(|symbol| self.is_only_here(&names::class(&symbol.owner), &symbol.name))
    }

    /// A field by its class, its name and its descriptor, as our run calls them.
    pub(in crate::oracle) fn field(
        &self,
        run: &JavaRun,
        field: FieldId,
    ) -> Option<(String, String, String)> {
        let symbol = run.trace().symbols().field(field)?;
        Some(key(
            &self.names,
            &symbol.owner,
            &symbol.name,
            &symbol.descriptor,
        ))
    }
}

struct Fields {
    classes: HashSet<String>,
    fields: HashSet<(String, String, String)>,
}

/// The fields that a run's classes declare, in our names.
fn fields(run: &JavaRun, names: &Renaming) -> Fields {
    let mut found = Fields {
        classes: HashSet::new(),
        fields: HashSet::new(),
    };
    for (class, declared) in run.classes().all() {
        found.classes.insert(names.class(class).into_owned());
        let fields = declared.fields.iter();
        found
            .fields
            .extend(fields.map(|field| key(names, class, &field.name, &field.descriptor)));
    }
    found
}

fn key(names: &Renaming, class: &str, name: &str, descriptor: &str) -> (String, String, String) {
    (
        names.class(class).into_owned(),
        name.to_owned(),
        names.descriptor(descriptor).into_owned(),
    )
}
