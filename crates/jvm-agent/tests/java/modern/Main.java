import java.util.List;

/** What newer versions of Java have brought: records, patterns, sealed types, text blocks. */
class Main {
    sealed interface Shape permits Circle, Square, Pair {
    }

    record Circle(int radius) implements Shape {
        Circle {
            if (radius < 0) {
                throw new IllegalArgumentException("negative");
            }
        }
    }

    record Square(int side, String name) implements Shape {
        Square(int side) {
            this(side, "square");
            Log.enter(side);
        }
    }

    record Pair(Shape left, Shape right) implements Shape {
    }

    static int area(Shape shape) {
        Log.enter(shape);
        return Log.returns(switch (shape) {
            case Circle c when c.radius() > 10 -> 1000;
            case Circle(int radius) -> 3 * radius * radius;
            case Square(int side, String name) -> side * side + name.length();
            case Pair(Circle(var a), var b) -> a + area(b);
            case Pair(var a, var b) -> area(a) + area(b);
        });
    }

    static String kind(Object o) {
        Log.enter(o);
        return Log.returns(switch (o) {
            case null -> "null";
            case Integer i when i > 5 -> "large";
            case Integer i -> "small";
            case String s -> s + o.hashCode();
            default -> o.toString().isEmpty() ? "empty" : "other";
        });
    }

    public static void main(String[] arguments) {
        for (Shape shape : List.of(new Circle(3), new Circle(30), new Square(4),
                new Pair(new Circle(1), new Square(2)), new Pair(new Square(1), new Circle(2)))) {
            area(shape);
        }
        for (Object o : new Object[] {null, 1, 9, "text", new Circle(2), new Square(3)}) {
            kind(o);
        }
        try {
            new Circle(-1);
        } catch (IllegalArgumentException e) {
            Log.here();
        }
        Log.here();
    }
}
