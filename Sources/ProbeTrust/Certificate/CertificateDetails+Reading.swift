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
        self = try ReadCertificate(der).described.get()
    }

    /// Reads the fields of a certificate that others may have parsed already.
    init(_ read: ReadCertificate) throws {
        if let parsed = try? read.parsed.get(), !parsed.isStandIn {
            self.init(parsed.certificate)
        } else {
            try self.init(unusual: read.der, frame: read.frame.get(), fields: read.fields.get())
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
    private init(unusual der: [UInt8], frame: CertificateFrame, fields: CertificateFields) throws {
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
            serial: Hex.encode(fields.serial), notBefore: try Date(certificateTime: validity[0]),
            notAfter: try Date(certificateTime: validity[1]),
            key: KeyDescription.of(fields, frame.body[first + 4], in: der),
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

/// Distinguished names as RFC 4514 text.
package enum DistinguishedNameText {
    /// Returns the text of a name in DER; nil if it is malformed.
    package static func of(_ der: [UInt8]) -> String? {
        (try? DistinguishedName(derEncoded: DER.parse(der))).map { PrintableText.escape("\($0)") }
    }
}

/// The kind and size of a certificate's key for display, whether or not any stack can use it.
enum KeyDescription {
    /// Returns the description of a key.
    ///
    /// - Parameters:
    ///   - fields: the certificate's fields.
    ///   - info: its SubjectPublicKeyInfo.
    ///   - der: the whole certificate.
    static func of(_ fields: CertificateFields, _ info: ASN1Node, in der: [UInt8]) -> String {
        switch fields.key {
        case CertificateFields.rsaEncryption: "RSA" + size(CertificateFields.modulusBits(der))
        case rsassaPSS: "RSASSA-PSS" + size(CertificateFields.modulusBits(der))
        case dsa: "DSA" + size(parameters(of: info).flatMap { bitsOfFirstInteger(in: $0) })
        case CertificateFields.ecPublicKey: "EC " + curve(fields, info)
        default: names[fields.key] ?? "algorithm \(fields.key)"
        }
    }

    private static func curve(_ fields: CertificateFields, _ info: ASN1Node) -> String {
        if let curve = fields.curve { return curves[curve] ?? "on the curve \(curve)" }
        // ECParameters: version, then the field, a type and a prime (RFC 3279 section 2.3.5).
        let field = parameters(of: info).flatMap { try? CertificateFrame.children(of: $0) }?.dropFirst().first
        let prime = field.flatMap { try? CertificateFrame.children(of: $0) }?.last
        return "with explicit parameters" + (prime.flatMap(bits).map { " of \($0) bits" } ?? "")
    }

    private static func size(_ bits: Int?) -> String { bits.map { " \($0)" } ?? " of a size that can't be read" }

    private static func parameters(of info: ASN1Node) -> ASN1Node? {
        guard let algorithm = try? CertificateFrame.children(of: info).first else { return nil }
        return try? CertificateFrame.children(of: algorithm).dropFirst().first
    }

    private static func bitsOfFirstInteger(in node: ASN1Node) -> Int? {
        (try? CertificateFrame.children(of: node))?.first.flatMap(bits)
    }

    /// Returns the size of a positive INTEGER.
    private static func bits(of integer: ASN1Node) -> Int? {
        guard integer.identifier == .integer, case .primitive(let bytes) = integer.content else { return nil }
        let digits = bytes.drop { $0 == 0 }
        return digits.first.map { digits.count * 8 - $0.leadingZeroBitCount }
    }

    private static let rsassaPSS: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]
    private static let dsa: ASN1ObjectIdentifier = [1, 2, 840, 10040, 4, 1]

    /// RFC 8410.
    private static let names: [ASN1ObjectIdentifier: String] = [
        [1, 3, 101, 110]: "X25519", [1, 3, 101, 111]: "X448", [1, 3, 101, 112]: "Ed25519", [1, 3, 101, 113]: "Ed448",
    ]

    /// RFC 5480 section 2.1.1.1, SEC 2, RFC 5639.
    private static let curves: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 10045, 3, 1, 1]: "P-192", [1, 3, 132, 0, 33]: "P-224", [1, 2, 840, 10045, 3, 1, 7]: "P-256",
        [1, 3, 132, 0, 34]: "P-384", [1, 3, 132, 0, 35]: "P-521", [1, 3, 132, 0, 10]: "secp256k1",
        [1, 3, 36, 3, 3, 2, 8, 1, 1, 7]: "brainpoolP256r1", [1, 3, 36, 3, 3, 2, 8, 1, 1, 11]: "brainpoolP384r1",
        [1, 3, 36, 3, 3, 2, 8, 1, 1, 13]: "brainpoolP512r1",
    ]
}

/// The names of signature algorithms, including those unknown to the certificate library, in its spelling.
enum SignatureName {
    /// Returns the name of a certificate's algorithm, else its identifier.
    static func of(_ fields: CertificateFields) -> String {
        if fields.signature == rsassaPSS, case .sized(let digest, _) = SignatureDigest(fields) {
            return "rsassaPSSWith\(digest.filter { $0 != "-" })"
        }
        return names[fields.signature] ?? "\(fields.signature)"
    }

    private static let rsassaPSS: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]

    /// RFC 8017 appendix C, RFC 3279, RFC 5758, RFC 8410.
    private static let names: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 1, 2]: "md2WithRSAEncryption", [1, 2, 840, 113549, 1, 1, 4]: "md5WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 5]: "sha1WithRSAEncryption", [1, 3, 14, 3, 2, 29]: "sha1WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 14]: "sha224WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 11]: "sha256WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 12]: "sha384WithRSAEncryption",
        [1, 2, 840, 113549, 1, 1, 13]: "sha512WithRSAEncryption", [1, 2, 840, 10045, 4, 1]: "ecdsaWithSHA1",
        [1, 2, 840, 10045, 4, 3, 1]: "ecdsaWithSHA224", [1, 2, 840, 10045, 4, 3, 2]: "ecdsaWithSHA256",
        [1, 2, 840, 10045, 4, 3, 3]: "ecdsaWithSHA384", [1, 2, 840, 10045, 4, 3, 4]: "ecdsaWithSHA512",
        [1, 2, 840, 10040, 4, 3]: "dsaWithSHA1", [2, 16, 840, 1, 101, 3, 4, 3, 1]: "dsaWithSHA224",
        [2, 16, 840, 1, 101, 3, 4, 3, 2]: "dsaWithSHA256", [1, 3, 101, 112]: "ed25519", [1, 3, 101, 113]: "ed448",
    ]
}
