//! Statements. Loops are short and nothing recurses, so every program ends soon.

use super::{Generator, Type};

impl Generator<'_> {
    pub(super) fn statement(&mut self, depth: u32) {
        let simple = depth == 0;
        let statements = match self.java {
            _ if simple => 7,
            21.. => 31,
            17.. => 30,
            _ => 27,
        };
        match self.below(statements) {
            0 | 1 => self.declaration(),
            2 => self.assignment(),
            3 => self.compound(),
            4 => self.heap(),
            5 => self.array(),
            6 => self.leave(),
            7 => self.condition(depth),
            8 | 9 => self.counted_loop(depth),
            10 => self.while_loop(depth),
            11 => self.int_switch(depth),
            12 => self.text_switch(),
            13 => self.enum_switch(),
            14..=17 => self.attempt(depth),
            18 => self.lambda(),
            19 => self.objects(),
            20 => self.local_class(),
            21 => self.each(depth),
            22 => self.nested_loops(depth),
            23 => self.generics(),
            24 => self.variable_arguments(),
            25 => self.initialiser(),
            26 => self.locked(depth),
            27 => self.record(),
            28 => self.instance_pattern(depth),
            29 => self.switch_expression(),
            _ => self.pattern_switch(),
        }
    }

    pub(super) fn block(&mut self, opening: &str, depth: u32, statements: usize) {
        self.line(opening);
        self.indent += 1;
        let scope = self.scope.len();
        for _ in 0..statements {
            self.statement(depth - 1);
        }
        self.scope.truncate(scope);
        self.indent -= 1;
    }

    fn declaration(&mut self) {
        let kind = match self.below(10) {
            9 => Type::Ints,
            at => Type::PLAIN[at],
        };
        let value = self.expression(kind, 3);
        let name = self.name();
        self.line(&format!("{} {name} = {value};", kind.java()));
        self.scope.push((name, kind));
    }

    fn assignment(&mut self) {
        let kind = Type::PLAIN[self.below(9)];
        if let Some(name) = self.variable(kind) {
            let value = self.expression(kind, 3);
            self.line(&format!("{name} = {value};"));
        } else {
            self.line("counter++;");
        }
    }

    fn compound(&mut self) {
        let kind = Type::PLAIN[self.below(7)];
        let Some(name) = self.variable(kind) else {
            return self.line("counter--;");
        };
        let value = self.expression(Type::Int, 2);
        match self.below(5) {
            0 => self.line(&format!("{name}++;")),
            1 => self.line(&format!("{name} *= {value};")),
            2 | 3 if !matches!(kind, Type::Float | Type::Double) => {
                let operator = ["<<=", ">>=", ">>>=", "/=", "^="][self.below(5)];
                self.line(&format!("{name} {operator} {value};"));
            }
            _ => self.line(&format!("{name} += {value};")),
        }
    }

    fn heap(&mut self) {
        let value = self.expression(Type::Int, 2);
        match self.below(4) {
            0 => self.line(&format!("counter += {value};")),
            1 => {
                let value = self.expression(Type::Long, 2);
                self.line(&format!("total = {value};"));
            }
            _ => match self.variable(Type::Ints) {
                Some(array) => {
                    let at = self.expression(Type::Int, 1);
                    self.line(&format!("{array}[{at} & 3] += {value};"));
                }
                None => self.line("counter = 3;"),
            },
        }
    }

    /// An array of any type: made, written, read back; the index may be out of bounds.
    fn array(&mut self) {
        let kind = Type::PLAIN[self.below(9)];
        let (array, result) = (self.name(), self.name());
        let (java, length) = (kind.java(), self.between(1, 3));
        let (at, value) = (self.expression(Type::Int, 1), self.expression(kind, 2));
        self.line(&format!("{java}[] {array} = new {java}[{length}];"));
        self.line(&format!("{array}[{at} & 1] = {value};"));
        self.line(&format!("{java} {result} = {array}[{length} - 1];"));
        self.scope.push((result, kind));
    }

    /// A way out of the method, through every `finally` around it.
    fn leave(&mut self) {
        let condition = self.expression(Type::Boolean, 2);
        let value = self.expression(self.result, 1);
        self.line(&format!("if ({condition}) return {value};"));
    }

    fn each(&mut self, depth: u32) {
        let element = self.name();
        let ints = self.variable(Type::Ints);
        let ints = ints.unwrap_or_else(|| "new int[] {5, 6}".to_owned());
        let scope = self.scope.len();
        self.line(&format!("for (int {element} : {ints}) {{"));
        self.scope.push((element, Type::Int));
        self.indent += 1;
        self.statement(depth - 1);
        self.indent -= 1;
        self.scope.truncate(scope);
        self.line("}");
    }

    fn condition(&mut self, depth: u32) {
        let condition = self.expression(Type::Boolean, 2);
        self.block(&format!("if ({condition}) {{"), depth, 2);
        self.block("} else {", depth, 1);
        self.line("}");
    }

    fn counted_loop(&mut self, depth: u32) {
        let i = self.name();
        let limit = self.between(1, 4);
        self.scope.push((i.clone(), Type::Int));
        self.line(&format!("for (int {i} = 0; {i} < {limit}; {i}++) {{"));
        // The counter may be read, not written: the loop must end.
        let hidden = self.scope.pop();
        self.indent += 1;
        let copy = self.name();
        self.line(&format!("int {copy} = {i} * 3;"));
        let scope = self.scope.len();
        self.scope.push((copy, Type::Int));
        self.statement(depth - 1);
        let condition = self.expression(Type::Boolean, 2);
        let leave = ["break", "continue"][self.below(2)];
        self.line(&format!("if ({condition}) {leave};"));
        self.statement(depth - 1);
        self.scope.truncate(scope);
        self.indent -= 1;
        self.line("}");
        drop(hidden);
    }

    fn while_loop(&mut self, depth: u32) {
        let i = self.name();
        let condition = self.expression(Type::Boolean, 2);
        self.line(&format!("int {i} = 0;"));
        if self.below(2) == 0 {
            self.block(&format!("while ({i}++ < 3 && {condition}) {{"), depth, 2);
            self.line("}");
        } else {
            self.block("do {", depth, 2);
            self.line(&format!("}} while (++{i} < 3 && {condition});"));
        }
    }

    fn nested_loops(&mut self, depth: u32) {
        let (i, j) = (self.name(), self.name());
        self.loops += 1;
        let label = format!("outer{}", self.loops);
        self.line(&format!("{label}: for (int {i} = 0; {i} < 2; {i}++) {{"));
        self.indent += 1;
        self.line(&format!("for (long {j} = 3; {j} > 0; {j}--) {{"));
        self.indent += 1;
        let scope = self.scope.len();
        self.statement(depth - 1);
        let condition = self.expression(Type::Boolean, 2);
        let leave = ["break", "continue"][self.below(2)];
        self.line(&format!("if ({condition}) {leave} {label};"));
        self.scope.truncate(scope);
        self.indent -= 1;
        self.line("}");
        self.indent -= 1;
        self.line("}");
    }

    fn int_switch(&mut self, depth: u32) {
        let value = self.expression(Type::Int, 2);
        self.line(&format!("switch ({value}) {{"));
        let scope = self.scope.len();
        for case in [
            "case 0:",
            "case 1:",
            "case -1:",
            "case 1000003:",
            "default:",
        ] {
            self.line(case);
            self.indent += 1;
            self.line("{");
            self.statement(depth - 1);
            self.line("}");
            if self.below(3) != 0 {
                self.line("break;");
            }
            self.indent -= 1;
            self.scope.truncate(scope);
        }
        self.line("}");
    }

    fn text_switch(&mut self) {
        let value = self.expression(Type::Text, 2);
        self.line(&format!("switch ({value}) {{"));
        for case in [
            "case \"\":",
            "case \"abc\":",
            "case \"Aa\":",
            "case \"BB\":",
            "default:",
        ] {
            self.line(case);
            self.line("    counter++;");
            self.line("    break;");
        }
        self.line("}");
    }

    fn enum_switch(&mut self) {
        let at = self.expression(Type::Int, 1);
        let name = self.name();
        self.line(&format!("Colour {name} = Colour.values()[{at} & 3];"));
        self.line(&format!("switch ({name}) {{"));
        self.line("    case RED: counter = 1; break;");
        self.line("    case GREEN: counter *= 2;");
        self.line("    default: total++;");
        self.line("}");
    }

    /// Something that is likely to throw.
    fn risk(&mut self) {
        let int = self.expression(Type::Int, 1);
        let condition = self.expression(Type::Boolean, 2);
        let name = self.name();
        match self.below(7) {
            0 => self.line(&format!("counter = 7 / ({int} & 1);")),
            1 => self.line(&format!("int[] {name} = new int[({int} & 3) - 2];")),
            2 => {
                self.line(&format!("String {name} = {condition} ? null : \"x\";"));
                self.line(&format!("counter += {name}.length();"));
            }
            3 => {
                self.line(&format!(
                    "Object {name} = {condition} ? (Object) \"s\" : 5;"
                ));
                self.line(&format!("counter = (Integer) {name};"));
            }
            4 => {
                self.line(&format!("Object[] {name} = new Integer[2];"));
                self.line(&format!(
                    "{name}[{int} & 1] = {condition} ? (Object) 1L : 1;"
                ));
            }
            5 => self.line(&format!(
                "if ({condition}) throw new IllegalStateException();"
            )),
            _ => {
                self.line(&format!("long[][] {name} = new long[2][({int} & 1) + 1];"));
                self.line(&format!("{name}[1][1] = {int};"));
            }
        }
    }

    fn attempt(&mut self, depth: u32) {
        self.block("try {", depth, 1);
        self.indent += 1;
        self.risk();
        self.indent -= 1;
        if self.below(2) == 0 {
            let (e, what) = (self.name(), "ArithmeticException | NullPointerException");
            self.line(&format!("}} catch ({what} {e}) {{"));
            self.line(&format!("    counter = {e}.getClass().hashCode() & 1;"));
        }
        let finally = self.below(3) == 0;
        if !finally || self.below(2) == 0 {
            let e = self.name();
            self.block(&format!("}} catch (RuntimeException {e}) {{"), depth, 1);
        }
        if finally {
            self.block("} finally {", depth, 1);
        }
        self.line("}");
    }

    fn lambda(&mut self) {
        let (captured, function, result) = (self.name(), self.name(), self.name());
        let value = self.expression(Type::Int, 2);
        let argument = self.expression(Type::Int, 2);
        self.line(&format!("final int {captured} = {value};"));
        if self.below(2) == 0 {
            self.line(&format!("IntUnaryOperator {function} = x -> {{"));
            self.line(&format!("    int y = x * {captured};"));
            self.line("    return y ^ counter;");
            self.line("};");
        } else {
            self.line(&format!(
                "IntUnaryOperator {function} = new IntUnaryOperator() {{"
            ));
            self.line(&format!("    int own = {captured} + 1;"));
            self.line("    public int applyAsInt(int x) {");
            self.line(&format!("        return own++ * x - {captured};"));
            self.line("    }");
            self.line("};");
        }
        self.line(&format!(
            "int {result} = {function}.applyAsInt({argument});"
        ));
        self.scope.push((result, Type::Int));
    }

    /// A class inside the method, with a captured variable and a method that it inherits.
    fn local_class(&mut self) {
        let (captured, class, result) = (self.name(), self.name(), self.name());
        let (value, scale) = (
            self.expression(Type::Double, 2),
            self.expression(Type::Double, 1),
        );
        self.line(&format!("final double {captured} = {value};"));
        self.line(&format!("class Shape{class} implements Shape {{"));
        self.line("    public double area(double scale) {");
        self.line(&format!("        return {captured} * scale;"));
        self.line("    }");
        self.line("}");
        self.line(&format!(
            "double {result} = new Shape{class}().twice({scale});"
        ));
        self.scope.push((result, Type::Double));
    }

    fn objects(&mut self) {
        let (object, result) = (self.name(), self.name());
        let a = self.expression(Type::Int, 2);
        let b = self.expression(Type::Int, 1);
        if self.below(2) == 0 {
            self.line(&format!(
                "Main.Inner {object} = new Main({a}).new Inner({b});"
            ));
            self.line(&format!("synchronized ({object}) {{"));
            self.line(&format!(
                "    total += {object}.twist({b}) + {object}.twist(3);"
            ));
            self.line("}");
            self.line(&format!("long {result} = {object}.last;"));
            self.scope.push((result, Type::Long));
        } else {
            self.line(&format!(
                "Node {object} = new Node({a}, new Node({b}, null));"
            ));
            self.line(&format!(
                "int {result} = {object}.sum() + {object}.next.value;"
            ));
            self.scope.push((result, Type::Int));
        }
    }
}
