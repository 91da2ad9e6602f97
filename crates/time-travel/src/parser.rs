//! Reads expressions: tokens, then operators by their precedence.

use crate::syntax::{BinaryOperator, Literal, Node, UnaryOperator};

/// Deeper expressions are not read.
const DEEPEST: usize = 40;

/// What cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SyntaxError(String);

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Literal(Literal),
    Name(String),
    Object(u64),
    Sign(&'static str),
}

/// Longer ones first.
const SIGNS: [&str; 32] = [
    ">>>", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "::", "+", "-", "*", "/", "%",
    "<", ">", "!", "~", "&", "|", "^", "?", ":", ".", ",", "(", ")", "[", "]", "=",
];

pub(crate) fn parse(text: &str) -> Result<Node, SyntaxError> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
    };
    let node = parser.conditional()?;
    match parser.peek() {
        None => Ok(node),
        Some(Token::Sign("=")) => Err(error(
            "a recorded run cannot be changed, so nothing can be assigned",
        )),
        Some(Token::Sign("->" | "::")) => {
            Err(error("lambdas cannot be evaluated in a recorded run"))
        }
        Some(other) => Err(error(format!("{} is not expected there", said(other)))),
    }
}

fn error(sentence: impl Into<String>) -> SyntaxError {
    SyntaxError(sentence.into())
}

fn said(token: &Token) -> String {
    match token {
        Token::Literal(Literal::Text(text)) => format!("{text:?}"),
        Token::Literal(_) => "a number or constant".to_owned(),
        Token::Name(name) => format!("`{name}`"),
        Token::Object(number) => format!("`#{number}`"),
        Token::Sign(sign) => format!("`{sign}`"),
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, after) = match first {
            '"' => {
                quoted(rest, '"').map(|(text, rest)| (Token::Literal(Literal::Text(text)), rest))?
            }
            '\'' => character(rest)?,
            '0'..='9' => number(rest)?,
            '.' if rest[1..].starts_with(|sign: char| sign.is_ascii_digit()) => number(rest)?,
            '#' => object(rest)?,
            _ if is_name_start(first) => name(rest),
            _ => sign(rest)?,
        };
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

fn is_name_start(sign: char) -> bool {
    sign.is_alphabetic() || sign == '_' || sign == '$'
}

fn name(text: &str) -> (Token, &str) {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
    let end = text.find(|sign| !is_part(sign)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    // `Account#12` is the object, as views print it.
    if let Some(number) = rest.strip_prefix('#')
        && let Ok((token, rest)) = object(&rest[rest.len() - number.len() - 1..])
    {
        return (token, rest);
    }
    let token = match name {
        "true" => Token::Literal(Literal::Boolean(true)),
        "false" => Token::Literal(Literal::Boolean(false)),
        "null" => Token::Literal(Literal::Null),
        _ => Token::Name(name.to_owned()),
    };
    (token, rest)
}

fn object(text: &str) -> Result<(Token, &str), SyntaxError> {
    let digits = &text[1..];
    let end = digits
        .find(|sign: char| !sign.is_ascii_digit())
        .unwrap_or(digits.len());
    let (number, rest) = digits.split_at(end);
    let number = number
        .parse()
        .map_err(|_| error("`#` is followed by the number of an object, as in #12"))?;
    Ok((Token::Object(number), rest))
}

fn sign(text: &str) -> Result<(Token, &str), SyntaxError> {
    let found = SIGNS
        .iter()
        .find_map(|sign| Some((*sign, text.strip_prefix(sign)?)));
    match found {
        Some((sign, rest)) => Ok((Token::Sign(sign), rest)),
        None => {
            let first = text.chars().next().unwrap_or(' ');
            Err(error(format!("`{first}` has no meaning in an expression")))
        }
    }
}

/// What stands between quotes, and what follows it.
fn quoted(text: &str, quote: char) -> Result<(String, &str), SyntaxError> {
    let mut found = String::new();
    let mut signs = text.char_indices().skip(1);
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => {
                let (_, escaped) = signs.next().ok_or_else(|| error("the text does not end"))?;
                found.push(match escaped {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    '0' => '\0',
                    '\\' | '"' | '\'' => escaped,
                    'u' => {
                        let digits: String = signs.by_ref().take(4).map(|(_, sign)| sign).collect();
                        let code = u32::from_str_radix(&digits, 16)
                            .ok()
                            .and_then(char::from_u32);
                        code.ok_or_else(|| error("`\\u` is followed by four hexadecimal digits"))?
                    }
                    other => return Err(error(format!("`\\{other}` is no escape"))),
                });
            }
            _ if sign == quote => return Ok((found, &text[at + 1..])),
            _ => found.push(sign),
        }
    }
    Err(error(format!(
        "the text that begins with {quote} does not end"
    )))
}

