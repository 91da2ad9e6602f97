//! The laws of the codec: decoding what was encoded gives it back, whatever follows it; and no
//! bytes make a decoder panic or claim more than the input holds.

use std::num::NonZeroU8;

use proptest::prelude::*;
use trace_format::chunk::PackedPayload;
use trace_format::elements::{ElementsContent, FoundElement};
use trace_format::event::{
    self, CallLengths, Entered, FrequentEvents, MOST_VALUES_AT_EXIT, Range, Skimmed, Write,
    WriteTarget, tag,
};
use trace_format::object::{self, FieldValues, Interfaces};
use trace_format::printed::SegmentHeader;
use trace_format::symbol::{
    ClassSymbol, FieldSymbol, Level, MethodSymbol, SkippedSymbol, ThreadSymbol,
};
use trace_format::{
    ChunkHeader, ClassNumber, Elements, Event, EventPosition, FieldId, FrameShape, Head, Kind,
    MethodId, ObjectEntry, ObjectId, ObjectKind, ObjectPosition, ObjectsHead, OpenFrame,
    PieceRecord, PrintedContent, PrintedCounts, RegionHeader, Signatures, StandardStream, Stream,
    Symbol, ThreadHead, ThreadNumber, Value, ValuePosition, restore_position,
};

/// A method's number tells its shape, a field's number its kind.
struct ByNumber;

impl Signatures for ByNumber {
    fn frame(&self, method: MethodId) -> Option<FrameShape> {
        [0, 0x7f00 - 500, 1 << 16, (1 << 23) - 1000]
            .iter()
            .any(|&from| (from..from + 1000).contains(&method.0))
            .then_some(FrameShape {
                arguments: method.0 % 40,
                enters_with_this: method.0.is_multiple_of(3),
                returned: None,
            })
    }

    fn field(&self, field: FieldId) -> Option<Kind> {
        Kind::from_code((field.0 % 11) as u8)
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(Kind::ALL.to_vec())
}

fn value() -> impl Strategy<Value = Value> {
    (kind(), any::<u64>()).prop_map(|(kind, bits)| Value::from_bits(kind, bits))
}

fn stream() -> impl Strategy<Value = Stream> {
    prop::sample::select(Stream::ALL.to_vec())
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-z/$]{1,12}", any::<String>()]
}

fn symbol() -> impl Strategy<Value = Symbol> {
    let level = || (0u8..3).prop_map(Level::from_code);
    prop_oneof![
        (
            any::<u32>(),
            any::<u64>(),
            any::<u32>(),
            level(),
            text(),
            text()
        )
            .prop_map(
                |(class, offset, length, level, name, loader)| Symbol::Class(ClassSymbol {
                    class: ClassNumber(class),
                    offset,
                    length,
                    level,
                    name,
                    loader,
                })
            ),
        (any::<(u32, u32, u16, u16)>(), level(), text(), text()).prop_map(
            |((method, class, index, access), level, name, descriptor)| {
                Symbol::Method(MethodSymbol {
                    method: MethodId(method),
                    class: ClassNumber(class),
                    index,
                    access,
                    level,
                    name,
                    descriptor,
                })
            }
        ),
        (any::<u32>(), any::<bool>(), text(), text(), text()).prop_map(
            |(field, is_static, owner, name, descriptor)| Symbol::Field(FieldSymbol {
                field: FieldId(field),
                is_static,
                owner,
                name,
                descriptor,
            })
        ),
        (any::<u32>(), any::<u64>(), text()).prop_map(|(thread, java_id, name)| Symbol::Thread(
            ThreadSymbol {
                thread: ThreadNumber(thread),
                java_id,
                name
            }
        )),
        (text(), text(), text(), text()).prop_map(|(class, method, descriptor, reason)| {
            Symbol::Skipped(SkippedSymbol {
                class,
                method,
                descriptor,
                reason,
            })
        }),
        any::<u32>().prop_map(|class| Symbol::ResultsNoted {
            class: ClassNumber(class)
        }),
        any::<u32>().prop_map(|object| Symbol::Masked {
            object: ObjectId(object)
        }),
        text().prop_map(|location| Symbol::Library { location }),
        (9u8..).prop_map(|kind| Symbol::Other { kind }),
    ]
}

