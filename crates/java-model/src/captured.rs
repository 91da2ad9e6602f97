//! A value at one time, with what each of its parts is in the heap.
//!
//! A view says what a person reads; where that came from is kept beside it, so that whatever is found out about a
//! variable afterwards (who else wrote it) is put where the variable is shown, without looking it up in the heap again.

use std::sync::Arc;

use debug_engine::view::ValueView;
use trace_format::ObjectId;

/// The variable that a captured value was found in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CapturedSlot {
    /// A field, by the class that declares it (`a.b.C`) and its name.
    Field(Arc<str>, Arc<str>),
    /// An element of an array.
    Element(u32),
    /// No variable of its own: a root, or what a collection stands for.
    Unnamed,
}

/// What one value of a view is in the heap.
#[derive(Clone, Debug)]
pub(crate) struct CapturedNode {
    /// The object, if it is one.
    pub(crate) object: Option<ObjectId>,
    pub(crate) slot: CapturedSlot,
}

/// A view with what its values are in the heap, in the view's preorder.
#[derive(Debug)]
pub(crate) struct Capture {
    pub(crate) view: ValueView,
    pub(crate) nodes: Vec<CapturedNode>,
}

impl Capture {
    /// A view of something that is not in the heap.
    pub(crate) fn plain(view: ValueView) -> Capture {
        let nodes = vec![CapturedNode {
            object: None,
            slot: CapturedSlot::Unnamed,
        }];
        Capture { view, nodes }
    }

    /// Shows every value of the view once, with the object that holds it, if there is one, and what it is itself.
    pub(crate) fn visit(
        &mut self,
        mut visit: impl FnMut(Option<ObjectId>, &CapturedNode, &mut ValueView),
    ) {
        let mut nodes = self.nodes.iter();
        visit_in(&mut self.view, None, &mut nodes, &mut visit);
    }
}

fn visit_in<'node>(
    view: &mut ValueView,
    holder: Option<ObjectId>,
    nodes: &mut impl Iterator<Item = &'node CapturedNode>,
    visit: &mut impl FnMut(Option<ObjectId>, &CapturedNode, &mut ValueView),
) {
    let Some(node) = nodes.next() else {
        return;
    };
    visit(holder, node, view);
    for child in &mut view.children {
        visit_in(&mut child.value, node.object, nodes, visit);
    }
}
