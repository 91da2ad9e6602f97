//! What the small collections and ranges of Scala and Kotlin stand for. Larger ones of Scala are trees of their own
//! kinds, which are not looked into.

use trace_format::Value;

use super::super::heap::Heap;
use super::LibraryContent;
use super::look::{Look, Parts, first_of};

pub(super) const SCALA: &str = "scala.";
pub(super) const KOTLIN: &str = "kotlin.";

pub(super) fn content<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    object: Value,
    class: &str,
) -> Option<LibraryContent> {
    let parts = look.parts(object.object()?);
    match class.strip_prefix(SCALA) {
        Some(short) => scala(look, object, &parts, short),
        None => kotlin(&parts, class.strip_prefix(KOTLIN)?),
    }
}

fn scala<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    object: Value,
    parts: &Parts,
    short: &str,
) -> Option<LibraryContent> {
    let numbered = |name: &str| -> Vec<Value> {
        let fields = (1..=4).map(|number| format!("{name}{number}"));
        fields.map_while(|field| parts.get(&field)).collect()
    };
    Some(match short {
        "Some" => LibraryContent::Optional(Some(parts.get("value")?)),
        "None$" => LibraryContent::Optional(None),
        "collection.immutable.Nil$" | "collection.immutable.Vector0$" => {
            LibraryContent::sequence(Vec::new(), true)
        }
        "collection.immutable.$colon$colon" => look.scala_list(object)?,
        "collection.immutable.Vector1" => look.whole_array(parts.object("prefix1")?)?,
        _ if short.starts_with("collection.immutable.Map$Map") => {
            let values = numbered("value").into_iter();
            let entries: Vec<_> = numbered("key").into_iter().zip(values).collect();
            (!entries.is_empty()).then(|| LibraryContent::map(entries, true))?
        }
        _ if short.starts_with("collection.immutable.Set$Set") => {
            let items = numbered("elem");
            (!items.is_empty()).then(|| LibraryContent::sequence(items, true))?
        }
        _ => return None,
    })
}

fn kotlin(parts: &Parts, short: &str) -> Option<LibraryContent> {
    Some(match short {
        "collections.EmptyList" | "collections.EmptySet" => {
            LibraryContent::sequence(Vec::new(), true)
        }
        "collections.EmptyMap" => LibraryContent::map(Vec::new(), true),
        "ranges.IntRange" | "ranges.LongRange" => {
            LibraryContent::Printed(format!("{}..{}", parts.int("first")?, parts.int("last")?))
        }
        _ => return None,
    })
}

impl<H: Heap + ?Sized> Look<'_, H> {
    /// The elements of a `List`, whose last cell is followed by `Nil`. How a cell names the next one depends on
    /// Scala's version.
    fn scala_list(&self, list: Value) -> Option<LibraryContent> {
        let parts = self.parts(list.object()?);
        let link = match parts.get("next") {
            Some(_) => "next",
            None => "tl",
        };
        let cells = self.chain(list, link);
        let is_cell = |cell: &Parts| cell.get("head").is_some();
        let heads = cells.take_while(is_cell).map(|cell| cell.get("head"));
        let (items, total) = first_of(heads, self.limit)?;
        Some(LibraryContent::Sequence {
            items,
            total,
            ordered: true,
        })
    }
}
