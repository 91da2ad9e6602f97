//! Exports that are asked in the place of traces: the same rows, told apart by run, from folders and object stores.

use std::path::{Path, PathBuf};

use askance_query::views::VIEWS;
use java_model::sketches::{Sketched, till};
use serde_json::Value;

use crate::common::{command, database, rows};

/// An export of a small run, and the run.
fn exported() -> (Sketched, PathBuf) {
    let till = till();
    let folder = till.folder.path().join("tables");
    let answer = export(till.folder.path(), folder.to_str().unwrap());
    assert!(answer.status.success(), "{answer:?}");
    (till, folder)
}

fn export(trace: &Path, to: &str) -> std::process::Output {
    command(&["export", trace.to_str().unwrap(), "--parquet", to])
}

/// The rows that the executable finds; nulls are left out.
fn asked(runs: &[&str], sql: &str) -> Result<Vec<Value>, String> {
    let mut words = vec!["query", "--format", "json"];
    words.extend(runs);
    words.push(sql);
    let answer = command(&words);
    if !answer.status.success() {
        return Err(String::from_utf8(answer.stderr).unwrap());
    }
    let mut rows: Vec<Value> = serde_json::from_slice(&answer.stdout).unwrap();
    for row in &mut rows {
        row.as_object_mut()
            .unwrap()
            .retain(|_, value| !value.is_null());
    }
    Ok(rows)
}

#[test]
fn an_export_answers_as_its_trace_does() {
    let (till, folder) = exported();
    let database = database(till.folder.path());
    let mut questions: Vec<String> = [
        "SELECT * FROM call ORDER BY node",
        "SELECT * FROM argument ORDER BY node, position",
        "SELECT * FROM \"write\" ORDER BY \"time\", \"index\"",
        "SELECT * FROM object ORDER BY object",
        "SELECT * FROM run",
        "SELECT method, count(*) AS n, sum(size) AS s FROM call GROUP BY method ORDER BY 1",
        "SELECT count(*) AS n FROM call",
        "SELECT node FROM call WHERE run = 1 AND method LIKE 's%' AND parent > 2 ORDER BY node",
        "SELECT node FROM call WHERE run = 2",
        "SELECT node FROM below(2) ORDER BY node",
        "SELECT call.run, argument.name FROM call JOIN argument USING (run, node) ORDER BY node, position",
        "SELECT run FROM call LIMIT 1",
    ]
    .map(str::to_owned)
    .to_vec();
    let views = VIEWS
        .iter()
        .map(|view| format!("SELECT * FROM {} ORDER BY 1, 2, 3, 4, 5", view.name));
    questions.extend(views);
    for sql in questions {
        let there = asked(&[folder.to_str().unwrap()], &sql).unwrap();
        assert_eq!(there, rows(&database, &sql).unwrap(), "{sql}");
    }
}

#[test]
fn runs_of_several_exports_are_told_apart() {
    let (one, folder) = exported();
    let (_other, elsewhere) = exported();
    let folders = [folder.to_str().unwrap(), elsewhere.to_str().unwrap()];
    let calls = "SELECT run, count(*) AS calls FROM call GROUP BY run ORDER BY run";
    let expected = serde_json::json!([{"run": 1, "calls": 6}, {"run": 2, "calls": 6}]);
    assert_eq!(Value::from(asked(&folders, calls).unwrap()), expected);
    // What lies in one folder is found together, however deep.
    let together = one.folder.path().join("together");
    for (folder, name) in [(&folder, "monday"), (&elsewhere, "a/tuesday")] {
        let to = together.join(name);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::rename(folder, &to).unwrap();
    }
    let folders = [together.to_str().unwrap()];
    assert_eq!(Value::from(asked(&folders, calls).unwrap()), expected);
    let joined =
        "SELECT count(*) AS n FROM call AS a JOIN call AS b USING (run, node) WHERE a.run = 2";
    assert_eq!(asked(&folders, joined).unwrap()[0]["n"], 6);
}

