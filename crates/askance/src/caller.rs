//! Whose process is at the other end of a connection that stays on this machine.
//!
//! A port of the loopback interface is open to all users of the machine. What is served there holds what a program
//! held, so it is for one user only, and the kernel knows which user each socket belongs to: `/proc/net/tcp` has a
//! line for each, with both addresses and the user's number. What programs in Java connect with is a socket of version
//! six, which stands in a table of its own.

use std::fs;
use std::net::{SocketAddr, SocketAddrV4};

/// The tables of sockets, and what stands before an address of version four in each.
const TABLES: [(&str, &str); 2] = [
    ("/proc/net/tcp", ""),
    ("/proc/net/tcp6", "0000000000000000FFFF0000"),
];
/// The number of a user who can read everything anyway.
const ROOT: u32 = 0;
/// A connection that both sides can use, as the table has it.
const ESTABLISHED: &str = "01";

/// Who has connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caller {
    /// This user, or the one who may do everything.
    Allowed,
    /// Another user, by number.
    Other(u32),
    /// The system does not tell.
    Unknown,
}

impl Caller {
    /// Who is at `there`, connected with our port at `here`.
    pub(crate) fn of(there: SocketAddr, here: SocketAddr) -> Caller {
        let (SocketAddr::V4(there), SocketAddr::V4(here)) = (there, here) else {
            return Caller::Unknown;
        };
        let us = rustix::process::geteuid().as_raw();
        let mut owners = TABLES.iter().filter_map(|(table, prefix)| {
            let sockets = fs::read_to_string(table).ok()?;
            owner(&sockets, prefix, there, here)
        });
        match owners.next() {
            Some(ROOT) => Caller::Allowed,
            Some(user) if user == us => Caller::Allowed,
            Some(user) => Caller::Other(user),
            None => Caller::Unknown,
        }
    }
}

/// The user of the socket with these addresses. One that is closed already has no user any more.
fn owner(sockets: &str, prefix: &str, local: SocketAddrV4, remote: SocketAddrV4) -> Option<u32> {
    let [local, remote] = [local, remote].map(|address| format!("{prefix}{}", written(address)));
    sockets.lines().find_map(|line| {
        let columns: Vec<&str> = line.split_ascii_whitespace().collect();
        let [_, from, to, state, _, _, _, user, ..] = columns[..] else {
            return None;
        };
        let is_it = from == local && to == remote && state == ESTABLISHED;
        is_it.then(|| user.parse().ok())?
    })
}

/// An address as the table has it: as the machine holds it, in hexadecimal.
fn written(address: SocketAddrV4) -> String {
    let number = u32::from_ne_bytes(address.ip().octets());
    format!("{number:08X}:{:04X}", address.port())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener, TcpStream};

    use super::*;

    /// What a kernel has written, of a machine whose bytes are in this order.
    #[cfg(target_endian = "little")]
    const TABLE: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:138D 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 81 1 0 100 0 0 10 0
   1: 0100007F:138D 0100007F:A2B4 01 00000000:00000000 00:00000000 00000000     0        0 83 1 0 20 4 30 10 -1
   2: 0100007F:A2B4 0100007F:138D 01 00000000:00000000 00:00000000 00000000  1001        0 82 1 0 20 4 30 10 -1
   3: 0100007F:A2B6 0100007F:138D 06 00000000:00000000 03:00000D2F 00000000     0        0 0 3 0
";

    fn at(port: u16) -> SocketAddrV4 {
        SocketAddrV4::new(Ipv4Addr::LOCALHOST, port)
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn the_other_end_is_looked_up_and_not_ours() {
        let owner = |table, local, remote| owner(table, "", local, remote);
        assert_eq!(owner(TABLE, at(0xA2B4), at(5005)), Some(1001));
        assert_eq!(owner(TABLE, at(5005), at(0xA2B4)), Some(0));
        assert_eq!(owner(TABLE, at(0xA2B4), at(5006)), None);
        // Closed: root would seem to have it.
        assert_eq!(owner(TABLE, at(0xA2B6), at(5005)), None);
    }

    /// As a JVM connects.
    #[test]
    fn who_connects_by_version_six_is_allowed_too() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let here = listener.local_addr().unwrap();
        let mapped = (Ipv4Addr::LOCALHOST.to_ipv6_mapped(), here.port());
        let Ok(_client) = TcpStream::connect(mapped) else {
            return; // a machine without it
        };
        let (_server, there) = listener.accept().unwrap();
        assert_eq!(Caller::of(there, here), Caller::Allowed);
    }

    #[test]
    fn who_connects_from_this_process_is_allowed() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let here = listener.local_addr().unwrap();
        let client = TcpStream::connect(here).unwrap();
        let (_server, there) = listener.accept().unwrap();
        assert_eq!(client.local_addr().unwrap(), there);
        assert_eq!(Caller::of(there, here), Caller::Allowed);
    }
}
