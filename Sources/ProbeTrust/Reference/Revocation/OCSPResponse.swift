import Crypto
import ProbeKit
import ProbePlatform
import SwiftASN1
import X509

/// A basic OCSP response (RFC 6960 section 4.2.1), read as far as a staple needs.
package struct OCSPResponse {
    /// The responder's statement about one certificate.
    struct Single {
        enum Status {
            case good
            case revoked(Date)
            case unknown
        }

        let id: OCSPCertificateID
        let status: Status
        let thisUpdate: Date
        let nextUpdate: Date?
    }

    /// The signed bytes.
    let responseData: ArraySlice<UInt8>
    let responses: [Single]
    let signatureAlgorithm: Certificate.SignatureAlgorithm
    let signature: [UInt8]
    /// Certificates that may lead from the issuer to a delegated responder.
    let certificates: [ParsedCertificate]

    /// More entries than any responder sends for one certificate.
    private static let maximumResponses = 64
    /// More than any responder sends.
    private static let maximumCertificates = 8
    /// Far more than a response of that size takes.
    private static let maximumBytes = 1 << 17

    /// Reads a whole response.
    ///
    /// - Throws: an error of the DER parser, or ``UnusableStaple`` if the responder reported an error.
    package init(der: [UInt8]) throws {
        guard der.count <= Self.maximumBytes else { throw UnusableStaple(message: "it is too large") }
        let outer = try DER.parse(der)
        let basic: ArraySlice<UInt8> = try DER.sequence(outer, identifier: .sequence) { fields in
            guard let status = fields.next(), case .primitive(let value) = status.content,
                status.identifier == .enumerated
            else { throw UnusableStaple(message: "it has no status") }
            guard value.elementsEqual([0]) else {
                throw UnusableStaple(message: "the responder answered with an error")
            }
            return try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { node in
                try DER.sequence(node, identifier: .sequence) { fields in
                    guard try ASN1ObjectIdentifier(derEncoded: &fields) == Self.basicResponse else {
                        throw UnusableStaple(message: "it is of another type than basic")
                    }
                    return try ASN1OctetString(derEncoded: &fields).bytes
                }
            } ?? { throw UnusableStaple(message: "it is empty") }()
        }
        self = try DER.sequence(try DER.parse(basic), identifier: .sequence) { fields in
            guard let data = fields.next(), let algorithm = fields.next() else {
                throw UnusableStaple(message: "it is cut short")
            }
            guard let signature = fields.next() else { throw UnusableStaple(message: "it is not signed") }
            let certificates =
                try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { node in
                    // An unreadable certificate does not invalidate the others.
                    try CertificateFrame.children(of: node).prefix(Self.maximumCertificates).compactMap {
                        try? ParsedCertificate.parse(Array($0.encodedBytes)).get()
                    }
                } ?? []
            return OCSPResponse(
                responseData: data.encodedBytes, responses: try Self.singles(data),
                signatureAlgorithm: try Self.signatureAlgorithm(algorithm),
                signature: Array(try CertificateFrame.octets(of: signature)),
                certificates: certificates)
        }
    }

    private init(
        responseData: ArraySlice<UInt8>, responses: [Single], signatureAlgorithm: Certificate.SignatureAlgorithm,
        signature: [UInt8], certificates: [ParsedCertificate]
    ) {
        self.responseData = responseData
        self.responses = responses
        self.signatureAlgorithm = signatureAlgorithm
        self.signature = signature
        self.certificates = certificates
    }

    /// The algorithms public CAs may sign with (CA/B baseline requirements 7.1.3.2), PSS excepted.
    static let signatureAlgorithms: [ASN1ObjectIdentifier: Certificate.SignatureAlgorithm] = [
        [1, 2, 840, 113549, 1, 1, 11]: .sha256WithRSAEncryption,
        [1, 2, 840, 113549, 1, 1, 12]: .sha384WithRSAEncryption,
        [1, 2, 840, 113549, 1, 1, 13]: .sha512WithRSAEncryption, [1, 2, 840, 10045, 4, 3, 2]: .ecdsaWithSHA256,
        [1, 2, 840, 10045, 4, 3, 3]: .ecdsaWithSHA384, [1, 2, 840, 10045, 4, 3, 4]: .ecdsaWithSHA512,
        [1, 3, 101, 112]: .ed25519,
    ]

    private static func signatureAlgorithm(_ node: ASN1Node) throws -> Certificate.SignatureAlgorithm {
        try DER.sequence(node, identifier: .sequence) { fields in
            let oid = try ASN1ObjectIdentifier(derEncoded: &fields)
            while fields.next() != nil {}
            guard let algorithm = signatureAlgorithms[oid] else {
                throw UnusableStaple(message: "it is signed with the algorithm \(oid)")
            }
            return algorithm
        }
    }

    private static let basicResponse: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 1]

    /// Reads ResponseData: version, responder, producedAt, responses, extensions.
    private static func singles(_ data: ASN1Node) throws -> [Single] {
        try DER.sequence(data, identifier: .sequence) { fields in
            _ = try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { $0.encodedBytes }
            _ = fields.next()
            _ = try time(fields.next())
            guard let list = fields.next(), case .constructed(let nodes) = list.content else {
                throw UnusableStaple(message: "it lists nothing")
            }
            while fields.next() != nil {}
            return try nodes.prefix(maximumResponses).map(single)
        }
    }

    private static func single(_ node: ASN1Node) throws -> Single {
        try DER.sequence(node, identifier: .sequence) { fields in
            guard let id = fields.next(), let status = fields.next() else {
                throw UnusableStaple(message: "an entry is cut short")
            }
            let thisUpdate = try time(fields.next())
            let nextUpdate = try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) {
                try time($0)
            }
            while fields.next() != nil {}
            return Single(
                id: try OCSPCertificateID(id), status: try self.status(status), thisUpdate: thisUpdate,
                nextUpdate: nextUpdate)
        }
    }

    private static func time(_ node: ASN1Node?) throws -> Date {
        guard let node else { throw UnusableStaple(message: "an entry has no time") }
        return try Date(generalizedTime: node)
    }

    /// Reads CertStatus: good [0] NULL, revoked [1] with a time first, unknown [2] NULL.
    private static func status(_ node: ASN1Node) throws -> Single.Status {
        guard node.identifier.tagClass == .contextSpecific else {
            throw UnusableStaple(message: "an entry has no status")
        }
        switch node.identifier.tagNumber {
        case 0: return .good
        case 1:
            guard case .constructed(let fields) = node.content, let time = fields.first(where: { _ in true }) else {
                throw UnusableStaple(message: "a revocation has no time")
            }
            return .revoked(try self.time(time))
        default: return .unknown
        }
    }
}

