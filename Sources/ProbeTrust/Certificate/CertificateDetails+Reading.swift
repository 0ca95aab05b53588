import Crypto
import CryptoExtras
public import ProbeKit
import ProbePlatform
import SwiftASN1
import X509

extension CertificateDetails {
    /// Reads a certificate. One whose algorithms the library does not know, because they are weak or rare, is read
    /// without it: rejected certificates have to be shown too.
    ///
    /// - Throws: the parser's error, if its structure can't be read.
    public init(certificate der: [UInt8]) throws {
        if let certificate = try? Certificate(derEncoded: der) {
            self.init(certificate)
        } else {
            try self.init(unusual: der)
        }
    }

    private init(_ certificate: Certificate) {
        let names = Self.names(try? certificate.extensions.subjectAlternativeNames)
        self.init(
            subject: PrintableText.escape("\(certificate.subject)"),
            issuer: PrintableText.escape("\(certificate.issuer)"), serial: Hex.encode(certificate.serialNumber.bytes),
            notBefore: certificate.notValidBefore, notAfter: certificate.notValidAfter,
            key: Self.name(of: certificate.publicKey),
            signatureAlgorithm: String("\(certificate.signatureAlgorithm)".trimmingPrefix("SignatureAlgorithm.")),
            dnsNames: names.dns, ipAddresses: names.addresses,
            isCA: Self.isCA(try? certificate.extensions.basicConstraints))
    }

    /// Reads the fields that any certificate has, whatever its algorithms.
    private init(unusual der: [UInt8]) throws {
        let frame = try CertificateFrame(der)
        let fields = try CertificateFields(der)
        let first = frame.algorithmIndex
        let validity = try CertificateFrame.children(of: frame.body[first + 2])
        guard validity.count == 2 else { throw ASN1Error.invalidASN1Object(reason: "the validity is not two times") }
        let extensions = frame.extensions.prefix(CertificateFrame.maximumExtensions).compactMap {
            try? Certificate.Extension(derEncoded: $0)
        }
        let names = Self.names(
            extensions.first { $0.oid == .X509ExtensionID.subjectAlternativeName }.flatMap {
                try? SubjectAlternativeNames($0)
            })
        self.init(
            subject: Self.name(frame.body[first + 3]), issuer: Self.name(frame.body[first + 1]),
            serial: Hex.encode(fields.serial), notBefore: try Self.date(validity[0]),
            notAfter: try Self.date(validity[1]), key: KeyDescription.of(fields, frame.body[first + 4], in: der),
            signatureAlgorithm: SignatureName.of(fields), dnsNames: names.dns, ipAddresses: names.addresses,
            isCA: Self.isCA(
                extensions.first { $0.oid == .X509ExtensionID.basicConstraints }.flatMap { try? BasicConstraints($0) }))
    }

    private static func names(_ names: SubjectAlternativeNames?) -> (dns: [String], addresses: [String]) {
        guard let names else { return ([], []) }
        return (
            names.compactMap { if case .dnsName(let name) = $0 { PrintableText.escape(name) } else { nil } },
            names.compactMap {
                if case .ipAddress(let octets) = $0 { IPAddress(bytes: Array(octets.bytes))?.description } else { nil }
            }
        )
    }

    private static func isCA(_ constraints: BasicConstraints?) -> Bool {
        if case .isCertificateAuthority? = constraints { true } else { false }
    }

    private static func name(_ node: ASN1Node) -> String {
        DistinguishedNameText.of(Array(node.encodedBytes)) ?? "a name that can't be read"
    }

    private static func date(_ node: ASN1Node) throws -> Date {
        guard node.identifier == .utcTime else { return Date(try GeneralizedTime(derEncoded: node)) }
        let time = try UTCTime(derEncoded: node)
        return Date(
            try GeneralizedTime(
                year: time.year, month: time.month, day: time.day, hours: time.hours, minutes: time.minutes,
                seconds: time.seconds, fractionalSeconds: 0))
    }

    /// Returns true if the certificate names a host, by its alternative names alone (RFC 9525).
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
