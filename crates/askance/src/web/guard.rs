//! Who may ask: only pages that this server gave out, on this machine, to someone who knows the secret.
//!
//! The secret keeps out other users of the machine and other programs. The `Host` check keeps out
//! pages of a site whose name was made to point at this machine; the `Origin` check keeps out forms and
//! scripts of any other page. There are no CORS headers, so no other page can read an answer either.

use std::io;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::uri::Uri;
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use tracing::Instrument;

use askance_api::ApiError;

use super::refusal::Refused;

/// What the browser must not do with our pages.
const POLICY: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// 128 random bits in hexadecimal.
pub(crate) fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What a request must show.
pub(super) struct Gate {
    token: String,
    hosts: [String; 2],
}

impl Gate {
    pub(super) fn new(token: String, port: u16) -> Gate {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        Gate { token, hosts }
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Why a request is refused, if it is.
    fn objection(&self, uri: &Uri, headers: &HeaderMap) -> Option<&'static str> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let is_ours = |host: &str| self.hosts.iter().any(|ours| ours == host);
        let host = hosts.next().and_then(|host| host.to_str().ok());
        if hosts.next().is_some() || !host.is_some_and(is_ours) {
            return Some("the Host header names another server");
        }
        let is_our_page = |origin: &HeaderValue| {
            let origin = origin.to_str().ok();
            origin
                .and_then(|origin| origin.strip_prefix("http://"))
                .is_some_and(is_ours)
        };
        if !headers.get_all(header::ORIGIN).iter().all(is_our_page) {
            return Some("the request comes from a page of another origin");
        }
        let given = uri.path().trim_start_matches('/').split('/').next();
        if !same(given.unwrap_or_default(), &self.token) {
            return Some(
                "the address has no valid token: open the one that `askance serve` printed",
            );
        }
        None
    }
}

/// Compares without telling by the time it takes where the difference is.
pub(crate) fn same(given: &str, secret: &str) -> bool {
    let different = given
        .bytes()
        .zip(secret.bytes())
        .fold(0, |different, (one, other)| different | (one ^ other));
    given.len() == secret.len() && different == 0
}

/// Lets a request through, or refuses it.
pub(super) async fn check(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let mut response = match gate.objection(request.uri(), request.headers()) {
        Some(why) => {
            tracing::warn!(why, "request refused");
            Refused::from(ApiError::forbidden(why)).into_response()
        }
        // The page's own addresses are relative to the folder.
        None if request.uri().path().trim_start_matches('/') == gate.token => {
            Redirect::permanent(&format!("/{}/", gate.token)).into_response()
        }
        None => {
            let span =
                tracing::info_span!("request", method = %request.method(), to = told(&request));
            next.run(request).instrument(span).await
        }
    };
    let headers = response.headers_mut();
    for (name, value) in POLICY {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The address without the secret that it begins with, which no log may have.
fn told(request: &Request) -> &str {
    let path = request.uri().path().trim_start_matches('/');
    path.split_once('/').map_or("", |(_, behind)| behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objection(path: &str, headers: &[(HeaderName, &'static str)]) -> Option<&'static str> {
        let gate = Gate::new("c0ffee".to_owned(), 8080);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name.clone(), HeaderValue::from_static(value));
        }
        gate.objection(&path.parse().expect("a path"), &map)
    }

    #[test]
    fn only_the_whole_token_opens() {
        let host = [(header::HOST, "127.0.0.1:8080")];
        assert_eq!(objection("/c0ffee/", &host), None);
        assert_eq!(objection("/c0ffee/api/runs", &host), None);
        for path in ["/", "/c0ffe/", "/c0ffee0/", "/x/c0ffee/", "/C0FFEE/"] {
            assert!(objection(path, &host).is_some(), "{path}");
        }
    }

    #[test]
    fn only_our_own_names_are_hosts_and_origins() {
        let path = "/c0ffee/";
        assert_eq!(objection(path, &[(header::HOST, "localhost:8080")]), None);
        for host in ["127.0.0.1", "evil.example:8080", "127.0.0.1:80", ""] {
            assert!(objection(path, &[(header::HOST, host)]).is_some(), "{host}");
        }
        assert!(objection(path, &[]).is_some());
        let ours = (header::HOST, "localhost:8080");
        assert!(objection(path, &[ours.clone(), (header::HOST, "evil.example")]).is_some());
        let own = (header::ORIGIN, "http://localhost:8080");
        assert_eq!(objection(path, &[ours.clone(), own]), None);
        for origin in ["http://evil.example", "null", "https://localhost:8080", ""] {
            let headers = [ours.clone(), (header::ORIGIN, origin)];
            assert!(objection(path, &headers).is_some(), "{origin}");
        }
    }

    #[test]
    fn secrets_are_long_and_differ() {
        let (one, other) = (secret().expect("random"), secret().expect("random"));
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }
}
