import SwiftASN1
import X509

/// Why the verifier can't read a certificate: its algorithm is one that is refused anyway, or it is malformed.
struct UnreadableCertificate: Error {
    let cause: TrustCause
    let message: String
    /// Whom the certificate is for, where at least that can be read.
    let subject: DistinguishedName?

    init(cause: TrustCause, message: String, subject: DistinguishedName? = nil) {
        self.cause = cause
        self.message = message
        self.subject = subject
    }

    /// Looks past the parser's error at the two algorithm identifiers, which tell a weak certificate from a broken one.
    init(der: [UInt8], error: any Error) {
        guard let fields = try? Fields(der) else {
            self.init(cause: .malformed, message: "not a certificate: \(error)")
            return
        }
        let (cause, message) = Self.reason(fields, der) ?? (.malformed, "not a certificate: \(error)")
        self.init(cause: cause, message: message, subject: fields.subject)
    }

    private static func reason(_ fields: Fields, _ der: [UInt8]) -> (TrustCause, String)? {
        if let name = weakSignatures[fields.signature] { return (.weakSignature, "signed with \(name)") }
        if fields.key == rsaEncryption, let bits = modulusBits(der) {
            if bits < 2048 { return (.weakKey, "the key is RSA of \(bits) bits") }
            if bits > ParsedCertificate.maximumRSABits { return (.tooComplex, "the key is RSA of \(bits) bits") }
        }
        if let name = refusedKeys[fields.key] {
            return (.weakKey, "the key is \(name), which no public CA may certify")
        }
        if fields.key == ecPublicKey, fields.curve.map({ !curves.contains($0) }) ?? true {
            return (.weakKey, "the key is on a curve other than P-256, P-384 and P-521, which no public CA may certify")
        }
        if fields.signature == rsassaPSS {
            return (.other, "signed with RSASSA-PSS with parameters that no public CA may use")
        }
        if fields.key == ecPublicKey {
            return (.weakKey, "the key is not an uncompressed point, the one form that every stack reads")
        }
        return nil
    }

    private static let rsassaPSS: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]

    private static let rsaEncryption: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 1]

    /// The size of an RSA key's modulus (RFC 8017 appendix A.1.1).
    private static func modulusBits(_ der: [UInt8]) -> Int? {
        guard let slices = try? CertificateSlices(certificate: der.span),
            let key = try? DER.parse(der[slices.rawKey]), case .constructed(let fields) = key.content
        else { return nil }
        var iterator = fields.makeIterator()
        guard let modulus = iterator.next(), case .primitive(let bytes) = modulus.content else { return nil }
        let digits = bytes.drop { $0 == 0 }
        return digits.first.map { digits.count * 8 - $0.leadingZeroBitCount }
    }

    private static let weakSignatures: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 1, 2]: "MD2", [1, 2, 840, 113549, 1, 1, 4]: "MD5",
        [1, 2, 840, 113549, 1, 1, 5]: "SHA-1", [1, 3, 14, 3, 2, 29]: "SHA-1",
        [1, 2, 840, 10045, 4, 1]: "SHA-1", [1, 2, 840, 10040, 4, 3]: "DSA and SHA-1",
    ]

    private static let ecPublicKey: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]

    /// CA/B baseline requirements 7.1.3.1 allow rsaEncryption and three curves, nothing else.
    private static let refusedKeys: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 1, 10]: "RSASSA-PSS", [1, 2, 840, 10040, 4, 1]: "DSA",
    ]

    private static let curves: Set<ASN1ObjectIdentifier> = [
        [1, 2, 840, 10045, 3, 1, 7], [1, 3, 132, 0, 34], [1, 3, 132, 0, 35],
    ]

    /// What can be read of a certificate whatever its algorithms are.
    private struct Fields: DERImplicitlyTaggable {
        let signature: ASN1ObjectIdentifier
        let key: ASN1ObjectIdentifier
        /// The first parameter of the key's algorithm, where it is an object identifier as a named curve is.
        let curve: ASN1ObjectIdentifier?
        let subject: DistinguishedName?

        static var defaultIdentifier: ASN1Identifier { .sequence }

        init(_ der: [UInt8]) throws {
            try self.init(derEncoded: DER.parse(der))
        }

        init(derEncoded node: ASN1Node, withIdentifier identifier: ASN1Identifier) throws {
            let (tbs, algorithm) = try DER.sequence(node, identifier: identifier) { fields in
                guard let tbs = fields.next(), let algorithm = fields.next(), fields.next() != nil else {
                    throw ASN1Error.invalidASN1Object(reason: "three fields make a certificate")
                }
                return (tbs, algorithm)
            }
            // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo, after an optional version.
            let nodes = try Self.children(of: tbs)
            let index = nodes.first?.identifier == .integer ? 5 : 6
            guard nodes.count > index, let keyAlgorithm = try Self.children(of: nodes[index]).first else {
                throw ASN1Error.invalidASN1Object(reason: "the certificate has no key")
            }
            signature = try Self.identifier(Self.children(of: algorithm).first)
            let keyFields = try Self.children(of: keyAlgorithm)
            key = try Self.identifier(keyFields.first)
            curve = try? Self.identifier(keyFields.dropFirst().first)
            subject = try? DistinguishedName(derEncoded: nodes[index - 1])
        }

        func serialize(into coder: inout DER.Serializer, withIdentifier identifier: ASN1Identifier) throws {
            throw ASN1Error.invalidASN1Object(reason: "these fields are only read")
        }

        private static func children(of node: ASN1Node) throws -> [ASN1Node] {
            try DER.sequence(node, identifier: .sequence) { fields in
                var nodes: [ASN1Node] = []
                while let node = fields.next() { nodes.append(node) }
                return nodes
            }
        }

        private static func identifier(_ node: ASN1Node?) throws -> ASN1ObjectIdentifier {
            guard let node else { throw ASN1Error.invalidASN1Object(reason: "an algorithm has no identifier") }
            return try ASN1ObjectIdentifier(derEncoded: node)
        }
    }
}
