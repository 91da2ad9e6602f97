//! The page's own files. They are inside the executable, so no address can lead to any other file.

use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use super::refusal::nothing_here;

/// Address, media type, content.
type File = (&'static str, &'static str, &'static [u8]);

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What is shown instead by an executable that was built without the page.
const PLAIN: &str = include_str!("plain.html");

/// The page itself.
pub(super) async fn index() -> Response {
    match file("index.html") {
        Some(page) => page,
        None => ([(CONTENT_TYPE, "text/html; charset=utf-8")], PLAIN).into_response(),
    }
}

/// Any other file of the page.
pub(super) async fn serve(uri: Uri) -> Response {
    match file(uri.path().trim_start_matches('/')) {
        Some(found) => found,
        None => nothing_here().await.into_response(),
    }
}

fn file(path: &str) -> Option<Response> {
    let (name, media_type, content) = FILES.iter().find(|(name, _, _)| *name == path)?;
    // Names of assets change with their content.
    let keeps = if name.starts_with("assets/") {
        "private, max-age=31536000, immutable"
    } else {
        "no-store"
    };
    let headers = [(CONTENT_TYPE, *media_type), (CACHE_CONTROL, keeps)];
    Some((headers, *content).into_response())
}
