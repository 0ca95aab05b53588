import Crypto
import CryptoExtras
public import FoundationEssentials
import SwiftASN1
import X509

/// What a certificate says of itself, for people and reports; read by swift-certificates, off the hot path.
public struct CertificateDetails: Hashable, Sendable {
    /// The subject as RFC 4514 text.
    public let subject: String
    /// The issuer as RFC 4514 text.
    public let issuer: String
    /// The serial number as lowercase hexadecimal.
    public let serial: String
    /// The first second of validity.
    public let notBefore: Date
    /// The last second of validity.
    public let notAfter: Date
    /// The key's algorithm and size, like `RSA 2048` or `EC P-256`.
    public let key: String
    /// The signature's algorithm.
    public let signatureAlgorithm: String
    /// The DNS names of the subject alternative name (requirement 87).
    public let dnsNames: [String]
    /// Its IP addresses.
    public let ipAddresses: [String]
    /// Whether basic constraints make it a CA.
    public let isCA: Bool

    /// Reads a certificate.
    ///
    /// - Throws: the parser's error, where it can't.
    public init(certificate der: [UInt8]) throws {
        let certificate = try Certificate(derEncoded: der)
        subject = PrintableText.escape("\(certificate.subject)")
        issuer = PrintableText.escape("\(certificate.issuer)")
        serial = Hex.encode(certificate.serialNumber.bytes)
        notBefore = certificate.notValidBefore
        notAfter = certificate.notValidAfter
        key = Self.name(of: certificate.publicKey)
        signatureAlgorithm = String("\(certificate.signatureAlgorithm)".trimmingPrefix("SignatureAlgorithm."))
        let names = (try? certificate.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames([])
        dnsNames = names.compactMap { if case .dnsName(let name) = $0 { PrintableText.escape(name) } else { nil } }
        ipAddresses = names.compactMap {
            if case .ipAddress(let octets) = $0 { IPAddress(bytes: Array(octets.bytes))?.description } else { nil }
        }
        if case .isCertificateAuthority? = try? certificate.extensions.basicConstraints {
            isCA = true
        } else {
            isCA = false
        }
    }

    /// Whether it is for a host, by its alternative names alone (RFC 9525).
    public func names(_ host: ServerName) -> Bool {
        switch host {
        case .dns(let name): dnsNames.contains { ServerIdentity.dnsName($0, matches: name) }
        case .ip(let address): ipAddresses.contains(address.description)
        }
    }

    private static func name(of key: Certificate.PublicKey) -> String {
        if let rsa = _RSA.Signing.PublicKey(key) { return "RSA \(rsa.keySizeInBits)" }
        if P256.Signing.PublicKey(key) != nil { return "EC P-256" }
        if P384.Signing.PublicKey(key) != nil { return "EC P-384" }
        if P521.Signing.PublicKey(key) != nil { return "EC P-521" }
        if Curve25519.Signing.PublicKey(key) != nil { return "Ed25519" }
        return "\(key)"
    }
}
