import SwiftASN1

/// Why the verifier can't read a certificate: its algorithm is one that is refused anyway, or it is malformed.
struct UnreadableCertificate: Error {
    let cause: TrustCause
    let message: String

    init(cause: TrustCause, message: String) {
        self.cause = cause
        self.message = message
    }

    /// Looks past the parser's error at the two algorithm identifiers, which tell a weak certificate from a broken one.
    init(der: [UInt8], error: any Error) {
        guard let algorithms = try? Algorithms(der) else {
            self.init(cause: .malformed, message: "not a certificate: \(error)")
            return
        }
        if let name = Self.weakSignatures[algorithms.signature] {
            self.init(cause: .weakSignature, message: "signed with \(name)")
        } else if algorithms.key == Self.rsaEncryption, let bits = Self.modulusBits(der), bits < 2048 {
            self.init(cause: .weakKey, message: "the key is RSA of \(bits) bits")
        } else if let name = Self.refusedKeys[algorithms.key] {
            self.init(cause: .weakKey, message: "the key is \(name), which no public CA may certify")
        } else if algorithms.key == Self.ecPublicKey, algorithms.curve.map(Self.curves.contains) != true {
            self.init(cause: .weakKey, message: "the key is on no named curve that is P-256, P-384 or P-521")
        } else if algorithms.signature == Self.rsassaPSS {
            self.init(cause: .other, message: "signed with RSASSA-PSS, which the reference verifier does not read")
        } else {
            self.init(cause: .malformed, message: "not a certificate: \(error)")
        }
    }

    private static let rsassaPSS: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 1, 10]

    private static let ecPublicKey: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]

    /// P-256, P-384 and P-521.
    private static let curves: Set<ASN1ObjectIdentifier> = [
        [1, 2, 840, 10045, 3, 1, 7], [1, 3, 132, 0, 34], [1, 3, 132, 0, 35],
    ]

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

    /// CA/B baseline requirements 7.1.3.1 allow rsaEncryption and three curves, nothing else.
    private static let refusedKeys: [ASN1ObjectIdentifier: String] = [
        [1, 2, 840, 113549, 1, 1, 10]: "RSASSA-PSS", [1, 2, 840, 10040, 4, 1]: "DSA",
    ]

    /// The algorithm identifiers of a certificate's signature and key, whatever their parameters.
    private struct Algorithms: DERImplicitlyTaggable {
        let signature: ASN1ObjectIdentifier
        let key: ASN1ObjectIdentifier
        /// The key's parameters where they name a curve.
        let curve: ASN1ObjectIdentifier?

        static var defaultIdentifier: ASN1Identifier { .sequence }

        init(_ der: [UInt8]) throws {
            try self.init(derEncoded: DER.parse(der))
        }

        init(derEncoded node: ASN1Node, withIdentifier identifier: ASN1Identifier) throws {
            self = try DER.sequence(node, identifier: identifier) { fields in
                guard let tbs = fields.next(), let algorithm = fields.next(), fields.next() != nil else {
                    throw ASN1Error.invalidASN1Object(reason: "three fields make a certificate")
                }
                let key = try Self.key(in: tbs)
                return Algorithms(signature: try Self.identifier(in: algorithm).0, key: key.0, curve: key.1)
            }
        }

        private init(signature: ASN1ObjectIdentifier, key: ASN1ObjectIdentifier, curve: ASN1ObjectIdentifier?) {
            self.signature = signature
            self.key = key
            self.curve = curve
        }

        func serialize(into coder: inout DER.Serializer, withIdentifier identifier: ASN1Identifier) throws {
            throw ASN1Error.invalidASN1Object(reason: "algorithms are only read")
        }

        private static func identifier(
            in node: ASN1Node
        ) throws -> (ASN1ObjectIdentifier, parameter: ASN1ObjectIdentifier?) {
            try DER.sequence(node, identifier: .sequence) { fields in
                let oid = try ASN1ObjectIdentifier(derEncoded: &fields)
                let parameter = fields.next().flatMap { try? ASN1ObjectIdentifier(derEncoded: $0) }
                while fields.next() != nil {}
                return (oid, parameter)
            }
        }

        private static func key(
            in tbs: ASN1Node
        ) throws -> (ASN1ObjectIdentifier, parameter: ASN1ObjectIdentifier?) {
            try DER.sequence(tbs, identifier: .sequence) { fields in
                var nodes: [ASN1Node] = []
                while let node = fields.next() { nodes.append(node) }
                // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo, after an optional version.
                let index = nodes.first?.identifier == .integer ? 5 : 6
                guard nodes.count > index else {
                    throw ASN1Error.invalidASN1Object(reason: "the certificate has no key")
                }
                return try DER.sequence(nodes[index], identifier: .sequence) { info in
                    guard let algorithm = info.next(), info.next() != nil else {
                        throw ASN1Error.invalidASN1Object(reason: "the key has no bits")
                    }
                    return try identifier(in: algorithm)
                }
            }
        }
    }
}
