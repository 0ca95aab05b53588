//! The lists of an offer, out of what rustls has: any other name is refused before a byte is sent.

use crate::failure::Failure;
use crate::request::text_list;
use rustls::client::WebPkiVerifier;
use rustls::{CipherSuite, SignatureScheme, SupportedCipherSuite, SupportedKxGroup, ALL_CIPHER_SUITES, ALL_KX_GROUPS};
use serde_json::Value;

pub struct Offer {
    pub suites: Vec<SupportedCipherSuite>,
    pub groups: Vec<&'static SupportedKxGroup>,
    pub schemes: Vec<SignatureScheme>,
}

impl Offer {
    /// Lists that are missing are rustls' own.
    pub fn read(offer: &Value) -> Result<Self, Failure> {
        Ok(Offer {
            suites: chosen(&offer["cipherSuites"], ALL_CIPHER_SUITES, |known| suite_name(known.suite()))?,
            groups: chosen(&offer["groups"], &ALL_KX_GROUPS, |known| group_name(known.name.get_u16()))?,
            schemes: chosen(&offer["signatureAlgorithms"], &WebPkiVerifier::verification_schemes(), |known| {
                scheme_name(*known).map(str::to_string)
            })?,
        })
    }
}

fn chosen<T: Copy>(names: &Value, known: &[T], name_of: impl Fn(&T) -> Option<String>) -> Result<Vec<T>, Failure> {
    if names.is_null() {
        return Ok(known.to_vec());
    }
    let names = text_list(names).map_err(Failure::unsupported)?;
    let find = |name: &str| known.iter().copied().find(|known| name_of(known).as_deref() == Some(name));
    let strange: Vec<_> = names.iter().copied().filter(|name| find(name).is_none()).collect();
    if !strange.is_empty() {
        return Err(Failure::unsupported(format!("rustls can't offer {}", strange.join(", "))));
    }
    Ok(names.into_iter().filter_map(find).collect())
}

/// The IANA name of a suite; rustls has names of its own for those of TLS 1.3.
pub fn suite_name(suite: CipherSuite) -> Option<String> {
    suite.as_str().map(|name| name.replacen("TLS13_", "TLS_", 1))
}

pub fn group_name(group: u16) -> Option<String> {
    let name = match group {
        0x0017 => "secp256r1",
        0x0018 => "secp384r1",
        0x001d => "x25519",
        _ => return None,
    };
    Some(name.to_string())
}

fn scheme_name(scheme: SignatureScheme) -> Option<&'static str> {
    Some(match scheme {
        SignatureScheme::RSA_PKCS1_SHA256 => "rsa_pkcs1_sha256",
        SignatureScheme::RSA_PKCS1_SHA384 => "rsa_pkcs1_sha384",
        SignatureScheme::RSA_PKCS1_SHA512 => "rsa_pkcs1_sha512",
        SignatureScheme::ECDSA_NISTP256_SHA256 => "ecdsa_secp256r1_sha256",
        SignatureScheme::ECDSA_NISTP384_SHA384 => "ecdsa_secp384r1_sha384",
        SignatureScheme::RSA_PSS_SHA256 => "rsa_pss_rsae_sha256",
        SignatureScheme::RSA_PSS_SHA384 => "rsa_pss_rsae_sha384",
        SignatureScheme::RSA_PSS_SHA512 => "rsa_pss_rsae_sha512",
        SignatureScheme::ED25519 => "ed25519",
        _ => return None,
    })
}
