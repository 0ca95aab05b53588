import ProbeKit

/// A signed pin as wultra's ssl-pinning serves them: a certificate's fingerprint until an instant, signed by whoever issues
/// the list.
public struct WultraFingerprint: Hashable, Sendable, Codable {
    /// The host's common name.
    public var name: String
    /// SHA-256 of the certificate, base64.
    public var fingerprint: String
    /// The instant from which it no longer counts, in seconds since 1970.
    public var expires: Int64
    /// ECDSA over ``signedText`` with SHA-256, DER in base64.
    public var signature: String

    /// A fingerprint of its parts.
    public init(name: String, fingerprint: String, expires: Int64, signature: String) {
        self.name = name
        self.fingerprint = fingerprint
        self.expires = expires
        self.signature = signature
    }

    /// What is signed: `name&fingerprint&expires`.
    public var signedText: String { "\(name)&\(fingerprint)&\(expires)" }

    /// Whether the key signed this fingerprint.
    ///
    /// A name or fingerprint with an ampersand in it could be read in two ways, and is signed by nobody.
    public func isSigned(by key: WultraKey) -> Bool {
        guard !name.contains("&"), !fingerprint.contains("&"), let signature = Base64.decode(signature) else {
            return false
        }
        return key.signed(signature, signedText)
    }
}

/// The list of signed pins that wultra's ssl-pinning serves.
public struct WultraFingerprints: Hashable, Sendable, Codable {
    /// The pins.
    public var fingerprints: [WultraFingerprint]

    /// A list of pins.
    public init(fingerprints: [WultraFingerprint]) {
        self.fingerprints = fingerprints
    }

    /// The names of those that the key did not sign; a list counts only when there are none.
    public func unsigned(by key: WultraKey) -> [String] {
        fingerprints.filter { !$0.isSigned(by: key) }.map(\.name)
    }
}
