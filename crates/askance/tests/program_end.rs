//! Calls that were open when the program ended: they did all that they were going to do, so they are asked
//! about and blamed like any other.

use std::path::Path;

use crate::support::{Said, run, source};
use test_support::{Fixture, JUnit};

/// `main` adds the fee twice, and ends the program itself.
const TILL: &str = "
public class Till {
    static int total;

    static int price(int pieces) {
        return 3 * pieces;
    }

    static int fee() {
        return 2;
    }

    public static void main(String[] arguments) {
        total = price(4) + fee() + fee();
        System.out.println(total);
        END;
    }
}
";

/// A daemon counts wrongly until the program is over.
const DAEMON: &str = "
import java.util.concurrent.CountDownLatch;

public class Counting {
    static int counted;

    static int one() {
        return 1;
    }

    static void count(CountDownLatch counted, CountDownLatch never) {
        Counting.counted = one() + one() + 1;
        counted.countDown();
        try {
            never.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Thread thread = new Thread(() -> count(done, new CountDownLatch(1)));
        thread.setDaemon(true);
        thread.start();
        done.await();
    }
}
";

/// Asks anew, with these answers.
fn ask(folder: &Path, strategy: &str, answers: &str) -> Said {
    source(folder, "answers", answers);
    let ask = ["ask", "t", "--fresh", "--json", "--strategy", strategy];
    run(folder, ask.into_iter().chain(["--answers", "answers"]))
}

#[track_caller]
fn main_is_found(end: &str) {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Till.java", &TILL.replace("END", end));
    run(folder.path(), ["record", "-o", "t", "Till.java"]);
    let said = ask(folder.path(), "top-down", "yes\nyes\nno\n");
    let found = said.json();
    assert_eq!(found["outcome"], "found", "{found}\n{}", said.err);
    assert_eq!(found["method"], "main", "{found}");
    let question = said.err.rsplit_once("Is this right?").unwrap().0;
    assert!(question.contains("Till.total: 0 → 16"), "{}", said.err);
    assert!(question.contains("the program ended in it"), "{}", said.err);
    assert!(
        !said.err.contains("still have been running"),
        "{}",
        said.err
    );
}

#[test]
fn a_main_that_ends_with_system_exit_can_be_blamed() {
    main_is_found("System.exit(0)");
}

#[test]
fn a_main_that_halts_the_machine_can_be_blamed() {
    main_is_found("Runtime.getRuntime().halt(0)");
}

/// A version that works ends in the same way, so what both did until then is compared.
#[test]
fn a_reference_tells_that_a_main_is_wrong_which_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let buggy = TILL.replace("END", "System.exit(0)");
    source(folder.path(), "buggy/Till.java", &buggy);
    let fixed = buggy.replace("fee() + fee()", "fee()");
    source(folder.path(), "fixed/Till.java", &fixed);
    let debug = [
        "debug",
        "-o",
        "t",
        "--json",
        "--reference",
        "fixed/Till.java",
    ];
    let said = run(folder.path(), debug.into_iter().chain(["buggy/Till.java"]));
    let found = said.json();
    assert_eq!(found["outcome"], "found", "{found}\n{}", said.err);
    assert_eq!(found["method"], "main", "{found}");
    assert_eq!(found["questions"]["person"], 0, "{found}");
}

#[test]
fn a_daemon_that_is_running_at_the_end_can_be_blamed() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Counting.java", DAEMON);
    run(folder.path(), ["record", "-o", "t", "Counting.java"]);
    let tree = run(folder.path(), ["tree", "t", "--depth", "9"]).out;
    let line = tree.lines().find(|line| line.contains("count(")).unwrap();
    let number = line.split('#').nth(1).unwrap();
    let number: String = number.chars().take_while(char::is_ascii_digit).collect();
    let answers = format!("go {number}\nno\nyes\nyes\n");
    let said = ask(folder.path(), "top-down", &answers);
    let found = said.json();
    assert_eq!(found["outcome"], "found", "{found}\n{}", said.err);
    assert_eq!(found["method"], "count", "{found}");
}

/// A test that gave up waiting, while what it waited for is still blocked.
const WAITING: &str = "
package shop;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class WaitingTest {
    static int stock(int pieces) {
        try {
            new CountDownLatch(pieces).await();
        } catch (InterruptedException stopped) {
            return -1;
        }
        return pieces;
    }

    @Test
    public void waits() throws Exception {
        ExecutorService service = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        });
        Future<Integer> stock = service.submit(() -> stock(3));
        stock.get(200, TimeUnit.MILLISECONDS);
    }
}
";

#[test]
fn a_test_that_threw_while_its_threads_were_blocked_is_asked_about() {
    let junit = JUnit::Four;
    assert!(junit.is_installed(), "{} is missing", junit.package());
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::new().source("shop/WaitingTest.java", WAITING);
    let classes = fixture.class_path(junit.class_path()).compile().unwrap();
    let mut entries = vec![classes.dir().to_owned()];
    entries.extend(junit.class_path());
    let class_path = std::env::join_paths(entries).unwrap();
    source(folder.path(), "answers", "no\nno\nno\nno\n");
    let mut command = crate::support::askance(folder.path());
    command.args(["debug", "-o", "t", "--json", "--test", "WaitingTest", "-cp"]);
    command
        .arg(class_path)
        .args(["--strategy", "ranges", "--answers", "answers"]);
    let said = Said::from(command.output().unwrap());
    assert!(!said.err.contains("has not ended"), "{}", said.err);
    assert!(said.err.contains("TimeoutException"), "{}", said.err);
    let found = said.json();
    assert_eq!(found["method"], "stock", "{found}\n{}", said.err);
}
