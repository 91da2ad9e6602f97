//! Requests to the page's interface, without a socket, about a recorded run and an imported tree.
//!
//! An input is one request a line: `POST /session/answer {"revision":0,"answer":"yes"}` or `GET /node?node=3`. Each
//! input begins with a new session, so that it does the same whenever it is run; which of the two it is about is
//! decided by its content. No request may be answered with "a mistake in Askance", which is what a panic becomes.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use anyhow::{Context, Result};
use askance::web::service;
use askance_api::{LiveRun, RunSnapshot};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use debug_engine::oracle::Cascade;
use http_body_util::BodyExt;
use inquiry::Opening;
use inquiry::imported::{self, ImportedTree};
use java_model::run::JavaRun;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tower::ServiceExt;
use trace_format::files;

use super::digest;
use crate::recorded;

const TOKEN: &str = "c0ffee";
const PORT: u16 = 8080;
/// More requests than these are another input.
const MOST_REQUESTS: usize = 12;
/// The page's stream of news does not end by itself.
const ENDLESS: &str = "updates";

pub(super) const WORDS: &[&[u8]] = &[
    b"GET /",
    b"POST /session/answer ",
    b"POST /session/undo ",
    b"POST /session/ask ",
    b"POST /session/inside ",
    b"POST /session/revise ",
    b"POST /session/strategy ",
    b"POST /session/transform ",
    b"{\"revision\":1,\"answer\":\"no\"}",
    b"\"path\":\"this\"",
    b"\"node\":2",
    b"node?node=1",
    b"children?node=0",
    b"search?text=a",
    b"history?variable=this",
    b"why?node=1&path=return",
    b"events?node=1&changes=this",
    b"&event=1",
    b"&from=0&most=500",
    b"18446744073709551615",
    b"4294967295",
    b"-1",
    b"null",
    b"\n",
    b"%00",
    "äβ𝛾".as_bytes(),
];

/// What all inputs share: opening a run takes much longer than asking about it.
struct Runs {
    runtime: Runtime,
    recorded: Arc<JavaRun>,
    imported: Arc<ImportedTree>,
    _folder: TempDir,
}

static RUNS: LazyLock<Runs> = LazyLock::new(|| match Runs::open() {
    Ok(runs) => runs,
    Err(error) => panic!("there is nothing to ask about: {error:#}"),
});

impl Runs {
    fn open() -> Result<Runs> {
        let traces = recorded::traces()?;
        let trace = traces.first().context("nothing is recorded")?;
        let folder = TempDir::new()?;
        Ok(Runs {
            runtime: tokio::runtime::Builder::new_current_thread().build()?,
            recorded: Arc::new(JavaRun::open(trace, None, &mut |_, _| {})?),
            imported: Arc::new(import(folder.path())?),
            _folder: folder,
        })
    }

    fn service(&self, is_recorded: bool) -> Result<Router> {
        let opening = Opening::default();
        let served = match is_recorded {
            true => {
                let run = Arc::clone(&self.recorded);
                RunSnapshot::recorded(run, &opening, Cascade::new(), None)?
            }
            false => RunSnapshot::imported(Arc::clone(&self.imported), &opening, Cascade::new())?,
        };
        let slot = Arc::new(LiveRun::complete(served));
        Ok(service(vec![slot], TOKEN.to_owned(), PORT))
    }
}

/// A tree of eighty calls in which every call has two children.
fn import(folder: &Path) -> Result<ImportedTree> {
    let mut lines = String::new();
    let mut open = vec![(1u32, None)];
    while let Some((id, parent)) = open.pop() {
        let parent = parent.map_or("null".to_owned(), |parent: u32| parent.to_string());
        let name = format!("module.routine{}", id % 7);
        lines += &format!(
            "{{\"id\":{id},\"parent\":{parent},\"name\":\"{name}\",\"before\":{{\"n\":{id}}},\
             \"after\":{{\"n\":{}}},\"returns\":[{id},\"text\"]}}\n",
            id + 1
        );
        if id < 40 {
            open.push((id * 2 + 1, Some(id)));
            open.push((id * 2, Some(id)));
        }
    }
    let source = folder.join("tree.jsonl");
    fs::write(&source, lines)?;
    let inside = folder.join(files::IMPORTED);
    fs::create_dir_all(&inside)?;
    imported::import(&source, &inside, &mut |_, _| true)?;
    Ok(ImportedTree::open(folder)?)
}

