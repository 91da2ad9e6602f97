//! What can be asked about a frame: an expression as Java writes it.

use crate::evaluation::{Evaluated, Evaluation, EvaluationError};
use crate::frames::{CallVariables, Frame};
use crate::parser::{self, SyntaxError};
use crate::stepping::Traveller;
use crate::syntax::Node;

/// An expression that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    root: Node,
}

impl Expression {
    /// # Errors
    /// What cannot be understood, as one sentence.
    pub fn parse(text: &str) -> Result<Expression, SyntaxError> {
        parser::parse(text).map(|root| Expression { root })
    }

    pub(crate) fn root(&self) -> &Node {
        &self.root
    }

    /// Its value in a frame.
    ///
    /// # Errors
    /// Why it has none, as one sentence.
    pub fn evaluate(
        &self,
        traveller: &Traveller<'_>,
        frame: &Frame,
    ) -> Result<Evaluated, EvaluationError> {
        self.evaluate_with(&mut CallVariables::new(*traveller), frame)
    }

    /// The same, one frame after the other.
    pub(crate) fn evaluate_with(
        &self,
        variables: &mut CallVariables<'_>,
        frame: &Frame,
    ) -> Result<Evaluated, EvaluationError> {
        Evaluation::new(variables, frame).value(&self.root)
    }
}
