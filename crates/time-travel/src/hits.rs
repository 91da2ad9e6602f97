//! How often a breakpoint is hit in the run, and where, in order, if that was looked up.

use crate::position::Key;

/// See the module's header.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    pub(crate) count: usize,
    pub(crate) is_complete: bool,
    /// Where they are; `None` where the run's index finds the next one as quickly.
    pub(crate) keys: Option<Vec<Key>>,
    pub(crate) without_value: Option<WithoutValue>,
}

/// Executions at which a condition has no value, which keeps nobody from stopping there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithoutValue {
    pub count: usize,
    /// Why it has none at the first of them, as a sentence.
    pub why: String,
}

impl Hits {
    pub(crate) fn listed(keys: Vec<Key>, is_complete: bool) -> Hits {
        Hits {
            count: keys.len(),
            is_complete,
            keys: Some(keys),
            without_value: None,
        }
    }

    pub(crate) fn counted(count: usize, is_complete: bool) -> Hits {
        Hits {
            count,
            is_complete,
            keys: None,
            without_value: None,
        }
    }

    /// All of them in order, if they are known.
    pub(crate) fn all(&self) -> Option<&[Key]> {
        self.keys.as_deref().filter(|_| self.is_complete)
    }

    /// Whether these are all.
    #[must_use]
    pub fn are_complete(&self) -> bool {
        self.is_complete
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Those of them that count because the condition tells nothing there.
    #[must_use]
    pub fn without_value(&self) -> Option<&WithoutValue> {
        self.without_value.as_ref()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
