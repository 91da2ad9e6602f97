//! Writes that recorded code did not make: nobody noted them, but what was read afterwards tells.

use std::sync::OnceLock;

use crate::support::recorded::Recorded;
use crate::support::{run, source};

const MAIN: &str = r#"
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.Field;
import java.nio.IntBuffer;
import java.util.*;

public class Main {
    static int level = 1;

    static class Box implements Serializable {
        int size = 3;
        String name = "box";
    }

    static int byReflection() throws Exception {
        Box box = new Box();
        Field field = Box.class.getDeclaredField("size");
        field.setAccessible(true);
        field.set(box, 42);
        int seen = box.size;
        box.size = 5;
        return seen;
    }

    static int staticByReflection() throws Exception {
        Main.class.getDeclaredField("level").setInt(null, 7);
        return level;
    }

    static int byHandle() throws Exception {
        Box box = new Box();
        VarHandle handle = MethodHandles.lookup().findVarHandle(Box.class, "size", int.class);
        handle.getAndAdd(box, 10);
        return box.size;
    }

    static String byDeserialising() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Kept kept = new Kept();
        kept.set("old", 8);
        new ObjectOutputStream(bytes).writeObject(kept);
        Object read = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        return ((Kept) read).told();
    }

    static class Kept implements Serializable {
        private String text;
        private int count;

        void set(String text, int count) {
            this.text = text;
            this.count = count;
        }

        String told() {
            return text + count;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    static int byBuffer() {
        int[] numbers = new int[4];
        IntBuffer buffer = IntBuffer.wrap(numbers);
        buffer.put(11);
        buffer.put(12);
        return numbers[0] + numbers[1];
    }

    static int byFailing() {
        Object[] target = new Integer[4];
        List<Object> list = new ArrayList<>(List.of(1, 2, "three", 4));
        try {
            System.arraycopy(list.toArray(), 0, target, 0, 4);
        } catch (ArrayStoreException e) {
            return (Integer) target[0] + (Integer) target[1];
        }
        return 0;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(byReflection());
        System.out.println(staticByReflection());
        System.out.println(byHandle());
        System.out.println(byDeserialising());
        System.out.println(byBuffer());
        System.out.println(byFailing());
    }
}
"#;

fn recorded() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        source(folder.path(), "Main.java", MAIN);
        let said = run(folder.path(), ["record", "-o", "trace", "Main.java"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_eq!(said.out, "42\n7\n13\nold8\n23\n3\n");
        Recorded { folder }
    })
}

#[track_caller]
fn history(path: &str, lines: &[&str]) {
    let text = recorded().shows("history", &[path]);
    let found: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(found.len(), lines.len(), "{text}");
    for (found, wanted) in found.iter().zip(lines) {
        assert!(found.contains(wanted), "{wanted:?} is not in {found:?}");
    }
}

const OUTSIDE: &str = ", written outside recorded code";

/// The number of the first call of a method.
fn node(method: &str) -> String {
    let said = recorded().say("show", &[method, "--json"]);
    said.json()["node"].to_string()
}

#[test]
fn a_field_set_by_reflection() {
    let node = node("Main.byReflection");
    history(
        &format!("{node}:box.size"),
        &[
            "0 → 3  in new Main.Box",
            &format!("3 → 42  first read in Main.byReflection (Main.java) #{node}{OUTSIDE}"),
            "42 → 5  in Main.byReflection",
        ],
    );
    let events = recorded().shows("events", &[&node]);
    assert!(events.contains(".size: 42 → 5"), "{events}");
    let why = recorded().shows("why", &[&node, "seen"]);
    assert!(why.contains("written outside recorded code"), "{why}");
}

#[test]
fn a_static_set_by_reflection() {
    let lines = [
        "0 → 1  in static initialiser",
        "1 → 7  first read in Main.staticByReflection",
    ];
    history("Main.level", &lines);
    let why = recorded().shows("why", &["Main.main", "Main.level"]);
    assert!(
        why.contains("Main.level, written outside recorded code"),
        "{why}"
    );
}

#[test]
fn a_field_changed_through_a_handle() {
    let path = format!("{}:box.size", node("Main.byHandle"));
    history(
        &path,
        &[
            "0 → 3  in new Main.Box",
            "3 → 13  first read in Main.byHandle",
        ],
    );
}

/// Whoever reads first has not written: the fields were set before.
#[test]
fn fields_of_a_deserialised_object() {
    let told = node("Main.Kept.told");
    let first = format!("null → \"old\"  first read in Main.Kept.told (Main.java) #{told}");
    history(&format!("{told}:this.text"), &[&first]);
    let text = recorded().shows("show", &[&told]);
    assert!(!text.contains('→') || !text.contains("null → "), "{text}");
    assert!(text.contains("text=\"old\", count=8"), "{text}");
}

#[test]
fn elements_put_through_a_buffer() {
    let node = node("Main.byBuffer");
    history(
        &format!("{node}:numbers[0]"),
        &["0 → 11  first read in Main.byBuffer"],
    );
    history(
        &format!("{node}:numbers[1]"),
        &["0 → 12  first read in Main.byBuffer"],
    );
    let text = recorded().shows("why", &[&node, "return"]);
    assert_eq!(
        text.matches("written outside recorded code").count(),
        2,
        "{text}"
    );
}

#[test]
fn elements_copied_before_the_copying_failed() {
    let node = node("Main.byFailing");
    history(
        &format!("{node}:target[1]"),
        &["null → 2  first read in Main.byFailing"],
    );
}
