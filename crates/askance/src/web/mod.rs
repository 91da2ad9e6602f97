//! The browser front end's server: pages and a typed JSON interface over the same sessions and views
//! that the terminal has.
//!
//! A trace holds what a program held, so nothing of it may leak: the server listens on the loopback
//! interface only and refuses other users ([`own_port`]: a browser is started with the address on its command line,
//! which they can see), every address begins with a random secret, the `Host` and `Origin` headers must be our own, and
//! no address names a file ([`guard`]). Nothing is served whole that can be large:
//! lists come in pages, values within bounds. Work on the trace is synchronous and runs on threads
//! for blocking work, so that a long look-up never keeps other requests waiting.

mod guard;
mod in_place;
mod own_port;
mod page;
mod refusal;
mod routes;
mod updates;

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;

use askance_api::LiveRun;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::get;

pub(crate) use guard::{same as is_same, secret};
pub(crate) use page::in_one_file;

use own_port::OwnPort;

/// No request says more than this.
const LARGEST_BODY: usize = 64 * 1024;
/// Requests are short, and the work is done elsewhere.
const THREADS: usize = 2;

/// What all requests share.
struct App {
    runs: Vec<Arc<LiveRun>>,
}

/// A server that has its port and its secret, and does not answer yet.
pub struct Server {
    listener: TcpListener,
    port: u16,
    token: String,
    app: Arc<App>,
}

impl Server {
    /// Takes a port of the loopback interface; 0 is any that is free.
    ///
    /// # Errors
    /// If the port is taken, or the machine has no randomness to give.
    pub fn bind(runs: Vec<Arc<LiveRun>>, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok(Server {
            listener,
            port,
            token: guard::secret()?,
            app: Arc::new(App { runs }),
        })
    }

    /// Where the page is, with its secret.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Answers requests until the process ends.
    ///
    /// # Errors
    /// If the listening fails.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .enable_all()
            .build()?;
        let router = router(self.app, self.token, self.port);
        runtime.block_on(async {
            let port = OwnPort::new(self.listener)?;
            axum::serve(port, router).await
        })
    }
}

/// What answers requests about runs, without a socket, for whoever brings requests in another way. They have to
/// begin with the token and to name the port, as those of a browser do.
pub fn service(runs: Vec<Arc<LiveRun>>, token: String, port: u16) -> Router {
    router(Arc::new(App { runs }), token, port)
}

fn router(app: Arc<App>, token: String, port: u16) -> Router {
    let inside = Router::new()
        .nest("/api", routes::router())
        .fallback(page::serve)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .with_state(app);
    let gate = Arc::new(guard::Gate::new(token, port));
    // A nested router does not see its own root with a slash behind it.
    Router::new()
        .route(&format!("/{}/", gate.token()), get(page::index))
        .nest(&format!("/{}", gate.token()), inside)
        .fallback(refusal::nothing_here)
        .layer(middleware::from_fn_with_state(gate, guard::check))
}
