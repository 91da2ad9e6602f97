//! What `askance serve` refuses, and that it goes on afterwards.

use std::net::TcpStream;

use crate::support::recorded::merge_sort;
use crate::support::run;
use crate::support::served::Serving;
use serde_json::json;

fn server() -> Serving {
    Serving::start(merge_sort().folder.path(), &["trace"])
}

#[track_caller]
fn is_alive(server: &Serving) {
    let runs = server.found("api/runs");
    assert_eq!(runs, json!([{"run": 0, "name": "trace"}]));
}

#[test]
fn nothing_is_told_without_the_token() {
    let server = &server();
    let wrong = "0".repeat(server.token.len());
    let paths = [
        "/".to_owned(),
        "/api/runs".to_owned(),
        format!("/{wrong}/api/runs"),
        format!("/{}0/api/runs", server.token),
        format!("/{}/api/runs", &server.token[1..]),
        format!("//{wrong}//api/runs"),
        format!("/?token={}", server.token),
    ];
    for path in paths {
        let response = server.request(&format!("GET {path}"), &[("Host", &server.host)], "");
        assert_eq!(response.status, 403, "{path}: {response:?}");
        assert!(!response.body.contains(&server.token), "{path}");
    }
    is_alive(server);
}

#[test]
fn the_page_is_where_the_address_says() {
    let server = &server();
    let page = server.get("");
    assert_eq!(page.status, 200, "{page:?}");
    assert!(page.body.contains("<title>Askance</title>"), "{page:?}");
    let line = format!("GET /{}", server.token);
    let there = server.request(&line, &[("Host", &server.host)], "");
    assert_eq!(there.status, 308, "{there:?}");
}

#[test]
fn another_host_is_refused() {
    let server = &server();
    let port = server.host.split(':').next_back().unwrap();
    let line = format!("GET /{}/api/runs", server.token);
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1",
        "127.0.0.1:1",
    ] {
        assert_eq!(
            server.request(&line, &[("Host", host)], "").status,
            403,
            "{host}"
        );
    }
    assert!([400, 403].contains(&server.request(&line, &[], "").status));
    let localhost = format!("localhost:{port}");
    assert_eq!(
        server.request(&line, &[("Host", &localhost)], "").status,
        200
    );
    is_alive(server);
}

#[test]
fn another_origin_is_refused_and_no_page_may_read_across() {
    let server = &server();
    let line = format!("POST /{}/api/runs/0/session/restart", server.token);
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "file://",
    ] {
        let headers = [
            ("Host", server.host.as_str()),
            ("Origin", origin),
            ("Content-Type", "application/json"),
        ];
        assert_eq!(
            server.request(&line, &headers, "{}").status,
            403,
            "{origin}"
        );
    }
    // What a form of another page could send without being asked first.
    let headers = [
        ("Host", server.host.as_str()),
        ("Content-Type", "text/plain"),
    ];
    assert_eq!(server.request(&line, &headers, "{}").status, 415);
    let response = server.get("api/runs");
    let head = response.head.to_lowercase();
    assert!(!head.contains("access-control-"), "{head}");
    for header in [
        "content-security-policy: default-src 'none'",
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
    ] {
        assert!(head.contains(header), "{header}: {head}");
    }
    is_alive(server);
}

#[test]
fn no_address_leads_to_a_file() {
    let server = &server();
    for path in [
        "../../../../etc/passwd",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/etc/passwd",
        "/etc/passwd",
        "assets/../../Cargo.toml",
        "api/runs/0/../../../etc/passwd",
        "api/runs/..%2f..%2fetc/",
        "api/runs/-1/",
        "api/runs/1/",
        "api/runs/0/source?node=0&file=/etc/passwd%00",
        "%00",
        "\\..\\..\\etc\\passwd",
    ] {
        let response = server.get(path);
        assert!(!response.body.contains("root:"), "{path}: {response:?}");
        assert!(
            [200, 400, 403, 404].contains(&response.status),
            "{path}: {response:?}"
        );
        if response.status == 200 {
            assert!(response.body.contains("Main.java"), "{path}: {response:?}");
        }
    }
    is_alive(server);
}

#[test]
fn huge_and_malformed_requests_are_refused() {
    let server = &server();
    let answer = "api/runs/0/session/answer";
    let huge = json!({"revision": 1, "answer": "x".repeat(1 << 20)});
    assert_eq!(server.post(answer, &huge).status, 413);
    let line = format!("POST /{}/{answer}", server.token);
    let headers = [
        ("Host", server.host.as_str()),
        ("Content-Type", "application/json"),
    ];
    for body in [
        "{",
        "[]",
        "null",
        "{\"revision\": -1, \"answer\": \"yes\"}",
        "{\"revision\": 1, \"answer\": \"maybe\"}",
        "{\"revision\": 1, \"answer\": \"yes\", \"more\": 1}",
        &"[".repeat(50_000),
    ] {
        let status = server.request(&line, &headers, body).status;
        assert!([400, 422].contains(&status), "{status}: {body:.40}");
    }
    for query in [
        "node?node=4294967295",
        "node?node=-1",
        "node?node=99999999999999",
        "node",
        "node?node=0&event=18446744073709551615",
        "node?node=0&width=18446744073709551615&depth=18446744073709551615",
        "children?of=0&from=18446744073709551615&most=18446744073709551615",
        "events?node=0&from=18446744073709551615",
        "history?variable=%5B%5B%5B",
        "history?variable=",
        "why?node=0&path=nothing",
        "search?text=",
        "search?text=a&from=4294967295",
        "path?node=4294967295",
        "step?node=0&event=18446744073709551615&to=next",
        "step?node=0&to=sideways",
        "elsewhere",
    ] {
        let response = server.get(&format!("api/runs/0/{query}"));
        assert!(
            [200, 400, 404].contains(&response.status),
            "{query}: {response:?}"
        );
    }
    for bytes in [
        &b"\x00\x01\x02\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        &[b'A'; 1 << 20],
    ] {
        let response = server.send(bytes);
        assert!(
            response.status == 0 || response.status >= 400,
            "{response:?}"
        );
    }
    // Someone who never says anything keeps nobody waiting.
    let _silent: Vec<TcpStream> = (0..50)
        .map(|_| TcpStream::connect(&server.host).unwrap())
        .collect();
    is_alive(server);
}

#[test]
fn mistakes_in_the_call_get_one_sentence() {
    let recorded = merge_sort();
    let folder = recorded.folder.path();
    run(folder, ["serve", "--no-open", "nowhere"]).refused(2, "nowhere");
    run(folder, ["serve"]).refused(2, "TRACE");
    let server = server();
    let port = server.host.split(':').next_back().unwrap();
    run(folder, ["serve", "--no-open", "trace", "--port", port])
        .refused(2, "cannot be listened on");
}
