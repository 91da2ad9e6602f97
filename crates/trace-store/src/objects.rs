//! The objects of a trace: what each id stands for.
//!
//! Every thread describes the objects that it was the first to see, and where the oldest part of a trace was given
//! up, those that it used long after they were described. The index is one row per description, sorted by id, with
//! the place of the description in its stream.

mod scan;

use std::path::Path;

use trace_format::object::{self, ObjectKind};
use trace_format::{
    EventPosition, FieldId, Kind, ObjectEntry, ObjectId, ObjectPosition, Stream, ThreadNumber,
    Value, secret,
};

use crate::call_index::{CallIndex, IndexSource};
use crate::elements;
use crate::error::Result;
use crate::external_sort::merged;
use crate::generations::{Generation, Generations};
use crate::index_folder::IndexFolder;
use crate::sorted_rows::SortedRows;
use crate::streams::Streams;
use crate::symbols::Symbols;
use crate::walks::Walks;

use scan::Walk;

const NAME: &str = "objects";

/// What was noted of an object when it was first seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectDescription {
    pub object: ObjectId,
    /// The object id of its class.
    pub class: ObjectId,
    /// As `Class.getName` gives it (`java.lang.String`, `[I`); `None` if the class is not
    /// described.
    pub class_name: Option<String>,
    /// Who described it, and when.
    pub thread: ThreadNumber,
    pub position: EventPosition,
    /// It had been described before, which was given up: what it held is not known.
    pub again: bool,
    pub content: ObjectContent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectContent {
    /// Only class and identity.
    Object,
    /// Made by recorded code, all elements zero. The kind is known if the class is.
    NewArray {
        kind: Option<Kind>,
        length: u32,
    },
    /// Seen with this content; elements after those listed are unknown.
    Array {
        kind: Kind,
        length: u32,
        elements: Vec<Value>,
    },
    /// `text` may be shorter than the string, whose length is in chars.
    String {
        text: String,
        length: u32,
        hash: u32,
    },
    Box(Value),
    /// `name` is the constant's name, if that string is described.
    Enum {
        ordinal: u32,
        name: Option<String>,
    },
    /// A `Class` object, by the name that `Class.getName` gives.
    Class {
        name: String,
        loader: ObjectId,
        superclass: Option<ObjectId>,
        is_interface: bool,
        interfaces: Vec<ObjectId>,
    },
    Fields(Vec<(FieldId, Value)>),
    Throwable {
        message: Option<String>,
        message_object: ObjectId,
    },
    /// A secret. The length is that of an array.
    Masked {
        length: u32,
    },
}

impl ObjectDescription {
    fn is_array(&self) -> bool {
        let class = self.class_name.as_deref();
        class.is_some_and(|class| class.starts_with('['))
    }

    /// The same with its content left out.
    pub(crate) fn masked(self) -> Self {
        Self {
            content: ObjectContent::Masked {
                length: self.array_length().unwrap_or(0),
            },
            ..self
        }
    }

    pub fn array_length(&self) -> Option<u32> {
        match self.content {
            ObjectContent::NewArray { length, .. } | ObjectContent::Array { length, .. } => {
                Some(length)
            }
            ObjectContent::Masked { length } if self.is_array() => Some(length),
            _ => None,
        }
    }

    pub fn element_kind(&self) -> Option<Kind> {
        match self.content {
            ObjectContent::NewArray { kind, .. } => kind,
            ObjectContent::Array { kind, .. } => Some(kind),
            _ => None,
        }
    }
}

/// A row: where an object is described.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ObjectRow {
    pub(crate) object: ObjectId,
    pub(crate) class: ObjectId,
    pub(crate) thread: ThreadNumber,
    pub(crate) position: ObjectPosition,
    pub(crate) seen: EventPosition,
    /// The first byte of the entry.
    code: u8,
}

impl ObjectRow {
    fn of(row: &[u64; 4]) -> Self {
        Self {
            object: ObjectId((row[0] >> 32) as u32),
            thread: ThreadNumber(row[0] as u32),
            position: ObjectPosition(row[1]),
            seen: EventPosition(row[2]),
            class: ObjectId((row[3] >> 8) as u32),
            code: row[3] as u8,
        }
    }

    /// Whether the object had been described before.
    fn is_again(&self) -> bool {
        self.code & object::kind::AGAIN != 0
    }

    fn is_class(&self) -> bool {
        self.code & !object::kind::AGAIN == object::kind::CLASS
    }

    fn row(&self) -> [u64; 4] {
        [
            u64::from(self.object.0) << 32 | u64::from(self.thread.0),
            self.position.0,
            self.seen.0,
            u64::from(self.class.0) << 8 | u64::from(self.code),
        ]
    }
}

#[derive(Debug)]
pub(crate) struct ObjectIndex {
    /// In the order of time. Rows are sorted by object and then by thread.
    generations: Vec<Generation<4>>,
}

/// Makes the index of a run that goes on.
#[derive(Debug)]
pub(crate) struct ObjectIndexBuilder {
    generations: Generations<4>,
    walks: Walks<Walk>,
    steps: u64,
}

