import Crypto
public import ProbeKit
import ProbePlatform
import ProbeTrust

/// A signed pin as wultra's ssl-pinning serves it: a certificate's fingerprint, valid until an instant, signed by the
/// publisher of the list.
public struct SignedFingerprint: Hashable, Sendable, Codable {
    /// The host's common name.
    public var name: String
    /// SHA-256 of the certificate, base64.
    public var fingerprint: String
    /// The instant from which it no longer counts, in seconds since 1970.
    public var expires: Int64
    /// ECDSA over ``signedText`` with SHA-256, DER in base64.
    public var signature: String

    /// Creates a fingerprint.
    public init(name: String, fingerprint: String, expires: Int64, signature: String) {
        self.name = name
        self.fingerprint = fingerprint
        self.expires = expires
        self.signature = signature
    }

    /// The signed text: `name&fingerprint&expires`.
    public var signedText: String { "\(name)&\(fingerprint)&\(expires)" }

    /// Returns true if the key signed this fingerprint.
    ///
    /// A name or fingerprint that contains an ampersand is ambiguous, and counts as unsigned.
    public func isSigned(by key: FingerprintKey) -> Bool {
        guard !name.contains("&"), !fingerprint.contains("&"), let signature = Base64.decode(signature) else {
            return false
        }
        return key.signed(signature, signedText)
    }
}

/// The list of signed pins that wultra's ssl-pinning serves.
public struct SignedFingerprints: Hashable, Sendable, Codable {
    /// The pins.
    public var fingerprints: [SignedFingerprint]

    /// Creates a list of pins.
    public init(fingerprints: [SignedFingerprint]) {
        self.fingerprints = fingerprints
    }

    /// Returns the names of the fingerprints that the key did not sign; a list counts only if there are none.
    public func unsigned(by key: FingerprintKey) -> [String] {
        fingerprints.filter { !$0.isSigned(by: key) }.map(\.name)
    }
}

/// The P-256 key that signs ``SignedFingerprints``.
public struct FingerprintKey: Sendable {
    private let key: P256.Signing.PublicKey

    /// Reads a key as PEM, or in base64 as SubjectPublicKeyInfo or as the point that wultra's tools print.
    ///
    /// - Throws: `InputError` naming the text.
    public init(_ text: String) throws(InputError) {
        let remedy = "give a P-256 public key as PEM, or in base64 as wultra's tools print it"
        let bytes =
            PEMText.isPEM(Array(text.utf8))
            ? try PublicKeyFile.keys(in: Array(text.utf8), from: "the key").first
            : Base64.decode(text.filter { !$0.isWhitespace })
        let readings: [() throws -> P256.Signing.PublicKey] = [
            { try P256.Signing.PublicKey(x963Representation: bytes ?? []) },
            { try P256.Signing.PublicKey(derRepresentation: bytes ?? []) },
        ]
        guard let key = readings.lazy.compactMap({ try? $0() }).first else {
            // Not quoted: it may be a private key.
            throw InputError("the key is not a P-256 public key", remedy: remedy)
        }
        self.key = key
    }

    /// Returns true if the key made a signature, DER, over a text.
    func signed(_ signature: [UInt8], _ text: String) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: Data(text.utf8))
    }
}
