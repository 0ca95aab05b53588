//! The verifier that rustls asks during a handshake: it remembers what the server showed and lets the handshake go on to its end.
//! Trust is decided afterwards.

use rustls::client::{
    HandshakeSignatureValid, ResolvesClientCert, ServerCertVerified, ServerCertVerifier, ServerName, WebPkiVerifier,
};
use rustls::internal::msgs::handshake::DigitallySignedStruct;
use rustls::{sign::CertifiedKey, Certificate, Error, RootCertStore, SignatureScheme};
use std::convert::TryFrom;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

const MOST_CERTIFICATES: usize = 100;
const MOST_CHAIN_BYTES: usize = 512 << 10;

#[derive(Default)]
pub struct Seen {
    pub chain: Vec<Vec<u8>>,
    pub is_chain_too_long: bool,
    pub staple: Option<Vec<u8>>,
    pub scts: Vec<Vec<u8>>,
    /// The issuers that a request for a client certificate named, none where there was no request.
    pub client_issuers: Option<Vec<Vec<u8>>>,
}

pub struct Witness {
    seen: Mutex<Seen>,
    schemes: Vec<SignatureScheme>,
    /// Asked about signatures of the handshake alone, for which it needs no roots.
    signatures: WebPkiVerifier,
}

impl Witness {
    pub fn new(schemes: Vec<SignatureScheme>) -> Self {
        Witness { seen: Mutex::default(), schemes, signatures: WebPkiVerifier::new(RootCertStore::empty(), None) }
    }

    pub fn take(&self) -> Seen {
        std::mem::take(&mut *self.seen.lock().expect("nobody fails with the lock"))
    }
}

/// Returns true if a chain has more certificates or bytes than the protocol allows.
pub fn is_too_long(chain: &[Vec<u8>]) -> bool {
    chain.len() > MOST_CERTIFICATES || chain.iter().map(Vec::len).sum::<usize>() > MOST_CHAIN_BYTES
}

/// A certificate that webpki can't parse has no key to verify with. Its handshake goes on, and trust in it is refused.
fn is_unreadable(certificate: &Certificate) -> bool {
    webpki::EndEntityCert::try_from(certificate.0.as_slice()).is_err()
}

impl ServerCertVerifier for Witness {
    fn verify_server_cert(
        &self,
        leaf: &Certificate,
        others: &[Certificate],
        _: &ServerName,
        scts: &mut dyn Iterator<Item = &[u8]>,
        staple: &[u8],
        _: SystemTime,
    ) -> Result<ServerCertVerified, Error> {
        let mut seen = self.seen.lock().expect("nobody fails with the lock");
        let chain: Vec<_> = std::iter::once(leaf).chain(others).map(|certificate| certificate.0.clone()).collect();
        if is_too_long(&chain) {
            seen.is_chain_too_long = true;
            return Err(Error::General("the chain is too long".into()));
        }
        seen.chain = chain;
        seen.staple = Some(staple.to_vec()).filter(|staple| !staple.is_empty());
        seen.scts = scts.map(<[u8]>::to_vec).collect();
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        leaf: &Certificate,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        if is_unreadable(leaf) {
            return Ok(HandshakeSignatureValid::assertion());
        }
        self.signatures.verify_tls12_signature(message, leaf, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        leaf: &Certificate,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        if is_unreadable(leaf) {
            return Ok(HandshakeSignatureValid::assertion());
        }
        self.signatures.verify_tls13_signature(message, leaf, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}

impl ResolvesClientCert for Witness {
    fn resolve(&self, issuers: &[&[u8]], _: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let issuers = issuers.iter().map(|issuer| issuer.to_vec()).collect();
        self.seen.lock().expect("nobody fails with the lock").client_issuers = Some(issuers);
        None
    }

    fn has_certs(&self) -> bool {
        false
    }
}