impl ObjectIndexBuilder {
    pub(crate) fn new(trace: &Path) -> Result<Self> {
        Ok(Self {
            generations: Generations::new(IndexFolder::create(trace, NAME)?),
            walks: Walks::default(),
            steps: 0,
        })
    }

    /// Goes on to where the calls' index ends.
    pub(crate) fn advance(
        &mut self,
        source: &IndexSource<'_>,
        calls: &CallIndex,
    ) -> Result<ObjectIndex> {
        let mut sort = self.generations.begin();
        let streams = source.streams;
        self.walks.advance(streams, calls, |walk, thread, end| {
            walk.advance(streams, thread, end, |place| sort.push(place.row()))
        })?;
        // Their order is all that matters.
        let since = self.steps;
        self.steps += 1;
        self.generations.add(sort, since)?;
        Ok(ObjectIndex {
            generations: self.generations.newest(),
        })
    }
}

impl ObjectIndex {
    pub(crate) fn open(source: &IndexSource<'_>) -> Result<Self> {
        let rows = SortedRows::kept_or_made(source, NAME, |sort| {
            for thread in source.streams.threads() {
                let everything = u64::MAX;
                Walk::default().advance(source.streams, thread, everything, |place| {
                    sort.push(place.row())
                })?;
            }
            Ok(())
        })?;
        Ok(Self {
            generations: Generation::only(rows),
        })
    }

    pub(crate) fn release(&self) {
        self.generations.iter().for_each(|it| it.rows.release());
    }

    /// Descriptions, not objects: one of the latter may be described by two threads at once.
    pub(crate) fn len(&self) -> usize {
        let generations = self.generations.iter();
        generations.map(|it| it.rows.rows().len()).sum()
    }

    /// All descriptions of an object.
    fn places(&self, object: ObjectId) -> impl Iterator<Item = ObjectRow> {
        let wanted = u64::from(object.0) << 32;
        // Objects are numbered as they come, so most generations have others.
        let may_have = move |it: &&Generation<4>| {
            let rows = it.rows.rows();
            rows.first().is_some_and(|row| row[0] >> 32 << 32 <= wanted)
                && rows.last().is_some_and(|row| row[0] >= wanted)
        };
        self.generations
            .iter()
            .filter(may_have)
            .flat_map(move |it| {
                let first = it.rows.first_from(&[wanted, 0, 0, 0]);
                let places = it.rows.rows()[first..].iter().map(ObjectRow::of);
                places.take_while(move |place| place.object == object)
            })
    }

    /// Where an object is described: for the first time, if that is still there.
    pub(crate) fn place(&self, object: ObjectId) -> Option<ObjectRow> {
        self.places(object)
            .min_by_key(|place| (place.is_again(), place.row()))
    }

    /// Whether some code names this string as a constant; it then has a description that says so.
    pub(crate) fn is_constant(&self, streams: &Streams, string: ObjectId) -> bool {
        self.places(string)
            .filter_map(|place| entry(streams, &place))
            .any(|entry| {
                matches!(
                    entry.kind,
                    ObjectKind::String {
                        is_constant: true,
                        ..
                    } | ObjectKind::Masked {
                        is_constant: true,
                        ..
                    }
                )
            })
    }

    /// How many descriptions are of objects with a smaller id; `None` if it is not described itself.
    pub(crate) fn rank(&self, object: ObjectId) -> Option<u64> {
        let wanted = u64::from(object.0) << 32;
        let (mut rank, mut is_there) = (0, false);
        for Generation { rows, .. } in &self.generations {
            let [Some(first), Some(last)] = [rows.rows().first(), rows.rows().last()] else {
                continue;
            };
            if last[0] < wanted {
                rank += rows.rows().len() as u64;
            } else if first[0] >> 32 << 32 <= wanted {
                let before = rows.first_from(&[wanted, 0, 0, 0]);
                is_there |= rows.rows()[before][0] >> 32 == u64::from(object.0);
                rank += before as u64;
            }
        }
        is_there.then_some(rank)
    }

