import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./modules.mjs";

const { beginnings, withoutComments } = await load("java-outline.ts");

/** @param {string} text */
const told = (text) =>
  beginnings(text).map((/** @type {any} */ { kind, className, method, line }) => `${line}: ${kind} ${className}${method === null ? "" : `#${method}`}`);

test("a main method is found behind its annotations", () => {
  const text = "package a.b;\n\npublic class Main {\n    @SuppressWarnings({\"x\", \"}\"})\n    public static void main(final String... args) throws Exception {\n    }\n}\n";
  assert.deepEqual(told(text), ["4: main a.b.Main#main"]);
});

test("tests of every kind are found, with their classes", () => {
  const text = `package shop;
class CartTest {
    static final Runnable EMPTY = run(() -> { if (true) { } });
    @BeforeEach void setUp() { list.forEach(x -> { use(x); }); }
    @Test
    void total() { assertThat(() -> { new Cart() { void f() {} }; }); }
    @ParameterizedTest @CsvSource({"1, 2", "3, 4"})
    void sums(int a, int b) throws java.io.IOException { }
    @org.junit.Test(expected = IllegalStateException.class, timeout = 5)
    public void refuses() { }
    @Nested class Empty {
        @RepeatedTest(3) void isEmpty() {}
    }
}`;
  assert.deepEqual(told(text), [
    "1: class shop.CartTest",
    "5: test shop.CartTest#total",
    "7: test shop.CartTest#sums",
    "9: test shop.CartTest#refuses",
    "10: class shop.CartTest$Empty",
    "11: test shop.CartTest$Empty#isEmpty",
  ]);
});

test("what stands in comments and texts is not found", () => {
  const text = `class A {
    // public static void main(String[] a) {
    /* @Test void x() { } */
    String text = "@Test void y() { }";
    String block = """
        class B { @Test void z() { } }
        """;
    char brace = '{';
    void main() { }
    static void main(int[] numbers) { }
}`;
  assert.deepEqual(told(text), []);
  assert.equal(withoutComments(text).split("\n").length, text.split("\n").length);
});

test("a file that does not compile gives what can be seen", () => {
  assert.deepEqual(told("class A { public static void main(String[] a) { if ("), ["0: main A#main"]);
  assert.deepEqual(told("{{{ class"), []);
  assert.deepEqual(told("class A { @Test void t() { \"open"), ["0: test A#t"]);
});

test("an interface of annotations is a type", () => {
  assert.deepEqual(told("@interface Mark { }\nrecord R(int a) { public static void main(String[] a) { } }"), ["1: main R#main"]);
});