fn head() -> impl Strategy<Value = Head> {
    let numbers = (any::<u32>(), any::<u32>(), any::<[u64; 3]>());
    let thread = (numbers, any::<Vec<u8>>()).prop_map(|((thread, more, at), events)| ThreadHead {
        thread: ThreadNumber(thread),
        events_from: EventPosition(events.len() as u64 + u64::from(more)),
        values_at: ValuePosition(at[0]),
        values_from: ValuePosition(at[1]),
        stamp: at[2],
        events,
    });
    let numbers = (any::<u32>(), any::<u32>(), any::<u64>());
    let objects =
        (numbers, any::<Vec<u8>>()).prop_map(|((thread, more, at), entries)| ObjectsHead {
            thread: ThreadNumber(thread),
            objects_from: ObjectPosition(entries.len() as u64 + u64::from(more)),
            events_at: EventPosition(at),
            entries,
        });
    let threads = prop::collection::vec(thread, 0..4);
    let objects = prop::collection::vec(objects, 0..4);
    (any::<[u64; 5]>(), threads, objects).prop_map(|(numbers, threads, objects)| Head {
        chunks_from: numbers[0],
        objects_length: numbers[1],
        lost_calls: numbers[2],
        lost_until: numbers[3],
        threads,
        objects_from: numbers[4],
        objects,
    })
}

/// An event as numbers, from which the borrowed form is made.
fn check_event(event: Event<'_>, current: Option<OpenFrame>, after: &[u8]) {
    let mut bytes = Vec::new();
    event.encode(current.unwrap_or_default().this, &mut bytes);
    let length = bytes.len();
    bytes.extend(after);
    assert_eq!(
        event::decode(&bytes, &ByNumber, current),
        Ok(Some((event, length)))
    );
    let cut = event::decode(&bytes[..length - 1], &ByNumber, current);
    assert!(!matches!(cut, Ok(Some(_))), "{cut:?}");
    check_skimmed(&bytes, current);
}

/// Skimming sees the same lengths, and the same end, as decoding.
fn check_skimmed(bytes: &[u8], current: Option<OpenFrame>) {
    let decoded = event::decode(bytes, &ByNumber, current);
    let skimmed = event::skim(bytes, &ByNumber, current.map(|frame| frame.shape));
    let lengths = (
        decoded.ok().map(|found| found.map(|event| event.1)),
        skimmed.ok().map(|found| found.map(|event| event.1)),
    );
    assert_eq!(lengths.0, lengths.1, "{decoded:?} {skimmed:?}");
    check_frequent(bytes, current);
}

/// What the pass over frequent events saw.
#[derive(Debug, Default)]
struct Frequent {
    seen: Vec<(usize, Skimmed)>,
    /// The current call's and those around it.
    exits: Vec<u32>,
}

impl Frequent {
    fn current_exit(&self) -> u32 {
        let exit = self.exits.last().copied();
        exit.unwrap_or(CallLengths::UNKNOWN.exit)
    }
}

impl FrequentEvents for Frequent {
    fn enter(&mut self, at: usize, entered: Entered) -> bool {
        let Entered {
            method,
            values,
            lengths,
        } = entered;
        let shape = ByNumber.frame(method).unwrap_or_default();
        assert_eq!(lengths, shape.lengths());
        self.exits.push(lengths.exit);
        let enter = Skimmed::Enter {
            method,
            values,
            shape,
        };
        self.seen.push((at, enter));
        true
    }

    fn exit(&mut self, at: usize, values: u8) -> u32 {
        self.exits.pop();
        self.seen.push((at, Skimmed::Exit { values }));
        self.current_exit()
    }

    fn other(&mut self, tag: u8) -> bool {
        let at = usize::MAX;
        self.seen.push((at, Skimmed::Write { tag }));
        true
    }
}

