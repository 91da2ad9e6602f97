//! Objects of a sketched run.

use java_names::modified_utf8;
use trace_format::elements::{ElementsContent, StreamPlace};
use trace_format::object::{ENTRY_HEADER_SIZE, FieldValues, Interfaces, java_hash};
use trace_format::{
    Elements, FieldId, Kind, ObjectEntry, ObjectId, ObjectKind, Stream, ThreadNumber, Value,
};

use super::Sketch;

/// From where the description of an array or a string begins to its packed elements: their kind and three numbers
/// follow the header.
const PACKED_OFFSET: u32 = ENTRY_HEADER_SIZE as u32 + 1 + 3 * 4;

impl Sketch {
    /// The class object with a name as `Class.getName` gives it, described once.
    pub fn class_object(&mut self, thread: ThreadNumber, name: &str) -> ObjectId {
        if let Some(&object) = self.class_objects.get(name) {
            return object;
        }
        let object = self.new_id();
        self.class_objects.insert(name.into(), object);
        let class = self.class_object(thread, "java.lang.Class");
        let bytes = modified_utf8::encode(name);
        let kind = ObjectKind::Class {
            loader: ObjectId::NULL,
            superclass: ObjectId::NULL,
            is_interface: false,
            interfaces: Interfaces::NONE,
            name: &bytes,
        };
        self.describe(thread, object, class, kind);
        object
    }

    pub fn object(&mut self, thread: ThreadNumber, class: &str) -> ObjectId {
        self.described(thread, class, ObjectKind::Object)
    }

    pub fn string(&mut self, thread: ThreadNumber, text: &str) -> ObjectId {
        let values = characters(text);
        let kind = values.first().map_or(Kind::Byte, |value| value.kind());
        let mut bytes = Vec::new();
        values.iter().for_each(|value| value.encode(&mut bytes));
        let content = Elements {
            kind,
            count: values.len() as u32,
            content: ElementsContent::Plain(&bytes),
        };
        self.described(thread, "java.lang.String", string_of(text, content))
    }

    /// The same, packed; `text` must not be empty.
    pub fn packed_string(&mut self, thread: ThreadNumber, text: &str) -> ObjectId {
        self.packed(thread, "java.lang.String", &characters(text), |content| {
            string_of(text, content)
        })
    }

    pub fn new_array(&mut self, thread: ThreadNumber, class: &str, length: u32) -> ObjectId {
        self.described(thread, class, ObjectKind::NewArray { length })
    }

    /// An array seen with its content; `values` must not be empty.
    pub fn array(&mut self, thread: ThreadNumber, class: &str, values: &[Value]) -> ObjectId {
        let mut bytes = Vec::new();
        values.iter().for_each(|value| value.encode(&mut bytes));
        let (kind, length) = (values[0].kind(), values.len() as u32);
        self.described(
            thread,
            class,
            ObjectKind::Array {
                length,
                elements: Elements {
                    kind,
                    count: length,
                    content: ElementsContent::Plain(&bytes),
                },
            },
        )
    }

    /// The same, packed.
    pub fn packed_array(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        values: &[Value],
    ) -> ObjectId {
        self.packed(thread, class, values, |elements| ObjectKind::Array {
            length: elements.count,
            elements,
        })
    }

    fn packed(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        values: &[Value],
        described: impl FnOnce(Elements<'_>) -> ObjectKind<'_>,
    ) -> ObjectId {
        let class = self.class_object(thread, class);
        let place = |entry| StreamPlace::Objects {
            entry,
            offset: PACKED_OFFSET,
        };
        let packed = self.pack(thread, Stream::Objects, values, place);
        let object = self.new_id();
        let elements = Elements {
            kind: values[0].kind(),
            count: values.len() as u32,
            content: ElementsContent::Packed(&packed),
        };
        self.describe(thread, object, class, described(elements));
        object
    }

    pub fn boxed(&mut self, thread: ThreadNumber, class: &str, value: Value) -> ObjectId {
        self.described(thread, class, ObjectKind::Box { value })
    }

    pub fn enum_constant(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        ordinal: u32,
        name: &str,
    ) -> ObjectId {
        let name = self.string(thread, name);
        self.described(thread, class, ObjectKind::Enum { ordinal, name })
    }

    /// An object seen with the content of its fields.
    pub fn fields(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        fields: &[(FieldId, Value)],
    ) -> ObjectId {
        let bytes = FieldValues::encode(fields);
        let fields = FieldValues::new(fields.len() as u16, &bytes);
        self.described(thread, class, ObjectKind::Fields(fields))
    }

    pub fn throwable(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        message: Option<&str>,
    ) -> ObjectId {
        let message = message.map_or(ObjectId::NULL, |text| self.string(thread, text));
        self.described(thread, class, ObjectKind::Throwable { message })
    }

    /// A number that no object has yet.
    pub fn new_id(&mut self) -> ObjectId {
        self.next_object += 1;
        ObjectId(self.next_object - 1)
    }

    pub fn described(
        &mut self,
        thread: ThreadNumber,
        class: &str,
        kind: ObjectKind<'_>,
    ) -> ObjectId {
        let class = self.class_object(thread, class);
        let object = self.new_id();
        self.describe(thread, object, class, kind);
        object
    }

    pub fn describe(
        &mut self,
        thread: ThreadNumber,
        object: ObjectId,
        class: ObjectId,
        kind: ObjectKind<'_>,
    ) -> &mut Self {
        let epos = self.position(thread) as u32;
        let mut bytes = Vec::new();
        ObjectEntry {
            object,
            class,
            epos,
            again: false,
            kind,
        }
        .encode(&mut bytes);
        self.append(thread, Stream::Objects, &bytes)
    }
}

fn string_of<'a>(text: &str, content: Elements<'a>) -> ObjectKind<'a> {
    ObjectKind::String {
        length: content.count,
        content,
        hash: java_hash(text),
        is_constant: false,
    }
}

/// As Java keeps them: bytes if all of them are Latin-1, else chars.
fn characters(text: &str) -> Vec<Value> {
    let is_latin1 = text.encode_utf16().all(|unit| unit < 256);
    let character = |unit| match is_latin1 {
        true => Value::Byte(unit as u8 as i8),
        false => Value::Char(unit),
    };
    text.encode_utf16().map(character).collect()
}
