import ProbePins
import SwiftASN1
import X509

/// The fields of a certificate that can be read whatever its algorithms are.
struct CertificateFields {
    /// The content of the serial number's INTEGER.
    let serial: [UInt8]
    /// The algorithm of the signature, and its parameters.
    let signature: ASN1ObjectIdentifier
    let signatureParameters: ASN1Node?
    let key: ASN1ObjectIdentifier
    /// The first parameter of the key's algorithm, if it is an object identifier, like a named curve.
    let curve: ASN1ObjectIdentifier?
    private let subjectNode: ASN1Node
    private let issuerNode: ASN1Node
    /// True if issuer and subject are the same bytes.
    let isSelfIssued: Bool
    /// The size of an RSA key's modulus.
    let rsaBits: Int?
    /// The content of the subject key identifier (RFC 5280 section 4.2.1.2); nil if there is none.
    let subjectKeyIdentifier: [UInt8]?

    static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]
    static let ecPublicKey: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]

    init(_ der: [UInt8], frame: CertificateFrame) throws {
        // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo, after an optional version.
        let first = frame.algorithmIndex - 1
        guard frame.body.count > first + 5,
            let keyAlgorithm = try CertificateFrame.children(of: frame.body[first + 5]).first
        else { throw ASN1Error.invalidASN1Object(reason: "the certificate has no key") }
        serial = try Self.content(of: frame.body[first])
        let signatureFields = try CertificateFrame.children(of: frame.algorithm)
        signature = try Self.identifier(signatureFields.first)
        signatureParameters = signatureFields.dropFirst().first
        let keyFields = try CertificateFrame.children(of: keyAlgorithm)
        key = try Self.identifier(keyFields.first)
        curve = try? Self.identifier(keyFields.dropFirst().first)
        subjectNode = frame.body[first + 4]
        issuerNode = frame.body[first + 2]
        isSelfIssued = issuerNode.encodedBytes == subjectNode.encodedBytes
        rsaBits = key == Self.rsaEncryption ? Self.modulusBits(der) : nil
        subjectKeyIdentifier = Self.subjectKeyIdentifier(frame)
    }

    /// The certificate's subject, if it can be read.
    var subject: DistinguishedName? { try? DistinguishedName(derEncoded: subjectNode) }
    /// The name of its issuer, if it can be read.
    var issuer: DistinguishedName? { try? DistinguishedName(derEncoded: issuerNode) }

    private static func identifier(_ node: ASN1Node?) throws -> ASN1ObjectIdentifier {
        guard let node else { throw ASN1Error.invalidASN1Object(reason: "an algorithm has no identifier") }
        return try ASN1ObjectIdentifier(derEncoded: node)
    }

    private static func content(of node: ASN1Node) throws -> [UInt8] {
        guard case .primitive(let bytes) = node.content else {
            throw ASN1Error.invalidASN1Object(reason: "a primitive value is constructed")
        }
        return Array(bytes)
    }

    /// Returns the size of an RSA key's modulus (RFC 8017 appendix A.1.1).
    static func modulusBits(_ der: [UInt8]) -> Int? {
        guard let slices = try? CertificateSlices(certificate: der.span),
            let fields = try? CertificateFrame.children(of: DER.parse(der[slices.rawKey])), let modulus = fields.first,
            let bytes = try? content(of: modulus)
        else { return nil }
        let digits = bytes.drop { $0 == 0 }
        return digits.first.map { digits.count * 8 - $0.leadingZeroBitCount }
    }

    private static func subjectKeyIdentifier(_ frame: CertificateFrame) -> [UInt8]? {
        for node in frame.extensions.prefix(CertificateFrame.maximumExtensions) {
            guard let fields = try? CertificateFrame.children(of: node), let oid = try? identifier(fields.first),
                oid == .X509ExtensionID.subjectKeyIdentifier, let wrapped = fields.last,
                let value = try? ASN1OctetString(derEncoded: wrapped),
                let inner = try? ASN1OctetString(derEncoded: DER.parse(value.bytes))
            else { continue }
            return Array(inner.bytes)
        }
        return nil
    }
}
