//! Java programs made up by proptest: arithmetic of all types, arrays, strings, loops, switches,
//! exceptions, lambdas, inner classes, generics, records, patterns. They compile, they end, and they
//! throw a lot.
//!
//! A method is made from a list of numbers, each of which decides one thing: which statement, which
//! operator, which variable. 0 decides for the simplest, and a list that is at its end gives zeros; so
//! when proptest drops methods, shortens lists and lowers numbers, the program that is left gets small.

#![allow(unreachable_pub, reason = "a module of a test")]

mod expressions;
mod frame;
mod statements;
mod types;

use std::fmt::{Debug, Formatter, Result, Write};

use proptest::prelude::{Strategy, any};

/// A class `Main` without imports; proptest shows its source.
pub struct Source(pub String);

/// One file with several programs, which run one after the other.
pub fn file_of(programs: &[Source]) -> String {
    let mut file = frame::IMPORTS.to_owned();
    for (number, Source(text)) in programs.iter().enumerate() {
        file.push_str(&text.replace("Main", &format!("Program{number}")));
    }
    file.push_str("\npublic class Main {\n    public static void main(String[] args) {\n");
    for number in 0..programs.len() {
        let _ = writeln!(file, "        Program{number}.main(args);");
    }
    file.push_str("    }\n}\n");
    file
}

impl Debug for Source {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.0)
    }
}

/// Programs for a version of Java: the statements that it has, from 11 on.
pub fn programs(java: u32) -> impl Strategy<Value = Source> {
    let method = proptest::collection::vec(any::<u32>(), 0..400);
    let methods = proptest::collection::vec(method, 1..6);
    methods.prop_map(move |methods| Source(Generator::program(&methods, java)))
}

const MOST_STATEMENTS: usize = 12;

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

struct Generator<'choices> {
    java: u32,
    choices: std::slice::Iter<'choices, u32>,
    out: String,
    indent: usize,
    names: u32,
    /// Variables in reach, the innermost last.
    scope: Vec<(String, Type)>,
    loops: u32,
    /// What the method returns.
    result: Type,
}

impl<'choices> Generator<'choices> {
    fn program(methods: &'choices [Vec<u32>], java: u32) -> String {
        let records = if java >= 17 { frame::RECORDS } else { "" };
        let mut generator = Generator {
            java,
            choices: [].iter(),
            out: [frame::FRAME, records, frame::RUN].concat(),
            indent: 1,
            names: 0,
            scope: Vec::new(),
            loops: 0,
            result: Type::Int,
        };
        let mut calls = Vec::new();
        for (number, choices) in methods.iter().enumerate() {
            generator.choices = choices.iter();
            calls.extend([generator.call(number), generator.call(number)]);
            generator.method(number);
        }
        generator.main(&calls);
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
        self.result = Type::PLAIN[self.below(9)];
        let (java, list) = (self.result.java(), list.join(", "));
        self.line(&format!("static {java} work{number}({list}) {{"));
        self.indent += 1;
        for _ in 0..MOST_STATEMENTS {
            if self.choices.len() > 0 {
                self.statement(2);
            }
        }
        let value = self.expression(self.result, 2);
        self.line(&format!("return {value};"));
        self.indent -= 1;
        self.line("}");
    }

    /// A statement of `main` that calls a method with some arguments.
    fn call(&mut self, number: usize) -> String {
        let arguments = Type::PLAIN.map(|kind| self.literal(kind)).join(", ");
        let ints = ["new int[] {3, -1, 4}", "new int[8]", "new int[0]"][self.below(3)];
        format!("run(\"work{number}\", () -> work{number}({arguments}, {ints}));")
    }

    fn main(&mut self, calls: &[String]) {
        self.line("public static void main(String[] args) {");
        self.indent += 1;
        for call in calls {
            self.line(call);
        }
        self.indent -= 1;
        self.line("}");
    }

    // ---- help

    fn below(&mut self, limit: usize) -> usize {
        self.choices
            .next()
            .map_or(0, |&choice| choice as usize % limit)
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
        let is_of_kind = |variable: &&(String, Type)| variable.1 == kind;
        let count = self.scope.iter().filter(is_of_kind).count();
        if count == 0 {
            return None;
        }
        let at = self.below(count);
        let found = self.scope.iter().filter(is_of_kind).nth(at);
        found.map(|(name, _)| name.clone())
    }
}
