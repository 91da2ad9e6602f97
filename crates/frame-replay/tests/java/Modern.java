import java.util.*;

/** What newer Java compiles to: records, sealed types, patterns, text blocks, switch expressions. */
class Main {
    sealed interface Shape permits Circle, Square, Pair {
    }

    record Circle(double radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException();
            }
        }
    }

    record Square(int side) implements Shape {
    }

    record Pair(Shape left, Shape right) implements Shape {
    }

    enum Level { LOW, HIGH }

    static double area(Shape shape) {
        return switch (shape) {
            case Circle c when c.radius() > 100 -> Double.POSITIVE_INFINITY;
            case Circle(double r) -> r * r * 3;
            case Square s -> s.side() * s.side();
            case Pair(Square(var a), Square(int b)) -> a + b;
            case Pair p -> area(p.left()) + area(p.right());
        };
    }

    static String name(Object o) {
        return switch (o) {
            case null -> "nothing";
            case Integer i when i > 10 -> "big " + i;
            case Integer i -> "int " + i;
            case String s -> "text " + s.length();
            case Level level -> switch (level) {
                case LOW -> "low";
                case HIGH -> "high";
            };
            case int[] ints -> "ints " + ints.length;
            default -> o.getClass().getSimpleName();
        };
    }

    public static void main(String[] args) {
        var shapes = List.of(new Circle(1), new Circle(101), new Square(3), new Pair(new Square(1), new Square(2)),
            new Pair(new Circle(2), new Square(2)));
        double sum = 0;
        for (Shape shape : shapes) {
            sum += area(shape);
            sum += shape.hashCode() % 2 + shape.toString().length() + (shape.equals(shapes.get(0)) ? 1 : 0);
        }
        Object[] objects = {1, 11, "abc", Level.HIGH, new int[4], null, 2.5, """
            a text block
            """};
        for (Object o : objects) {
            sum += name(o).length();
            if (o instanceof String s && s.length() > 3) {
                sum += s.indexOf('x');
            }
        }
        try {
            new Circle(-1);
        } catch (IllegalArgumentException e) {
            sum++;
        }
        System.out.println(sum);
    }
}
