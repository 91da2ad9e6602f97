//! Lists, queues and sets.

use trace_format::{ObjectId, Value};

use super::super::heap::Heap;
use super::LibraryContent;
use super::look::{Look, Parts, present};

pub(super) fn content<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    short: &str,
) -> Option<LibraryContent> {
    match short {
        "ArrayList" => look.array_prefix(parts, "elementData", "size"),
        "Vector" | "Stack" => look.array_prefix(parts, "elementData", "elementCount"),
        "PriorityQueue" => look.array_prefix(parts, "queue", "size"),
        "Arrays$ArrayList" => look.whole_array(parts.object("a")?),
        "ArrayDeque" => look.deque(parts),
        "LinkedList" => look.linked(parts, "first", "size"),
        "ArrayList$SubList"
        | "AbstractList$SubList"
        | "AbstractList$RandomAccessSubList"
        | "SubList"
        | "RandomAccessSubList"
        | "ImmutableCollections$SubList" => look.sub_list(parts),
        "HashSet" | "LinkedHashSet" => look.keys_of(parts, "map"),
        "TreeSet" | "Collections$SetFromMap" => look.keys_of(parts, "m"),
        "RegularEnumSet" => {
            let bits = vec![parts.int("elements")?];
            look.enum_set(parts, &bits)
        }
        "JumboEnumSet" => {
            let bits = look.longs(parts.object("elements")?)?;
            look.enum_set(parts, &bits)
        }
        "BitSet" => {
            let mut words = look.longs(parts.object("words")?)?;
            words.truncate(parts.size("wordsInUse")?);
            let bits = set_bits(&words).filter_map(|bit| i32::try_from(bit).ok());
            Some(look.shortened(bits.map(Value::Int).collect()))
        }
        "Collections$AsLIFOQueue" => look.inner(parts, "q"),
        _ => None,
    }
}

impl<H: Heap + ?Sized> Look<'_, H> {
    pub(super) fn array_prefix(
        &self,
        parts: &Parts,
        array: &str,
        size: &str,
    ) -> Option<LibraryContent> {
        let total = parts.count(size)?;
        let wanted = usize::try_from(total).ok()?.min(self.limit);
        let items = match parts.object(array) {
            Some(array) => self.elements(array, 0, wanted),
            None => Vec::new(),
        };
        (items.len() == wanted).then_some(LibraryContent::Sequence {
            items,
            total,
            ordered: true,
        })
    }

    pub(super) fn whole_array(&self, array: ObjectId) -> Option<LibraryContent> {
        let length = self.length(array);
        let items = self.elements(array, 0, self.limit);
        (items.len() == length.min(self.limit)).then_some(LibraryContent::Sequence {
            total: length as u64,
            items,
            ordered: true,
        })
    }

    fn deque(&self, parts: &Parts) -> Option<LibraryContent> {
        let elements = parts.object("elements")?;
        let length = self.length(elements);
        let (head, tail) = (parts.size("head")?, parts.size("tail")?);
        if length == 0 || head >= length || tail >= length {
            return None;
        }
        self.ring(elements, head, (tail + length - head) % length)
    }

    /// `total` elements of an array from `first` on, around its end.
    pub(super) fn ring(
        &self,
        array: ObjectId,
        first: usize,
        total: usize,
    ) -> Option<LibraryContent> {
        let wanted = total.min(self.limit);
        let length = self.length(array);
        let to_end = wanted.min(length.checked_sub(first)?);
        let mut items = self.elements(array, first, to_end);
        items.extend(self.elements(array, 0, wanted - to_end));
        (items.len() == wanted).then_some(LibraryContent::Sequence {
            items,
            total: total as u64,
            ordered: true,
        })
    }

    /// Nodes with an `item`, from the one in a field on.
    pub(super) fn linked(&self, parts: &Parts, first: &str, size: &str) -> Option<LibraryContent> {
        let total = parts.count(size)?;
        let items = self
            .chain(parts.get(first)?, "next")
            .take(self.limit)
            .map(|node| node.get("item"))
            .collect::<Option<Vec<Value>>>()?;
        let wanted = usize::try_from(total).ok()?.min(self.limit);
        (items.len() == wanted).then_some(LibraryContent::Sequence {
            items,
            total,
            ordered: true,
        })
    }

    fn sub_list(&self, parts: &Parts) -> Option<LibraryContent> {
        let (offset, size) = (parts.size("offset")?, parts.size("size")?);
        let wanted = offset.checked_add(size.min(self.limit))?;
        // Up to Java 8 a part of an ArrayList is an inner class of it, and one of another list knows the list that it
        // is a part of.
        let mut lists = ["root", "this$0", "l"].into_iter();
        let list = lists.find_map(|field| parts.object(field))?;
        match self.content_of(list, wanted)? {
            // A list that was changed behind the view's back leaves the view without a meaning.
            LibraryContent::Sequence { mut items, .. } if items.len() == wanted => {
                Some(LibraryContent::Sequence {
                    items: items.split_off(offset),
                    total: size as u64,
                    ordered: true,
                })
            }
            _ => None,
        }
    }

    fn longs(&self, array: ObjectId) -> Option<Vec<i64>> {
        let words: Vec<i64> = self
            .each(array)
            .map_while(|value| match value {
                Value::Long(word) => Some(word),
                _ => None,
            })
            .collect();
        (words.len() == self.length(array)).then_some(words)
    }

    fn enum_set(&self, parts: &Parts, bits: &[i64]) -> Option<LibraryContent> {
        let universe: Vec<Value> = self.each(parts.object("universe")?).collect();
        let constants = set_bits(bits).map(|bit| present(*universe.get(bit)?));
        Some(self.shortened(constants.collect::<Option<Vec<Value>>>()?))
    }

    /// An ordered sequence, cut to what is asked for.
    pub(super) fn shortened(&self, mut items: Vec<Value>) -> LibraryContent {
        let total = items.len() as u64;
        items.truncate(self.limit);
        LibraryContent::Sequence {
            items,
            total,
            ordered: true,
        }
    }
}

fn set_bits(words: &[i64]) -> impl Iterator<Item = usize> + '_ {
    let bits = words.iter().enumerate();
    bits.flat_map(|(at, word)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 == 1)
            .map(move |bit| at * 64 + bit)
    })
}