fn character(text: &str) -> Result<(Token, &str), SyntaxError> {
    let (found, rest) = quoted(text, '\'')?;
    let mut units = found.encode_utf16();
    match (units.next(), units.next()) {
        (Some(unit), None) => Ok((Token::Literal(Literal::Char(unit)), rest)),
        _ => Err(error("one character stands between single quotes")),
    }
}

fn number(text: &str) -> Result<(Token, &str), SyntaxError> {
    let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let mut end = if is_hexadecimal { 2 } else { 0 };
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(end) {
        let is_exponent_sign = matches!(byte, b'+' | b'-')
            && !is_hexadecimal
            && end > 0
            && matches!(bytes[end - 1], b'e' | b'E');
        let is_point =
            byte == b'.' && !is_hexadecimal && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || is_point || is_exponent_sign) {
            break;
        }
        end += 1;
    }
    let (written, rest) = text.split_at(end);
    let plain: String = written.chars().filter(|&sign| sign != '_').collect();
    let wrong = || error(format!("{written} is no number"));
    let last = plain.chars().last().unwrap_or(' ').to_ascii_lowercase();
    let literal = if is_hexadecimal {
        let digits = plain[2..].trim_end_matches(['l', 'L']);
        let bits = u64::from_str_radix(digits, 16).map_err(|_| wrong())?;
        match (last, u32::try_from(bits)) {
            ('l', _) => Literal::Long(bits.cast_signed()),
            (_, Ok(bits)) => Literal::Int(bits.cast_signed()),
            _ => return Err(wrong()),
        }
    } else if last == 'l' {
        Literal::Long(plain[..plain.len() - 1].parse().map_err(|_| wrong())?)
    } else if last == 'f' {
        Literal::Float(plain[..plain.len() - 1].parse().map_err(|_| wrong())?)
    } else if plain.contains(['.', 'e', 'E']) || last == 'd' {
        Literal::Double(
            plain
                .trim_end_matches(['d', 'D'])
                .parse()
                .map_err(|_| wrong())?,
        )
    } else {
        // 2147483648 stands only behind a minus; it is read as a long then, which compares and prints alike.
        match plain.parse::<i32>() {
            Ok(number) => Literal::Int(number),
            Err(_) => Literal::Long(plain.parse().map_err(|_| wrong())?),
        }
    };
    Ok((Token::Literal(literal), rest))
}

