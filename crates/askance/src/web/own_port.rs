//! The port, on which only this user is heard.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::serve::Listener;
use tokio::net::{TcpListener, TcpStream};

use crate::caller::Caller;

/// When no connection can be taken because there are too many, some will go.
const PAUSE: Duration = Duration::from_millis(100);

/// See the module's header.
pub(super) struct OwnPort {
    listener: TcpListener,
    here: SocketAddr,
}

impl OwnPort {
    pub(super) fn new(listener: std::net::TcpListener) -> io::Result<OwnPort> {
        let here = listener.local_addr()?;
        let listener = TcpListener::from_std(listener)?;
        Ok(OwnPort { listener, here })
    }
}

impl Listener for OwnPort {
    type Io = TcpStream;
    type Addr = SocketAddr;

    /// Where the system does not tell who connects, the secret in the address has to do.
    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((client, there)) => match Caller::of(there, self.here) {
                    Caller::Other(user) => tracing::warn!(user, "another user was refused"),
                    Caller::Allowed | Caller::Unknown => return (client, there),
                },
                Err(error) => {
                    tracing::warn!(%error, "no connection");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.here)
    }
}
