//! Questions begin at what had a part in the symptom, not in the middle of the run.

use crate::support::recorded::Recorded;
use crate::support::{run, source};
use test_support::Example;

/// The first question about an example, if its output should have been that of its mended twin.
fn first_question(example: &str) -> String {
    let recorded = Recorded::new(example);
    let model = Example::named(example).unwrap();
    let expected = recorded.folder.path().join("expected");
    std::fs::write(&expected, &model.fixed_output).unwrap();
    let expected = expected.display().to_string();
    let options = ["--expect-output", &expected, "--non-interactive", "--fresh"];
    recorded.say("ask", &options).err
}

#[test]
fn the_call_that_moved_a_piece_is_asked_about_first() {
    let asked = first_question("castling");
    assert!(
        asked.contains("expected \"long: king c1, rook d1\""),
        "{asked}"
    );
    assert!(asked.contains("castleLong("), "{asked}");
    assert!(!asked.contains("castleShort("), "{asked}");
}

#[test]
fn of_four_payslips_the_wrong_one_is_looked_into() {
    let asked = first_question("payroll");
    assert!(asked.contains("Otto"), "{asked}");
    for other in ["Ruth", "Paul", "Nora"] {
        assert!(!asked.contains(other), "{asked}");
    }
}

/// What a builder was given is followed, and what `Arrays.toString` found: otherwise nothing would be known of what
/// went into a text.
#[test]
fn a_text_is_followed_to_the_calls_whose_results_it_was_built_of() {
    let wrong = [
        ("bank", "accounts[\"rent\"].balance: 1200 → -800"),
        ("merge-sort", "[1, 4, 9, 7]"),
    ];
    for (example, call) in wrong {
        let asked = first_question(example);
        assert!(asked.contains(call), "{example}: {asked}");
    }
}