    /// The object with a rank; `None` if there is none.
    pub(crate) fn ranked(&self, rank: u64) -> Option<ObjectId> {
        let before = |id: u64| -> u64 {
            let rows = self.generations.iter().map(|it| &it.rows);
            rows.map(|rows| rows.first_from(&[id << 32, 0, 0, 0]) as u64)
                .sum()
        };
        // The largest id before which there are no more descriptions than that: it has one itself.
        let (mut low, mut high) = (0, u64::from(u32::MAX));
        while low < high {
            let middle = (low + high).div_ceil(2);
            match before(middle) <= rank {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        let object = ObjectId(u32::try_from(low).ok()?);
        (self.rank(object) == Some(rank)).then_some(object)
    }

    /// Of an array; without looking at its content.
    pub(crate) fn array_length(&self, streams: &Streams, array: ObjectId) -> Option<u32> {
        match entry(streams, &self.place(array)?)?.kind {
            ObjectKind::NewArray { length }
            | ObjectKind::Array { length, .. }
            | ObjectKind::Masked { length, .. } => Some(length),
            _ => None,
        }
    }

    /// All objects in the order of their ids, each once.
    pub(crate) fn all(&self) -> impl Iterator<Item = ObjectRow> {
        self.all_from(ObjectId(0))
    }

    /// The same, without those that have smaller ids.
    pub(crate) fn all_from(&self, object: ObjectId) -> impl Iterator<Item = ObjectRow> {
        let mut last = None;
        let wanted = u64::from(object.0) << 32;
        let parts = self.generations.iter().map(|it| {
            let first = it.rows.first_from(&[wanted, 0, 0, 0]);
            it.rows.rows().get(first..).unwrap_or_default()
        });
        merged(parts.collect())
            .map(|row| ObjectRow::of(&row))
            .filter(move |place| {
                let first = last != Some(place.object);
                last = Some(place.object);
                first
            })
    }

    pub(crate) fn of_class(&self, class: ObjectId) -> impl Iterator<Item = ObjectId> {
        self.all()
            .filter(move |place| place.class == class)
            .map(|place| place.object)
    }

    /// The class objects with this name, as `Class.getName` gives it.
    pub(crate) fn classes_named(
        &self,
        streams: &Streams,
        symbols: &Symbols,
        name: &str,
    ) -> Vec<ObjectId> {
        self.all()
            .filter(ObjectRow::is_class)
            .filter(|place| text_at(streams, symbols, place).as_deref() == Some(name))
            .map(|place| place.object)
            .collect()
    }

    /// The text of a string, or the name of a class.
    pub(crate) fn text(
        &self,
        streams: &Streams,
        symbols: &Symbols,
        object: ObjectId,
    ) -> Option<String> {
        text_at(streams, symbols, &self.place(object)?)
    }

    /// What was noted of an object.
    pub(crate) fn describe(
        &self,
        streams: &Streams,
        symbols: &Symbols,
        object: ObjectId,
    ) -> Option<ObjectDescription> {
        let place = self.place(object)?;
        let entry = entry(streams, &place)?;
        let text = |object| self.text(streams, symbols, object);
        let own_text = || elements::text(streams, symbols, place.thread, &entry.kind);
        let class_name = text(entry.class).or_else(|| {
            // Writers may leave out the class of all classes.
            (entry.kind.code() == object::kind::CLASS).then(|| "java.lang.Class".to_owned())
        });
        let content = match entry.kind {
            ObjectKind::Object => ObjectContent::Object,
            ObjectKind::NewArray { length } => {
                let kind = class_name.as_deref().and_then(element_kind);
                ObjectContent::NewArray { kind, length }
            }
            ObjectKind::Array { length, elements } => ObjectContent::Array {
                kind: elements.kind,
                length,
                elements: elements::values(streams, symbols, place.thread, &elements),
            },
            ObjectKind::String { length, hash, .. } => ObjectContent::String {
                text: own_text().unwrap_or_default(),
                length,
                hash,
            },
            ObjectKind::Masked { length, .. } => ObjectContent::Masked { length },
            ObjectKind::Box { value } => ObjectContent::Box(value),
            ObjectKind::Enum { ordinal, name } => ObjectContent::Enum {
                ordinal,
                name: text(name),
            },
            ObjectKind::Class {
                loader,
                superclass,
                is_interface,
                interfaces,
                ..
            } => ObjectContent::Class {
                name: own_text().unwrap_or_default(),
                loader,
                superclass: (!superclass.is_null()).then_some(superclass),
                is_interface,
                interfaces: interfaces.iter().collect(),
            },
            ObjectKind::Fields(fields) => ObjectContent::Fields(fields.iter().collect()),
            ObjectKind::Throwable { message } => ObjectContent::Throwable {
                message: text(message),
                message_object: message,
            },
        };
        let ObjectRow {
            thread,
            seen: position,
            ..
        } = place;
        Some(ObjectDescription {
            object,
            class: entry.class,
            class_name,
            thread,
            position,
            again: entry.again,
            content,
        })
    }
}

/// The entry that a row points to; `None` if it is not there any more.
pub(crate) fn entry<'a>(streams: &'a Streams, place: &ObjectRow) -> Option<ObjectEntry<'a>> {
    let bytes = streams
        .view(place.thread, Stream::Objects)
        .at(place.position.0)?;
    let (entry, _) = object::decode(bytes).ok()??;
    (entry.object == place.object).then_some(entry)
}

fn text_at(streams: &Streams, symbols: &Symbols, place: &ObjectRow) -> Option<String> {
    if symbols.is_masked(place.object) {
        return Some(secret::MASK.to_owned());
    }
    let kind = entry(streams, place)?.kind;
    elements::text(streams, symbols, place.thread, &kind)
}

/// The kind of an array's elements, from its class name `[I` or `[Ljava.lang.String;`.
pub(crate) fn element_kind(class_name: &str) -> Option<Kind> {
    Kind::from_descriptor(*class_name.strip_prefix('[')?.as_bytes().first()?)
}
