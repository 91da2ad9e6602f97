//! A running `askance serve`, and a client that says exactly the bytes it is told to.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::askance;

/// A server of its own, which ends with the test.
pub(crate) struct Serving {
    child: Child,
    pub(crate) host: String,
    pub(crate) token: String,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Serving {
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Serving {
        let mut command = askance(folder);
        command.args(["serve", "--no-open"]).args(arguments);
        if !arguments.contains(&"--strategy") {
            // What is said here was written for one call, or several taken together, at a time.
            command.args(["--strategy", "ranges"]);
        }
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut url = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut url).unwrap();
        Serving::at(url.trim(), child)
    }

    /// What another command serves beside.
    pub(crate) fn at(url: &str, child: Child) -> Serving {
        let (host, token) = url
            .strip_prefix("http://")
            .and_then(|rest| rest.strip_suffix('/')?.split_once('/'))
            .unwrap_or_else(|| panic!("no address: {url:?}"));
        Serving {
            host: host.to_owned(),
            token: token.to_owned(),
            child,
        }
    }

    /// Its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes and reads what comes back until the server closes.
    pub(crate) fn send(&self, request: &[u8]) -> Response {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        // The server may refuse and close before everything is sent.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok());
        Response {
            status: status.unwrap_or(0),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// A request with these headers and nothing else.
    pub(crate) fn request(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        text.push_str(body);
        self.send(text.as_bytes())
    }

    /// What a page of ours would ask.
    pub(crate) fn get(&self, path: &str) -> Response {
        let line = format!("GET /{}/{path}", self.token);
        self.request(&line, &[("Host", &self.host)], "")
    }

    #[track_caller]
    pub(crate) fn found(&self, path: &str) -> Value {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {response:?}");
        response.json()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        let line = format!("POST /{}/{path}", self.token);
        let origin = format!("http://{}", self.host);
        let headers = [
            ("Host", self.host.as_str()),
            ("Origin", origin.as_str()),
            ("Content-Type", "application/json"),
        ];
        self.request(&line, &headers, &body.to_string())
    }

    #[track_caller]
    pub(crate) fn done(&self, path: &str, body: &Value) -> Value {
        let response = self.post(path, body);
        assert_eq!(response.status, 200, "{path}: {response:?}");
        response.json()
    }

    /// The session, when those who answer before a person have been heard.
    #[track_caller]
    pub(crate) fn settled(&self) -> Value {
        for _ in 0..600 {
            let session = self.found("api/runs/0/session");
            if session["thinking"] == false {
                return session;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the oracles think for ever");
    }

    /// A stream of server-sent events, from its beginning.
    pub(crate) fn updates(&self) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let request = format!(
            "GET /{}/api/runs/0/updates HTTP/1.1\r\nHost: {}\r\n\r\n",
            self.token, self.host
        );
        stream.write_all(request.as_bytes()).unwrap();
        BufReader::new(stream)
    }
}

/// Listens until a stream tells this revision.
pub(crate) fn hear_of(updates: &mut BufReader<TcpStream>, revision: u64) {
    loop {
        let mut line = String::new();
        assert_ne!(updates.read_line(&mut line).unwrap(), 0, "the stream ended");
        if let Some(data) = line.trim().strip_prefix("data:") {
            let standing: Value = serde_json::from_str(data).unwrap();
            let told = standing["revision"].as_u64().unwrap();
            assert!(told <= revision, "{standing}");
            if told == revision {
                return;
            }
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
