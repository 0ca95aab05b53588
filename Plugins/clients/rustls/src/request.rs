//! The members of requests, read strictly: what is missing or of another kind costs the request.

use crate::instant::seconds_since_1970;
use serde_json::Value;
use std::net::IpAddr;

pub enum Purpose {
    Server,
    Client,
    Any,
}

#[derive(Clone)]
pub enum Name {
    Dns(String),
    Address(IpAddr),
}

/// A question about a chain, the leaf first.
pub struct TrustQuestion {
    pub chain: Vec<Vec<u8>>,
    pub anchors: Vec<Vec<u8>>,
    pub name: Option<Name>,
    pub instant: u64,
    pub purpose: Purpose,
    pub max_depth: Option<usize>,
}

impl TrustQuestion {
    pub fn read(request: &Value) -> Result<Self, String> {
        let purpose = match text(&request["purpose"])? {
            "server" => Purpose::Server,
            "client" => Purpose::Client,
            "any" => Purpose::Any,
            other => return Err(format!("unknown purpose '{:.40}'", other)),
        };
        let max_depth = match &request["maxDepth"] {
            Value::Null => None,
            depth => Some(depth.as_u64().ok_or("maxDepth is not a number")? as usize),
        };
        Ok(TrustQuestion { chain: byte_list(&request["chain"])?, purpose, max_depth, ..Self::of_connection(request)? })
    }

    /// The question of a handshake, whose chain is not known yet.
    pub fn of_connection(request: &Value) -> Result<Self, String> {
        Ok(TrustQuestion {
            chain: Vec::new(),
            anchors: byte_list(&request["anchors"]["certificates"])?,
            name: name(&request["name"])?,
            instant: seconds_since_1970(text(&request["instant"])?)?,
            purpose: Purpose::Server,
            max_depth: None,
        })
    }
}

fn name(value: &Value) -> Result<Option<Name>, String> {
    if value.is_null() {
        return Ok(None);
    }
    let written = text(value)?;
    if let Some(name) = written.strip_prefix("dns:") {
        return Ok(Some(Name::Dns(name.to_ascii_lowercase())));
    }
    match written.strip_prefix("ip:").map(str::parse) {
        Some(Ok(address)) => Ok(Some(Name::Address(address))),
        _ => Err(format!("'{:.100}' is not a name to prove", written)),
    }
}

pub fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "a text is missing in the request".into())
}

pub fn text_list(value: &Value) -> Result<Vec<&str>, String> {
    value.as_array().ok_or("a list is missing in the request")?.iter().map(text).collect()
}

pub fn bytes(value: &Value) -> Result<Vec<u8>, String> {
    base64::decode(text(value)?).map_err(|error| format!("bytes that are not base64: {error}"))
}

fn byte_list(value: &Value) -> Result<Vec<Vec<u8>>, String> {
    value.as_array().ok_or("a list is missing in the request")?.iter().map(bytes).collect()
}
