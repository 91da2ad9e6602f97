//! The user's own code is recorded; what libraries do is trusted, and there is what was given to them and got from
//! them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::run;
use test_support::{Fixture, Jdk};

const LIBRARY: &str = "package library.text;
public class Words {
    public interface Visitor { void word(String word); }
    public static int count(String text, Visitor visitor) {
        int found = 0;
        for (String word : text.split(\" \")) { found = next(found); visitor.word(word); }
        return found;
    }
    static int next(int n) { return n + 1; }
}
";

const PROGRAM: &str = "package shop;
import library.text.Words;
public class Main implements Words.Visitor {
    int letters;
    public void word(String word) { letters += word.length(); }
    public static void main(String[] arguments) {
        Main main = new Main();
        System.out.println(Words.count(\"a bc def\", main) + \" \" + main.letters);
    }
}
";

/// Runs the program in its own JVM, as build tools can.
const BUILD_TOOL: &str = "package org.apache.tools.ant;
public class Main {
    public static void main(String[] arguments) { shop.Main.main(arguments); }
}
";

/// A folder with the program's classes and the library as a jar, there and where builds put theirs.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let library = Fixture::new().source("library/text/Words.java", LIBRARY);
        let library = library.compile().unwrap();
        for jar in ["repository/words.jar", "project/target/words.jar"] {
            fs::create_dir_all(at(jar).parent().unwrap()).unwrap();
            pack(&at(jar), &library.dir());
        }
        let program = Fixture::new()
            .source("shop/Main.java", PROGRAM)
            .source("org/apache/tools/ant/Main.java", BUILD_TOOL)
            .class_path([at("repository/words.jar")])
            .compile()
            .unwrap();
        pack(&at("project/main.jar"), &program.dir());
        fs::create_dir_all(at("project/classes")).unwrap();
        let jar = Command::new(jar_tool())
            .current_dir(at("project/classes"))
            .args(["xf", "../main.jar"])
            .status();
        assert!(jar.unwrap().success());
        fs::write(at("project/pom.xml"), "").unwrap();
        Place { folder }
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// The methods that were recorded of a run with this class path, and how many libraries were not.
    #[track_caller]
    fn recorded(&self, class_path: &str, options: &[&str]) -> (Vec<String>, usize) {
        self.recorded_of("shop.Main", class_path, options)
    }

    #[track_caller]
    fn recorded_of(&self, main: &str, class_path: &str, options: &[&str]) -> (Vec<String>, usize) {
        let trace = self.project().join("T");
        let _ = fs::remove_dir_all(&trace);
        let mut words = vec!["record", "-o", "T"];
        words.extend(options);
        words.extend(["--", "java", "-cp", class_path, main]);
        let said = run(&self.project(), words);
        assert_eq!(
            (said.code, said.out.as_str()),
            (Some(0), "3 6\n"),
            "{}",
            said.err
        );
        let info = run(&self.project(), ["info", "T", "--json"]).json();
        let libraries = info["jvms"][0]["libraries"].as_array().unwrap().len();
        let tree = run(&self.project(), ["tree", "T", "--depth", "9"]).out;
        let mut methods: Vec<String> = ["main(", "word(", "count(", "next("]
            .into_iter()
            .filter(|name| tree.contains(name))
            .map(|name| name.trim_end_matches('(').to_owned())
            .collect();
        methods.sort();
        (methods, libraries)
    }
}

fn jar_tool() -> PathBuf {
    Jdk::compiler().and_then(|jdk| jdk.tool("jar")).unwrap()
}

fn pack(jar: &Path, classes: &Path) {
    let mut packing = Command::new(jar_tool());
    packing.arg("cf").arg(jar).arg("-C").arg(classes).arg(".");
    assert!(packing.status().unwrap().success());
}

#[test]
fn libraries_are_not_recorded_and_what_they_call_back_is() {
    let place = Place::new();
    let own = (vec!["main".to_owned(), "word".to_owned()], 1);
    assert_eq!(place.recorded("classes:../repository/words.jar", &[]), own);
    // The main class's archive is the user's, too.
    assert_eq!(place.recorded("main.jar:../repository/words.jar", &[]), own);
}

#[test]
fn what_the_user_asks_for_is_recorded() {
    let place = Place::new();
    let all = ["count", "main", "next", "word"]
        .map(str::to_owned)
        .to_vec();
    let path = "classes:../repository/words.jar";
    assert_eq!(
        place.recorded(path, &["--record-libraries"]),
        (all.clone(), 0)
    );
    assert_eq!(
        place.recorded(path, &["--suspect", "library.*"]),
        (all.clone(), 0)
    );
    let included = (vec!["count".to_owned(), "next".to_owned()], 0);
    assert_eq!(place.recorded(path, &["--include", "library.*"]), included);
    fs::write(
        place.project().join("askance.toml"),
        "suspect = [\"library.*\"]\n",
    )
    .unwrap();
    assert_eq!(place.recorded(path, &[]), (all, 0));
}

#[test]
fn libraries_of_a_build_tool_are_recorded_only_if_they_are_named() {
    let place = Place::new();
    let recorded = |options: &[&str]| {
        let path = "classes:../repository/words.jar";
        place.recorded_of("org.apache.tools.ant.Main", path, options)
    };
    let own = (vec!["main".to_owned(), "word".to_owned()], 1);
    assert_eq!(recorded(&["--record-libraries"]), own);
    let named = (vec!["count".to_owned(), "next".to_owned()], 0);
    assert_eq!(recorded(&["--include", "library.*"]), named);
}

#[test]
fn what_is_built_here_or_has_its_sources_here_is_own() {
    let place = Place::new();
    let all = ["count", "main", "next", "word"]
        .map(str::to_owned)
        .to_vec();
    let built = place.recorded("classes:target/words.jar", &[]);
    assert_eq!(built, (all.clone(), 0));
    let sources = place.project().join("src/main/java/library/text");
    fs::create_dir_all(&sources).unwrap();
    fs::write(sources.join("Words.java"), LIBRARY).unwrap();
    let with_sources = place.recorded("classes:../repository/words.jar", &[]);
    assert_eq!(with_sources, (all, 0));
}
