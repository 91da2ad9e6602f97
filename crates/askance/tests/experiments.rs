//! `--experiments`: what is to blame is verified by running the program again, and nothing is run unasked or left
//! behind.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Said, askance, names, run, source};
use test_support::Fixture;

/// Prints a bill: prices are looked up, discounted, and added.
const RIGHT: &str = r#"
import java.util.ArrayList;
import java.util.List;

public class Main {
    static final List<String> LOG = new ArrayList<>();

    static int price(String name) {
        LOG.add(name);
        return name.length() * 10;
    }

    static int discount(int price, int pieces) {
        return pieces >= 3 ? price * 9 / 10 : price;
    }

    static int line(String name, int pieces) {
        int price = price(name);
        return discount(price, pieces) * pieces;
    }

    public static void main(String[] arguments) {
        START;
        System.out.println(line("tea", 3) + line("bread", 2));
        System.out.println(line("salt", 1));
    }
}
"#;

/// Two differences that leave another state behind and do no harm, and one that is the mistake.
fn wrong() -> String {
    let harmless = RIGHT
        .replace("new ArrayList<>()", "new ArrayList<>(List.of(\"log\"))")
        .replace("LOG.add(name);", "LOG.add(name + '!');");
    harmless.replace("pieces >= 3", "pieces > 3")
}

fn without_start(source: &str) -> String {
    source.replace("START;", "")
}

fn debug(folder: &Path, more: &[&str]) -> Said {
    source(folder, "right/Main.java", &without_start(RIGHT));
    source(folder, "wrong/Main.java", &without_start(&wrong()));
    let words = ["debug", "--non-interactive", "--reference"].iter();
    let words = words.chain(&["right/Main.java"]).chain(more);
    run(folder, words.chain(&["wrong/Main.java"]))
}

#[test]
fn the_culprit_among_harmless_differences_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let said = debug(folder.path(), &["--json"]);
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    assert_eq!(verdict["method"], "discount", "{verdict}");
    assert_eq!(verdict["file"], "Main.java");
    let line = 1 + without_start(&wrong())
        .lines()
        .position(|line| line.contains("pieces > 3"))
        .unwrap();
    assert_eq!(verdict["lines"], serde_json::json!([line]));
    assert_eq!(verdict["changes"].as_array().unwrap().len(), 1);
    assert!(verdict["experiments"].as_u64().unwrap() >= 6, "{verdict}");
    assert_eq!(said.code, Some(0));
    assert!(said.err.contains("askance: experiment "), "{}", said.err);

    let said = debug(folder.path(), &[]);
    assert!(
        said.out.contains("The bug is in Main.discount (Main.java:"),
        "{}",
        said.out
    );
    let proof =
        "With the reference's code of it, the program does what the reference does: verified by ";
    assert!(said.out.contains(proof), "{}", said.out);
}

#[test]
fn of_the_lines_that_differ_those_are_named_that_are_needed() {
    const BILL: &str = "public class Main {
    static int bill(int pieces) {
        StringBuilder log = new StringBuilder();
        int sum = 0;
        for (int at = 0; at < pieces; at++) {
            log.append(at);
            sum += price(at);
        }
        log.append(sum);
        return sum;
    }
    static int price(int at) { return 10 + at; }
    public static void main(String[] arguments) {
        System.out.println(bill(3));
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "right/Main.java", BILL);
    // One more variable moves the others, and more is logged; only a piece too few is wrong.
    let wrong = BILL
        .replace(
            "        int sum = 0;",
            "        long begun = 7L; int sum = 0;",
        )
        .replace("at = 0; at < pieces", "at = 1; at < pieces")
        .replace("log.append(sum)", "log.append(sum + begun).append(';')");
    source(folder.path(), "wrong/Main.java", &wrong);
    let words = ["debug", "--non-interactive", "--reference"].iter();
    let words = words.chain(&["right/Main.java", "wrong/Main.java"]);
    let words: Vec<&str> = words.copied().collect();
    let said = run(folder.path(), words.iter().chain(&["--json"]));
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    assert_eq!(verdict["method"], "bill", "{verdict}");
    assert_eq!(verdict["lines"], serde_json::json!([5]), "{verdict}");
    assert_eq!(verdict["changes"][0]["lines_verified"], true, "{verdict}");
    let said = run(folder.path(), words.iter());
    let told = "Of what differs in it, line 5 alone is enough.";
    assert!(said.out.contains(told), "{}", said.out);
}

