//! The client's configuration: rustls' own, with what the request wants, and nothing to resume.

use crate::failure::Failure;
use crate::offer::Offer;
use crate::request::{text_list, Name};
use crate::witness::Witness;
use rustls::client::{ClientConfig, NoClientSessionStorage, ServerName};
use rustls::version::{TLS12, TLS13};
use rustls::{ClientConnection, SupportedProtocolVersion};
use serde_json::Value;
use std::convert::TryFrom;
use std::sync::Arc;

/// Returns a connection that has not sent anything, and the witness of what it will see.
pub fn connection(request: &Value, name: &Name) -> Result<(ClientConnection, Arc<Witness>), Failure> {
    let offer = Offer::read(&request["offer"])?;
    let witness = Arc::new(Witness::new(offer.schemes));
    let mut config = ClientConfig::builder()
        .with_cipher_suites(&offer.suites)
        .with_kx_groups(&offer.groups)
        .with_protocol_versions(&versions(request)?)
        .map_err(|error| Failure::unsupported(error.to_string()))?
        .with_custom_certificate_verifier(witness.clone())
        .with_client_cert_resolver(witness.clone());
    config.session_storage = Arc::new(NoClientSessionStorage {});
    config.enable_tickets = false;
    config.alpn_protocols = protocols(&request["alpn"])?;
    let tls =
        ClientConnection::new(Arc::new(config), server_name(name)?).map_err(|error| Failure::unsupported(error.to_string()))?;
    Ok((tls, witness))
}

fn versions(request: &Value) -> Result<Vec<&'static SupportedProtocolVersion>, Failure> {
    let known = ["1.0", "1.1", "1.2", "1.3"];
    let range = text_list(&request["versions"]).map_err(Failure::unsupported)?;
    let place = |index: usize| range.get(index).and_then(|name| known.iter().position(|known| known == name));
    let (oldest, newest) = match (place(0), place(1)) {
        (Some(oldest), Some(newest)) if oldest <= newest => (oldest, newest),
        _ => return Err(Failure::unsupported("the versions are not a range of TLS")),
    };
    // An offer names what is on the wire; a range without one is what may be there.
    if newest < 2 || oldest < 2 && !request["offer"].is_null() {
        return Err(Failure::unsupported(format!("rustls has no TLS {}", known[oldest])));
    }
    let versions: [&'static SupportedProtocolVersion; 2] = [&TLS12, &TLS13];
    Ok(versions[oldest.max(2) - 2..=newest - 2].to_vec())
}

fn protocols(names: &Value) -> Result<Vec<Vec<u8>>, Failure> {
    let names = text_list(names).map_err(Failure::unsupported)?;
    if names.iter().any(|name| name.is_empty() || name.len() > 255) {
        return Err(Failure::unsupported("an application protocol has 1 to 255 bytes"));
    }
    Ok(names.into_iter().map(|name| name.as_bytes().to_vec()).collect())
}

/// rustls sends a DNS name, and none for an address.
fn server_name(name: &Name) -> Result<ServerName, Failure> {
    match name {
        Name::Address(address) => Ok(ServerName::IpAddress(*address)),
        Name::Dns(name) => ServerName::try_from(name.as_str())
            .map_err(|error| Failure::unsupported(format!("rustls does not take the name '{name:.260}': {error}"))),
    }
}
