//! `askance jdwp` with Java's own debuggers: `jdb` on every example, and a client of the Java Debug Interface that
//! reads the same from a JVM that runs and from its recording.

#![allow(
    clippy::print_stderr,
    reason = "how much was compared is for whoever measures"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{askance, run};
use test_support::{Classes, Example, ExampleVersion, Fixture, Jdk};

/// Long enough for anything that is meant to come.
const PATIENCE: Duration = Duration::from_secs(120);

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn compiler() -> &'static Jdk {
    Jdk::compiler().unwrap()
}

/// Records a program that was compiled; of one that does not end, the beginning.
fn record(folder: &Path, classes: &Classes, example: &Example) {
    let limit = example
        .time_limit()
        .map(|limit| limit.as_secs().to_string());
    let java = compiler().java().display().to_string();
    let dir = classes.dir().display().to_string();
    let mut words = vec!["record", "-o", "trace"];
    if let Some(limit) = &limit {
        words.extend(["--time-limit", limit.as_str()]);
    }
    words.extend(["--", java.as_str(), "-cp", dir.as_str(), "Main"]);
    let said = run(folder, words);
    assert!(folder.join("trace").is_dir(), "{}", said.err);
}

/// `askance jdwp`, and its address.
fn serve(folder: &Path) -> (Process, String) {
    let mut command = askance(folder);
    command.args(["jdwp", "trace"]).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut address = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut address).unwrap();
    (Process(child), address.trim().to_owned())
}

/// `jdb`, attached to a recording.
struct Jdb {
    _process: Process,
    input: ChildStdin,
    pieces: Receiver<String>,
}

impl Jdb {
    fn attach(address: &str) -> Jdb {
        let mut command = Command::new(compiler().tool("jdb").unwrap());
        // The sentences that are waited for are those of English.
        command.args(["-J-Duser.language=en", "-attach", address]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut output = child.stdout.take().unwrap();
        let input = child.stdin.take().unwrap();
        let (sender, pieces) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                let piece = String::from_utf8_lossy(&bytes[..count]).into_owned();
                if sender.send(piece).is_err() {
                    break;
                }
            }
        });
        let mut jdb = Jdb {
            _process: Process(child),
            input,
            pieces,
        };
        // It has no thread to let run before it asks for a command.
        jdb.wait_for(|text| {
            let started = text.split_once("VM Started");
            started.is_some_and(|(_, rest)| without_prompts(rest) != rest)
        });
        jdb
    }

    /// What is printed until something holds for it.
    #[track_caller]
    fn wait_for(&mut self, is_over: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        let mut text = String::new();
        while !is_over(&text) {
            let left = end.saturating_duration_since(Instant::now());
            match self.pieces.recv_timeout(left) {
                Ok(piece) => text.push_str(&piece),
                Err(error) => panic!("waiting: {error}: {text}"),
            }
        }
        text
    }

    /// Says something that is answered at once. Prompts come when they like: they do not tell that the answer is over.
    #[track_caller]
    fn say(&mut self, command: &str) -> String {
        let (verb, _) = command.split_once(' ').unwrap_or((command, ""));
        if ["print", "dump", "set"].contains(&verb) {
            writeln!(self.input, "{command}").unwrap();
            return without_prompts(&self.wait_for(|text| is_whole_value(&without_prompts(text))));
        }
        // Other commands are done one after the other: where the answer to the next begins, this one is over.
        writeln!(self.input, "{command}\nover").unwrap();
        let text = self.wait_for(|text| {
            let next = text.split_once(NEXT_ANSWER);
            next.is_some_and(|(_, rest)| rest.contains('\n'))
        });
        let (answer, _) = text.split_once(NEXT_ANSWER).unwrap();
        without_prompts(answer)
    }

    /// Says something that lets the run go on, up to where it stops or ends.
    #[track_caller]
    fn go(&mut self, command: &str) -> String {
        writeln!(self.input, "{command}").unwrap();
        let is_end = |text: &str| {
            text.contains("The application exited") || text.contains("has been disconnected")
        };
        // The last that is told of a stop is the place; a prompt follows.
        let has_stopped = |text: &str| {
            let place = text.rsplit_once(" bci=");
            place.is_some_and(|(_, rest)| without_prompts(rest) != rest)
        };
        let text = self.wait_for(|text| has_stopped(text) || is_end(text));
        without_prompts(&text)
    }
}

