//! A small recorded run without a JVM, for tests: a shop's till that pays out wrongly.

use trace_format::{EndReason, Value};
use trace_store::sketch::Sketch;

use super::run::JavaRun;

pub const SOURCE: &str = "\
class Till {
    static int sales;
    int[] coins;
    Till next;
    String name;

    Till(String name, int size) {
        this.name = name;
        coins = new int[size];
    }

    static int sum(int[] values) {
        int sum = 0;
        for (int value : values) sum += value;
        return sum;
    }

    boolean add(int[] more) {
        for (int i = 0; i < more.length; i++) coins[i] += more[i];
        sales++;
        return sum(coins) > 0;
    }

    void pay(int amount) {
        if (sum(coins) < amount) throw new IllegalStateException(\"empty\");
    }

    public static void main(String[] args) {
        Till till = new Till(\"north\", 2);
        till.next = till;
        till.add(new int[] {5, 2});
        till.pay(100);
    }
}
";

/// The run, with the folder that it lives in.
pub struct Sketched {
    pub run: JavaRun,
    pub folder: tempfile::TempDir,
}

/// Calls: 0 main, 1 new Till, 2 add, 3 sum, 4 pay, 5 sum.
pub fn till() -> Sketched {
    till_that_sums(SOURCE, 7)
}

/// The same run of another source, in which `sum` returns this.
pub fn till_that_sums(source: &str, total: i32) -> Sketched {
    let classes = test_support::Fixture::new()
        .source("Till.java", source)
        .compile()
        .unwrap();
    let file = std::fs::read(classes.dir().join("Till.class")).unwrap();
    let mut sketch = Sketch::new();
    sketch.meta().pid = 7;
    sketch.meta().java_command = "Till".to_owned();
    let thread = sketch.thread("main");
    let class = sketch.class_with_file("Till", &file);
    let init = sketch.method(class, 0, "<init>", "(Ljava/lang/String;I)V");
    let sum = sketch.method(class, 8, "sum", "([I)I");
    let add = sketch.method(class, 0, "add", "([I)Z");
    let pay = sketch.method(class, 0, "pay", "(I)V");
    let main = sketch.method(class, 9, "main", "([Ljava/lang/String;)V");
    let coins = sketch.field("Till", "coins", "[I", false);
    let next = sketch.field("Till", "next", "LTill;", false);
    let name = sketch.field("Till", "name", "Ljava/lang/String;", false);
    let sales = sketch.field("Till", "sales", "I", true);

    let reference = Value::Ref;
    let arguments = sketch.new_array(thread, "[Ljava.lang.String;", 0);
    sketch.enter(thread, main, &[reference(arguments)]);
    let north = sketch.string(thread, "north");
    sketch.enter(thread, init, &[reference(north), Value::Int(2)]);
    let till = sketch.object(thread, "Till");
    let drawer = sketch.new_array(thread, "[I", 2);
    sketch
        .this(thread, till)
        .put_field(thread, till, name, reference(north))
        .put_field(thread, till, coins, reference(drawer))
        .exit(thread, None)
        .put_field(thread, till, next, reference(till));
    let more = sketch.array(thread, "[I", &[Value::Int(5), Value::Int(2)]);
    sketch
        .enter(thread, add, &[reference(till), reference(more)])
        .store(thread, drawer, 0, Value::Int(5))
        .store(thread, drawer, 1, Value::Int(2))
        .put_static(thread, sales, Value::Int(1))
        .enter(thread, sum, &[reference(drawer)])
        .exit(thread, Some(Value::Int(total)))
        .exit(thread, Some(Value::Boolean(true)))
        .enter(thread, pay, &[reference(till), Value::Int(100)])
        .enter(thread, sum, &[reference(drawer)])
        .exit(thread, Some(Value::Int(total)));
    let exception = sketch.throwable(thread, "java.lang.IllegalStateException", Some("empty"));
    sketch.throw(thread, exception).throw(thread, exception);
    sketch.end(EndReason::Exit);

    let folder = tempfile::tempdir().unwrap();
    sketch.write_run(folder.path()).unwrap();
    std::fs::write(folder.path().join("Till.java"), source).unwrap();
    let mut run = JavaRun::open(folder.path(), None, &mut |_, _| {}).unwrap();
    run.add_source_path(&[folder.path().to_owned()]);
    Sketched { run, folder }
}
