//! The questions and all views for programs that speak the Model Context Protocol, over standard input
//! and output.
//!
//! The tools are those of the browser page's interface, over the same sessions ([`Slot`]), so that a person
//! at the page and an agent here can work on one session. What an agent says is kept as an agent's word, with
//! its confidence; it never overrules a person. An agent reads through a small window: everything that can be
//! long comes in pages, and values are told as text within bounds. It can open what the server was started
//! for ([`Workplace`]) and nothing else; no tool takes the name of a file to read.

mod answers;
mod economy;
mod requests;
mod sessions;
mod step;
mod tools;

use std::io;
use std::path::Path;
use std::sync::Arc;

use debug_engine::session::Confidence;
use rmcp::ServiceExt as _;
use rmcp::handler::server::router::tool::ToolRouter;

pub use answers::RecordedRun;
use askance_api::LiveRun;
pub use requests::{OpenWanted, RecordWanted};
use sessions::Sessions;

/// What the server was started for.
pub trait Workplace: Send + Sync + 'static {
    /// The traces that may be opened, by name.
    fn traces(&self) -> Vec<String>;

    /// Opens one of them.
    ///
    /// # Errors
    /// One sentence for the agent.
    fn open(&self, wanted: &OpenWanted) -> Result<Arc<LiveRun>, String>;

    /// How sure the agent must be of an answer.
    fn least_confidence(&self) -> Confidence;

    /// Whether programs may be run and recorded.
    fn may_record(&self) -> bool;

    /// Runs and records a program; its trace may be opened then.
    ///
    /// # Errors
    /// One sentence for the agent.
    fn record(&self, wanted: &RecordWanted) -> Result<RecordedRun, String>;
}

/// The server, once for its one client.
#[derive(Clone)]
struct Server {
    workplace: Arc<dyn Workplace>,
    sessions: Arc<Sessions>,
    tool_router: ToolRouter<Server>,
}

/// Answers the client until it goes away.
///
/// # Errors
/// If the client does not speak the protocol, or the streams break.
pub fn serve(workplace: Arc<dyn Workplace>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let ended: Result<(), Box<dyn std::error::Error + Send + Sync>> = runtime.block_on(async {
        let server = Server::new(workplace);
        let service = server.serve(rmcp::transport::stdio()).await?;
        service.waiting().await?;
        Ok(())
    });
    // Whoever still reads the input must not keep the process.
    runtime.shutdown_background();
    ended.map_err(io::Error::other)
}

impl Server {
    fn new(workplace: Arc<dyn Workplace>) -> Server {
        let mut tool_router = Server::tool_router();
        if !workplace.may_record() {
            tool_router.remove_route("record");
        }
        Server {
            workplace,
            sessions: Arc::default(),
            tool_router,
        }
    }
}

/// The name by which a trace's folder is known to agents.
#[must_use]
pub fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    name.to_string_lossy().into_owned()
}