/// A line, or lines in braces.
fn is_whole_value(text: &str) -> bool {
    let mut lines = text.trim_start().split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    match first.trim_end().ends_with('{') {
        true => lines.any(|line| line == "}\n"),
        false => first.ends_with('\n'),
    }
}

/// How the answer begins that jdb gives to what is no command.
const NEXT_ANSWER: &str = "Unrecognized command: 'over'";

/// Without the name of a thread and the number of a frame right behind it, by which jdb says that it waits: they come
/// in the midst of what it tells. Lists of frames have no name before the number.
fn without_prompts(text: &str) -> String {
    let mut parts = text.split("[1] ").peekable();
    let mut rest = String::new();
    while let Some(part) = parts.next() {
        let is_name = |sign: char| sign.is_alphanumeric() || sign == '-';
        let before = part.trim_end_matches(is_name);
        match parts.peek() {
            Some(_) if before.len() < part.len() => rest.push_str(before),
            Some(_) => rest.extend([part, "[1] "]),
            None => rest.push_str(part),
        }
    }
    rest
}

#[test]
fn jdb_debugs_every_example() {
    let (mut watched, mut thrown) = (0, 0);
    for example in Example::all().unwrap() {
        let name = &example.name;
        let folder = tempfile::tempdir().unwrap();
        let classes = example.compile(ExampleVersion::Buggy).unwrap();
        record(folder.path(), &classes, &example);
        let (_server, address) = serve(folder.path());

        // Breakpoints, frames, locals, steps, fields.
        let mut jdb = Jdb::attach(&address);
        let set = jdb.say("stop in Main.main");
        assert!(set.contains("Set breakpoint Main.main"), "{name}: {set}");
        let hit = jdb.go("run");
        assert!(
            hit.contains("Breakpoint hit: \"thread=main\", Main.main()"),
            "{name}: {hit}"
        );
        let stack = jdb.say("where");
        assert!(
            stack.contains("[1] Main.main (Main.java:"),
            "{name}: {stack}"
        );
        let locals = jdb.say("locals");
        assert!(
            locals.contains("args = instance of java.lang.String[0]"),
            "{name}: {locals}"
        );
        let step = jdb.go("next");
        assert!(
            step.contains("Step completed: \"thread=main\""),
            "{name}: {step}"
        );
        let (class, line) = (&example.class, example.lines[0]);
        let set = jdb.say(&format!("stop at {class}:{line}"));
        assert!(set.contains("Set breakpoint"), "{name}: {set}");
        let hit = jdb.go("cont");
        let is_there = hit.contains("Breakpoint hit") && hit.contains(&format!("line={line} "));
        assert!(is_there, "{name}: {hit}");
        let printed = jdb.say("print 1 + 2");
        assert!(printed.contains("1 + 2 = 3"), "{name}: {printed}");
        let locals = jdb.say("locals");
        assert!(!locals.contains("xception"), "{name}: {locals}");
        let this = jdb.say("dump this");
        let is_shown = this.contains("this = {") || this.contains("No 'this'");
        assert!(
            is_shown || this.contains("ParseException"),
            "{name}: {this}"
        );
        // What cannot be done is refused, and jdb lives on.
        let refused = jdb.say("set args = null");
        assert!(!refused.contains("disconnected"), "{name}: {refused}");
        assert!(jdb.say("where").contains("[1] "), "{name}");
        // What is thrown from here on.
        jdb.say(&format!("clear {class}:{line}"));
        jdb.say("catch all java.lang.Throwable");
        let told = jdb.go("cont");
        thrown += usize::from(told.contains("Exception occurred"));

        // Writes of every field.
        let mut jdb = Jdb::attach(&address);
        jdb.say("stop in Main.main");
        jdb.go("run");
        let classes = jdb.say("classes");
        let own = classes.lines().filter(|line| {
            let is_name = |sign: char| sign.is_alphanumeric() || "$_".contains(sign);
            !line.is_empty() && line.chars().all(is_name)
        });
        let own: Vec<String> = own.map(str::to_owned).collect();
        assert!(own.contains(&"Main".to_owned()), "{name}: {classes}");
        let mut watches = 0;
        for class in own {
            let fields = jdb.say(&format!("fields {class}"));
            let fields = fields
                .lines()
                .filter_map(|line| line.trim().rsplit_once(' '));
            let fields: Vec<String> = fields.map(|(_, field)| field.to_owned()).collect();
            for field in fields
                .iter()
                .filter(|field| field.starts_with(char::is_lowercase))
            {
                let set = jdb.say(&format!("watch {class}.{field}"));
                watches += usize::from(set.contains("Set watch modification"));
            }
        }
        let mut stops = 0;
        loop {
            let told = jdb.go("cont");
            watched += usize::from(told.contains("will be"));
            stops += 1;
            if !told.contains("\"thread=") || stops == 12 {
                break;
            }
        }
        assert!(
            watches == 0 || stops > 1,
            "{name}: nothing was told of {watches} fields"
        );
    }
    assert!(watched > 100, "{watched} writes of fields");
    assert!(thrown >= 3, "exceptions in {thrown} examples");
}