#[test]
fn without_experiments_suspects_are_listed_and_nothing_is_said_to_be_to_blame() {
    let folder = tempfile::tempdir().unwrap();
    let said = debug(folder.path(), &["--json", "--experiments", "off"]);
    let verdict = said.json();
    assert_eq!(verdict["verified"], false, "{verdict}");
    assert_eq!(verdict["experiments"], 0);
    assert_eq!(verdict["outcome"], "suspects", "{verdict}");
    let methods = verdict["methods"].as_array().unwrap();
    let named: Vec<&str> = methods
        .iter()
        .map(|one| one["method"].as_str().unwrap())
        .collect();
    assert!(named.contains(&"discount"), "{named:?}");
    let said = debug(folder.path(), &["--experiments", "off"]);
    assert!(!said.out.contains("The bug is in"), "{}", said.out);
}

#[test]
fn changes_that_are_only_together_to_blame_are_named_together() {
    const PAIR: &str = "public class Main {
    static int left() { return 1; }
    static int right() { return 1; }
    static int other(int number) { return number + 0; }
    public static void main(String[] arguments) {
        System.out.println(left() + right() > 2 ? \"wrong\" : \"right\");
        System.out.println(other(7));
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    // With one of them as it was, the sum is still too large.
    source(folder.path(), "right/Main.java", PAIR);
    let wrong = PAIR
        .replace("return 1;", "return 2;")
        .replace("number + 0", "number");
    source(folder.path(), "wrong/Main.java", &wrong);
    let words = ["debug", "--json", "--non-interactive", "--reference"];
    let files = ["right/Main.java", "wrong/Main.java"];
    let said = run(folder.path(), words.iter().chain(&files));
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    let changes = verdict["changes"].as_array().unwrap();
    let mut named: Vec<&str> = changes
        .iter()
        .map(|one| one["method"].as_str().unwrap())
        .collect();
    named.sort_unstable();
    assert_eq!(named, ["left", "right"], "{verdict}");
}

#[test]
fn a_file_that_is_no_code_is_named_if_it_is_to_blame() {
    const READS: &str = "import java.io.InputStream;
public class Main {
    public static void main(String[] arguments) throws Exception {
        for (String name : new String[] {\"other.txt\", \"prices.txt\"}) {
            try (InputStream prices = Main.class.getResourceAsStream(name)) {
                System.out.println(prices.readAllBytes().length / 3);
            }
        }
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    let classes = Fixture::new().source("Main.java", READS).compile().unwrap();
    for (version, prices, other) in [("right", "123456", "1234"), ("wrong", "12", "12345")] {
        let place = folder.path().join(version);
        std::fs::create_dir(&place).unwrap();
        std::fs::copy(classes.dir().join("Main.class"), place.join("Main.class")).unwrap();
        source(&place, "prices.txt", prices);
        source(&place, "other.txt", other);
    }
    let words = [
        "debug",
        "--json",
        "--non-interactive",
        "--experiments",
        "on",
    ]
    .iter();
    let words = words.chain(&["--reference", "right", "--", "java", "-cp", "wrong", "Main"]);
    let said = run(folder.path(), words);
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    assert_eq!(verdict["resources"], serde_json::json!(["prices.txt"]));
    assert_eq!(verdict["outcome"], "found_resource");
}

#[test]
fn the_same_code_is_never_said_to_be_to_blame() {
    const MAIN: &str = "import org.hamcrest.prices.Prices;
public class Main {
    static void show(int pieces) { System.out.println(pieces * Prices.price()); }
    public static void main(String[] arguments) {
        show(2);
        Prices.check();
    }
}
";
    const PRICES: &str = "package org.hamcrest.prices;
public class Prices {
    public static int price() { return 10; }
    public static void check() { if (price() != 10) throw new IllegalStateException(\"wrong\"); }
}
";
    let folder = tempfile::tempdir().unwrap();
    let [right, wrong] = ["return 10", "return 12"].map(|price| {
        let prices = PRICES.replace("return 10", price);
        let sources = Fixture::new().source("Main.java", MAIN);
        let compiled = sources.source("org/hamcrest/prices/Prices.java", &prices);
        compiled.compile().unwrap().dir().display().to_string()
    });
    let debug = |more: &[&str]| {
        let words = ["debug", "--non-interactive", "--experiments", "on"].iter();
        let words = words.copied().chain(["--reference", &right]);
        let words = words.chain(more.iter().copied());
        run(
            folder.path(),
            words.chain(["--", "java", "-cp", &wrong, "Main"]),
        )
    };
    let verdict = debug(&["--json"]).json();
    assert_eq!(verdict["outcome"], "none", "{verdict}");
    assert_eq!(verdict["suspects_left"], 0, "{verdict}");
    let said = debug(&[]);
    let told = "all recorded code that ran is the same in both versions";
    assert!(said.out.contains(told), "{}", said.out);
    let verdict = debug(&["--json", "--include", "*"]).json();
    assert_eq!(verdict["verified"], true, "{verdict}");
    assert_eq!(verdict["method"], "price", "{verdict}");
}

#[test]
fn what_the_command_gives_the_program_is_named_if_it_is_to_blame() {
    const READS: &str = "public class Main {
    static int price(int pieces) { return pieces * Integer.getInteger(\"price\", 10); }
    public static void main(String[] arguments) {
        System.out.println(price(arguments.length) + System.getenv().getOrDefault(\"UNIT\", \"\"));
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    let classes = Fixture::new().source("Main.java", READS).compile().unwrap();
    std::fs::copy(
        classes.dir().join("Main.class"),
        folder.path().join("Main.class"),
    )
    .unwrap();
    let commands = [
        ("good", "java -Dprice=10 -Dother=1 -cp . Main a b"),
        ("property", "java -Dprice=12 -Dother=2 -cp . Main a b"),
        ("argument", "java -Dprice=10 -cp . Main a b c"),
        ("variable", "env UNIT=ct java -Dprice=10 -cp . Main a b"),
    ];
    for (trace, command) in commands {
        let words = ["record", "-o", trace, "--"].into_iter();
        let said = run(folder.path(), words.chain(command.split(' ')));
        assert_eq!(said.code, Some(0), "{}", said.err);
    }
    let ask = |trace: &str, more: &[&str]| {
        let words = ["ask", trace, "--non-interactive", "--experiments", "on"];
        let words = words.iter().chain(&["--reference", "good"]).chain(more);
        run(folder.path(), words)
    };
    for (trace, expected) in [
        (
            "property",
            serde_json::json!([{"kind": "property", "name": "price", "ours": "12", "theirs": "10"}]),
        ),
        (
            "argument",
            serde_json::json!([{"kind": "argument", "ours": "c", "theirs": null}]),
        ),
    ] {
        let said = ask(trace, &["--json"]);
        let verdict = said.json();
        assert_eq!(
            verdict["outcome"], "found_setting",
            "{verdict} {}",
            said.err
        );
        assert_eq!(verdict["verified"], true);
        assert_eq!(verdict["settings"], expected);
    }
    let said = ask("variable", &[]);
    let told = "No code is to blame, but the environment variable UNIT: \"ct\" here, not given in the reference.";
    assert!(said.out.contains(told), "{} {}", said.out, said.err);
    assert!(said.out.contains("verified by "), "{}", said.out);
}

/// Classes of both versions that do something when they start.
fn compiled(start: &str) -> [PathBuf; 2] {
    [RIGHT.to_owned(), wrong()].map(|text| {
        let text = text.replace("START", start);
        let classes = Fixture::new().source("Main.java", &text).compile();
        classes.unwrap().dir()
    })
}

#[test]
fn a_command_is_not_run_again_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let [right, wrong] = compiled(
        "try { java.nio.file.Files.writeString(java.nio.file.Path.of(arguments[0]), \"ran\\n\", \
         java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND); } \
         catch (java.io.IOException error) { throw new IllegalStateException(error); }",
    );
    let debug = |more: &[&str]| {
        let mut command = askance(folder.path());
        command.args(["debug", "--json", "--non-interactive"]);
        command.args(more).arg("--reference").arg(&right);
        command.args(["--", "java", "-cp"]).arg(&wrong);
        Said::from(command.args(["Main", "ran"]).output().unwrap())
    };
    let ran = || {
        let file = folder.path().join("ran");
        std::fs::read_to_string(file).unwrap().lines().count()
    };
    let said = debug(&[]);
    assert_eq!(ran(), 2, "recorded, and recorded with the reference");
    assert_eq!(said.json()["verified"], false);
    assert!(
        said.err.contains("--experiments on allows it"),
        "{}",
        said.err
    );
    let said = debug(&["--experiments", "on"]);
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    let experiments = usize::try_from(verdict["experiments"].as_u64().unwrap()).unwrap();
    assert_eq!(ran(), 2 + 2 + experiments, "every run is counted");
}

/// Debugging a program that is slow when it is not recorded, so that its experiments can be interrupted.
struct SlowExperiment {
    folder: tempfile::TempDir,
    child: Child,
}

impl SlowExperiment {
    /// It has begun its first experiments.
    fn begin() -> SlowExperiment {
        let folder = tempfile::tempdir().unwrap();
        let temporary = folder.path().join("tmp");
        std::fs::create_dir(&temporary).unwrap();
        let [right, wrong] = compiled(
            "if (!System.getProperty(\"java.io.tmpdir\").equals(\"/tmp\")) { \
             try { Thread.sleep(60_000); } catch (InterruptedException stopped) { } }",
        );
        let mut command = askance(folder.path());
        command.args(["debug", "--json", "--non-interactive", "-o", "t.askance"]);
        command
            .args(["--experiments", "on", "--reference"])
            .arg(right);
        command.args(["--", "java", "-cp"]).arg(wrong).arg("Main");
        command.env("TMPDIR", &temporary);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let experiment = SlowExperiment {
            child: command.spawn().unwrap(),
            folder,
        };
        wait_for("two experiments", || {
            experiment.scratch() >= 2 && experiment.jvms() >= 2
        });
        experiment
    }

    fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    fn scratch(&self) -> usize {
        let all = names(&self.temporary()).into_iter();
        all.filter(|name| name.contains("scratch")).count()
    }

    /// The JVMs that run either version unrecorded.
    fn jvms(&self) -> usize {
        // Another test may run the same classes.
        let mark = format!("-Djava.io.tmpdir={}", self.temporary().display());
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let left = processes.filter(|process| {
            let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).into_owned();
            line.contains(&mark)
        });
        left.count()
    }

    fn send(&self, signal: rustix::process::Signal) {
        let process = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(process, signal).unwrap();
    }
}

fn wait_for(what: &str, is_there: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_there() {
        assert!(started.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_interrupted_experiment_leaves_nothing_behind() {
    let mut experiment = SlowExperiment::begin();
    experiment.send(rustix::process::Signal::TERM);
    let told = BufReader::new(experiment.child.stderr.take().unwrap());
    let told: Vec<String> = told.lines().map(Result::unwrap).collect();
    let end = experiment.child.wait().unwrap();
    assert_eq!(end.code(), Some(130), "{told:?}");
    assert_eq!(
        experiment.scratch(),
        0,
        "{:?}",
        names(&experiment.temporary())
    );
    assert_eq!(experiment.jvms(), 0, "a JVM is left");
}

#[test]
fn a_killed_experiment_leaves_no_jvm_behind() {
    let mut experiment = SlowExperiment::begin();
    experiment.send(rustix::process::Signal::KILL);
    experiment.child.wait().unwrap();
    wait_for("a JVM is left", || experiment.jvms() == 0);
}

/// Commits what is in a folder.
fn commit(folder: &Path) {
    let git = |words: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        let end = command.args(words).current_dir(folder).output().unwrap();
        assert!(end.status.success(), "{end:?}");
    };
    git(&["init", "-q", "."]);
    git(&["add", "Main.java"]);
    git(&["commit", "-q", "-m", "another"]);
}

#[test]
fn where_a_version_lies_is_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    // As build tools do, it tells where it is, and a revision is checked out elsewhere.
    let told = "System.out.println(System.getProperty(\"user.dir\") + \"/src\")";
    for version in [RIGHT.to_owned(), wrong()] {
        source(folder.path(), "Main.java", &version.replace("START", told));
        commit(folder.path());
    }
    let words = ["debug", "--json", "--non-interactive", "--reference"];
    let said = run(
        folder.path(),
        words.iter().chain(&["git:HEAD~1", "Main.java"]),
    );
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    assert_eq!(verdict["method"], "discount", "{verdict}");
}

#[test]
fn what_a_class_implements_is_named_as_its_declaration() {
    const MARKED: &str = "public class Main {
    interface Marked { }
    static class Cart implements Marked { }
    static String kind(Object one) { return one instanceof Marked ? \"marked\" : \"plain\"; }
    public static void main(String[] arguments) {
        System.out.println(kind(new Cart()));
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "right/Main.java", MARKED);
    let wrong = MARKED.replace("Cart implements Marked", "Cart");
    source(folder.path(), "wrong/Main.java", &wrong);
    let words = ["debug", "--non-interactive", "--reference"].iter();
    let words = words.chain(&["right/Main.java", "wrong/Main.java"]);
    let words: Vec<&str> = words.copied().collect();
    let said = run(folder.path(), words.iter().chain(&["--json"]));
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    assert_eq!(verdict["outcome"], "found_declaration", "{verdict}");
    assert_eq!(verdict["class"], "Main$Cart", "{verdict}");
    let said = run(folder.path(), words.iter());
    assert!(
        said.out
            .contains("The bug is in the declaration of Main$Cart"),
        "{}",
        said.out
    );
}

#[test]
fn what_only_those_see_who_look_at_declarations_is_named() {
    const SEEN: &str = "import java.lang.annotation.*;
public class Main {
    @Retention(RetentionPolicy.RUNTIME) @interface Shown { int value(); }
    static class Cart implements java.io.Serializable {
        KEPT int pieces = 3;
        @Shown(METHOD) public int price() { return 2; }
        @Shown(FIELD) public int weight = 1;
    }
    public static void main(String[] arguments) throws Exception {
        System.out.println(java.io.ObjectStreamClass.lookup(Cart.class).getField(\"pieces\"));
        System.out.println(Cart.class.getMethod(\"price\").getAnnotation(Shown.class).value());
        System.out.println(Cart.class.getField(\"weight\").getAnnotation(Shown.class).value());
    }
}
";
    let version = |kept: &str, method: &str, field: &str| {
        let text = SEEN.replace("KEPT ", kept).replace("METHOD", method);
        text.replace("FIELD", field)
    };
    let right = version("", "1", "1");
    let cases = [
        (
            version("transient ", "1", "1"),
            "Main$Cart.pieces",
            "is transient in one version",
        ),
        (
            version("", "2", "1"),
            "Main$Cart.price",
            "is annotated otherwise",
        ),
        (
            version("", "1", "2"),
            "Main$Cart.weight",
            "is annotated otherwise",
        ),
    ];
    for (wrong, name, sentence) in cases {
        let folder = tempfile::tempdir().unwrap();
        source(folder.path(), "right/Main.java", &right);
        source(folder.path(), "wrong/Main.java", &wrong);
        let words = ["debug", "--non-interactive", "--reference"].iter();
        let said = run(
            folder.path(),
            words.chain(&["right/Main.java", "wrong/Main.java"]),
        );
        assert!(
            said.out.contains(&format!("The bug is in {name}")) && said.out.contains(sentence),
            "{} {}",
            said.out,
            said.err
        );
    }
}

#[test]
fn a_declaration_that_no_code_shows_is_named() {
    const LOOKED_AT: &str = "public class Main {
    sealed interface Paid permits Card, Cash { }
    record Card() implements Paid { }
    record Cash() implements Paid { }
    static class Cart {
        public int pieces = 3;
        static final long VERSION = 1;
        int price() { return 2; }
    }
    public static void main(String[] arguments) throws Exception {
        System.out.println(Cart.class.getFields().length);
        System.out.println(Cart.class.getDeclaredFields().length);
        System.out.println(Cart.class.getDeclaredField(\"VERSION\").getLong(null));
        System.out.println(Cart.class.getMethods().length);
        System.out.println(Paid.class.getPermittedSubclasses().length);
    }
}
";
    let cases = [
        (
            "public int pieces",
            "int pieces",
            "Main$Cart.pieces",
            "is declared otherwise",
        ),
        (
            "VERSION = 1",
            "VERSION = 2",
            "Main$Cart.VERSION",
            "is declared otherwise",
        ),
        (
            "int price()",
            "public int price()",
            "Main$Cart.price",
            "is declared otherwise",
        ),
        (
            "int pieces = 3;",
            "int pieces = 3; private String note;",
            "Main$Cart.note",
            "which the reference does not have",
        ),
        (
            "Paid permits Card, Cash { }",
            "Paid permits Card, Cash, Cheque { }\n    record Cheque() implements Paid { }",
            "the declaration of Main$Paid",
            "With the reference's code",
        ),
    ];
    for (from, to, name, sentence) in cases {
        let wrong = LOOKED_AT.replace(from, to);
        let folder = tempfile::tempdir().unwrap();
        source(folder.path(), "right/Main.java", LOOKED_AT);
        source(folder.path(), "wrong/Main.java", &wrong);
        let words = ["debug", "--non-interactive", "--reference"].iter();
        let said = run(
            folder.path(),
            words.chain(&["right/Main.java", "wrong/Main.java"]),
        );
        assert!(
            said.out.contains(&format!("The bug is in {name}")) && said.out.contains(sentence),
            "{} {}",
            said.out,
            said.err
        );
    }
}

#[test]
fn a_reference_that_fails_in_the_same_way_names_nothing() {
    const FAILS: &str = "public class Main {
    static int share(int pieces) { return 10 / pieces; }
    static int more(int pieces) { return pieces + 1; }
    public static void main(String[] arguments) {
        System.out.println(more(1));
        System.out.println(share(0));
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "right/Main.java", FAILS);
    let wrong = FAILS.replace("pieces + 1", "1 + pieces");
    source(folder.path(), "wrong/Main.java", &wrong);
    let words = ["debug", "--json", "--non-interactive", "--reference"].iter();
    let said = run(
        folder.path(),
        words.chain(&["right/Main.java", "wrong/Main.java"]),
    );
    let verdict = said.json();
    assert_eq!(verdict["verified"], false, "{verdict}");
    assert_ne!(verdict["outcome"], "found", "{verdict}");
    assert!(
        verdict.get("method").is_none_or(serde_json::Value::is_null),
        "{verdict}"
    );
    assert!(
        said.err.contains("the reference fails in the same way"),
        "{}",
        said.err
    );
}

#[test]
fn a_class_that_may_not_be_extended_any_more_does_not_keep_old_code_out() {
    const PAID: &str = "public class Main {
    sealed interface Paid permits Card, CHEQUE { }
    record Card(int sum) implements Paid { }
    RECORD
    static Paid paid(int sum) { return PAID; }
    public static void main(String[] arguments) {
        System.out.println(paid(3));
    }
}
";
    let version = |name: &str, record: &str, paid: &str| {
        let text = PAID.replace("CHEQUE", name).replace("RECORD", record);
        text.replace("PAID", paid)
    };
    let right = version(
        "Cheque",
        "record Cheque(String bank, long sum) implements Paid {
        public String toString() { return bank + sum; }
    }",
        "new Cheque(\"bank\", sum)",
    );
    let wrong = version(
        "Cash",
        "record Cash(int sum) implements Paid { }",
        "new Cash(sum)",
    );
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "right/Main.java", &right);
    source(folder.path(), "wrong/Main.java", &wrong);
    let words = ["debug", "--json", "--non-interactive", "--reference"].iter();
    let said = run(
        folder.path(),
        words.chain(&["right/Main.java", "wrong/Main.java"]),
    );
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    assert_eq!(verdict["method"], "paid", "{verdict}");
}

#[test]
fn what_a_class_has_no_more_is_named_and_not_who_calls_it() {
    const POINTS: &str = "public class Main {
    static int other(int x) { return x + 1; }
    static class Point {
        int x = 3;
        @Override public boolean equals(Object other) { return other instanceof Point; }
    }
    public static void main(String[] arguments) {
        System.out.println(new Point().equals(new Point()) + \" \" + other(1));
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "right/Main.java", POINTS);
    let wrong = POINTS
        .lines()
        .filter(|line| !line.contains("@Override"))
        .collect::<Vec<_>>()
        .join("\n");
    let wrong = wrong.replace("x + 1", "1 + x");
    source(folder.path(), "wrong/Main.java", &wrong);
    let words = ["debug", "--non-interactive", "--reference"].iter();
    let said = run(
        folder.path(),
        words.chain(&["right/Main.java", "wrong/Main.java"]),
    );
    let told = "The bug is in Main$Point.equals (Main.java), which only the reference has";
    assert!(said.out.contains(told), "{} {}", said.out, said.err);
}

#[test]
fn a_program_that_does_not_end_is_not_waited_for_again_and_again() {
    const COUNTS: &str = "public class Main {
    static int next(int at) { return at + 1; }
    static int other(int at) { return at + 0; }
    public static void main(String[] arguments) {
        int at = 0;
        while (at < 10) { at = next(other(at)); }
        System.out.println(at);
    }
}
";
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "right/Main.java", COUNTS);
    let wrong = COUNTS
        .replace("return at + 1", "return at > 5 ? at : at + 1")
        .replace("at + 0", "at");
    source(folder.path(), "wrong/Main.java", &wrong);
    let words = ["debug", "--json", "--non-interactive", "--time-limit", "20"].iter();
    let words = words.chain(&["--max-trace", "2M", "--reference"]);
    let started = Instant::now();
    let said = run(
        folder.path(),
        words.chain(&["right/Main.java", "wrong/Main.java"]),
    );
    let verdict = said.json();
    assert_eq!(verdict["verified"], true, "{verdict} {}", said.err);
    assert_eq!(verdict["method"], "next", "{verdict}");
    // It was recorded for twenty seconds, and not waited for that long even once more on average.
    let most = Duration::from_secs(20 * verdict["experiments"].as_u64().unwrap());
    assert!(started.elapsed() < most, "{:?}", started.elapsed());
}

#[test]
fn what_only_other_threads_see_is_named() {
    // Both are told by the program itself, so that no race has to be lost for it.
    const SEEN: &str = "import java.lang.reflect.Modifier;
public class Main {
    static SHARED int shared;
    static LOCKED boolean locks() { return Thread.holdsLock(Main.class); }
    public static void main(String[] arguments) throws Exception {
        System.out.println(locks());
        int modifiers = Main.class.getDeclaredField(\"shared\").getModifiers();
        System.out.println(Modifier.isVolatile(modifiers));
    }
}
";
    let version = |shared: &str, locked: &str| {
        let text = SEEN.replace("SHARED ", shared);
        text.replace("LOCKED ", locked)
    };
    let right = version("volatile ", "synchronized ");
    let cases = [
        (version("", "synchronized "), "Main.shared", "volatile"),
        (version("volatile ", ""), "Main.locks", "synchronized"),
    ];
    for (wrong, name, word) in cases {
        let folder = tempfile::tempdir().unwrap();
        source(folder.path(), "right/Main.java", &right);
        source(folder.path(), "wrong/Main.java", &wrong);
        let words = ["debug", "--non-interactive", "--reference"].iter();
        let words = words.chain(&["right/Main.java", "wrong/Main.java"]);
        let said = run(folder.path(), words);
        let sentence = format!("which is {word} in one version and not in the other");
        assert!(
            said.out.contains(&format!("The bug is in {name}")) && said.out.contains(&sentence),
            "{} {}",
            said.out,
            said.err
        );
    }
}

/// New code that is only reached through what overrides a new method is as much a part of the change as that method.
#[test]
fn what_overrides_a_new_method_is_new_with_it() {
    const RIGHT: &str = "public class Main {
    static String tidy(String text) { return text.trim(); }
    public static void main(String[] arguments) { System.out.println(tidy(\" a:b \")); }
}
";
    const STEPS: &str = "Step.FIRST.next(text); }
    enum Step {
        FIRST { String next(String text) { return cut(text); } };
        abstract String next(String text);
        static String cut(String text) { return \"/\" + text.trim(); }
    }";
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "right/Main.java", RIGHT);
    let wrong = RIGHT.replace("text.trim(); }", STEPS);
    source(folder.path(), "wrong/Main.java", &wrong);
    let words = ["debug", "--non-interactive", "--json", "--reference"].iter();
    let words = words.chain(&["right/Main.java", "wrong/Main.java"]);
    let said = run(folder.path(), words);
    let verdict = said.json();
    assert_eq!(verdict["method"], "tidy", "{verdict} {}", said.err);
    let new = verdict["new_methods"].as_array().unwrap().iter();
    let new: Vec<&str> = new.filter_map(|one| one["method"].as_str()).collect();
    assert!(new.contains(&"cut"), "{new:?} {verdict}");
}