const ENDS_EARLY: &str = "
public class Main {
    static boolean isValid(String order) { return quantity(order) > 1; }
    static int quantity(String order) { return Integer.parseInt(order.split(\",\")[1]); }
    static String checked(String order) {
        StringBuilder text = new StringBuilder();
        for (char sign : order.toCharArray()) if (Character.isLetter(sign)) text.append(sign);
        return text.toString();
    }
    public static void main(String[] args) {
        String[] orders = {\"pen,5\", \"ink,3\", \"cap,1\", \"pad,7\"};
        String all = \"\";
        for (String order : orders) all += checked(order);
        for (String order : orders) {
            if (!isValid(order)) break;
            System.out.println(order);
        }
    }
}
";

/// Records a program and gives the first question about what it should have printed.
fn first_question_about(program: &str, expected: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    source(folder, "Main.java", program);
    source(folder, "expected", expected);
    let recorded = run(folder, ["record", "-o", "t", "Main.java"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let options = [
        "ask",
        "t",
        "--expect-output",
        "expected",
        "--non-interactive",
    ];
    run(folder, options).err
}

/// What was not printed was made by nobody. What decided that the last line was the last one is followed instead, or,
/// if others follow, what passed it over.
#[test]
fn the_decision_that_kept_a_line_away_is_asked_about_first() {
    let passes_over = ENDS_EARLY.replace("break;", "continue;");
    for program in [ENDS_EARLY, &passes_over] {
        let asked = first_question_about(program, "pen,5\nink,3\ncap,1\npad,7\n");
        assert!(asked.contains("line 3 of the output is missing"), "{asked}");
        let decided = "isValid(order=\"cap,1\") → false";
        let listed = "isValid(\"cap,1\") → false";
        assert!(asked.contains(decided) || asked.contains(listed), "{asked}");
        assert!(!asked.contains("checked("), "{asked}");
    }
}

const PASSES_THE_FIRST_OVER: &str = "
public class Main {
    static boolean isLow(int left) { return left < 3; }
    static String named(String item) { return item.isEmpty() ? \"?\" : item; }
    static void sell(String item, int left) {
        if (isLow(left)) System.out.println(\"order \" + item);
    }
    public static void main(String[] args) {
        String tea = named(\"tea\"), milk = named(\"milk\");
        sell(tea, 3);
        sell(milk, 1);
    }
}
";

/// Another call of the same method printed what follows.
#[test]
fn the_call_that_did_not_come_to_print_the_first_line_is_asked_about_first() {
    let asked = first_question_about(PASSES_THE_FIRST_OVER, "order tea\norder milk\n");
    assert!(asked.contains("line 1 of the output is missing"), "{asked}");
    assert!(
        asked.contains("isLow(left=3)") || asked.contains("isLow(3)"),
        "{asked}"
    );
    assert!(!asked.contains("named("), "{asked}");
}

const NEVER_OWNED: &str = "
import java.util.ArrayList;
import java.util.List;
public class Main {
    static class Task { final int size; Worker owner; Task(int size) { this.size = size; } }
    static class Worker {
        final String name; int load;
        Worker(String name) { this.name = name; }
        void take(Task task) { load += task.size; task.owner = this; }
    }
    static final List<Task> tasks = new ArrayList<>();
    static final Worker[] workers = {new Worker(\"eve\"), new Worker(\"bob\")};
    static Worker pick(Task task) {
        Worker best = null;
        for (Worker worker : workers) {
            if (worker.load + task.size >= 8) continue;
            if (best == null || worker.load < best.load) best = worker;
        }
        return best;
    }
    static void assign() {
        for (Task task : tasks) {
            Worker worker = pick(task);
            if (worker != null) worker.take(task);
        }
    }
    static String line(Task task) { return task.size + \" \" + ownerOf(task); }
    static String ownerOf(Task task) { return task.owner.name; }
    public static void main(String[] args) {
        for (int size = 3; size < 6; size++) tasks.add(new Task(size));
        assign();
        for (Task task : tasks) System.out.println(line(task));
    }
}
";

/// The methods that are likeliest to be to blame, before any answer.
fn first_suspects(folder: &std::path::Path, options: &[&str]) -> Vec<String> {
    let asked = ["suspects", "t", "--json", "-n", "3"].iter().chain(options);
    let told = run(folder, asked).json();
    let suspects = told["suspects"].as_array().unwrap().iter();
    let method = |suspect: &serde_json::Value| suspect["method"].as_str().unwrap().to_owned();
    suspects.map(method).collect()
}

/// Nothing wrote what was null, so what kept it from being written is followed.
#[test]
fn of_a_field_that_was_never_written_the_decisions_against_it_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", NEVER_OWNED);
    let recorded = run(folder.path(), ["record", "-o", "t", "Main.java"]);
    assert_eq!(recorded.code, Some(1), "{}", recorded.err);
    let suspects = first_suspects(folder.path(), &[]);
    assert!(suspects.contains(&"pick".to_owned()), "{suspects:?}");
}

#[test]
fn suspects_are_those_of_the_output_that_is_said_to_be_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let program = "
        public class Main {
            static int price(int count) { return count * 7; }
            static String label(String name) {
                String text = \"\";
                for (char sign : name.toCharArray()) if (sign != ' ') text += Character.toUpperCase(sign);
                return text;
            }
            public static void main(String[] args) {
                System.out.println(label(\"a pen\"));
                System.out.println(price(3));
            }
        }";
    source(folder.path(), "Main.java", program);
    source(folder.path(), "expected", "APEN\n24\n");
    run(folder.path(), ["record", "-o", "t", "Main.java"]).recorded();
    let suspects = first_suspects(folder.path(), &["--expect-output", "expected"]);
    assert_eq!(suspects[0], "price");
    let suspects = first_suspects(folder.path(), &["--wrong-output", "PEN"]);
    assert_eq!(suspects[0], "label");
}

const COLLECTED: &str = "
import java.util.ArrayList;
import java.util.List;
public class Main {
    interface Handler { boolean handle(String event); }
    static final List<String> lines = new ArrayList<>();
    static final List<Handler> handlers = new ArrayList<>();
    static void say(String line) { lines.add(line); }
    static Handler door(String name) {
        return event -> {
            if (!event.equals(name)) return false;
            say(name + \" opens\");
            return true;
        };
    }
    static void fire(String event) {
        for (Handler handler : handlers) {
            if (!handler.handle(event)) break;
        }
    }
    static String trimmed(String event) {
        String text = event;
        while (text.startsWith(\" \")) text = text.substring(1);
        while (text.endsWith(\" \")) text = text.substring(0, text.length() - 1);
        return text;
    }
    public static void main(String[] args) {
        handlers.add(door(\"front\"));
        handlers.add(door(\"back\"));
        for (String event : new String[] {\" front\", \"back \", \"front\"}) fire(trimmed(event));
        for (String line : lines) System.out.println(line);
    }
}
";

/// What decided is where lines are put together, not where they are printed.
#[test]
fn of_a_line_that_was_never_collected_the_decisions_against_it_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Main.java", COLLECTED);
    source(
        folder.path(),
        "expected",
        "front opens\nback opens\nfront opens\n",
    );
    run(folder.path(), ["record", "-o", "t", "Main.java"]).recorded();
    let suspects = first_suspects(folder.path(), &["--expect-output", "expected"]);
    assert!(suspects[..2].contains(&"fire".to_owned()), "{suspects:?}");
}
