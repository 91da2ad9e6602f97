//! The page's own files. They are inside the executable, so no address can lead to any other file.
//!
//! They are kept built in the repository, so that building Askance needs no npm: `cargo xtask page` makes them from
//! `web-ui`, and a test tells whether they are what it would make.

use std::io;

use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::refusal::nothing_here;

const SCRIPT: &[u8] = include_bytes!("../../page/assets/index.js");
const STYLE: &[u8] = include_bytes!("../../page/assets/index.css");

/// Address, media type, content.
type File = (&'static str, &'static str, &'static [u8]);

const INDEX: &str = "index.html";

const FILES: [File; 4] = [
    (
        INDEX,
        "text/html; charset=utf-8",
        include_bytes!("../../page/index.html"),
    ),
    ("assets/index.js", "text/javascript; charset=utf-8", SCRIPT),
    ("assets/index.css", "text/css; charset=utf-8", STYLE),
    (
        "assets/icon.svg",
        "image/svg+xml",
        include_bytes!("../../page/assets/icon.svg"),
    ),
];

/// The page itself.
pub(super) async fn index() -> Response {
    answer(INDEX).await
}

/// Any other file of the page.
pub(super) async fn serve(uri: Uri) -> Response {
    answer(uri.path().trim_start_matches('/')).await
}

async fn answer(path: &str) -> Response {
    match file(path) {
        Some(found) => found,
        None => nothing_here().await.into_response(),
    }
}

fn file(path: &str) -> Option<Response> {
    let (name, media_type, content) = FILES.iter().find(|(name, _, _)| *name == path)?;
    // The address has the server's secret in it, and no other server has the same.
    let keeps = if name.starts_with("assets/") {
        "private, max-age=31536000, immutable"
    } else {
        "no-store"
    };
    let headers = [(CONTENT_TYPE, *media_type), (CACHE_CONTROL, keeps)];
    Some((headers, *content).into_response())
}

/// The page in one file, without a server: what it would ask for stands in it. The policy lets only our own script run,
/// whatever the recorded values say, and nothing be loaded or sent.
pub(crate) fn in_one_file(title: &str, saved: &impl Serialize) -> io::Result<String> {
    // No value can end the element that it stands in.
    let saved = serde_json::to_string(saved)?.replace('<', "\\u003c");
    let script = String::from_utf8_lossy(SCRIPT).replace("</script", "<\\/script");
    let style = String::from_utf8_lossy(STYLE);
    let nonce = super::guard::secret()?;
    let title = title
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    Ok(format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="askance-saved">{saved}</script>
<script type="module" nonce="{nonce}">{script}</script>
</body>
</html>
"#
    ))
}