#[test]
fn popping_a_frame_goes_back_in_time() {
    let example = Example::named("bank").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let classes = example.compile(ExampleVersion::Buggy).unwrap();
    record(folder.path(), &classes, &example);
    let (_server, address) = serve(folder.path());
    let mut jdb = Jdb::attach(&address);
    jdb.say("stop at Account:21");
    let hit = jdb.go("run");
    assert!(hit.contains("Account.withdraw(), line=21"), "{hit}");
    let before = jdb.say("print this.balance");
    let stack = jdb.say("where");
    let stepped = jdb.go("next");
    assert!(stepped.contains("Step completed"), "{stepped}");
    assert_ne!(jdb.say("print this.balance"), before);
    jdb.say("pop");
    let caller = jdb.say("where");
    assert!(!caller.contains("Account.withdraw"), "{caller}");
    // What was written since is as it was, and comes again.
    let hit = jdb.go("cont");
    assert!(hit.contains("Account.withdraw(), line=21"), "{hit}");
    assert_eq!(jdb.say("print this.balance"), before);
    assert_eq!(jdb.say("where"), stack);
}

/// The lines that `docs/editors.md` shows: what is typed, and what is said then.
#[test]
fn the_documented_lines_of_jdb_do_what_is_shown() {
    let document = test_support::workspace_root().join("docs/editors.md");
    let document = std::fs::read_to_string(document).unwrap();
    let (_, lines) = document
        .split_once("$ jdb -attach 127.0.0.1:5005\n")
        .unwrap();
    let (lines, _) = lines.split_once("```").unwrap();
    let example = Example::named("bank").unwrap();
    let folder = tempfile::tempdir().unwrap();
    record(
        folder.path(),
        &example.compile(ExampleVersion::Buggy).unwrap(),
        &example,
    );
    let (_server, address) = serve(folder.path());
    let mut jdb = Jdb::attach(&address);
    let (mut said, mut typed) = (String::new(), 0);
    for line in lines.lines() {
        match line.strip_prefix("main[1] ") {
            Some(command @ ("run" | "cont")) => said = jdb.go(command),
            Some(command) => said = jdb.say(command),
            None => {
                assert!(said.contains(line), "{line:?} is not in {said}");
                continue;
            }
        }
        typed += 1;
    }
    assert!(typed > 8, "{typed}");
}

