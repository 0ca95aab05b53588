//! A TCP connection under a deadline: bytes, and why there are none.

use crate::deadline::Deadline;
use crate::failure::Failure;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Far more than any handshake that ends needs.
const MAXIMAL_HANDSHAKE: usize = 1 << 20;

pub struct Wire {
    stream: TcpStream,
    deadline: Deadline,
    /// The first bytes of the peer, by which TLS is known.
    opening: Vec<u8>,
    total: usize,
}

impl Wire {
    pub fn dial(host: &str, port: u16, deadline: Deadline) -> Result<Self, Failure> {
        if deadline.left().is_none() {
            return Err(Failure::new("local-overload", "the program had too much to do before the deadline"));
        }
        let addresses = look_up(host, port, deadline)?;
        if addresses.is_empty() {
            return Err(Failure::new("name-not-found", format!("'{host}' has no address")));
        }
        let mut failure = Failure::new("connect-timeout", "the deadline passed before there was a connection");
        for (index, address) in addresses.iter().enumerate() {
            let left = match deadline.left() {
                Some(left) => left / (addresses.len() - index) as u32,
                None => break,
            };
            match TcpStream::connect_timeout(address, left.max(Duration::from_millis(1))) {
                Ok(stream) => {
                    let _ = stream.set_nodelay(true);
                    return Ok(Wire { stream, deadline, opening: Vec::new(), total: 0 });
                }
                Err(error) => failure = no_connection(error),
            }
        }
        Err(failure)
    }

    /// The address that was reached, with brackets around IPv6.
    pub fn address(&self) -> Option<String> {
        let mut address = self.stream.peer_addr().ok()?;
        if let SocketAddr::V6(address) = &mut address {
            address.set_scope_id(0);
        }
        Some(address.to_string())
    }

    /// Reads the next bytes of a handshake; never none.
    pub fn receive(&mut self, buffer: &mut [u8]) -> Result<usize, Failure> {
        let left = self.deadline.left().unwrap_or(Duration::ZERO);
        let count = self.receive_within(left, buffer)?;
        if self.opening.len() < 2 {
            self.opening.extend_from_slice(&buffer[..count.min(2)]);
            let is_tls = (20..=24).contains(&self.opening[0]) && self.opening.get(1).map_or(true, |byte| *byte == 3);
            if !is_tls {
                let shown = buffer[..count.min(16)].escape_ascii();
                return Err(Failure::new("not-tls", format!("the server does not speak TLS: it sent '{shown}'")));
            }
        }
        self.total += count;
        if self.total > MAXIMAL_HANDSHAKE {
            let message = format!("the server sent more than {MAXIMAL_HANDSHAKE} bytes and did not complete the handshake");
            return Err(Failure::new("protocol-error", message));
        }
        Ok(count)
    }

    /// Reads the next bytes, whatever they are part of.
    pub fn receive_within(&mut self, limit: Duration, buffer: &mut [u8]) -> Result<usize, Failure> {
        let late = || Failure::new("handshake-timeout", "the server stopped answering before the deadline");
        let left = self.deadline.left().ok_or_else(late)?.min(limit);
        if left.is_zero() || self.stream.set_read_timeout(Some(left)).is_err() {
            return Err(late());
        }
        loop {
            match self.stream.read(buffer) {
                Ok(0) => return Err(Failure::new("connection-closed", "the server closed the connection")),
                Ok(count) => return Ok(count),
                Err(error) => match error.kind() {
                    ErrorKind::Interrupted => continue,
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => return Err(late()),
                    ErrorKind::ConnectionReset => {
                        return Err(Failure::new("connection-reset", "the server reset the connection").with_native("ECONNRESET"))
                    }
                    _ => return Err(Failure::new("connection-closed", format!("the connection broke: {error}"))),
                },
            }
        }
    }

    /// Sends all that rustls has to send. A server that is gone is found by the next read.
    pub fn send(&mut self, tls: &mut rustls::ClientConnection) -> Result<(), Failure> {
        let late = || Failure::new("handshake-timeout", "the server stopped reading before the deadline");
        while tls.wants_write() {
            let left = self.deadline.left().ok_or_else(late)?;
            self.stream.set_write_timeout(Some(left)).map_err(|_| late())?;
            match tls.write_tls(&mut self.stream) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => return Err(late()),
                Err(_) => break,
            }
        }
        let _ = self.stream.flush();
        Ok(())
    }

    /// Ends our side, so that the last record arrives even where the server's are not read.
    pub fn finish(&self) {
        let _ = self.stream.shutdown(Shutdown::Write);
    }
}

/// Looks a host up in a thread of its own, since the system's lookup has no deadline.
fn look_up(host: &str, port: u16, deadline: Deadline) -> Result<Vec<SocketAddr>, Failure> {
    let (sender, receiver) = mpsc::channel();
    let question = (host.to_string(), port);
    thread::spawn(move || sender.send(question.to_socket_addrs().map(Iterator::collect)));
    let found: io::Result<Vec<SocketAddr>> = receiver
        .recv_timeout(deadline.left().unwrap_or(Duration::ZERO))
        .map_err(|_| Failure::new("name-lookup-failed", format!("'{host}' was not looked up before the deadline")))?;
    found.map_err(|error| {
        let words = error.to_string();
        // The words of getaddrinfo for EAI_NONAME and EAI_NODATA; the standard library keeps the codes to itself.
        let is_absent = words.contains("not known") || words.contains("No address associated");
        let code = if is_absent { "name-not-found" } else { "name-lookup-failed" };
        Failure::new(code, format!("'{host}' can't be looked up: {words}"))
    })
}

fn no_connection(error: io::Error) -> Failure {
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => {
            Failure::new("connect-timeout", "the deadline passed before there was a connection")
        }
        ErrorKind::ConnectionRefused => {
            Failure::new("connection-refused", "nothing listens on the port").with_native("ECONNREFUSED")
        }
        ErrorKind::ConnectionReset => {
            Failure::new("connection-reset", "the server reset the connection").with_native("ECONNRESET")
        }
        _ => Failure::new("network-unreachable", format!("there is no way to the address: {error}")),
    }
}
