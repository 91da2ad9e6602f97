//! Statements about classes: generics, variable arguments, initialisers, locks, records, patterns.

use super::{Generator, Type};

impl Generator<'_> {
    pub(super) fn generics(&mut self) {
        let (nested, larger, mapped) = (self.name(), self.name(), self.name());
        let (a, b) = (self.expression(Type::Int, 2), self.expression(Type::Int, 1));
        self.line(&format!(
            "List<Map<String, Box<Integer>>> {nested} = List.of(Map.of(\"k\", new Box<>({a})));"
        ));
        self.line(&format!(
            "int {larger} = {nested}.get(0).get(\"k\").larger(new Box<>({b}));"
        ));
        self.line(&format!(
            "String {mapped} = new Box<>({larger}).map(x -> \"n\" + x).content;"
        ));
        self.scope.push((larger, Type::Int));
        self.scope.push((mapped, Type::Text));
    }

    pub(super) fn variable_arguments(&mut self) {
        let (sum, text) = (self.name(), self.name());
        let rest = (0..self.below(4)).map(|_| format!(", {}", self.expression(Type::Int, 1)));
        let rest: String = rest.collect();
        let first = self.expression(Type::Int, 2);
        self.line(&format!("int {sum} = sum({first}{rest});"));
        let (one, other) = (
            self.expression(Type::Text, 1),
            self.expression(Type::Double, 1),
        );
        self.line(&format!(
            "String {text} = join({one}, {sum}, {other}, null, 'c');"
        ));
        self.scope.push((sum, Type::Int));
        self.scope.push((text, Type::Text));
    }

    pub(super) fn initialiser(&mut self) {
        let name = self.name();
        let at = self.expression(Type::Int, 1);
        self.line(&format!("int {name} = Late.get() + TABLE[{at} & 3];"));
        self.scope.push((name, Type::Int));
    }

    /// Left by whatever way the statements in it take.
    pub(super) fn locked(&mut self, depth: u32) {
        self.block("synchronized (Main.class) {", depth, 2);
        self.line("}");
    }

    pub(super) fn record(&mut self) {
        let (pair, number, same) = (self.name(), self.name(), self.name());
        let (a, b) = (
            self.expression(Type::Int, 2),
            self.expression(Type::Long, 2),
        );
        let text = self.expression(Type::Text, 1);
        self.line(&format!(
            "Pair<Integer, Pair<String, Long>> {pair} = new Pair<>({a}, new Pair<>({text}, {b}));"
        ));
        self.line(&format!(
            "int {number} = {pair}.first() + {pair}.second().first().length() + {pair}.hashCode();"
        ));
        self.line(&format!(
            "boolean {same} = {pair}.equals(new Pair<>({number}, {pair}.second())) || {pair}.isSame();"
        ));
        self.scope.push((number, Type::Int));
        self.scope.push((same, Type::Boolean));
    }

    pub(super) fn instance_pattern(&mut self, depth: u32) {
        let (object, text, number) = (self.name(), self.name(), self.name());
        let condition = self.expression(Type::Boolean, 1);
        let (a, b) = (
            self.expression(Type::Text, 1),
            self.expression(Type::Int, 1),
        );
        self.line(&format!(
            "Object {object} = {condition} ? (Object) ({a}) : {b};"
        ));
        self.line(&format!(
            "if ({object} instanceof String {text} && {text}.length() > 1) {{"
        ));
        self.line(&format!("    counter += {text}.charAt(1);"));
        self.block(
            &format!("}} else if ({object} instanceof Integer {number}) {{"),
            depth,
            1,
        );
        self.line(&format!("    counter += {number};"));
        self.line("}");
    }

    pub(super) fn switch_expression(&mut self) {
        let (result, colour, chosen) = (self.name(), self.name(), self.name());
        let (a, b) = (self.expression(Type::Int, 2), self.expression(Type::Int, 1));
        let text = self.expression(Type::Text, 2);
        self.line(&format!("int {result} = switch ({text}) {{"));
        self.line(&format!("    case \"\", \"abc\" -> {a};"));
        self.line("    case \"Aa\", \"BB\" -> {");
        self.line(&format!("        int y = {b};"));
        self.line("        yield y * 2;");
        self.line("    }");
        self.line("    default -> counter;");
        self.line("};");
        self.line(&format!("Colour {colour} = Colour.values()[{result} & 3];"));
        self.line(&format!("long {chosen} = switch ({colour}) {{"));
        self.line("    case RED -> 1;");
        self.line("    case GREEN -> total;");
        self.line("    case BLUE -> throw new IllegalStateException();");
        self.line("};");
        self.scope.push((result, Type::Int));
        self.scope.push((chosen, Type::Long));
    }

    pub(super) fn pattern_switch(&mut self) {
        let (figure, area) = (self.name(), self.name());
        let condition = self.expression(Type::Boolean, 1);
        let (a, b) = (
            self.expression(Type::Double, 1),
            self.expression(Type::Int, 1),
        );
        let limit = self.name();
        self.line(&format!("final double {limit} = {a};"));
        self.line(&format!(
            "Figure {figure} = {condition} ? new Circle(counter) : new Square({b});"
        ));
        self.line(&format!("double {area} = switch ({figure}) {{"));
        self.line(&format!(
            "    case Circle c1 when c1.radius() > {limit} -> 0;"
        ));
        self.line("    case Circle(double radius) -> radius * radius * 3;");
        self.line("    case Square(int side) -> side * side;");
        self.line("};");
        self.scope.push((area, Type::Double));
        let (object, result) = (self.name(), self.name());
        let text = self.expression(Type::Text, 1);
        self.line(&format!(
            "Object {object} = {condition} ? {b} : {b} > 0 ? null : (Object) ({text});"
        ));
        self.line(&format!("int {result} = switch ({object}) {{"));
        self.line("    case null -> -1;");
        self.line("    case Integer number when number > 3 -> number - 3;");
        self.line("    case Integer number -> number;");
        self.line("    case String words -> words.length();");
        self.line("    default -> 0;");
        self.line("};");
        self.scope.push((result, Type::Int));
    }
}
