//! Public keys as the libraries below rustls read them. webpki finds the key in the certificate, ring takes it apart, and checks
//! that a point is on its curve. Neither writes public keys, so that the numbers they read are encoded here.

use ring::agreement::{self, EphemeralPrivateKey, UnparsedPublicKey};
use ring::io::der::{self, Tag};
use serde_json::{json, Value};
use untrusted::{Input, Reader};

type Reading<T> = Result<T, String>;

const RSA: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0];
const P256: &[u8] = &[6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
const P384: &[u8] = &[6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 5, 0x2b, 0x81, 4, 0, 0x22];
const ED25519: &[u8] = &[6, 3, 0x2b, 0x65, 0x70];

pub fn read_as_json(certificate: &[u8]) -> Value {
    match read(certificate) {
        Ok(key) => json!({ "spki": base64::encode(key) }),
        Err(reason) => json!({ "unreadable": reason }),
    }
}

/// Returns the SubjectPublicKeyInfo of a certificate, written anew.
fn read(certificate: &[u8]) -> Reading<Vec<u8>> {
    let anchor = webpki::TrustAnchor::try_from_cert_der(certificate)
        .map_err(|error| format!("webpki can't read the certificate: {error}"))?;
    let (algorithm, key) = whole(anchor.spki, "the key", |input| {
        let algorithm = der::expect_tag_and_get_value(input, Tag::Sequence)?;
        Ok((algorithm.as_slice_less_safe(), der::bit_string_with_no_unused_bits(input)?.as_slice_less_safe()))
    })?;
    // webpki knows an algorithm by these bytes alone, so that they are part of its reading.
    let (algorithm, key) = match algorithm {
        RSA => (RSA, rsa(key)?),
        P256 => (P256, point(key, &agreement::ECDH_P256, 32)?),
        P384 => (P384, point(key, &agreement::ECDH_P384, 48)?),
        ED25519 if key.len() == 32 => (ED25519, key.to_vec()),
        _ => return Err("webpki has no such key algorithm or curve".into()),
    };
    let bits = [&[0], key.as_slice()].concat();
    Ok(write(Tag::Sequence, &[write(Tag::Sequence, algorithm), write(Tag::BitString, &bits)].concat()))
}

/// Takes an RSA key apart into its two numbers, as ring does before it verifies with them.
fn rsa(key: &[u8]) -> Reading<Vec<u8>> {
    let (modulus, exponent) = whole(key, "the RSA key", |input| {
        der::nested(input, Tag::Sequence, ring::error::Unspecified, |input| {
            Ok((der::positive_integer(input)?, der::positive_integer(input)?))
        })
    })?;
    let numbers = [modulus, exponent].map(|number| integer(number.big_endian_without_leading_zero()));
    Ok(write(Tag::Sequence, &numbers.concat()))
}

/// Reads a point by agreeing on a secret with it, for which ring has to find it on the curve.
fn point(key: &[u8], curve: &'static agreement::Algorithm, size: usize) -> Reading<Vec<u8>> {
    let ours =
        EphemeralPrivateKey::generate(curve, &ring::rand::SystemRandom::new()).map_err(|_| "ring has no random numbers")?;
    let theirs = UnparsedPublicKey::new(curve, key);
    agreement::agree_ephemeral(ours, &theirs, "ring finds no point of the curve in the key", |_| Ok(()))?;
    let (x, y) = key[1..].split_at(size);
    Ok([&[4], x, y].concat())
}

fn whole<'a, T>(
    bytes: &'a [u8],
    what: &str,
    read: impl FnOnce(&mut Reader<'a>) -> Result<T, ring::error::Unspecified>,
) -> Reading<T> {
    Input::from(bytes).read_all(ring::error::Unspecified, read).map_err(|_| format!("ring can't read {what}"))
}

fn integer(number: &[u8]) -> Vec<u8> {
    let sign: &[u8] = if number[0] & 0x80 != 0 { &[0] } else { &[] };
    write(Tag::Integer, &[sign, number].concat())
}

/// Writes a value in DER. No certificate that webpki reads is longer than a length of two bytes can say.
fn write(tag: Tag, value: &[u8]) -> Vec<u8> {
    let [high, low] = (value.len() as u16).to_be_bytes();
    let length: &[u8] = match value.len() {
        0..=0x7f => &[low],
        0x80..=0xff => &[0x81, low],
        _ => &[0x82, high, low],
    };
    [&[u8::from(tag)], length, value].concat()
}
