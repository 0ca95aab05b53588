//! Why a handshake did not complete, in the protocol's words.

use serde_json::{json, Value};

#[derive(Debug)]
pub struct Failure {
    code: &'static str,
    message: String,
    native: Option<String>,
    alert: Option<u8>,
    is_after_handshake: bool,
}

impl Failure {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Failure { code, message: message.into(), native: None, alert: None, is_after_handshake: false }
    }

    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new("unsupported", message)
    }

    pub fn with_native(mut self, native: impl Into<String>) -> Self {
        self.native = Some(native.into());
        self
    }

    pub fn after_handshake(mut self) -> Self {
        self.is_after_handshake = true;
        self
    }

    /// Returns true if the peer refused or left, the ends that a late refusal may have.
    pub fn is_end_by_peer(&self) -> bool {
        ["alert-received", "connection-closed", "connection-reset"].contains(&self.code)
    }

    pub fn to_json(&self) -> Value {
        let mut failure = json!({
            "code": self.code, "message": self.message, "nativeCode": self.native, "alert": self.alert,
        });
        if self.is_after_handshake {
            failure["afterHandshake"] = true.into();
        }
        failure
    }
}

impl From<rustls::Error> for Failure {
    fn from(error: rustls::Error) -> Self {
        let variant: String = format!("{error:?}").chars().take_while(char::is_ascii_alphabetic).collect();
        match error {
            rustls::Error::AlertReceived(alert) => Failure {
                alert: Some(alert.get_u8()),
                ..Failure::new("alert-received", format!("the server refused with the alert {alert:?}"))
            }
            .with_native(variant),
            error => Failure::new("protocol-error", error.to_string()).with_native(variant),
        }
    }
}
