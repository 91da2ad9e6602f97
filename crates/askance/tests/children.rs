//! Every JVM below a recorded command is recorded, started by whom it may be, and none of them behaves otherwise.

use std::path::Path;

use crate::support::{Said, askance};
use test_support::{Classes, Fixture, Jdk};

/// Starts itself in all the ways there are: as `java`, with an environment that was looked at, with an empty one, and
/// by a shell.
const PARENT: &str = r#"import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
public class Parent {
    static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

    static String java() { return System.getProperty("java.home") + "/bin/java"; }

    static void run(ProcessBuilder builder) throws Exception {
        builder.redirectErrorStream(true).redirectInput(ProcessBuilder.Redirect.INHERIT);
        Process child = builder.start();
        InputStream said = child.getInputStream();
        for (int each = said.read(); each >= 0; each = said.read()) {
            System.out.write(each);
        }
        System.out.println("exit code " + child.waitFor());
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            System.out.println(arguments[0] + " " + depth(10) + " " + System.getenv("JAVA_TOOL_OPTIONS") + " "
                    + System.getenv("OWN"));
            return;
        }
        String classes = System.getProperty("java.class.path");
        List<String> plain = Arrays.asList(java(), "-cp", classes, "Parent", "plain");
        run(new ProcessBuilder(plain));
        ProcessBuilder looked = new ProcessBuilder(java(), "-cp", classes, "Parent", "looked");
        looked.environment().put("OWN", "mine");
        run(looked);
        ProcessBuilder bare = new ProcessBuilder(java(), "-cp", classes, "Parent", "bare");
        bare.environment().clear();
        run(bare);
        run(new ProcessBuilder("/bin/echo", "no", "JVM"));
        if (System.getProperty("shell") != null) {
            run(new ProcessBuilder("/bin/sh", "-c", "exec " + java() + " -cp " + classes + " Parent shell"));
        }
        System.out.println(System.getenv("JAVA_TOOL_OPTIONS"));
    }
}
"#;

fn compiled(jdk: &Jdk) -> Classes {
    let fixture = Fixture::new().source("Parent.java", PARENT);
    fixture.compile_for(jdk).unwrap()
}

fn record(folder: &Path, jdk: &Jdk, classes: &Classes, options: &[&str]) -> Said {
    let mut command = askance(folder);
    command.args(["record", "-o", "t", "--"]).arg(jdk.java());
    command.args(options).arg("-cp").arg(classes.dir());
    command.arg("Parent").output().unwrap().into()
}

fn jvms(folder: &Path) -> Vec<String> {
    let run = trace_store::RunFolder::open(folder.join("t")).unwrap();
    let mut commands: Vec<String> = run
        .jvms
        .iter()
        .map(|jvm| jvm.meta.java_command.clone())
        .collect();
    commands.sort();
    commands
}

#[test]
fn what_java_starts_is_recorded_and_does_not_notice() {
    for jdk in Jdk::supported() {
        let classes = compiled(jdk);
        let plain = classes.run(jdk).main_class("Parent").run().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let said = record(folder.path(), jdk, &classes, &[]);
        assert_eq!(said.out, plain.stdout_text(), "{}", said.err);
        assert!(!said.err.contains("Picked up"), "{}", said.err);
        let expected = ["Parent", "Parent bare", "Parent looked", "Parent plain"];
        assert_eq!(jvms(folder.path()), expected, "{}", jdk.full_version());
        let info: Said = crate::support::run(folder.path(), ["info", "t"]);
        assert!(info.out.contains("Parent looked"), "{}", info.out);
    }
}

#[test]
fn what_a_shell_starts_is_recorded() {
    let classes = compiled(&Jdk::default());
    let folder = tempfile::tempdir().unwrap();
    let said = record(folder.path(), &Jdk::default(), &classes, &["-Dshell=yes"]);
    assert!(said.out.contains("shell 10"), "{}{}", said.out, said.err);
    assert!(jvms(folder.path()).contains(&"Parent shell".to_owned()));
}

#[test]
fn a_mistyped_option_is_refused_as_it_is_without_us() {
    for jdk in Jdk::supported() {
        let classes = compiled(jdk);
        for option in ["-XX:+NoSuchSwitch", "-XX:NoSuchSize=3", "-XX:hashCode=4"] {
            // Java 8 takes the last one from anybody.
            if jdk.feature() == 8 && option.contains("hashCode") {
                continue;
            }
            let plain = classes
                .run(jdk)
                .main_class("Parent")
                .jvm_arg(option)
                .run()
                .unwrap();
            let folder = tempfile::tempdir().unwrap();
            let said = record(folder.path(), jdk, &classes, &[option]);
            assert_eq!(plain.exit_code(), Some(1));
            assert!(
                said.err.contains(plain.stderr_text().trim()),
                "{}\n{}",
                said.err,
                plain.stderr_text()
            );
            assert_eq!(said.out, plain.stdout_text());
            assert!(!folder.path().join("t").exists());
        }
    }
}