/// From the loosest to the tightest.
const LEVELS: &[&[(&str, BinaryOperator)]] = &[
    &[("||", BinaryOperator::Or)],
    &[("&&", BinaryOperator::And)],
    &[("|", BinaryOperator::BitOr)],
    &[("^", BinaryOperator::BitXor)],
    &[("&", BinaryOperator::BitAnd)],
    &[
        ("==", BinaryOperator::Equal),
        ("!=", BinaryOperator::NotEqual),
    ],
    &[
        ("<", BinaryOperator::Less),
        ("<=", BinaryOperator::LessOrEqual),
        (">", BinaryOperator::Greater),
        (">=", BinaryOperator::GreaterOrEqual),
    ],
    &[
        ("<<", BinaryOperator::ShiftLeft),
        (">>", BinaryOperator::ShiftRight),
        (">>>", BinaryOperator::ShiftRightUnsigned),
    ],
    &[("+", BinaryOperator::Add), ("-", BinaryOperator::Subtract)],
    &[
        ("*", BinaryOperator::Multiply),
        ("/", BinaryOperator::Divide),
        ("%", BinaryOperator::Remainder),
    ],
];
/// The level at which `instanceof` stands.
const COMPARISON: usize = 6;

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, sign: &str) -> Result<(), SyntaxError> {
        match self.takes(sign) {
            true => Ok(()),
            false => Err(error(format!("`{sign}` is missing"))),
        }
    }

    fn conditional(&mut self) -> Result<Node, SyntaxError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(error("the expression is nested too deeply"));
        }
        let condition = self.binary(0)?;
        let node = if self.takes("?") {
            let yes = self.conditional()?;
            self.expect(":")?;
            let no = self.conditional()?;
            Node::Conditional(condition.into(), yes.into(), no.into())
        } else {
            condition
        };
        self.depth -= 1;
        Ok(node)
    }

    fn binary(&mut self, level: usize) -> Result<Node, SyntaxError> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        loop {
            if level == COMPARISON && self.peek() == Some(&Token::Name("instanceof".to_owned())) {
                self.at += 1;
                left = Node::InstanceOf(left.into(), self.class_name()?);
                continue;
            }
            let Some(Token::Sign(sign)) = self.peek() else {
                return Ok(left);
            };
            let Some((_, operator)) = operators.iter().find(|(known, _)| known == sign) else {
                return Ok(left);
            };
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = Node::Binary(*operator, left.into(), right.into());
        }
    }

    fn class_name(&mut self) -> Result<String, SyntaxError> {
        let mut name = String::new();
        loop {
            match self.next() {
                Some(Token::Name(part)) => name.push_str(&part),
                _ => return Err(error("the name of a class stands behind `instanceof`")),
            }
            if !self.takes(".") {
                break;
            }
            name.push('.');
        }
        while self.takes("[") {
            self.expect("]")?;
            name.push_str("[]");
        }
        Ok(name)
    }

    fn unary(&mut self) -> Result<Node, SyntaxError> {
        let operator = match self.peek() {
            Some(Token::Sign("+")) => UnaryOperator::Plus,
            Some(Token::Sign("-")) => UnaryOperator::Minus,
            Some(Token::Sign("!")) => UnaryOperator::Not,
            Some(Token::Sign("~")) => UnaryOperator::Complement,
            _ => return self.postfix(),
        };
        self.at += 1;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(error("the expression is nested too deeply"));
        }
        let operand = self.unary()?;
        self.depth -= 1;
        Ok(Node::Unary(operator, operand.into()))
    }

    fn postfix(&mut self) -> Result<Node, SyntaxError> {
        let mut node = self.primary()?;
        loop {
            if self.takes("[") {
                let index = self.conditional()?;
                self.expect("]")?;
                node = Node::Element(node.into(), index.into());
            } else if self.takes(".") {
                let Some(Token::Name(name)) = self.next() else {
                    return Err(error("a name stands behind `.`"));
                };
                node = match self.takes("(") {
                    true => Node::Call(Some(node.into()), name, self.arguments()?),
                    false => Node::Field(node.into(), name),
                };
            } else {
                return Ok(node);
            }
        }
    }

    fn primary(&mut self) -> Result<Node, SyntaxError> {
        match self.next() {
            Some(Token::Literal(literal)) => Ok(Node::Literal(literal)),
            Some(Token::Object(number)) => Ok(Node::Object(number)),
            Some(Token::Name(name)) if name == "new" => {
                Err(error("a recorded run cannot make objects"))
            }
            Some(Token::Name(name)) => match self.takes("(") {
                true => Ok(Node::Call(None, name, self.arguments()?)),
                false => Ok(Node::Name(name)),
            },
            Some(Token::Sign("(")) => {
                let inner = self.conditional()?;
                self.expect(")")?;
                match self.peek() {
                    // `(Circle) shape`: what is recorded has its class anyway.
                    Some(
                        Token::Name(_) | Token::Literal(_) | Token::Object(_) | Token::Sign("("),
                    ) if matches!(inner, Node::Name(_) | Node::Field(..)) => Err(error(
                        "casts are not evaluated; values are shown with their own class",
                    )),
                    _ => Ok(inner),
                }
            }
            Some(other) => Err(error(format!("{} is not expected there", said(&other)))),
            None => Err(error("the expression ends too early")),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Node>, SyntaxError> {
        let mut arguments = Vec::new();
        if self.takes(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.conditional()?);
            if self.takes(")") {
                return Ok(arguments);
            }
            self.expect(",")?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let shown = match parse(text) {
            Ok(node) => format!("{node:?}"),
            Err(error) => format!("error: {error}"),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn operators_bind_as_in_java() {
        let one = "Literal(Int(1))";
        check(
            "1 + 1 * 1",
            &format!("Binary(Add, {one}, Binary(Multiply, {one}, {one}))"),
        );
        check(
            "1 - 1 - 1",
            &format!("Binary(Subtract, Binary(Subtract, {one}, {one}), {one})"),
        );
        check(
            "a.b[1].c",
            &format!("Field(Element(Field(Name(\"a\"), \"b\"), {one}), \"c\")"),
        );
        check(
            "!x instanceof A.B",
            "InstanceOf(Unary(Not, Name(\"x\")), \"A.B\")",
        );
        check("Account#12", "Object(12)");
        check("0xFFFFFFFF", "Literal(Int(-1))");
        check("1_000L", "Literal(Long(1000))");
        check(".5", "Literal(Double(0.5))");
    }

    #[test]
    fn what_cannot_be_is_refused_in_one_sentence() {
        for text in [
            "", "a +", "a = 1", "(", "f(", "\"a", "'ab'", "new A()", "a ? b", "1x", "#", "ä€",
        ] {
            let refused = parse(text).expect_err(text).to_string();
            assert!(
                !refused.is_empty() && !refused.contains('\n'),
                "{text}: {refused}"
            );
        }
        let deep = "(".repeat(100_000);
        assert!(parse(&deep).is_err());
        assert!(parse(&"-".repeat(100_000)).is_err());
    }
}
