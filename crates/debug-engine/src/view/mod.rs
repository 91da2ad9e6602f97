//! What a front end shows, as plain data.
//!
//! The engine does not know what a value is in the traced language; the crate that does fills these
//! types, and terminal, browser, editor and JSON output all read the same ones. Values are trees that
//! were cut somewhere: every cut says how much is missing, so that a front end can offer more.

mod call_range;
mod concurrent_write;
pub mod events;
mod extent;
pub mod history;
pub mod icicle;
mod paths;
pub mod recursion;
pub mod render;
pub mod slice;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use call_range::{AskedView, CallRangeView};
pub use concurrent_write::ConcurrentWrite;

use crate::Judgement;
use crate::session::{AnswerSource, Question};
use crate::tree::NodeId;

/// A question with everything needed to answer it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct QuestionView {
    /// What is asked, and where the search stands.
    #[serde(flatten)]
    pub question: Question,
    /// What it is about.
    pub asked: AskedView,
}

/// One call: what it was given, what it did, what it gave back.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NodeView {
    /// The node.
    pub node: NodeId,
    /// The routine as a person would name it, for example `MergeSort.merge`.
    pub routine: String,
    /// The class, with its package.
    pub class: String,
    /// The method's own name.
    pub method: String,
    /// The class whose method it is, where the receiver's class has another one of the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared_by: Option<String>,
    /// Source file, if known.
    pub file: Option<String>,
    /// First line of the method, if known.
    pub line: Option<u32>,
    /// The receiver of an instance method.
    pub this: Option<StateView>,
    /// The arguments, in order.
    pub arguments: Vec<NamedState>,
    /// How the call ended.
    pub outcome: OutcomeView,
    /// Static variables that the call changed.
    pub statics: Vec<NamedState>,
    /// Objects that the call changed and that lie further away than values are followed, by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<NamedState>,
    /// Where it ran, if another call handed it over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted: Option<Submitted>,
    /// Whether something that it handed over went on after it had ended: its state after is that when all of it had
    /// ended.
    #[serde(default, skip_serializing_if = "is_false")]
    pub outlived: bool,
    /// Whether the recording of its beginning was given up: what it did until then is not known.
    #[serde(default, skip_serializing_if = "is_false")]
    pub began_before_kept: bool,
    /// That something which belongs here could not be read, with the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    /// What the author says of the routine: the first sentence of its comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// What whoever judges it should think of: that it may have been given something impossible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guidance: Option<String>,
    /// What has been said about it.
    pub judgement: Judgement,
    /// Who said it.
    pub judged_by: Option<AnswerSource>,
}

/// How a call came to run in a thread that did not call it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Submitted {
    /// The name of the thread that it ran in.
    pub thread: String,
    /// The call that handed it over: started the thread, or gave the task to those who ran it.
    pub by: NodeId,
    /// That call's routine.
    pub routine: String,
}

impl std::fmt::Display for Submitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Submitted {
            thread,
            by,
            routine,
        } = self;
        write!(f, "in thread {thread}, submitted by #{by} {routine}")
    }
}

/// A variable with its state at the call's entry and exit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NamedState {
    /// Its name; a made-up one if the class file has none.
    pub name: String,
    /// Its state.
    #[serde(flatten)]
    pub state: StateView,
}

impl NamedState {
    /// A variable whose two states are marked where they differ.
    pub fn compared(name: String, mut before: ValueView, mut after: Option<ValueView>) -> Self {
        if let Some(after) = &mut after {
            render::mark_changes(&mut before, after);
        }
        NamedState {
            name,
            state: StateView { before, after },
        }
    }
}

/// A value at a call's entry and exit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StateView {
    /// At entry.
    pub before: ValueView,
    /// At exit; `None` if the call is open or the value cannot have changed.
    pub after: Option<ValueView>,
}

/// How a call ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeView {
    /// It returned nothing.
    Void,
    /// It returned a value.
    Returned(ValueView),
    /// It threw.
    Thrown(ValueView),
    /// It has not ended.
    Open,
    /// The program ended in it: it did all that it was going to do.
    #[serde(rename = "program-ended")]
    ProgramEnded,
}

/// A value, as far as it was followed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ValueView {
    /// The value in short: a number, a quoted string, `null`, or what an opaque object says of
    /// itself. For objects and arrays with children it may be empty.
    pub text: String,
    /// What sort of value it is.
    pub kind: ValueKind,
    /// The object's number in the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// Its class, with its package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Fields or elements, as far as they were followed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<ChildView>,
    /// How many more fields or elements there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub truncated: u64,
    /// Whether it differs from its other state (entry or exit).
    #[serde(default, skip_serializing_if = "is_unchanged")]
    pub changed: Changed,
    /// Who else wrote it while the call ran; of something that holds others, who wrote to its inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meanwhile: Option<Box<ConcurrentWrite>>,
    /// Whether the same object, which can change, stands in another place of the same question.
    #[serde(default, skip_serializing_if = "is_false")]
    pub shared: bool,
    /// What it should have been, as far as a symptom of the run says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// Whether its parts are known by their order, as those of a record are: all of them are written without names.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_record: bool,
}

