//! Who answers the questions of a command.

use std::io::{self, IsTerminal as _};

use crate::dialogue::script::Script;
use crate::dialogue::terminal::Terminal;
use crate::dialogue::{Nobody, Person};

/// Who answers.
pub(crate) enum Who {
    Terminal,
    Script(Script),
    Nobody,
}

impl Who {
    pub(crate) fn of(non_interactive: bool, script: Option<Script>) -> Who {
        match script {
            Some(script) => Who::Script(script),
            None if non_interactive || !io::stdin().is_terminal() => Who::Nobody,
            None => Who::Terminal,
        }
    }

    /// Whether somebody reads what is said, and can be asked something that no script answers.
    pub(crate) fn sees_questions(&self) -> bool {
        matches!(self, Who::Terminal) && io::stderr().is_terminal()
    }

    pub(crate) fn person(self) -> Box<dyn Person> {
        match self {
            Who::Terminal => Box::new(Terminal),
            Who::Script(script) => Box::new(script),
            Who::Nobody => Box::new(Nobody),
        }
    }
}
