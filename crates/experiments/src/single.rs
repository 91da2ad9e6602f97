//! Hybrids of a single change each, without running anything: what JVMs make of them can be tried beside experiments.

use classfile::pairing::Pairing;

use crate::change::{CodeChange, CodeChangeKind, changes};
use crate::hybrid::{Breeder, Direction};
use crate::program::ProgramVersion;

/// One version with one method of the other.
#[derive(Debug)]
pub struct SingleHybrid {
    pub change: CodeChange,
    /// Classes by internal name, those that are replaced and those that are added; or why there is no such hybrid.
    pub classes: Result<Vec<(String, Vec<u8>)>, String>,
}

/// A hybrid for each method that both versions have and that does something else, with all of their classes known.
pub fn single_hybrids<'v>(
    ours: &'v ProgramVersion,
    theirs: &'v ProgramVersion,
) -> impl Iterator<Item = SingleHybrid> + use<'v> {
    let pairing = Pairing::new(ours.files(), theirs.files());
    let all = changes(ours, theirs, &pairing);
    let breeder = Breeder::new(ours, theirs, Direction::Mend);
    let methods = all
        .into_iter()
        .filter(|change| change.kind == CodeChangeKind::Code);
    methods.map(move |change| {
        let hybrid = breeder.hybrid(&[&change]);
        let classes = hybrid.map_err(|error| error.to_string()).map(|hybrid| {
            let classes = hybrid.classes.into_iter().flat_map(|class| {
                let added = class.added.into_iter().filter_map(|bytes| {
                    let file = classfile::ClassFile::parse(&bytes).ok()?;
                    Some((file.name().ok()?.into_owned(), bytes))
                });
                added.chain([(class.name, class.bytes)]).collect::<Vec<_>>()
            });
            classes.collect()
        });
        SingleHybrid { change, classes }
    })
}
