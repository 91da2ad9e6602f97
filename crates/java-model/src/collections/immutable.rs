//! Collections that never change, or only show others.

use trace_format::Value;

use super::super::heap::Heap;
use super::LibraryContent;
use super::look::{Look, Parts, present};

pub(super) fn content<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    short: &str,
) -> Option<LibraryContent> {
    let pair = || {
        // The second place of a list or set of one is noted as null, whatever marker the JDK has there.
        let second = parts.get("e1").and_then(present);
        let items = std::iter::once(parts.get("e0")?).chain(second);
        Some(items.collect::<Vec<Value>>())
    };
    let optional = || {
        let value = parts.get("value")?;
        let present = parts.int("isPresent")? != 0;
        Some(LibraryContent::Optional(present.then_some(value)))
    };
    Some(match short {
        "ImmutableCollections$List12" => LibraryContent::sequence(pair()?, true),
        "ImmutableCollections$Set12" => LibraryContent::sequence(pair()?, false),
        "ImmutableCollections$ListN" => look.whole_array(parts.object("elements")?)?,
        "ImmutableCollections$SetN" => {
            let all = look.each(parts.object("elements")?);
            LibraryContent::sequence(all.filter_map(present).collect(), false)
        }
        "ImmutableCollections$Map1" => {
            LibraryContent::map(vec![(parts.get("k0")?, parts.get("v0")?)], false)
        }
        "ImmutableCollections$MapN" => {
            let all: Vec<Value> = look.each(parts.object("table")?).collect();
            let pairs = all.as_chunks::<2>().0.iter();
            let entries = pairs
                .filter(|pair| pair[0] != Value::NULL)
                .map(|pair| (pair[0], pair[1]));
            LibraryContent::map(entries.collect(), false)
        }
        "Collections$SingletonList" | "Collections$SingletonSet" => {
            LibraryContent::sequence(vec![parts.get("element")?], true)
        }
        "Collections$SingletonMap" => {
            LibraryContent::map(vec![(parts.get("k")?, parts.get("v")?)], true)
        }
        "Collections$EmptyList" | "Collections$EmptySet" => {
            LibraryContent::sequence(Vec::new(), true)
        }
        "Collections$EmptyMap" => LibraryContent::map(Vec::new(), true),
        "Collections$CopiesList" => {
            let total = parts.size("n")?;
            LibraryContent::Sequence {
                items: vec![parts.get("element")?; total.min(look.limit)],
                total: total as u64,
                ordered: true,
            }
        }
        "Optional" => LibraryContent::Optional(present(parts.get("value")?)),
        "OptionalInt" | "OptionalLong" | "OptionalDouble" => optional()?,
        _ => return wrapper(look, parts, short),
    })
}

/// `Collections.unmodifiableList` and its kind show what they wrap.
fn wrapper<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    short: &str,
) -> Option<LibraryContent> {
    let name = short.strip_prefix("Collections$")?;
    if !["Unmodifiable", "Synchronized", "Checked"]
        .iter()
        .any(|start| name.starts_with(start))
    {
        return None;
    }
    let field = if name.ends_with("Map") { "m" } else { "c" };
    look.inner(parts, field)
}
