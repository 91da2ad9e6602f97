//! `askance ask --tui` in a real terminal: tmux holds it, types, and reads the screen.
//!
//! A machine without tmux passes these over with a message; `cargo xtask setup` installs it.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::support::{run, source};

const PROGRAM: &str = "
public class Steps {
    static int one(int n) { return two(n) + 1; }
    static int two(int n) { return three(n) * 3; }
    static int three(int n) { return n; }
    public static void main(String[] args) { System.out.println(one(4)); }
}
";
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a shell command in it.
struct Screen {
    socket: String,
}

impl Screen {
    /// Starts a command at this size; afterwards its exit code is on the screen.
    fn start(folder: &Path, name: &str, size: (u16, u16), command: &str) -> Option<Screen> {
        if Command::new("tmux").arg("-V").output().is_err() {
            test_support::skip("tmux is not installed; `cargo xtask setup` installs it");
            return None;
        }
        let socket = format!("askance-test-{name}-{}", std::process::id());
        let screen = Screen { socket };
        let (width, height) = (size.0.to_string(), size.1.to_string());
        let line = format!(
            "{command}; echo \"exit code $?\"; stty -a | grep -o -- '-\\?icanon'; sleep 600"
        );
        let started = screen
            .command(&[
                "-f",
                "/dev/null",
                "new-session",
                "-d",
                "-s",
                "t",
                "-x",
                &width,
                "-y",
                &height,
            ])
            .args(["-c", folder.to_str().unwrap(), "sh", "-c", &line])
            .output()
            .unwrap();
        assert!(started.status.success(), "{started:?}");
        Some(screen)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.socket]).args(arguments);
        command.env("LC_ALL", "C.UTF-8");
        command
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys", "-t", "t"], keys].concat());
    }

    fn text(&self) -> String {
        let captured = self.tmux(&["capture-pane", "-p", "-t", "t"]);
        String::from_utf8_lossy(&captured.stdout).into_owned()
    }

    /// Waits until the screen shows this, and is drawn to its end.
    fn see(&self, words: &str) -> String {
        let end = Instant::now() + PATIENCE;
        let mut before = String::new();
        loop {
            let text = self.text();
            if text.contains(words) && text == before {
                return text;
            }
            assert!(
                Instant::now() < end,
                "{words:?} is not on the screen:\n{text}"
            );
            before = text;
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

fn traced() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Steps.java", PROGRAM);
    let said = run(folder.path(), ["record", "-o", "trace", "Steps.java"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    folder
}

fn ask() -> String {
    let askance = env!("CARGO_BIN_EXE_askance");
    format!("{askance} ask --tui --no-memory --strategy top-down trace")
}

#[test]
fn a_session_by_keys_ends_with_the_report() {
    let folder = traced();
    let Some(screen) = Screen::start(folder.path(), "session", (80, 24), &ask()) else {
        return;
    };
    let first = screen.see("#1 Steps.one");
    insta::assert_snapshot!(first);
    screen.press(&["n"]);
    screen.see("#2 Steps.two");
    screen.press(&["n"]);
    screen.see("#3 Steps.three");
    // Undo, and the same again.
    screen.press(&["u"]);
    screen.see("✗one(n=4)");
    screen.press(&["n"]);
    screen.see("✗two(n=4)");
    screen.press(&["y"]);
    let found = screen.see("Found: the bug is here.");
    insta::assert_snapshot!(found);
    screen.press(&["Enter"]);
    let report = screen.see("exit code 0");
    assert!(report.contains("Steps.two"), "{report}");
    assert!(
        !report.contains("-icanon"),
        "the terminal is left raw: {report}"
    );
}

#[test]
fn a_wrong_line_of_the_output_and_a_value_lead_on() {
    let folder = traced();
    let askance = env!("CARGO_BIN_EXE_askance");
    let command = format!("{askance} ask --tui --no-memory trace");
    let Some(screen) = Screen::start(folder.path(), "beside", (100, 36), &command) else {
        return;
    };
    let first = screen.see("[Output]");
    assert!(first.contains("1  13"), "{first}");
    // The line that is pointed at is wrong; what is suspected then has its reason.
    screen.press(&["o"]);
    screen.press(&["Enter"]);
    let suspects = screen.see("[Suspects]");
    assert!(suspects.contains(" % #"), "{suspects}");
    screen.press(&["a"]);
    let answers = screen.see("takes one of them back");
    assert!(answers.contains("wrong"), "{answers}");
    // Escape and the key after it could be taken for one.
    screen.press(&["Enter"]);
    screen.see("[Suspects]");
    screen.press(&[":"]);
    screen.press(&["g 2", "Enter"]);
    screen.see("#2 Steps.two");
    // Tab goes round to the question: the second value of this call is its result.
    screen.press(&["Tab", "Tab"]);
    screen.press(&["Down", "Down", "b"]);
    let origin = screen.see("Where it came from");
    assert!(origin.contains("= 4  in #3 Steps.three"), "{origin}");
    screen.press(&["Enter"]);
    screen.see("[Suspects]");
    screen.press(&["w"]);
    screen.see(":w return");
    screen.press(&["Enter"]);
    screen.see("#3 Steps.three");
    screen.press(&["q"]);
    screen.see("exit code 1");
}

#[test]
fn a_resized_screen_is_drawn_anew_and_an_interruption_keeps_the_answers() {
    let folder = traced();
    let Some(screen) = Screen::start(folder.path(), "resized", (100, 30), &ask()) else {
        return;
    };
    screen.see("#1 Steps.one");
    screen.press(&["n"]);
    screen.see("#2 Steps.two");
    screen.tmux(&["resize-window", "-t", "t", "-x", "44", "-y", "14"]);
    let small = screen.see("Beside  Source");
    assert!(
        small.lines().all(|line| line.chars().count() <= 44),
        "{small}"
    );
    screen.press(&["C-c"]);
    let left = screen.see("exit code 130");
    assert!(left.contains("The answers are kept"), "{left}");
    screen.see("icanon");
    assert!(
        !screen.text().contains("-icanon"),
        "the terminal is left raw"
    );
    drop(screen);

    let again = Screen::start(folder.path(), "again", (80, 24), &ask()).unwrap();
    again.see("#2 Steps.two");
    again.press(&["q"]);
    again.see("exit code 1");
}

#[test]
fn a_terminal_that_goes_away_takes_it_along() {
    let folder = traced();
    let command = format!("echo $$ > process; exec {}", ask());
    let Some(screen) = Screen::start(folder.path(), "gone", (80, 24), &command) else {
        return;
    };
    screen.see("#1 Steps.one");
    let process = std::fs::read_to_string(folder.path().join("process")).unwrap();
    let process = Path::new("/proc").join(process.trim());
    assert!(process.exists());
    screen.tmux(&["kill-server"]);
    let end = Instant::now() + PATIENCE;
    while process.exists() {
        assert!(Instant::now() < end, "it goes on without a terminal");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn without_a_terminal_it_says_so() {
    let folder = traced();
    let said = run(folder.path(), ["ask", "--tui", "trace"]);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("--tui needs a terminal"), "{}", said.err);
}