/// The certificate that an OCSP entry is about: its issuer's name and key by hash, and its serial number.
struct OCSPCertificateID {
    private let algorithm: ASN1ObjectIdentifier
    private let issuerNameHash: [UInt8]
    private let issuerKeyHash: [UInt8]
    private let serial: [UInt8]

    init(_ node: ASN1Node) throws {
        self = try DER.sequence(node, identifier: .sequence) { fields in
            guard let algorithm = fields.next() else { throw UnusableStaple(message: "an entry names no hash") }
            let oid = try DER.sequence(algorithm, identifier: .sequence) { fields in
                let oid = try ASN1ObjectIdentifier(derEncoded: &fields)
                while fields.next() != nil {}
                return oid
            }
            let name = try ASN1OctetString(derEncoded: &fields)
            let key = try ASN1OctetString(derEncoded: &fields)
            let serial = try ArraySlice<UInt8>(derEncoded: &fields)
            return OCSPCertificateID(
                algorithm: oid, issuerNameHash: Array(name.bytes), issuerKeyHash: Array(key.bytes),
                serial: Array(serial))
        }
    }

    private init(algorithm: ASN1ObjectIdentifier, issuerNameHash: [UInt8], issuerKeyHash: [UInt8], serial: [UInt8]) {
        self.algorithm = algorithm
        self.issuerNameHash = issuerNameHash
        self.issuerKeyHash = issuerKeyHash
        self.serial = serial
    }

    /// Returns true if the entry is about `certificate`, which `issuer` issued.
    func names(_ certificate: Certificate, issuedBy issuer: Certificate) -> Bool {
        guard certificate.serialNumber == Certificate.SerialNumber(bytes: serial),
            let name = try? Self.encoded(certificate.issuer)
        else { return false }
        // Despite its name, this is the content of the BIT STRING, without the algorithm.
        let key = issuer.publicKey.subjectPublicKeyInfoBytes
        switch algorithm {
        // SHA-1 only names a certificate here; the signature protects the entry (RFC 5019 section 2.1.1).
        case Self.sha1:
            return issuerNameHash.elementsEqual(Insecure.SHA1.hash(data: name))
                && issuerKeyHash.elementsEqual(Insecure.SHA1.hash(data: key))
        case Self.sha256:
            return issuerNameHash.elementsEqual(SHA256.hash(data: name))
                && issuerKeyHash.elementsEqual(SHA256.hash(data: key))
        default: return false
        }
    }

    private static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]
    private static let sha256: ASN1ObjectIdentifier = [2, 16, 840, 1, 101, 3, 4, 2, 1]

    private static func encoded(_ name: DistinguishedName) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(name)
        return serializer.serializedBytes
    }
}
