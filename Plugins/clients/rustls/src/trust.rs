//! webpki's decision on a chain, as rustls' WebPkiVerifier asks for it, at the instant of the request.

use crate::deadline::Deadline;
use crate::request::{Name, Purpose, TrustQuestion};
use serde_json::{json, Value};
use std::convert::TryFrom;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use webpki::{DnsNameRef, EndEntityCert, Error, SignatureAlgorithm, TrustAnchor};
use webpki::{TlsClientTrustAnchors, TlsServerTrustAnchors};

/// The algorithms of rustls' WebPkiVerifier, which keeps its list to itself.
static ALGORITHMS: &[&SignatureAlgorithm] = &[
    &webpki::ECDSA_P256_SHA256,
    &webpki::ECDSA_P256_SHA384,
    &webpki::ECDSA_P384_SHA256,
    &webpki::ECDSA_P384_SHA384,
    &webpki::ED25519,
    &webpki::RSA_PSS_2048_8192_SHA256_LEGACY_KEY,
    &webpki::RSA_PSS_2048_8192_SHA384_LEGACY_KEY,
    &webpki::RSA_PSS_2048_8192_SHA512_LEGACY_KEY,
    &webpki::RSA_PKCS1_2048_8192_SHA256,
    &webpki::RSA_PKCS1_2048_8192_SHA384,
    &webpki::RSA_PKCS1_2048_8192_SHA512,
    &webpki::RSA_PKCS1_3072_8192_SHA384,
];

/// The time for a decision where the deadline is reached; an ordinary one takes a few milliseconds.
const LEAST: Duration = Duration::from_millis(150);

/// Decides before the deadline, or refuses: webpki's search for a path has no bound.
pub fn evaluate(question: TrustQuestion, deadline: Deadline) -> Value {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(problems(&question)));
    let problems = receiver
        .recv_timeout(deadline.left().unwrap_or(Duration::ZERO).max(LEAST))
        .unwrap_or_else(|_| vec![problem("too-complex", "webpki did not decide before the deadline", None, None)]);
    json!({"accepted": problems.is_empty(), "problems": problems, "path": null})
}

fn problems(question: &TrustQuestion) -> Vec<Value> {
    let leaf = match question.chain.first() {
        Some(leaf) => leaf.as_slice(),
        None => return vec![problem("malformed", "there is no certificate", None, None)],
    };
    let certificate = match EndEntityCert::try_from(leaf) {
        Ok(certificate) => certificate,
        Err(error) => return vec![native(error)],
    };
    let others: Vec<&[u8]> = question.chain[1..].iter().map(Vec::as_slice).collect();
    // rustls passes over a root that it can't parse.
    let anchors: Vec<_> = question.anchors.iter().filter_map(|der| TrustAnchor::try_from_cert_der(der).ok()).collect();
    let path = |others: &[&[u8]]| find_path(&certificate, &anchors, others, question);
    let found = match question.max_depth {
        Some(most) if most < others.len() => path(&others).and_then(|()| {
            if any_selection(&others, most, &mut Vec::new(), &path) {
                Ok(())
            } else {
                Err(Error::PathLenConstraintViolated)
            }
        }),
        _ => path(&others),
    };
    let named = question.name.as_ref().and_then(|name| name_problem(&certificate, name));
    found.err().map(native).into_iter().chain(named).collect()
}

fn find_path(leaf: &EndEntityCert, anchors: &[TrustAnchor], others: &[&[u8]], question: &TrustQuestion) -> Result<(), Error> {
    let time = webpki::Time::from_seconds_since_unix_epoch(question.instant);
    let server = || leaf.verify_is_valid_tls_server_cert(ALGORITHMS, &TlsServerTrustAnchors(anchors), others, time);
    let client = || leaf.verify_is_valid_tls_client_cert(ALGORITHMS, &TlsClientTrustAnchors(anchors), others, time);
    match question.purpose {
        Purpose::Server => server(),
        Purpose::Client => client(),
        Purpose::Any => server().or_else(|error| client().map_err(|_| error)),
    }
}

/// Returns true if a path is found with some of the other certificates, at most so many of them: webpki itself can't be
/// asked for that.
fn any_selection<'a>(
    others: &[&'a [u8]],
    most: usize,
    chosen: &mut Vec<&'a [u8]>,
    path: &impl Fn(&[&[u8]]) -> Result<(), Error>,
) -> bool {
    if most == 0 || others.is_empty() {
        return path(chosen).is_ok();
    }
    (0..others.len()).any(|index| {
        chosen.push(others[index]);
        let is_found = any_selection(&others[index + 1..], most - 1, chosen, path);
        chosen.pop();
        is_found
    })
}

fn name_problem(leaf: &EndEntityCert, name: &Name) -> Option<Value> {
    let name = match name {
        Name::Dns(name) => name,
        Name::Address(_) => {
            let message = "rustls 0.20 can't prove an address by a certificate";
            return Some(problem("hostname-mismatch", message, Some("UnsupportedNameType".into()), Some(0)));
        }
    };
    match DnsNameRef::try_from_ascii_str(name) {
        Ok(name) => leaf.verify_is_valid_for_dns_name(name).err().map(native),
        Err(error) => Some(problem("hostname-mismatch", &error.to_string(), Some("InvalidDnsNameError".into()), Some(0))),
    }
}

/// webpki reports faults of the leaf alone: whatever it has against an issuer is an unknown issuer.
fn native(error: Error) -> Value {
    let (cause, message) = match error {
        Error::CertExpired => ("expired", "the certificate has expired"),
        Error::CertNotValidYet => ("not-yet-valid", "the certificate is not valid yet"),
        Error::CertNotValidForName => ("hostname-mismatch", "the certificate is for other names"),
        Error::UnknownIssuer => ("unknown-issuer", "webpki found no path to a root that it has nothing against"),
        Error::CaUsedAsEndEntity => ("constraint-violated", "the leaf is the certificate of an authority"),
        Error::EndEntityUsedAsCa => ("constraint-violated", "an issuer is not an authority"),
        Error::NameConstraintViolation => ("constraint-violated", "an issuer may not sign for these names"),
        Error::PathLenConstraintViolated => ("constraint-violated", "there are more intermediates than allowed"),
        Error::UnsupportedCriticalExtension => ("constraint-violated", "webpki does not know a critical extension"),
        Error::RequiredEkuNotFound => ("wrong-purpose", "the certificate is for another purpose"),
        Error::InvalidSignatureForPublicKey => ("bad-signature", "a signature is wrong"),
        Error::UnsupportedSignatureAlgorithm => ("weak-signature", "rustls takes no signatures of this algorithm"),
        Error::UnsupportedSignatureAlgorithmForPublicKey => ("other", "a signature does not fit the issuer's key"),
        _ => ("malformed", "webpki can't read the certificate"),
    };
    let depth = if error == Error::UnknownIssuer { None } else { Some(0) };
    problem(cause, message, Some(format!("{error:?}")), depth)
}

fn problem(cause: &str, message: &str, native: Option<String>, depth: Option<usize>) -> Value {
    json!({"cause": cause, "message": message, "nativeCode": native, "depth": depth})
}
