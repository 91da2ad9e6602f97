//! Ports that only this machine can reach, and on it only this user.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};

use super::failure::Failure;
use super::output;
use crate::caller::Caller;

/// Who is let in where the system does not tell who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strangers {
    /// What they say has to show that they may.
    Admitted,
    /// Nothing else would keep them out.
    Refused,
}

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

/// The next one who connects and may.
pub(super) fn next_client(
    listener: &TcpListener,
    strangers: Strangers,
) -> std::io::Result<TcpStream> {
    let here = listener.local_addr()?;
    loop {
        let (client, there) = listener.accept()?;
        match (Caller::of(there, here), strangers) {
            (Caller::Allowed, _) | (Caller::Unknown, Strangers::Admitted) => return Ok(client),
            (Caller::Unknown, Strangers::Refused) => output::talk(
                "askance: a connection was refused: the system does not tell whose it is",
            ),
            (Caller::Other(user), _) => output::talk(&format!(
                "askance: a connection of another user (number {user}) was refused"
            )),
        }
    }
}