#[test]
fn only_files_of_wanted_runs_are_read() {
    let (_one, folder) = exported();
    let (_other, elsewhere) = exported();
    // A file that is no Parquet would be noticed.
    let file = elsewhere.join("call/run-1/part-0.parquet");
    std::fs::write(file, "not a table").unwrap();
    let folders = [folder.to_str().unwrap(), elsewhere.to_str().unwrap()];
    let of_first = asked(&folders, "SELECT node FROM call WHERE run = 1").unwrap();
    assert_eq!(of_first.len(), 6);
    let said = asked(&folders, "SELECT node FROM call").unwrap_err();
    assert!(said.starts_with("askance: "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_url_names_a_place_for_exports() {
    let till = till();
    let url = format!("file://{}/a b", till.folder.path().display()).replace(' ', "%20");
    let answer = export(till.folder.path(), &url);
    assert!(answer.status.success(), "{answer:?}");
    assert!(
        till.folder
            .path()
            .join("a b/call/run-1/part-0.parquet")
            .is_file()
    );
    let calls = asked(&[&url], "SELECT count(*) AS n FROM call").unwrap();
    assert_eq!(calls[0]["n"], 6);
    let again = export(till.folder.path(), &url);
    let said = String::from_utf8(again.stderr).unwrap();
    assert!(said.contains("is not empty"), "{said}");
}

fn refusal(runs: &[&str], sql: &str) -> String {
    asked(runs, sql).unwrap_err()
}

#[test]
fn what_an_export_cannot_tell_is_said() {
    let (till, folder) = exported();
    let trace = till.folder.path().to_str().unwrap();
    let folder = folder.to_str().unwrap();
    let said = refusal(&[folder], "SELECT state(1, 2)");
    assert!(said.contains("state() looks into a trace"), "{said}");
    let said = refusal(&[folder], "SELECT * FROM line");
    assert!(said.contains("without the table line"), "{said}");
    let said = refusal(&[folder], "SELECT metod FROM call");
    assert!(said.contains("did you mean method?"), "{said}");
    let said = refusal(&[folder, folder], "SELECT * FROM below(2)");
    assert!(said.contains("below() works on a single run"), "{said}");
    let said = refusal(&[folder, trace], "SELECT 1");
    assert!(said.contains("cannot be asked together"), "{said}");
    let other = till.folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("notes.txt"), "nothing that was recorded").unwrap();
    let said = refusal(&[other.to_str().unwrap()], "SELECT 1");
    assert!(said.contains("neither a trace nor an export"), "{said}");
}

#[test]
fn a_place_that_cannot_be_is_said_to_be_none() {
    let till = till();
    let trace = till.folder.path().to_str().unwrap();
    for (url, part) in [
        ("ftp://somewhere/tables", "names no place for exports"),
        ("file://somewhere/tables", "names no place for exports"),
        #[cfg(not(feature = "clouds"))]
        ("s3://bucket/tables", "this build reaches no store of s3://"),
    ] {
        let said = refusal(&[url], "SELECT 1");
        assert!(said.contains(part), "{url}: {said}");
        let answer = export(Path::new(trace), url);
        assert_eq!(answer.status.code(), Some(2), "{url}");
    }
}

/// A server that speaks as Amazon's does; `python3 -m venv target/s3-server && target/s3-server/bin/pip install
/// 'moto[server]'` gets it. `cargo test -p askance-query --features clouds exported`
#[cfg(feature = "clouds")]
mod clouds {
    use std::net::{TcpListener, TcpStream};
    use std::process::{Child, Command, Output, Stdio};
    use std::time::{Duration, Instant};

    use java_model::sketches::till;
    use test_support::{require, target_dir};

    struct Server(Child);

    impl Drop for Server {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    fn server() -> Option<(Server, String)> {
        let there = target_dir().join("s3-server/bin/moto_server");
        let missing = "an S3 server is missing; see the comment above this test";
        let there = require(Some(there).filter(|there| there.exists()), missing)?;
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let mut command = Command::new(there);
        command.args(["-p", &address.port().to_string()]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let server = Server(command.spawn().unwrap());
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(50));
        }
        Some((server, format!("http://{address}")))
    }

    #[test]
    fn an_object_store_holds_exports() {
        let Some((_server, endpoint)) = server() else {
            return;
        };
        let asked = |words: &[&str]| -> Output {
            let mut command = Command::new(env!("CARGO_BIN_EXE_askance-query"));
            command
                .env("AWS_ENDPOINT", &endpoint)
                .env("AWS_ALLOW_HTTP", "true")
                .env("AWS_ACCESS_KEY_ID", "key")
                .env("AWS_SECRET_ACCESS_KEY", "secret");
            command.args(words).output().unwrap()
        };
        let made = Command::new("curl")
            .args(["-sf", "-X", "PUT", &format!("{endpoint}/recordings")])
            .status();
        assert!(made.unwrap().success());
        let till = till();
        let trace = till.folder.path().to_str().unwrap();
        for day in ["monday", "tuesday"] {
            let url = format!("s3://recordings/november/{day}");
            let exported = asked(&["export", trace, "--parquet", &url]);
            assert!(exported.status.success(), "{exported:?}");
        }
        let sql = "SELECT run, count(*) AS calls FROM call GROUP BY run ORDER BY run";
        let words = ["query", "--format", "csv", "s3://recordings/november", sql];
        let answer = asked(&words);
        assert!(answer.status.success(), "{answer:?}");
        assert_eq!(answer.stdout, b"run,calls\n1,6\n2,6\n");
        let nowhere = asked(&["query", "s3://recordings/december", "SELECT 1"]);
        let said = String::from_utf8(nowhere.stderr).unwrap();
        assert!(said.contains("neither a trace nor an export"), "{said}");
    }
}
