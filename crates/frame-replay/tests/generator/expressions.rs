//! Expressions of each type.

use super::{Generator, Type};

impl Generator<'_> {
    pub(super) fn literal(&mut self, kind: Type) -> String {
        let choices: &[&str] = match kind {
            Type::Int => &[
                "0",
                "1",
                "-1",
                "7",
                "31",
                "32",
                "33",
                "1000003",
                "Integer.MIN_VALUE",
                "Integer.MAX_VALUE",
            ],
            Type::Long => &[
                "0L",
                "1L",
                "-1L",
                "63L",
                "64L",
                "123456789012L",
                "Long.MIN_VALUE",
                "Long.MAX_VALUE",
            ],
            Type::Float => &[
                "0f",
                "-0f",
                "1.5f",
                "-3e9f",
                "1e-40f",
                "Float.NaN",
                "1f / 0",
            ],
            Type::Double => &[
                "0.0",
                "-0.0",
                "0.1",
                "-1e300",
                "2e18",
                "Double.NaN",
                "-1.0 / 0",
            ],
            Type::Byte => &["(byte) 0", "(byte) 127", "(byte) -128", "(byte) 200"],
            Type::Short => &["(short) 0", "(short) 32767", "(short) 40000"],
            Type::Char => &["'a'", "'\\n'", "'\\uffff'", "(char) 0"],
            Type::Boolean => &["true", "false"],
            Type::Text => &["\"\"", "\"abc\"", "\"four\"", "\"ab\" + counter"],
            Type::Ints => &["new int[] {1, 2}", "new int[5]", "null"],
        };
        choices[self.below(choices.len())].to_owned()
    }

    pub(super) fn expression(&mut self, kind: Type, depth: u32) -> String {
        if depth == 0 || self.below(6) == 0 {
            return match self.variable(kind) {
                Some(name) if self.below(4) != 0 => name,
                _ => self.literal(kind),
            };
        }
        let d = depth - 1;
        match kind {
            Type::Int => self.int(d),
            Type::Long => self.long(d),
            Type::Float | Type::Double => self.floating(kind, d),
            Type::Byte | Type::Short | Type::Char => {
                let wide = [Type::Int, Type::Long, Type::Double][self.below(3)];
                let value = self.expression(wide, d);
                format!("({}) ({value})", kind.java())
            }
            Type::Boolean => self.boolean(d),
            Type::Text => self.text(d),
            Type::Ints => self.literal(kind),
        }
    }

    fn pick(&mut self, operators: &[&'static str]) -> &'static str {
        operators[self.below(operators.len())]
    }

    fn int(&mut self, d: u32) -> String {
        let a = self.expression(Type::Int, d);
        match self.below(15) {
            0..=2 => {
                let operator = self.pick(&["+", "-", "*", "&", "|", "^"]);
                let b = self.expression(Type::Int, d);
                format!("({a} {operator} {b})")
            }
            3 => {
                let operator = self.pick(&["/", "%"]);
                let b = self.expression(Type::Int, d);
                format!("({a} {operator} ({b} | 1))")
            }
            4 => {
                let b = self.variable(Type::Int).unwrap_or_default();
                let b = if b.is_empty() {
                    "counter".to_owned()
                } else {
                    b
                };
                format!("({a} / ({b} & 1))")
            }
            5 => {
                let operator = self.pick(&["<<", ">>", ">>>"]);
                let b = self.expression(Type::Int, d);
                format!("({a} {operator} {b})")
            }
            6 => {
                let wide = [Type::Long, Type::Float, Type::Double][self.below(3)];
                let b = self.expression(wide, d);
                format!("(int) ({b})")
            }
            7 => {
                let small = [Type::Byte, Type::Short, Type::Char][self.below(3)];
                let b = self.expression(small, d);
                format!("({a} + {b})")
            }
            8 => match self.variable(Type::Ints) {
                Some(array) => format!("{array}[{a} & 3]"),
                None => format!("~{a}"),
            },
            9 => {
                let text = self.expression(Type::Text, d);
                format!("({text}).length()")
            }
            10 => {
                let condition = self.expression(Type::Boolean, d);
                let b = self.expression(Type::Int, d);
                format!("({condition} ? {a} : {b})")
            }
            11 => {
                let b = self.expression(Type::Long, d);
                format!("mix({a}, {b})")
            }
            12 => {
                let b = self.expression(Type::Double, d);
                let c = self.expression(Type::Double, d);
                format!("Double.compare({b}, {c})")
            }
            13 => {
                let text = self.expression(Type::Text, d);
                format!("(0 + ({text}).charAt({a} & 1))")
            }
            _ => format!("-({a})"),
        }
    }

    fn long(&mut self, d: u32) -> String {
        let a = self.expression(Type::Long, d);
        match self.below(8) {
            0..=2 => {
                let operator = self.pick(&["+", "-", "*", "&", "|", "^"]);
                let b = self.expression(Type::Long, d);
                format!("({a} {operator} {b})")
            }
            3 => {
                let operator = self.pick(&["/", "%"]);
                let b = self.expression(Type::Long, d);
                format!("({a} {operator} ({b} & 7))")
            }
            4 => {
                let operator = self.pick(&["<<", ">>", ">>>"]);
                let b = self.expression(Type::Int, d);
                format!("({a} {operator} {b})")
            }
            5 => {
                let other = [Type::Int, Type::Float, Type::Double][self.below(3)];
                let b = self.expression(other, d);
                format!("(long) ({b})")
            }
            6 => {
                let condition = self.expression(Type::Boolean, d);
                let b = self.expression(Type::Long, d);
                format!("({condition} ? {a} : {b})")
            }
            _ => format!("~({a})"),
        }
    }

    fn floating(&mut self, kind: Type, d: u32) -> String {
        let a = self.expression(kind, d);
        match self.below(6) {
            0..=2 => {
                let operator = self.pick(&["+", "-", "*", "/", "%"]);
                let b = self.expression(kind, d);
                format!("({a} {operator} {b})")
            }
            3 => {
                let other = [Type::Int, Type::Long, Type::Double, Type::Float][self.below(4)];
                let b = self.expression(other, d);
                format!("({}) ({b})", kind.java())
            }
            4 => format!("-({a})"),
            _ => {
                let condition = self.expression(Type::Boolean, d);
                let b = self.expression(kind, d);
                format!("({condition} ? {a} : {b})")
            }
        }
    }

    fn boolean(&mut self, d: u32) -> String {
        match self.below(6) {
            0..=2 => {
                let kind =
                    [Type::Int, Type::Long, Type::Float, Type::Double, Type::Char][self.below(5)];
                let operator = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let (a, b) = (self.expression(kind, d), self.expression(kind, d));
                format!("({a} {operator} {b})")
            }
            3 => {
                let operator = self.pick(&["&&", "||", "^", "&", "=="]);
                let (a, b) = (
                    self.expression(Type::Boolean, d),
                    self.expression(Type::Boolean, d),
                );
                format!("({a} {operator} {b})")
            }
            4 => {
                let a = self.expression(Type::Text, d);
                format!("(({a}) == \"abc\")")
            }
            _ => format!("!({})", self.expression(Type::Boolean, d)),
        }
    }

    fn text(&mut self, d: u32) -> String {
        let a = self.expression(Type::Text, d);
        match self.below(5) {
            0 => {
                let kind = Type::PLAIN[self.below(8)];
                let b = self.expression(kind, d);
                format!("({a} + ({b}))")
            }
            1 => format!("({a}).substring(1)"),
            2 => {
                let b = self.expression(Type::Int, d);
                format!("String.valueOf({b})")
            }
            3 => {
                let b = self.expression(Type::Char, d);
                format!("new StringBuilder({a}).append({b}).reverse().toString()")
            }
            _ => {
                let condition = self.expression(Type::Boolean, d);
                let b = self.expression(Type::Text, d);
                format!("({condition} ? {a} : {b})")
            }
        }
    }
}
