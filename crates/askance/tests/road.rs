//! What a user sees on the way from a program to its bug.

use std::path::Path;

use crate::support::{HELLO, askance, names, run, source};

const SUM: &str = "
public class Sum {
    static int calls;
    static int total(int[] values) {
        calls++;
        int sum = 0;
        for (int i = 1; i < values.length; i++) sum = add(sum, values[i]);
        return sum;
    }
    static int add(int a, int b) { return a + b; }
    public static void main(String[] args) {
        System.out.println(total(new int[] {5, 1, 2}));
    }
}
";

fn traced(folder: &Path) {
    source(folder, "Sum.java", SUM);
    let said = run(folder, ["record", "-o", "trace", "Sum.java"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "3\n"),
        "{}",
        said.err
    );
}

#[test]
fn a_recorded_program_keeps_its_output_and_its_exit_code_is_told() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Hello.java", HELLO);
    let said = run(folder.path(), ["record", "Hello.java", "--", "a", "b"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "4\n"),
        "{}",
        said.err
    );
    assert!(
        said.err.contains("the program ended with exit code 0"),
        "{}",
        said.err
    );
    assert!(said.err.contains(" recorded of "), "{}", said.err);
    assert_eq!(names(folder.path()), ["Hello.askance", "Hello.java"]);
    source(
        folder.path(),
        "Die.java",
        "class Die { public static void main(String[] a) { System.exit(42); } }",
    );
    let said = run(folder.path(), ["record", "Die.java"]);
    assert!(
        said.code == Some(42) && said.err.contains("exit code 42"),
        "{}",
        said.err
    );
}

#[test]
fn shells_and_man_know_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let help = run(folder.path(), ["--help"]).out;
    let listed = help.lines().filter_map(|line| line.strip_prefix("  "));
    let listed = listed.filter_map(|line| line.split(' ').next());
    let commands: Vec<&str> = listed.filter(|word| !word.is_empty()).collect();
    assert!(commands.contains(&"report"), "{help}");
    for shell in ["bash", "zsh", "fish"] {
        let said = run(folder.path(), ["completions", shell]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(said.out.contains("suspects"), "{shell}: {}", said.out);
    }
    let said = run(folder.path(), ["man-pages", "-o", "man"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let pages = names(&folder.path().join("man"));
    for command in ["debug", "record", "report", "ci"] {
        let page = format!("askance-{command}.1");
        assert!(pages.contains(&page), "{pages:?}");
    }
    let page = std::fs::read_to_string(folder.path().join("man/askance-record.1")).unwrap();
    assert!(page.contains("max\\-trace"), "{page}");
}

#[test]
fn a_verdict_begins_on_a_line_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    source(
        folder.path(),
        "Half.java",
        "class Half { public static void main(String[] a) { System.out.print(\"half a line\"); } }",
    );
    let debug = ["debug", "-o", "t", "--json", "--non-interactive"];
    let said = run(folder.path(), debug.iter().chain(&["Half.java"]));
    let (first, rest) = said.out.split_once('\n').unwrap();
    assert_eq!(first, "half a line");
    assert_eq!(rest.lines().count(), 1, "{rest}");
    assert_eq!(said.json()["version"], 1, "{rest}");
}

#[test]
fn a_java_command_gets_the_recorder_inserted_and_a_script_through_its_environment() {
    let folder = tempfile::tempdir().unwrap();
    traced(folder.path());
    let classes = test_support::Fixture::new()
        .source("Sum.java", SUM)
        .compile()
        .unwrap();
    let dir = classes.dir().display().to_string();
    let said = run(folder.path(), ["record", "--", "java", "-cp", &dir, "Sum"]);
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "3\n"),
        "{}",
        said.err
    );
    assert!(folder.path().join("Sum.askance").is_dir());
    let line = format!("java -cp {dir} Sum");
    let said = run(
        folder.path(),
        ["record", "-o", "shell", "--", "sh", "-c", &line],
    );
    assert_eq!(
        (said.code, said.out.as_str()),
        (Some(0), "3\n"),
        "{}",
        said.err
    );
    let said = run(folder.path(), ["tree", "shell", "--depth", "1"]);
    assert!(said.out.contains("total(values=[5, 1, 2]"), "{}", said.out);
}