/// The pass over frequent events sees what skimming sees, one after the other, and stops only at what is rare or near
/// the end.
fn check_frequent(bytes: &[u8], current: Option<OpenFrame>) {
    let shape = current.map(|frame| frame.shape);
    let mut to = Frequent::default();
    to.exits.extend(shape.map(|shape| shape.lengths().exit));
    let exit = to.current_exit();
    let end = event::pass_frequent(bytes, 0, &ByNumber, exit, &mut to);
    let mut shapes = Vec::from_iter(shape);
    let mut at = 0;
    for (seen_at, seen) in &to.seen {
        let skimmed = event::skim(&bytes[at..], &ByNumber, shapes.last().copied());
        let Ok(Some((found, length))) = skimmed else {
            panic!("{seen:?} was seen where there is {skimmed:?}");
        };
        match found {
            Skimmed::Enter { shape, .. } => shapes.push(shape),
            Skimmed::Exit { .. } => drop(shapes.pop()),
            Skimmed::This { .. } | Skimmed::Write { .. } => {
                let tag = bytes[at];
                assert_eq!(*seen, Skimmed::Write { tag });
                at += length;
                continue;
            }
            other => panic!("{other:?} is not frequent"),
        }
        assert_eq!((*seen_at, *seen), (at, found));
        at += length;
    }
    assert_eq!(at, end);
    const WORD: usize = 8;
    let next = event::skim(&bytes[at..], &ByNumber, shapes.last().copied());
    let is_frequent = match next {
        Ok(Some((Skimmed::Enter { method, .. }, _))) => method < event::FIRST_FAR_METHOD,
        Ok(Some((Skimmed::Write { tag }, _))) => tag & !tag::BY_LIBRARY != tag::ARRAY_RANGE,
        Ok(Some((event, _))) => matches!(event, Skimmed::Exit { .. } | Skimmed::This { .. }),
        _ => false,
    };
    assert!(!is_frequent || bytes.len() - at < WORD, "{next:?}");
}

fn check_object(entry: ObjectEntry<'_>, after: &[u8]) {
    let mut bytes = Vec::new();
    entry.encode(&mut bytes);
    let length = bytes.len();
    bytes.extend(after);
    assert_eq!(object::decode(&bytes), Ok(Some((entry, length))));
}