/// What the client prints at every line, or at every step.
fn walked(client: &Classes, address: &str, mode: &str, stops: usize) -> String {
    let mut command = Command::new(compiler().java());
    command.args(["--add-modules", "jdk.jdi", "-cp"]);
    command.arg(client.dir()).args(["Walk", address, mode]);
    let output = command.arg(stops.to_string()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A JVM that waits for a debugger, and where.
fn live(classes: &Classes) -> (Process, String) {
    let mut command = Command::new(compiler().java());
    command.arg("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0");
    command.arg("-cp").arg(classes.dir()).arg("Main");
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let port = line.trim().rsplit(' ').next().unwrap().to_owned();
    // Nobody reads on, and a program that prints must not wait for that.
    thread::spawn(move || {
        let _ = std::io::copy(&mut output, &mut std::io::sink());
    });
    (Process(child), format!("127.0.0.1:{port}"))
}

fn client() -> Classes {
    let source: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/jdi");
    let fixture = Fixture::new().path(source).jdk(compiler());
    let fixture = fixture.option("--add-modules").option("jdk.jdi");
    fixture.compile().unwrap()
}

/// Where two texts begin to differ.
fn first_difference(one: &str, other: &str) -> String {
    let mut lines = one.lines().zip(other.lines()).enumerate();
    match lines.find(|(_, (one, other))| one != other) {
        Some((line, (one, other))) => format!("line {line}:\n{one}\n{other}"),
        None => format!(
            "{} and {} lines",
            one.lines().count(),
            other.lines().count()
        ),
    }
}

/// At each of the first lines that a program comes to: frames, byte-code offsets, `this`, locals and what they hold.
#[test]
fn a_recording_shows_what_the_jvm_shows_at_every_line() {
    let stops: usize = std::env::var("ASKANCE_STOPS").map_or(100, |stops| stops.parse().unwrap());
    let client = client();
    let (mut compared, mut stopped) = (0, 0);
    for example in Example::all().unwrap() {
        let folder = tempfile::tempdir().unwrap();
        let classes = example.compile(ExampleVersion::Buggy).unwrap();
        record(folder.path(), &classes, &example);
        let (_server, address) = serve(folder.path());
        let recorded = walked(&client, &address, "lines", stops);
        let count = |start: &str| {
            recorded
                .lines()
                .filter(|line| line.starts_with(start))
                .count()
        };
        assert!(count("stop ") > 20, "{}: {recorded}", example.name);
        if example.name == "two-threads" {
            // Its threads take turns differently each time.
            continue;
        }
        let (_jvm, address) = live(&classes);
        let expected = walked(&client, &address, "lines", stops);
        let difference = || first_difference(&expected, &recorded);
        let is_same = match example.time_limit() {
            // How far a program comes that does not end is another matter each time.
            Some(_) => expected.starts_with(&recorded),
            None => expected == recorded,
        };
        assert!(is_same, "{}: {}", example.name, difference());
        compared += count("local ") + count("this ") + count("frame ");
        stopped += count("stop ");
    }
    eprintln!("{compared} frames and values compared at {stopped} stops");
    assert!(compared > 5000, "{compared}");
}

/// Where no library calls back, a step leads to where it leads in the JVM.
#[test]
fn steps_lead_to_where_they_lead_in_the_jvm() {
    let client = client();
    for name in [
        "merge-sort",
        "avl-tree",
        "calculator",
        "odd-sum",
        "lru-cache",
        "castling",
    ] {
        let example = Example::named(name).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let classes = example.compile(ExampleVersion::Buggy).unwrap();
        record(folder.path(), &classes, &example);
        let (_server, address) = serve(folder.path());
        let recorded = walked(&client, &address, "steps", 300);
        let (_jvm, address) = live(&classes);
        let expected = walked(&client, &address, "steps", 300);
        let difference = || first_difference(&expected, &recorded);
        assert!(expected == recorded, "{name}: {}", difference());
        assert!(expected.lines().count() > 500);
    }
}