#[test]
fn without_anybody_to_ask_the_first_question_is_shown_and_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    traced(folder.path());
    let said = run(folder.path(), ["ask", "trace"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    // It may be about one call, or about two that are one piece of work.
    let asks = ["Is this right?", "Taken together, is this right?"];
    assert!(
        asks.iter().any(|prompt| said.err.contains(prompt)),
        "{}",
        said.err
    );
    assert!(
        said.err.contains("askance ask trace --answers FILE"),
        "{}",
        said.err
    );
    assert!(said.out.contains("suspects are left"), "{}", said.out);
    let verdict = |strategy: &str| {
        let arguments = ["ask", "trace", "--json", "--non-interactive", "--strategy"];
        run(folder.path(), [&arguments[..], &[strategy]].concat()).json()
    };
    // Two of its calls are one piece of work.
    let several = verdict("ranges");
    assert!(several["question"]["calls"].is_array(), "{several}");
    let verdict = verdict("dq-hirunkitti");
    assert_eq!(verdict["outcome"], "suspects");
    assert_eq!(verdict["suspects"], serde_json::json!([0, 1, 2, 3]));
    assert!(verdict["question"]["node"].is_number(), "{verdict}");
}

#[test]
fn scripted_answers_lead_to_the_bug() {
    let folder = tempfile::tempdir().unwrap();
    traced(folder.path());
    source(folder.path(), "answers", "n # total\ny\ny\n");
    let arguments = [
        "ask",
        "trace",
        "--strategy",
        "top-down",
        "--answers",
        "answers",
    ];
    let said = run(folder.path(), arguments);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(
        said.out
            .starts_with("The bug is in Sum.total (Sum.java:5-8)"),
        "{}",
        said.out
    );
    assert!(
        said.out.contains("for (int i = 1;"),
        "the source is shown: {}",
        said.out
    );
    assert!(
        said.err.contains("Sum.calls"),
        "the static that changed is shown: {}",
        said.err
    );
    let again = run(folder.path(), arguments);
    assert_eq!(again.out, said.out, "a script begins at the beginning");
}

#[test]
fn everything_right_means_no_bug() {
    let folder = tempfile::tempdir().unwrap();
    traced(folder.path());
    source(folder.path(), "answers", "y\ny\ny\ny\n");
    let said = run(
        folder.path(),
        ["ask", "trace", "--answers", "answers", "--json"],
    );
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert_eq!(said.json()["outcome"], "none", "{}", said.out);
}

#[test]
fn trusted_classes_are_not_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    traced(folder.path());
    let said = run(folder.path(), ["ask", "trace", "--trust", "Su*", "--json"]);
    assert_eq!(said.json()["outcome"], "none", "{}", said.err);
    let said = run(folder.path(), ["ask", "trace", "--trust", "nowhere.*"]);
    assert!(
        said.err.contains("matches no recorded class"),
        "{}",
        said.err
    );
}

#[test]
fn an_exception_that_leaves_main_makes_it_wrong() {
    let folder = tempfile::tempdir().unwrap();
    source(
        folder.path(),
        "Boom.java",
        "class Boom { static int at(int[] a, int i) { return a[i]; }
           public static void main(String[] s) { at(new int[3], 3); } }",
    );
    let said = run(folder.path(), ["record", "-o", "trace", "Boom.java"]);
    assert!(
        said.code == Some(1) && said.err.contains("exit code 1"),
        "{}",
        said.err
    );
    source(folder.path(), "answers", "inadmissible\n");
    let said = run(
        folder.path(),
        [
            "ask",
            "trace",
            "--strategy",
            "ranges",
            "--answers",
            "answers",
            "--json",
        ],
    );
    assert_eq!(said.json()["method"], "main", "{}\n{}", said.out, said.err);
    assert!(
        said.err.contains("ArrayIndexOutOfBoundsException"),
        "{}",
        said.err
    );
}

#[test]
fn a_time_limit_stops_the_program_and_its_trace_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    source(
        folder.path(),
        "Loop.java",
        "class Loop { static int next(int i) { return i % 2; }
           public static void main(String[] s) { int i = 1; while (i < 9) i = next(i); } }",
    );
    let said = run(
        folder.path(),
        [
            "record",
            "-o",
            "trace",
            "--time-limit",
            "1",
            "--max-trace",
            "20M",
            "Loop.java",
        ],
    );
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(
        said.err.contains("stopped at the time limit"),
        "{}",
        said.err
    );
    let said = run(folder.path(), ["info", "trace"]);
    assert!(
        said.out.contains("1 not ended") || said.out.contains("2 not ended"),
        "{}",
        said.out
    );
}

#[test]
fn classes_without_debug_information_work_and_say_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let classes = test_support::Fixture::new()
        .source("Sum.java", SUM)
        .without_debug_information()
        .compile()
        .unwrap();
    let dir = classes.dir().display().to_string();
    let said = run(
        folder.path(),
        ["record", "-o", "trace", "--", "java", "-cp", &dir, "Sum"],
    );
    assert_eq!(said.code, Some(0), "{}", said.err);
    let said = run(folder.path(), ["show", "trace", "Sum.total"]);
    assert!(said.out.contains("arg0 = [5, 1, 2]"), "{}", said.out);
    assert!(
        said.out.contains("without debug information"),
        "{}",
        said.out
    );
}

#[test]
fn a_reference_class_path_takes_the_place_of_the_commands() {
    let folder = tempfile::tempdir().unwrap();
    let compile = |text: &str| {
        test_support::Fixture::new()
            .source("Sum.java", text)
            .compile()
            .unwrap()
    };
    let ours = compile(SUM).dir().display().to_string();
    let theirs = compile(&SUM.replace("int i = 1", "int i = 0"))
        .dir()
        .display()
        .to_string();
    let arguments = [
        "debug",
        "--json",
        "--non-interactive",
        "-o",
        "trace",
        "--reference",
        &theirs,
    ];
    let arguments = arguments
        .into_iter()
        .chain(["--", "java", "-cp", &ours, "Sum"]);
    let said = run(folder.path(), arguments);
    assert_eq!(said.json()["method"], "total", "{}\n{}", said.out, said.err);
    let lines = said.out.lines().filter(|line| !line.is_empty());
    assert_eq!(
        lines.count(),
        2,
        "the reference's own output is not shown: {}",
        said.out
    );
}

#[test]
fn a_trace_is_recorded_over_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    traced(folder.path());
    traced(folder.path());
    let jvms = names(&folder.path().join("trace"));
    assert_eq!(jvms.len(), 2, "run.json and one JVM: {jvms:?}");
}

#[test]
fn doctor_finds_what_this_machine_has() {
    let folder = tempfile::tempdir().unwrap();
    let said = run(folder.path(), ["doctor"]);
    assert_eq!(said.code, Some(0), "{}", said.out);
    let said: crate::support::Said = askance(folder.path())
        .args(["doctor", "--json"])
        .output()
        .unwrap()
        .into();
    assert_eq!(said.json()["version"], 1);
    assert_eq!(said.json()["missing"], serde_json::json!([]));
}