pub(super) fn run(bytes: &[u8]) {
    let runs = &*RUNS;
    // A recorded run has more that can be asked for.
    let service = match runs.service(!digest(bytes).is_multiple_of(3)) {
        Ok(service) => service,
        Err(error) => panic!("no session can be had: {error:#}"),
    };
    let lines = bytes.split(|&byte| byte == b'\n').take(MOST_REQUESTS);
    for (number, line) in lines.enumerate() {
        if let Some(request) = request(line) {
            let address = request.uri().to_string();
            let status = runs.runtime.block_on(answer(&service, request));
            assert!(
                status != StatusCode::INTERNAL_SERVER_ERROR,
                "request {number} was answered with a mistake of ours: {address}"
            );
        }
    }
}

/// The request that a line stands for, if it is one at all.
fn request(line: &[u8]) -> Option<Request<Body>> {
    let (method, rest) = match (line.strip_prefix(b"GET /"), line.strip_prefix(b"POST /")) {
        (Some(rest), _) => ("GET", rest),
        (None, Some(rest)) => ("POST", rest),
        (None, None) => return None,
    };
    let end = rest.iter().position(|&byte| byte == b' ');
    let (path, body) = match (method, end) {
        ("POST", Some(end)) => (&rest[..end], &rest[end + 1..]),
        _ => (rest, &[][..]),
    };
    let path = std::str::from_utf8(path).ok()?;
    if path.starts_with(ENDLESS) {
        return None;
    }
    Request::builder()
        .method(method)
        .uri(format!("/{TOKEN}/api/runs/0/{path}"))
        .header(header::HOST, format!("127.0.0.1:{PORT}"))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_vec()))
        .ok()
}

async fn answer(service: &Router, request: Request<Body>) -> StatusCode {
    let response = match service.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    let status = response.status();
    let _ = response.into_body().collect().await;
    status
}

/// Sessions as they are held, and every resource once.
pub(super) fn seeds() -> Result<Vec<Vec<u8>>> {
    let looks = [
        "GET /children?node=0&from=0&most=50\nGET /path?node=3\nGET /node?node=3&width=5&depth=3",
        "GET /node?node=2&event=1\nGET /step?node=2&event=1&to=next\nGET /step?node=2&to=back",
        "GET /events?node=1&from=0&most=50&changes=this\nGET /events/find?node=1&text=a&from=0",
        "GET /event?node=1&instruction=3\nGET /overview?node=0&width=100\nGET /overview",
        "GET /history?variable=this&node=2&from=0&most=10\nGET /source?node=2\nGET /moved?node=1&snapshot=0",
        "GET /why?node=2&path=return&control=true&steps=20\nGET /search?text=a&from=0&most=20",
        "GET /session\nGET /diagnosis\nGET /\nGET /live\nGET /live/output\nPOST /live/stop {}",
    ];
    let talks = [
        r#"POST /session/answer {"revision":0,"answer":"no"}
POST /session/answer {"revision":1,"answer":"yes"}
POST /session/undo {"revision":2}
POST /session/answer {"revision":3,"answer":"unknown"}
GET /session"#,
        r#"POST /session/answer {"revision":0,"answer":"wrong","path":"return"}
POST /session/answer {"revision":1,"answer":"trust-class"}
POST /session/undo {"revision":2,"place":0}
POST /session/revise {"revision":3}
GET /diagnosis"#,
        r#"POST /session/strategy {"name":"top-down"}
POST /session/transform {"list":"loops,balance"}
POST /session/ask {"node":2}
POST /session/answer {"revision":3,"answer":"no","node":2}
POST /session/restart {}
GET /session"#,
        r#"POST /session/strategy {"name":"heaviest-first"}
POST /session/answer {"revision":1,"answer":"no"}
POST /session/answer {"revision":2,"answer":"yes"}
POST /session/answer {"revision":3,"answer":"yes"}
POST /session/answer {"revision":4,"answer":"yes"}
POST /session/answer {"revision":5,"answer":"yes"}
POST /session/answer {"revision":6,"answer":"yes"}
POST /session/inside {"revision":7,"said":"begin"}
POST /session/inside {"revision":8,"said":"no"}
POST /session/inside {"revision":9,"said":"undo"}
GET /diagnosis"#,
        r#"POST /session/answer {"revision":0,"answer":"inadmissible"}
POST /session/answer {"revision":1,"answer":"trust"}
POST /session/answer {"revision":2,"answer":"trust-package"}
POST /session/answer {"revision":3,"answer":"no","node":1}
GET /session"#,
    ];
    let all = looks.iter().chain(&talks);
    Ok(all.map(|text| text.as_bytes().to_vec()).collect())
}
