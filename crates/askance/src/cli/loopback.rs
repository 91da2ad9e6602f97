//! Ports that only this machine can reach.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use super::failure::Failure;

/// Listens on a port of this machine; 0 is any that is free.
pub(super) fn listen(port: u16) -> Result<(TcpListener, SocketAddr), Failure> {
    let mistake = |error| {
        Failure::mistake(format!("port {port} cannot be listened on: {error}"))
            .hint("--port 0 takes one that is free")
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(mistake)?;
    let address = listener.local_addr().map_err(mistake)?;
    Ok((listener, address))
}
