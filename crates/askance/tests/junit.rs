//! `askance answers --junit`: the tests compile, are green against the program that was right, red against a
//! mutated one, and a test of what was wrong is red until it is right.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::support::{answers_file, run};
use serde_json::{Value, json};

const SHOP: &str = include_str!("java/junit/Shop.java");
const RIGHT: [&str; 11] = [
    "sum", "reverse", "names", "count", "price", "half", "greet", "restock", "bump", "check",
    "worth",
];
const WRONG: [&str; 2] = ["wrong", "wrongInPlace"];
const CANNOT: [&str; 3] = ["secret", "look", "stocked"];

/// Everything that a test run needs of Debian's jars.
fn class_path(jars: &[&str]) -> String {
    let jars = jars.iter().map(|jar| format!("/usr/share/java/{jar}.jar"));
    jars.collect::<Vec<_>>().join(":")
}

const JUNIT5: [&str; 7] = [
    "junit-jupiter-api",
    "junit-jupiter-engine",
    "junit-platform-commons",
    "junit-platform-engine",
    "junit-platform-launcher",
    "opentest4j",
    "apiguardian-api",
];
const JUNIT4: [&str; 2] = ["junit4", "hamcrest-core"];

fn java(folder: &Path, program: &str, arguments: &[&str]) -> (bool, String) {
    let jdk = test_support::Jdk::compiler().unwrap();
    let said = Command::new(jdk.tool(program).unwrap())
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = [said.stdout, said.stderr].concat();
    (
        said.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

/// Records the program and keeps these answers in the trace, as a dialogue does.
fn answered(folder: &Path) {
    crate::support::source(folder, "src/shop/Shop.java", SHOP);
    let arguments = ["-g", "-d", "out", "src/shop/Shop.java"];
    let (compiled, said) = java(folder, "javac", &arguments);
    assert!(compiled, "{said}");
    let command = [
        "record",
        "-o",
        "trace",
        "--",
        "java",
        "-cp",
        "out",
        "shop.Shop",
    ];
    let said = run(folder, command);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let said = run(folder, ["tree", "trace", "--json", "--depth", "9"]);
    let nodes = nodes(&said.out);
    let answer = |name: &str, answer: &str| {
        let node = nodes
            .get(name)
            .unwrap_or_else(|| panic!("{name}: {nodes:?}"));
        json!({"node": node, "answer": answer, "source": "person"})
    };
    let right = RIGHT.iter().chain(&CANNOT).map(|name| answer(name, "yes"));
    let wrong = WRONG.iter().map(|name| answer(name, "no"));
    let kept = json!({
        "version": 1,
        "session": {"options": {}, "answers": right.chain(wrong).collect::<Vec<Value>>()},
    });
    std::fs::write(answers_file(&folder.join("trace")), kept.to_string()).unwrap();
}

/// The first call of each method below main.
fn nodes(tree: &str) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for line in tree.lines() {
        note(&serde_json::from_str(line).unwrap(), &mut found);
    }
    found
}

fn note(value: &Value, found: &mut BTreeMap<String, u64>) {
    match value {
        Value::Object(fields) => {
            if let (Some(method), Some(node)) = (fields.get("method"), fields.get("node")) {
                let name = method.as_str().unwrap_or_default().to_owned();
                found.entry(name).or_insert(node.as_u64().unwrap());
            }
            fields.values().for_each(|value| note(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| note(value, found)),
        _ => {}
    }
}

/// Compiles a version of the program with the tests of `folder/tests` and runs them with JUnit 4's runner
/// or the platform's. Gives which tests failed.
fn failures(folder: &Path, program: &str, is_junit4: bool) -> Vec<String> {
    let out = folder.join("version");
    let _ = std::fs::remove_dir_all(&out);
    crate::support::source(folder, "version/src/shop/Shop.java", program);
    let jars = match is_junit4 {
        true => class_path(&JUNIT4),
        false => class_path(&JUNIT5),
    };
    let runner = match is_junit4 {
        true => RUNNER4,
        false => RUNNER5,
    };
    crate::support::source(folder, "version/src/Runner.java", runner);
    let arguments = [
        "-d",
        "version/out",
        "-cp",
        &jars,
        "-encoding",
        "UTF-8",
        "version/src/shop/Shop.java",
        "version/src/Runner.java",
        "tests/shop/ShopAnswersTest.java",
    ];
    let (compiled, said) = java(folder, "javac", &arguments);
    assert!(compiled, "{said}");
    let class_path = format!("version/out:{jars}");
    let (ran, said) = java(folder, "java", &["-cp", &class_path, "Runner"]);
    assert!(ran, "{said}");
    let mut failed: Vec<String> = said
        .lines()
        .filter_map(|line| line.strip_prefix("FAILED "))
        .map(str::to_owned)
        .collect();
    failed.sort();
    assert!(said.contains("RAN 13"), "{said}");
    failed
}

const RUNNER5: &str = "
import org.junit.platform.launcher.*;
import org.junit.platform.launcher.core.*;
import org.junit.platform.engine.*;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
public class Runner {
    static int ran;
    public static void main(String[] arguments) throws Exception {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(Class.forName(\"shop.ShopAnswersTest\"))).build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (!test.isTest()) return;
                ran++;
                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL)
                    System.out.println(\"FAILED \" + test.getDisplayName().replaceAll(\"_.*\", \"\"));
            }
        });
        System.out.println(\"RAN \" + ran);
    }
}
";
const RUNNER4: &str = "
import org.junit.runner.*;
import org.junit.runner.notification.Failure;
public class Runner {
    public static void main(String[] arguments) throws Exception {
        Result result = JUnitCore.runClasses(Class.forName(\"shop.ShopAnswersTest\"));
        for (Failure failure : result.getFailures())
            System.out.println(\"FAILED \" + failure.getDescription().getMethodName().replaceAll(\"_.*\", \"\"));
        System.out.println(\"RAN \" + result.getRunCount());
    }
}
";

/// The program with `wrong` and `wrongInPlace` put right.
fn repaired() -> String {
    SHOP.replace("return a - b;", "return a + b;")
        .replace("values[0] = -values[0];", "values[0] = 2 * values[0];")
}

#[test]
fn tests_hold_what_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    answered(folder);
    for is_junit4 in [false, true] {
        let _ = std::fs::remove_dir_all(folder.join("tests"));
        let mut words = vec!["answers", "--junit", "trace", "-o", "tests"];
        words.extend(is_junit4.then_some("--junit4"));
        let said = run(folder, words);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_eq!(
            said.out, "tests/shop/ShopAnswersTest.java\n",
            "{}",
            said.err
        );
        assert!(said.err.contains("13 tests written"), "{}", said.err);
        for (name, why) in [
            (
                "secret(value=1)",
                "a test cannot call secret: it is private",
            ),
            ("look(", "shop.Shop.Hidden is private"),
            ("stocked(", "no constructor of shop.Shop"),
        ] {
            let line = said.err.lines().find(|line| line.contains(name));
            let line = line.unwrap_or_else(|| panic!("{}", said.err));
            assert!(line.contains(why), "{line}");
        }

        assert_eq!(failures(folder, SHOP, is_junit4), WRONG);
        assert_eq!(failures(folder, &repaired(), is_junit4), [""; 0]);
        // Each mutation is noticed by the test of its method.
        let mut mutated = repaired();
        for (method, from, to) in MUTATIONS {
            let before = std::mem::take(&mut mutated);
            mutated = before.replace(from, to);
            assert_ne!(mutated, before, "{method}");
        }
        let mut methods = RIGHT;
        methods.sort_unstable();
        assert_eq!(failures(folder, &mutated, is_junit4), methods);
    }
}

/// A mutation of each method that tests were made of.
const MUTATIONS: [(&str, &str, &str); 11] = [
    (
        "worth",
        "special.id() * special.extra",
        "special.id() + special.extra",
    ),
    ("sum", "2 * sum", "3 * sum"),
    ("reverse", "i < j;", "i < j - 2;"),
    (
        "names",
        "names.add(item.getName())",
        "names.add(item.getName() + 1)",
    ),
    ("count", "word, 1,", "word, 2,"),
    ("price", "cents + size.extra()", "cents"),
    ("half", "value / 2", "value / 2 + 1e-9"),
    ("greet", "Hello, ", "Hello "),
    ("restock", "item.add(more)", "item.add(more + 1)"),
    (
        "bump",
        "total += by; return total",
        "total += by + 1; return total - 1",
    ),
    ("check", "value < 0", "value < -1"),
];

#[test]
fn what_is_remembered_becomes_tests_while_its_trace_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let program = "public class Main {
    static int twice(int n) { return 2 * n; }
    static int thrice(int n) { return 2 * n; }
    public static void main(String[] args) { System.out.println(twice(5) + thrice(5)); }
}
";
    crate::support::source(folder, "Main.java", program);
    let said = run(folder, ["record", "-o", "t.askance", "Main.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    std::fs::write(folder.join("answers.txt"), "yes\nno\n").unwrap();
    let ask = [
        "ask",
        "t.askance",
        "--memory",
        "m.redb",
        "--strategy",
        "top-down",
        "--root",
        "main",
        "--answers",
        "answers.txt",
    ];
    run(folder, ask);
    let words = ["answers", "--junit", "--memory", "m.redb"];
    let said = run(folder, words);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let path = folder.join("askance-tests/MainAnswersTest.java");
    let written = std::fs::read_to_string(path).unwrap();
    assert!(written.contains("assertEquals(10, result)"), "{written}");
    assert!(written.contains("thrice_") && written.contains("assertFalse(isAsRecorded)"));

    std::fs::remove_dir_all(folder.join("t.askance")).unwrap();
    let said = run(folder, words);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(
        said.err.contains("the traces of 2 answers are gone"),
        "{}",
        said.err
    );
    let said = run(folder, ["answers", "--junit4"]);
    said.refused(2, "--junit");
}
