//! Collections that never change, or only show others.

use trace_format::Value;

use super::super::heap::Heap;
use super::Content;
use super::look::{Look, Parts, present};

pub(super) fn content<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    short: &str,
) -> Option<Content> {
    let pair = || {
        // The second place of a list or set of one is noted as null, whatever marker the JDK has there.
        let second = parts.get("e1").and_then(present);
        let items = std::iter::once(parts.get("e0")?).chain(second);
        Some(items.collect::<Vec<Value>>())
    };
    let optional = || {
        let value = parts.get("value")?;
        let present = parts.int("isPresent")? != 0;
        Some(Content::Optional(present.then_some(value)))
    };
    Some(match short {
        "ImmutableCollections$List12" => Content::sequence(pair()?, true),
        "ImmutableCollections$Set12" => Content::sequence(pair()?, false),
        "ImmutableCollections$ListN" => look.whole_array(parts.object("elements")?)?,
        "ImmutableCollections$SetN" => {
            let all = look.each(parts.object("elements")?);
            Content::sequence(all.filter_map(present).collect(), false)
        }
        "ImmutableCollections$Map1" => {
            Content::map(vec![(parts.get("k0")?, parts.get("v0")?)], false)
        }
        "ImmutableCollections$MapN" => {
            let all: Vec<Value> = look.each(parts.object("table")?).collect();
            let pairs = all.as_chunks::<2>().0.iter();
            let entries = pairs
                .filter(|pair| pair[0] != Value::NULL)
                .map(|pair| (pair[0], pair[1]));
            Content::map(entries.collect(), false)
        }
        "Collections$SingletonList" | "Collections$SingletonSet" => {
            Content::sequence(vec![parts.get("element")?], true)
        }
        "Collections$SingletonMap" => Content::map(vec![(parts.get("k")?, parts.get("v")?)], true),
        "Collections$EmptyList" | "Collections$EmptySet" => Content::sequence(Vec::new(), true),
        "Collections$EmptyMap" => Content::map(Vec::new(), true),
        "Collections$CopiesList" => {
            let total = parts.size("n")?;
            Content::Sequence {
                items: vec![parts.get("element")?; total.min(look.limit)],
                total: total as u64,
                ordered: true,
            }
        }
        "Optional" => Content::Optional(present(parts.get("value")?)),
        "OptionalInt" | "OptionalLong" | "OptionalDouble" => optional()?,
        _ => return wrapper(look, parts, short),
    })
}

/// `Collections.unmodifiableList` and its kind show what they wrap.
fn wrapper<H: Heap + ?Sized>(look: &Look<'_, H>, parts: &Parts, short: &str) -> Option<Content> {
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
