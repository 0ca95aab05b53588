//! One handshake of rustls to its end, whatever the certificates are, and then the decision on them.

use crate::deadline::Deadline;
use crate::failure::Failure;
use crate::request::{text, Name, TrustQuestion};
use crate::witness::{is_too_long, Seen};
use crate::{keys, offer, settings, tap::Tap, trust, wire::Wire};
use rustls::{ClientConnection, ProtocolVersion};
use serde_json::{json, Map, Value};
use std::time::{Duration, Instant};

/// The time that a server may take to refuse a client without a certificate.
const LATE_REFUSAL: Duration = Duration::from_secs(1);

pub fn handshake(request: &Value, deadline: Deadline) -> Result<Value, String> {
    let mut question = TrustQuestion::of_connection(request)?;
    let name = question.name.clone().ok_or("a handshake has a name to prove")?;
    let (host, port) = (text(&request["host"])?, request["port"].as_u64().unwrap_or(0));
    let port = u16::try_from(port).map_err(|_| "the port is not a number up to 65535")?;
    let mut report = Map::from_iter([("timings".to_string(), json!({}))]);
    if let Err(failure) = shake_hands(request, &name, host, port, deadline, &mut report, &mut question) {
        report.insert("failure".into(), failure.to_json());
    }
    if !question.chain.is_empty() {
        let start = Instant::now();
        report.insert("trust".into(), trust::evaluate(question, deadline));
        report["timings"]["trust"] = start.elapsed().as_secs_f64().into();
    }
    Ok(report.into())
}

fn shake_hands(
    request: &Value,
    name: &Name,
    host: &str,
    port: u16,
    deadline: Deadline,
    report: &mut Map<String, Value>,
    question: &mut TrustQuestion,
) -> Result<(), Failure> {
    let (mut tls, witness) = settings::connection(request, name)?;
    let start = Instant::now();
    let mut wire = Wire::dial(host, port, deadline.of_network())?;
    report["timings"]["connect"] = start.elapsed().as_secs_f64().into();
    report.insert("address".into(), wire.address().into());
    if let Name::Dns(name) = name {
        report.insert("sni".into(), name.as_str().into());
    }
    let start = Instant::now();
    let mut tap = Tap::default();
    let result = complete(&mut tls, &mut wire, &mut tap);
    report["timings"]["handshake"] = start.elapsed().as_secs_f64().into();
    let seen = with_chain_of(tap.chain, witness.take());
    report_session(report, &tls, tap.group);
    report_witnessed(report, &seen, result.is_ok());
    let is_chain_too_long = seen.is_chain_too_long;
    question.chain = seen.chain;
    match result {
        Err(_) if is_chain_too_long => {
            Err(Failure::new("chain-too-long", "the server's chain is longer than the protocol allows"))
        }
        Err(failure) => Err(failure),
        Ok(late) => say_goodbye(tls, wire, late, seen.client_issuers.is_some()),
    }
}

/// Carries bytes between rustls and the server until the handshake is complete. An error in what came after its end is returned.
fn complete(tls: &mut ClientConnection, wire: &mut Wire, tap: &mut Tap) -> Result<Option<rustls::Error>, Failure> {
    let mut buffer = [0; 1 << 14];
    loop {
        wire.send(tls)?;
        if !tls.is_handshaking() {
            return Ok(None);
        }
        let count = wire.receive(&mut buffer)?;
        tap.feed(&buffer[..count]);
        match feed(tls, &buffer[..count]) {
            Ok(true) if tls.is_handshaking() => {
                return Err(closed());
            }
            Ok(_) => {}
            Err(error) => {
                wire.send(tls)?; // The alert that says why.
                return if tls.is_handshaking() { Err(error.into()) } else { Ok(Some(error)) };
            }
        }
    }
}

fn closed() -> Failure {
    Failure::new("connection-closed", "the server closed the connection with close_notify")
}

/// Hands bytes to rustls; returns whether the server has ended its side with a close_notify.
fn feed(tls: &mut ClientConnection, mut bytes: &[u8]) -> Result<bool, rustls::Error> {
    let mut has_closed = false;
    while !bytes.is_empty() {
        tls.read_tls(&mut bytes).map_err(|error| rustls::Error::General(error.to_string()))?;
        has_closed = tls.process_new_packets()?.peer_has_closed();
    }
    Ok(has_closed)
}

/// Waits for a late refusal where a client certificate was asked for in TLS 1.3, and ends our side.
fn say_goodbye(
    mut tls: ClientConnection,
    mut wire: Wire,
    late: Option<rustls::Error>,
    is_certificate_requested: bool,
) -> Result<(), Failure> {
    let mut outcome = Ok(());
    if is_certificate_requested && tls.protocol_version() == Some(ProtocolVersion::TLSv1_3) {
        outcome = match late {
            Some(error) => Err(Failure::from(error)),
            None => wait_for_refusal(&mut tls, &mut wire),
        };
    }
    tls.send_close_notify();
    let _ = wire.send(&mut tls);
    wire.finish();
    outcome.or_else(|failure| if failure.is_end_by_peer() { Err(failure.after_handshake()) } else { Ok(()) })
}

fn wait_for_refusal(tls: &mut ClientConnection, wire: &mut Wire) -> Result<(), Failure> {
    let mut buffer = [0; 1 << 12];
    let count = wire.receive_within(LATE_REFUSAL, &mut buffer)?;
    if feed(tls, &buffer[..count])? {
        return Err(closed());
    }
    Ok(())
}

/// Takes the chain from the records where rustls came to its end before it showed it.
fn with_chain_of(tapped: Vec<Vec<u8>>, mut seen: Seen) -> Seen {
    if seen.chain.is_empty() && !seen.is_chain_too_long {
        seen.is_chain_too_long = is_too_long(&tapped);
        seen.chain = if seen.is_chain_too_long { Vec::new() } else { tapped };
    }
    seen
}

fn report_session(report: &mut Map<String, Value>, tls: &ClientConnection, group: Option<u16>) {
    let version = match tls.protocol_version() {
        Some(ProtocolVersion::TLSv1_2) => "1.2",
        Some(ProtocolVersion::TLSv1_3) => "1.3",
        _ => return,
    };
    report.insert("version".into(), version.into());
    let suite = tls.negotiated_cipher_suite().and_then(|suite| offer::suite_name(suite.suite()));
    report.insert("cipherSuite".into(), suite.into());
    report.insert("group".into(), group.and_then(offer::group_name).into());
    report.insert("alpn".into(), tls.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned()).into());
}

fn report_witnessed(report: &mut Map<String, Value>, seen: &Seen, is_complete: bool) {
    let list = |items: &[Vec<u8>]| Value::from(items.iter().map(base64::encode).collect::<Vec<_>>());
    report.insert("chain".into(), list(&seen.chain));
    report.insert("keys".into(), seen.chain.iter().map(|certificate| keys::read_as_json(certificate)).collect());
    report.insert("ocspStaple".into(), seen.staple.as_ref().map(base64::encode).into());
    report.insert("handshakeSCTs".into(), list(&seen.scts));
    if let Some(issuers) = &seen.client_issuers {
        report.insert("clientCertificateIssuers".into(), list(issuers));
    }
    // Before the handshake is complete a request may still come.
    if is_complete || seen.client_issuers.is_some() {
        report.insert("clientCertificateRequested".into(), seen.client_issuers.is_some().into());
    }
}