proptest! {
    #[test]
    fn symbols_round_trip(symbol in symbol(), after in any::<Vec<u8>>()) {
        let mut bytes = Vec::new();
        symbol.encode(&mut bytes);
        let length = bytes.len();
        bytes.extend(after);
        prop_assert_eq!(Symbol::decode(&bytes), Ok(Some((symbol, length))));
        prop_assert_eq!(Symbol::decode(&bytes[..length - 1]), Ok(None));
    }

    #[test]
    fn heads_round_trip(head in head(), cut in any::<prop::sample::Index>()) {
        let bytes = head.encode();
        let empty = Head { objects: Vec::new(), ..head.clone() };
        // Where version 4.2 ended.
        let old = empty.encode().len() - 12;
        prop_assert_eq!(Head::decode(&bytes), Ok(head));
        prop_assert_eq!(Head::decode(&bytes[..old]), Ok(Head { objects_from: 0, ..empty }));
        let cut = cut.index(bytes.len());
        prop_assert!(cut == old || Head::decode(&bytes[..cut]).is_err());
    }

    #[test]
    fn headers_round_trip(
        stream in stream(), on in any::<bool>(), thread in any::<u32>(),
        length in any::<u32>(), pages in 1u32..4096, base in any::<u64>(), stamp in any::<u64>(),
        cut in proptest::option::of(0u32..u32::MAX),
        packed in proptest::option::of((any::<NonZeroU8>(), any::<u32>())),
    ) {
        let thread = ThreadNumber(thread);
        let packed = packed.map(|(distance, more)| PackedPayload {
            stored: length.div_ceil(8).saturating_add(more),
            distance,
        });
        let chunk = ChunkHeader { stream, complete: on, thread, length, base, stamp, packed };
        prop_assert_eq!(ChunkHeader::decode(&chunk.encode()), Ok(chunk));
        let capacity = RegionHeader::capacity_of(pages);
        let region = RegionHeader { stream, in_use: on, thread, capacity, base, stamp, cut };
        prop_assert!(region.readable() <= capacity);
        prop_assert_eq!(RegionHeader::decode(&region.encode()), Ok(region));
    }

    #[test]
    fn call_events_round_trip(
        method in prop_oneof![0u32..1000, 0x7f00u32 - 500..0x7f00 + 500, (1u32 << 16)..(1 << 16) + 1000, (1u32 << 23) - 1000..1 << 23], numbers in any::<(u32, u32, u32, u16, u64)>(),
        arguments in prop::collection::vec(any::<u8>(), 40), value in prop::option::of(value()),
        after in any::<Vec<u8>>(),
    ) {
        let (depth, vpos, object, handler, stamp) = numbers;
        let (exception, object) = (ObjectId(object), ObjectId(object));
        let shape = ByNumber.frame(MethodId(method)).unwrap();
        let arguments = &arguments[..shape.arguments as usize];
        let values = vpos as u8;
        check_event(Event::Enter { method: MethodId(method), values, arguments }, None, &after);
        let shape = FrameShape { returned: value.map(Value::kind), ..FrameShape::default() };
        let values = values & MOST_VALUES_AT_EXIT as u8;
        check_event(Event::Exit { values, value }, Some(OpenFrame::of(shape)), &after);
        check_event(Event::Mark { vpos }, None, &after);
        check_event(Event::Throw { depth, vpos, exception }, None, &after);
        check_event(Event::Catch { depth, vpos, exception, handler }, None, &after);
        check_event(Event::This { object }, None, &after);
        check_event(Event::Sync { stamp }, None, &after);
        let task = ObjectId(object.0 >> 1);
        check_event(Event::Submit { task, is_thread: depth % 2 == 0 }, None, &after);
        check_event(Event::Task { task: object, depth }, None, &after);
        check_event(Event::Text { object, text: ObjectId(depth) }, None, &after);
        check_event(Event::Output { piece: vpos }, None, &after);
    }

    #[test]
    fn printed_pieces_round_trip(
        descriptor in 1i32..3, thread in prop::option::of(0u32..u32::MAX), position in prop::option::of(0u64..u64::MAX),
        is_masked in any::<bool>(), text in prop::collection::vec(any::<u8>(), 0..60), counts in any::<[u64; 6]>(), after in any::<Vec<u8>>(),
    ) {
        let [sequence, pieces, a, b, c, d] = counts;
        let before = PrintedCounts { pieces, bytes: [a, b], lines: [c, d] };
        let header = SegmentHeader { sequence, before };
        prop_assert_eq!(SegmentHeader::decode(&header.encode()), Ok(header));
        let piece = PieceRecord {
            stream: StandardStream::from_descriptor(descriptor).unwrap(),
            thread: thread.map(ThreadNumber),
            position: position.map(EventPosition),
            content: PrintedContent::of(&text),
            is_masked,
        };
        let mut bytes = vec![0; piece.size()];
        let kind = piece.encode_behind_kind(&mut bytes);
        // Until the kind is there, there is nothing.
        prop_assert_eq!(PieceRecord::decode(&bytes), Ok(None));
        bytes[0] = kind;
        bytes.extend(after);
        prop_assert_eq!(PieceRecord::decode(&bytes), Ok(Some(piece)));
        for cut in 1..piece.size() {
            prop_assert!(PieceRecord::decode(&bytes[..cut]).is_err());
        }
    }

    #[test]
    fn write_events_round_trip(
        number in 0u32..100_000, object in any::<u32>(), index in prop_oneof![any::<u32>(), 0u32..1 << 17], value in value(),
        by_library in any::<bool>(), elements in prop::collection::vec(any::<u64>(), 0..20),
        after in any::<Vec<u8>>(),
    ) {
        let object = ObjectId(object);
        let field = FieldId(number * 11 + u32::from(value.kind().code()));
        let kind = value.kind();
        let mut bytes = Vec::new();
        elements.iter().for_each(|&bits| Value::from_bits(kind, bits).encode(&mut bytes));
        let count = elements.len() as u32;
        let elements_of = |content| Elements { kind, count, content };
        let range = |content| Range { array: object, start: index, elements: elements_of(content) };
        for target in [
            WriteTarget::Field { field, object, value },
            WriteTarget::Static { field, value },
            WriteTarget::Element { array: object, index, value },
            WriteTarget::Range(range(ElementsContent::Plain(&bytes))),
            WriteTarget::Range(range(ElementsContent::Packed(&after))),
        ] {
            let write = Write { target, by_library };
            for this in [ObjectId::NULL, object, ObjectId(index)] {
                let frame = OpenFrame { this, ..OpenFrame::default() };
                check_event(Event::Write(write), Some(frame), &after);
                let mut bytes = Vec::new();
                write.encode(this, &mut bytes);
                prop_assert_eq!(event::decode_write(&bytes, &ByNumber, this), Ok(Some(write)));
            }
        }
        for (offset, &bits) in elements.iter().enumerate() {
            let at = index.wrapping_add(offset as u32);
            if at >= index {
                let range = range(ElementsContent::Plain(&bytes));
                let number = range.number_of(at).unwrap();
                prop_assert_eq!(number, offset as u32);
                prop_assert_eq!(range.elements.find(number), Some(FoundElement::Value(Value::from_bits(kind, bits))));
            }
        }
    }

    #[test]
    fn object_entries_round_trip(
        numbers in any::<(u32, u32, u32, u32, u32)>(), value in value(),
        fields in prop::collection::vec((0u32..1 << 24, value()), 0..9),
        elements in prop::collection::vec(any::<u8>(), 0..9), content in any::<Vec<u8>>(),
        coder in 0u8..4, after in any::<Vec<u8>>(),
    ) {
        let (object, class, epos, length, other) = numbers;
        let entry = |kind| ObjectEntry {
            object: ObjectId(object), class: ObjectId(class), epos, again: coder & 2 != 0, kind,
        };
        let fields: Vec<_> = fields.iter().map(|&(field, value)| (FieldId(field), value)).collect();
        let field_bytes = FieldValues::encode(&fields);
        let field_values = FieldValues::new(fields.len() as u16, &field_bytes);
        prop_assert_eq!(field_values.iter().collect::<Vec<_>>(), fields);
        let other = ObjectId(other);
        let bytes_of = |content| Elements { kind: Kind::Byte, count: elements.len() as u32, content };
        let character = if coder & 1 == 0 { Kind::Byte } else { Kind::Char };
        let count = (content.len() / 2 * 2 / character.size()) as u32;
        let text = |content| ObjectKind::String {
            length, content: Elements { kind: character, count, content }, hash: length, is_constant: coder & 2 != 0,
        };
        for kind in [
            ObjectKind::Object,
            ObjectKind::NewArray { length },
            ObjectKind::Array { length, elements: bytes_of(ElementsContent::Plain(&elements)) },
            ObjectKind::Array { length, elements: bytes_of(ElementsContent::Packed(&content)) },
            text(ElementsContent::Plain(&content[..content.len() / 2 * 2])),
            text(ElementsContent::Packed(&content)),
            ObjectKind::Box { value },
            ObjectKind::Enum { ordinal: length, name: other },
            ObjectKind::Class {
                loader: other,
                superclass: other,
                is_interface: coder & 1 != 0,
                interfaces: Interfaces::new(&elements[..elements.len() / 4 * 4]),
                name: &content,
            },
            ObjectKind::Fields(field_values),
            ObjectKind::Throwable { message: other },
            ObjectKind::Masked { length, is_constant: coder & 1 != 0, zeros: content.len() as u32 },
        ] {
            if let Some(masked) = kind.masked() {
                let (mut open, mut hidden) = (Vec::new(), Vec::new());
                entry(kind).encode(&mut open);
                entry(masked).encode(&mut hidden);
                prop_assert_eq!(open.len(), hidden.len());
            }
            check_object(entry(kind), &after);
        }
    }

    #[test]
    fn arbitrary_bytes_are_survived(bytes in any::<Vec<u8>>(), returned in prop::option::of(kind())) {
        let shape = FrameShape { returned, ..FrameShape::default() };
        let current = Some(OpenFrame::of(shape));
        for start in 0..bytes.len().min(40) {
            let bytes = &bytes[start..];
            check_skimmed(bytes, current);
            if let Ok(Some((_, length))) = event::decode(bytes, &ByNumber, current) {
                prop_assert!(0 < length && length <= bytes.len());
            }
            if let Ok(Some((entry, length))) = object::decode(bytes) {
                prop_assert!(0 < length && length <= bytes.len());
                if let ObjectKind::Array { elements, .. } = entry.kind {
                    let known = elements.values(|_| Some(bytes));
                    for number in (0..elements.count).take(300) {
                        let one = elements.value(number, |_| None);
                        prop_assert!(one.is_none() || one == known.get(number as usize).copied());
                    }
                }
                let _ = entry.kind.text(|_| Some(bytes));
            }
            if let Ok(Some((_, length))) = Symbol::decode(bytes) {
                prop_assert!(0 < length && length <= bytes.len());
            }
            let _ = ChunkHeader::decode(bytes);
            let _ = RegionHeader::decode(bytes);
            let _ = event::decode_write(bytes, &ByNumber, ObjectId(7));
        }
    }

    #[test]
    fn positions_are_restored(last in 0u64..1 << 60, ahead in 0u32..u32::MAX - 0x1_0000) {
        let position = last + u64::from(ahead);
        prop_assert_eq!(restore_position(last, position as u32), position);
        prop_assert_eq!(restore_position(last + 100, last as u32), last);
    }
}
