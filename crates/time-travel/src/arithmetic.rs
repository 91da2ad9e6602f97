//! Java's operators on numbers, characters and truth values.

use trace_format::Value;

use crate::syntax::{BinaryOperator, UnaryOperator};

/// A number as Java computes with it: smaller types are ints by then.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
}

impl Number {
    fn of(value: Value) -> Option<Number> {
        Some(match value {
            Value::Byte(value) => Number::Int(value.into()),
            Value::Char(value) => Number::Int(value.into()),
            Value::Short(value) => Number::Int(value.into()),
            Value::Int(value) => Number::Int(value),
            Value::Long(value) => Number::Long(value),
            Value::Float(value) => Number::Float(value),
            Value::Double(value) => Number::Double(value),
            Value::Boolean(_) | Value::Ref(_) => return None,
        })
    }

    fn value(self) -> Value {
        match self {
            Number::Int(value) => Value::Int(value),
            Number::Long(value) => Value::Long(value),
            Number::Float(value) => Value::Float(value),
            Number::Double(value) => Value::Double(value),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "Java loses it as well")]
    fn as_double(self) -> f64 {
        match self {
            Number::Int(value) => value.into(),
            Number::Long(value) => value as f64,
            Number::Float(value) => value.into(),
            Number::Double(value) => value,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "Java loses it as well")]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only asked for where nothing is a double"
    )]
    fn as_float(self) -> f32 {
        match self {
            Number::Int(value) => value as f32,
            Number::Long(value) => value as f32,
            Number::Float(value) => value,
            Number::Double(value) => value as f32,
        }
    }

    /// `None` for what has a fraction.
    fn as_long(self) -> Option<i64> {
        match self {
            Number::Int(value) => Some(value.into()),
            Number::Long(value) => Some(value),
            Number::Float(_) | Number::Double(_) => None,
        }
    }
}

/// `None` if the operator does not go with the operand.
pub(crate) fn unary(operator: UnaryOperator, operand: Value) -> Option<Value> {
    if let (UnaryOperator::Not, Value::Boolean(value)) = (operator, operand) {
        return Some(Value::Boolean(!value));
    }
    let number = Number::of(operand)?;
    let result = match (operator, number) {
        (UnaryOperator::Plus, number) => number,
        (UnaryOperator::Minus, Number::Int(value)) => Number::Int(value.wrapping_neg()),
        (UnaryOperator::Minus, Number::Long(value)) => Number::Long(value.wrapping_neg()),
        (UnaryOperator::Minus, Number::Float(value)) => Number::Float(-value),
        (UnaryOperator::Minus, Number::Double(value)) => Number::Double(-value),
        (UnaryOperator::Complement, Number::Int(value)) => Number::Int(!value),
        (UnaryOperator::Complement, Number::Long(value)) => Number::Long(!value),
        _ => return None,
    };
    Some(result.value())
}

/// `Ok(None)` if the operator does not go with the operands.
///
/// # Errors
/// What Java would throw.
pub(crate) fn binary(
    operator: BinaryOperator,
    left: Value,
    right: Value,
) -> Result<Option<Value>, &'static str> {
    use BinaryOperator as Op;
    if let (Value::Boolean(left), Value::Boolean(right)) = (left, right) {
        return Ok(Some(Value::Boolean(match operator {
            Op::Equal => left == right,
            Op::NotEqual | Op::BitXor => left != right,
            Op::BitAnd | Op::And => left & right,
            Op::BitOr | Op::Or => left | right,
            _ => return Ok(None),
        })));
    }
    let (Some(left), Some(right)) = (Number::of(left), Number::of(right)) else {
        return Ok(None);
    };
    if let Op::ShiftLeft | Op::ShiftRight | Op::ShiftRightUnsigned = operator {
        return Ok(shift(operator, left, right).map(Number::value));
    }
    Ok(match (left, right) {
        (Number::Double(_), _) | (_, Number::Double(_)) => {
            let (left, right) = (left.as_double(), right.as_double());
            compared(operator, left.partial_cmp(&right)).or_else(|| {
                Some(Value::Double(match operator {
                    Op::Add => left + right,
                    Op::Subtract => left - right,
                    Op::Multiply => left * right,
                    Op::Divide => left / right,
                    Op::Remainder => left % right,
                    _ => return None,
                }))
            })
        }
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            let (left, right) = (left.as_float(), right.as_float());
            compared(operator, left.partial_cmp(&right)).or_else(|| {
                Some(Value::Float(match operator {
                    Op::Add => left + right,
                    Op::Subtract => left - right,
                    Op::Multiply => left * right,
                    Op::Divide => left / right,
                    Op::Remainder => left % right,
                    _ => return None,
                }))
            })
        }
        (Number::Int(left), Number::Int(right)) => {
            let by_zero = right == 0 && matches!(operator, Op::Divide | Op::Remainder);
            if by_zero {
                return Err("java.lang.ArithmeticException: / by zero");
            }
            compared(operator, Some(left.cmp(&right))).or_else(|| {
                Some(Value::Int(match operator {
                    Op::Add => left.wrapping_add(right),
                    Op::Subtract => left.wrapping_sub(right),
                    Op::Multiply => left.wrapping_mul(right),
                    Op::Divide => left.wrapping_div(right),
                    Op::Remainder => left.wrapping_rem(right),
                    Op::BitAnd => left & right,
                    Op::BitOr => left | right,
                    Op::BitXor => left ^ right,
                    _ => return None,
                }))
            })
        }
        _ => {
            let (Some(left), Some(right)) = (left.as_long(), right.as_long()) else {
                return Ok(None);
            };
            let by_zero = right == 0 && matches!(operator, Op::Divide | Op::Remainder);
            if by_zero {
                return Err("java.lang.ArithmeticException: / by zero");
            }
            compared(operator, Some(left.cmp(&right))).or_else(|| {
                Some(Value::Long(match operator {
                    Op::Add => left.wrapping_add(right),
                    Op::Subtract => left.wrapping_sub(right),
                    Op::Multiply => left.wrapping_mul(right),
                    Op::Divide => left.wrapping_div(right),
                    Op::Remainder => left.wrapping_rem(right),
                    Op::BitAnd => left & right,
                    Op::BitOr => left | right,
                    Op::BitXor => left ^ right,
                    _ => return None,
                }))
            })
        }
    })
}

