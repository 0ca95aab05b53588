import Crypto
import ProbeKit
import ProbePlatform
import SwiftASN1
import X509

/// An OCSP response as data: a certificate's status, its signer, and its faults (RFC 6960).
public struct LabOCSPResponse: Sendable {
    /// The certificate's status.
    public enum Status: Sendable {
        /// Not revoked.
        case good
        /// Revoked a day before the epoch.
        case revoked
        /// The responder does not know it.
        case unknown
    }

    /// The digest that identifies the certificate's issuer.
    public enum Digest: Sendable, CaseIterable {
        /// The usual one.
        case sha1
        /// A rare one.
        case sha256
    }

    /// The signer of a response.
    public enum Signer: Sendable {
        /// The issuer it names.
        case issuer
        /// A CA, whether or not it issued the certificate.
        case authority(LabAuthority)
        /// The holder of a certificate, which the response carries.
        case delegate(LabCertificateRecipe)
    }

    /// The certificate's status.
    public var status: Status
    /// First and last second the response is current, in seconds from the PKI's epoch.
    public var updates = -3600...7 * 86_400
    /// True if it has a nextUpdate.
    public var hasNextUpdate = true
    /// The digest that identifies the certificate's issuer.
    public var digest = Digest.sha1
    /// The signer.
    public var signer = Signer.issuer
    /// True if one bit of the signature is flipped.
    public var breaksSignature = false

    /// Creates a current response, signed by the issuer, modified by `change`.
    public init(_ status: Status, change: (inout LabOCSPResponse) -> Void = { _ in }) {
        self.status = status
        change(&self)
    }
}

extension LabPKI {
    /// Returns the response as DER, about a certificate that `issuer` issued.
    ///
    /// - Parameter certificate: the certificate as DER.
    public func encode(
        _ response: LabOCSPResponse, about certificate: [UInt8], issuer: LabAuthority = .intermediate
    ) throws -> [UInt8] {
        let (key, carried): (LabKeyID, [[UInt8]]) =
            switch response.signer {
            case .issuer: (issuer.recipe.key, [])
            case .authority(let authority): (authority.recipe.key, [])
            case .delegate(let recipe): (recipe.key, [try issue(recipe)])
            }
        let signer = try self.key(key)
        let data = try LabOCSPEncoder(response: response, epoch: epoch, signer: signer).data(
            about: Certificate(derEncoded: certificate), issuerKey: self.key(issuer.recipe.key))
        let scheme = signer.defaultSignature
        var signature = try signer.sign(data, scheme)
        if response.breaksSignature { signature[signature.count - 1] ^= 1 }
        return try LabOCSPEncoder.response(data: data, scheme: scheme, signature: signature, certificates: carried)
    }
}

/// Writes OCSP responses as DER (RFC 6960 section 4.2.1).
private struct LabOCSPEncoder {
    let response: LabOCSPResponse
    let epoch: Date
    let signer: LabKey

    static func response(
        data: [UInt8], scheme: LabSignature, signature: [UInt8], certificates: [[UInt8]]
    ) throws -> [UInt8] {
        var basic = DER.Serializer()
        try basic.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(data)
            try scheme.serialize(into: &coder)
            try coder.serialize(ASN1BitString(bytes: signature[...]))
            guard !certificates.isEmpty else { return }
            coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                coder.appendConstructedNode(identifier: .sequence) { coder in
                    for certificate in certificates { coder.serializeRawBytes(certificate) }
                }
            }
        }
        var outer = DER.Serializer()
        try outer.appendConstructedNode(identifier: .sequence) { coder in
            coder.appendPrimitiveNode(identifier: .enumerated) { $0.append(0) }
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize([1, 3, 6, 1, 5, 5, 7, 48, 1, 1] as ASN1ObjectIdentifier)
                    try coder.serialize(ASN1OctetString(contentBytes: basic.serializedBytes[...]))
                }
            }
        }
        return outer.serializedBytes
    }

    /// Returns ResponseData with one entry.
    func data(about certificate: Certificate, issuerKey: LabKey) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(explicitlyTaggedWithTagNumber: 2, tagClass: .contextSpecific) { coder in
                try coder.serialize(ASN1OctetString(contentBytes: Array(Insecure.SHA1.hash(data: signer.rawKey))[...]))
            }
            appendTime(response.updates.lowerBound, to: &coder)
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try appendID(of: certificate, issuerKey: issuerKey, to: &coder)
                    appendStatus(to: &coder)
                    appendTime(response.updates.lowerBound, to: &coder)
                    guard response.hasNextUpdate else { return }
                    coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                        appendTime(response.updates.upperBound, to: &coder)
                    }
                }
            }
        }
        return coder.serializedBytes
    }

    private func appendID(of certificate: Certificate, issuerKey: LabKey, to coder: inout DER.Serializer) throws {
        var name = DER.Serializer()
        try name.serialize(certificate.issuer)
        let oid: ASN1ObjectIdentifier
        let hashes: [[UInt8]]
        switch response.digest {
        case .sha1:
            oid = [1, 3, 14, 3, 2, 26]
            hashes = [name.serializedBytes, issuerKey.rawKey].map { Array(Insecure.SHA1.hash(data: $0)) }
        case .sha256:
            oid = [2, 16, 840, 1, 101, 3, 4, 2, 1]
            hashes = [name.serializedBytes, issuerKey.rawKey].map { Array(SHA256.hash(data: $0)) }
        }
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                try coder.serialize(oid)
                try coder.serialize(ASN1Null())
            }
            for hash in hashes { try coder.serialize(ASN1OctetString(contentBytes: hash[...])) }
            coder.appendPrimitiveNode(identifier: .integer) { $0.append(contentsOf: certificate.serialNumber.bytes) }
        }
    }

    private func appendStatus(to coder: inout DER.Serializer) {
        switch response.status {
        case .good:
            coder.appendPrimitiveNode(identifier: ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)) { _ in }
        case .revoked:
            coder.appendConstructedNode(identifier: ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific)) {
                appendTime(-86_400, to: &$0)
            }
        case .unknown:
            coder.appendPrimitiveNode(identifier: ASN1Identifier(tagWithNumber: 2, tagClass: .contextSpecific)) { _ in }
        }
    }

    private func appendTime(_ offset: Int, to coder: inout DER.Serializer) {
        let digits = RFC3339.format(epoch.addingTimeInterval(TimeInterval(offset))).filter(\.isNumber) + "Z"
        coder.appendPrimitiveNode(identifier: .generalizedTime) { $0.append(contentsOf: digits.utf8) }
    }
}
