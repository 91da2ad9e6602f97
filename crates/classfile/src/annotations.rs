//! Annotations that are kept until run time, as far as they say which type they are and what their
//! plain elements hold.

use crate::attribute::{Attribute, list};
use crate::bytes::Reader;
use crate::{ClassFile, ParseError, Renaming};

/// An annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// Descriptor of its type: `Lorg/junit/Test;`.
    pub descriptor: String,
    /// The elements that were given, by name.
    pub elements: Vec<(String, Element)>,
}

/// The value of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// A number, a character, a truth value or a string, by its index in the constant pool.
    Constant(u16),
    /// The name of an enum constant.
    Enum(String),
    /// Descriptor of a class: `Ljava/io/IOException;`.
    Class(String),
    Annotation(Annotation),
    Array(Vec<Element>),
}

impl Annotation {
    /// The element of this name, if it was given.
    pub fn element(&self, name: &str) -> Option<&Element> {
        let mut elements = self.elements.iter();
        elements
            .find(|(found, _)| found == name)
            .map(|(_, element)| element)
    }
}

/// Annotations may be nested, and the nesting of a damaged file need not end.
const DEEPEST: u32 = 32;

impl ClassFile {
    /// The annotations in the attributes of a class, field or method that a running program sees.
    pub fn annotations(&self, among: &[Attribute]) -> Result<Vec<Annotation>, ParseError> {
        let Some(attribute) = self.attribute(among, b"RuntimeVisibleAnnotations") else {
            return Ok(Vec::new());
        };
        let mut reader = Reader::new(&attribute.bytes, "RuntimeVisibleAnnotations");
        list(&mut reader, |reader| self.annotation(reader, DEEPEST))
    }

    /// The same, spelled out in the names of another version, so that they can be compared with its. Those are left out
    /// that are for compilers, which programs do not go by.
    pub fn spelled_annotations(&self, among: &[Attribute], names: &Renaming) -> Vec<String> {
        let found = self.annotations(among).unwrap_or_default();
        let is_for_compilers = |one: &&Annotation| {
            one.descriptor.starts_with("Ljava/lang/") || one.descriptor == "Lkotlin/Metadata;"
        };
        let seen = found.iter().filter(|one| !is_for_compilers(one));
        let mut spelled: Vec<String> = seen.map(|one| self.spelled(one, names)).collect();
        spelled.sort();
        spelled
    }

    fn spelled(&self, annotation: &Annotation, names: &Renaming) -> String {
        let elements = annotation.elements.iter();
        let mut elements: Vec<String> = elements
            .map(|(name, element)| format!("{name}={}", self.spelled_element(element, names)))
            .collect();
        elements.sort();
        let kind = names.descriptor(&annotation.descriptor);
        format!("{kind}({})", elements.join(","))
    }

    fn spelled_element(&self, element: &Element, names: &Renaming) -> String {
        match element {
            Element::Constant(index) => match self.constants.utf8(*index) {
                Ok(text) => format!("{text:?}"),
                Err(_) => format!("{:?}", self.constants.get(*index)),
            },
            Element::Enum(name) => name.clone(),
            Element::Class(descriptor) => names.descriptor(descriptor).into_owned(),
            Element::Annotation(inside) => self.spelled(inside, names),
            Element::Array(elements) => {
                let all = elements.iter().map(|one| self.spelled_element(one, names));
                format!("[{}]", all.collect::<Vec<_>>().join(","))
            }
        }
    }

    fn annotation(&self, reader: &mut Reader<'_>, deepest: u32) -> Result<Annotation, ParseError> {
        let descriptor = self.text(reader)?;
        let elements = list(reader, |reader| {
            Ok((self.text(reader)?, self.element(reader, deepest)?))
        })?;
        Ok(Annotation {
            descriptor,
            elements,
        })
    }

    fn element(&self, reader: &mut Reader<'_>, deepest: u32) -> Result<Element, ParseError> {
        let deeper = deepest.checked_sub(1).ok_or(ParseError::Truncated {
            what: "RuntimeVisibleAnnotations",
        })?;
        Ok(match reader.u8()? {
            b'e' => {
                reader.u16()?;
                Element::Enum(self.text(reader)?)
            }
            b'c' => Element::Class(self.text(reader)?),
            b'@' => Element::Annotation(self.annotation(reader, deeper)?),
            b'[' => Element::Array(list(reader, |reader| self.element(reader, deeper))?),
            _ => Element::Constant(reader.u16()?),
        })
    }

    fn text(&self, reader: &mut Reader<'_>) -> Result<String, ParseError> {
        let index = reader.u16()?;
        Ok(self.constants.utf8(index)?.into_owned())
    }
}
