//! The three indexes of a trace, as they are handed out together.

use std::sync::Arc;

use crate::call_index::CallIndex;
use crate::objects::ObjectIndex;
use crate::writes::WriteIndex;

/// The indexes of a trace.
#[derive(Debug, Clone)]
pub(crate) struct Indexes {
    pub(crate) calls: Arc<CallIndex>,
    pub(crate) objects: Arc<ObjectIndex>,
    pub(crate) writes: Arc<WriteIndex>,
}
