import ProbeKit

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
