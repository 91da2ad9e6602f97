//! Java programs made up from a seed: arithmetic of all types, arrays, strings, loops, switches,
//! exceptions, lambdas, inner classes. They compile, they end, and they throw a lot.

#![allow(unreachable_pub, reason = "a module of a test")]

mod expressions;
mod statements;

use std::fmt::Write;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Int,
    Long,
    Float,
    Double,
    Byte,
    Short,
    Char,
    Boolean,
    Text,
    Ints,
}

impl Type {
    const PLAIN: [Type; 9] = [
        Type::Int,
        Type::Long,
        Type::Float,
        Type::Double,
        Type::Byte,
        Type::Short,
        Type::Char,
        Type::Boolean,
        Type::Text,
    ];

    fn java(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Long => "long",
            Type::Float => "float",
            Type::Double => "double",
            Type::Byte => "byte",
            Type::Short => "short",
            Type::Char => "char",
            Type::Boolean => "boolean",
            Type::Text => "String",
            Type::Ints => "int[]",
        }
    }
}

pub struct Generator {
    random: u64,
    out: String,
    indent: usize,
    names: u32,
    /// Variables in reach, the innermost last.
    scope: Vec<(String, Type)>,
    loops: u32,
}

const FRAME: &str = r#"
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

public class Main {
    static int counter;
    static long total;
    int field;
    double ratio = 0.5;

    enum Colour { RED, GREEN, BLUE }

    Main(int field) {
        this.field = field;
        counter++;
    }

    class Inner {
        final int seed;
        long last;

        Inner(int seed) {
            this.seed = seed + field;
        }

        long twist(int by) {
            last = seed * 31L ^ by;
            field += (int) last;
            ratio *= last;
            return last >>> 3;
        }
    }

    static class Node {
        final int value;
        final Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }

        int sum() {
            if (next == null) {
                return value;
            }
            return value + next.sum();
        }
    }

    static int mix(int a, long b) {
        int result = a * 31;
        result ^= (int) (b >>> 32);
        result += (short) b;
        return result;
    }

    static String show(Object o) {
        if (o instanceof Integer) {
            return "int " + o;
        } else if (o instanceof CharSequence) {
            CharSequence text = (CharSequence) o;
            return "text " + text.length();
        } else if (o instanceof int[]) {
            return "ints " + ((int[]) o).length;
        }
        return String.valueOf(o);
    }

    static void run(String name, Supplier<Object> body) {
        Object result;
        try {
            result = body.get();
        } catch (RuntimeException e) {
            result = e.getClass().getSimpleName();
        }
        System.out.println(name + " " + show(result));
    }
"#;

impl Generator {
    /// The source of a class `Main`.
    pub fn program(seed: u64) -> String {
        let mut generator = Generator {
            random: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            out: FRAME.to_owned(),
            indent: 1,
            names: 0,
            scope: Vec::new(),
            loops: 0,
        };
        const METHODS: usize = 5;
        for number in 0..METHODS {
            generator.method(number);
        }
        generator.main(METHODS);
        generator.out.push_str("}\n");
        generator.out
    }

    fn method(&mut self, number: usize) {
        let parameters = [
            ("a", Type::Int),
            ("b", Type::Long),
            ("c", Type::Float),
            ("d", Type::Double),
            ("e", Type::Byte),
            ("f", Type::Short),
            ("g", Type::Char),
            ("h", Type::Boolean),
            ("s", Type::Text),
            ("n", Type::Ints),
        ];
        self.scope = parameters
            .map(|(name, kind)| (name.to_owned(), kind))
            .to_vec();
        let list = parameters.map(|(name, kind)| format!("{} {name}", kind.java()));
        let result = Type::PLAIN[self.below(9)];
        let (java, list) = (result.java(), list.join(", "));
        self.line(&format!("static {java} work{number}({list}) {{"));
        self.indent += 1;
        for _ in 0..self.between(6, 10) {
            self.statement(2);
        }
        let value = self.expression(result, 2);
        self.line(&format!("return {value};"));
        self.indent -= 1;
        self.line("}");
    }

    fn main(&mut self, methods: usize) {
        self.scope.clear();
        self.line("public static void main(String[] args) {");
        self.indent += 1;
        for number in 0..methods {
            for _ in 0..2 {
                let arguments = [
                    self.literal(Type::Int),
                    self.literal(Type::Long),
                    self.literal(Type::Float),
                    self.literal(Type::Double),
                    self.literal(Type::Byte),
                    self.literal(Type::Short),
                    self.literal(Type::Char),
                    self.literal(Type::Boolean),
                    self.literal(Type::Text),
                ];
                let arguments = arguments.join(", ");
                let ints = ["new int[] {3, -1, 4}", "new int[8]", "new int[0]"][self.below(3)];
                let call = format!("work{number}({arguments}, {ints})");
                self.line(&format!("run(\"work{number}\", () -> {call});"));
            }
        }
        self.indent -= 1;
        self.line("}");
    }

    // ---- help

    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }

    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let width = self.indent * 4;
        let _ = writeln!(self.out, "{:width$}{text}", "");
    }

    /// A variable of that type, if one is in reach.
    fn variable(&mut self, kind: Type) -> Option<String> {
        let found: Vec<_> = self.scope.iter().filter(|v| v.1 == kind).collect();
        if found.is_empty() {
            return None;
        }
        let count = found.len();
        let at = (self.random >> 20) as usize % count;
        let name = found[at].0.clone();
        self.next();
        Some(name)
    }
}