/// A part of a value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ChildView {
    /// Where in the value it is.
    pub label: Label,
    /// What is there.
    pub value: ValueView,
    /// Whether the call that the value is shown for may have read or written this part. Of the
    /// others it is certain that it did not, so a short view leaves them out first.
    #[serde(default, skip_serializing_if = "is_false")]
    pub used: bool,
}

impl ChildView {
    /// A part of which it is not known whether anybody used it.
    pub fn new(label: Label, value: ValueView) -> ChildView {
        ChildView {
            label,
            value,
            used: false,
        }
    }
}

/// The place of a part in its value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// A field's name.
    Field(String),
    /// An element's index.
    Index(u64),
    /// A key of a map, in short.
    Key(String),
}

/// Sorts of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// A number, a character, a truth value.
    Primitive,
    /// A string.
    String,
    /// No object.
    Null,
    /// An object with fields.
    Object,
    /// An array or another sequence. A text stands for a name before it: `Optional[x]`.
    Array,
    /// Keys with their values.
    Map,
    /// One key with its value.
    Entry,
    /// A constant with a name of its own, which is its text; an object if it has fields.
    Constant,
    /// An object whose inside is not known.
    Opaque,
    /// Something is there, and it is not known what.
    Unknown,
    /// Something was recorded, and it cannot be read; the text says why.
    Unreadable,
}

/// How a value differs between entry and exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Changed {
    /// Not at all.
    #[default]
    None,
    /// It is another value.
    Changed,
    /// It is the same object, and something that it reaches has changed.
    Inside,
}

impl ValueView {
    /// A value without parts.
    pub fn leaf(kind: ValueKind, text: impl Into<String>) -> Self {
        ValueView {
            text: text.into(),
            kind,
            id: None,
            class: None,
            children: Vec::new(),
            truncated: 0,
            changed: Changed::None,
            meanwhile: None,
            shared: false,
            expected: None,
            is_record: false,
        }
    }

    /// A number, a character, a truth value.
    pub fn primitive(text: impl Into<String>) -> Self {
        Self::leaf(ValueKind::Primitive, text)
    }

    /// A string, given with its quotes.
    pub fn string(text: impl Into<String>) -> Self {
        Self::leaf(ValueKind::String, text)
    }

    /// No object.
    pub fn null() -> Self {
        Self::leaf(ValueKind::Null, "null")
    }

    /// What is there is not known.
    pub fn unknown() -> Self {
        Self::leaf(ValueKind::Unknown, "?")
    }

    /// What was recorded cannot be read, for this reason.
    pub fn unreadable(reason: impl Into<String>) -> Self {
        Self::leaf(ValueKind::Unreadable, reason)
    }

    /// An object whose fields are added with [`ValueView::with_field`].
    pub fn object(class: impl Into<String>, id: u64) -> Self {
        ValueView {
            id: Some(id),
            class: Some(class.into()),
            ..Self::leaf(ValueKind::Object, "")
        }
    }

    /// An array of these elements.
    pub fn array(
        class: impl Into<String>,
        id: u64,
        elements: impl IntoIterator<Item = ValueView>,
    ) -> Self {
        let children = (0..)
            .map(Label::Index)
            .zip(elements)
            .map(|(label, value)| ChildView::new(label, value))
            .collect();
        ValueView {
            id: Some(id),
            class: Some(class.into()),
            children,
            ..Self::leaf(ValueKind::Array, "")
        }
    }

    /// A map of these keys, given in short, and values.
    pub fn map<Key: Into<String>>(
        class: impl Into<String>,
        id: u64,
        entries: impl IntoIterator<Item = (Key, ValueView)>,
    ) -> Self {
        let children = entries
            .into_iter()
            .map(|(key, value)| ChildView::new(Label::Key(key.into()), value))
            .collect();
        ValueView {
            id: Some(id),
            class: Some(class.into()),
            children,
            ..Self::leaf(ValueKind::Map, "")
        }
    }

    /// The same with one more field.
    pub fn with_field(mut self, name: impl Into<String>, value: ValueView) -> Self {
        let label = Label::Field(name.into());
        self.children.push(ChildView::new(label, value));
        self
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_unchanged(changed: &Changed) -> bool {
    *changed == Changed::None
}