/// A comparison; of what cannot be ordered, like NaN, only `!=` holds.
fn compared(operator: BinaryOperator, order: Option<std::cmp::Ordering>) -> Option<Value> {
    use BinaryOperator as Op;
    use std::cmp::Ordering;
    let holds = match operator {
        Op::Equal => order == Some(Ordering::Equal),
        Op::NotEqual => order != Some(Ordering::Equal),
        Op::Less => order == Some(Ordering::Less),
        Op::LessOrEqual => order.is_some_and(Ordering::is_le),
        Op::Greater => order == Some(Ordering::Greater),
        Op::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        _ => return None,
    };
    Some(Value::Boolean(holds))
}

/// A shift has the type of its left operand; of the right one only the lowest bits count.
#[expect(clippy::cast_possible_truncation, reason = "the lowest bits are meant")]
#[expect(clippy::cast_sign_loss, reason = "the lowest bits are meant")]
fn shift(operator: BinaryOperator, left: Number, right: Number) -> Option<Number> {
    let by = right.as_long()? as u32;
    Some(match (operator, left) {
        (BinaryOperator::ShiftLeft, Number::Int(value)) => Number::Int(value.wrapping_shl(by)),
        (BinaryOperator::ShiftLeft, Number::Long(value)) => Number::Long(value.wrapping_shl(by)),
        (BinaryOperator::ShiftRight, Number::Int(value)) => Number::Int(value.wrapping_shr(by)),
        (BinaryOperator::ShiftRight, Number::Long(value)) => Number::Long(value.wrapping_shr(by)),
        (BinaryOperator::ShiftRightUnsigned, Number::Int(value)) => {
            Number::Int(value.cast_unsigned().wrapping_shr(by).cast_signed())
        }
        (BinaryOperator::ShiftRightUnsigned, Number::Long(value)) => {
            Number::Long(value.cast_unsigned().wrapping_shr(by).cast_signed())
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_in_java() {
        use BinaryOperator as Op;
        let check = |operator, left, right, expected| {
            assert_eq!(binary(operator, left, right), expected, "{operator:?}");
        };
        let int = Value::Int;
        check(Op::Add, int(i32::MAX), int(1), Ok(Some(int(i32::MIN))));
        check(Op::Divide, int(7), int(-2), Ok(Some(int(-3))));
        check(Op::Remainder, int(-7), int(2), Ok(Some(int(-1))));
        check(Op::Divide, int(i32::MIN), int(-1), Ok(Some(int(i32::MIN))));
        check(Op::Add, Value::Char(97), int(1), Ok(Some(int(98))));
        check(Op::Add, int(1), Value::Long(1), Ok(Some(Value::Long(2))));
        check(Op::ShiftRightUnsigned, int(-1), int(28), Ok(Some(int(15))));
        check(Op::ShiftLeft, int(1), int(33), Ok(Some(int(2))));
        let nan = Value::Double(f64::NAN);
        check(Op::Equal, nan, nan, Ok(Some(Value::Boolean(false))));
        check(Op::NotEqual, nan, nan, Ok(Some(Value::Boolean(true))));
        check(Op::Add, Value::Boolean(true), int(1), Ok(None));
        assert!(binary(Op::Divide, int(1), int(0)).is_err());
        assert!(binary(Op::Remainder, Value::Long(1), int(0)).is_err());
    }
}
