import ProbeKit
import ProbePlatform
import SwiftASN1
import X509

/// A certificate revocation list as data: its entries, its signer, and its faults (RFC 5280 section 5).
public struct LabRevocationList: Hashable, Sendable {
    /// The serial numbers it lists.
    public var serials: [[UInt8]]
    /// First and last second it is current, in seconds from the PKI's epoch.
    public var updates = -3600...7 * 86_400
    /// True if it has a nextUpdate.
    public var hasNextUpdate = true
    /// True for version 1, which has no extensions.
    public var isVersionOne = false
    /// Its extensions.
    public var extensions: [LabExtension] = []
    /// The extensions of each entry.
    public var entryExtensions: [LabExtension] = []
    /// The signing key; nil for its issuer's.
    public var signer: LabKeyID?
    /// True if one bit of the signature is flipped.
    public var breaksSignature = false

    /// Creates a current list of the issuer, modified by `change`.
    public init(_ serials: [[UInt8]] = [], change: (inout LabRevocationList) -> Void = { _ in }) {
        self.serials = serials
        change(&self)
    }

    /// Returns an issuing distribution point (RFC 5280 section 5.2.5) of the given fields.
    public static func scope(_ fields: [UInt8]) -> LabExtension {
        LabExtension(oid: [2, 5, 29, 28], isCritical: true, value: [0x30, UInt8(fields.count)] + fields)
    }

    /// The flags of an issuing distribution point, each of which is a whole field.
    public static let onlyUsers: [UInt8] = [0x81, 0x01, 0xff]
    /// Only CAs' certificates.
    public static let onlyAuthorities: [UInt8] = [0x82, 0x01, 0xff]
    /// Only the reasons key compromise and CA compromise.
    public static let someReasons: [UInt8] = [0x83, 0x02, 0x05, 0x60]
    /// Certificates of other issuers too.
    public static let indirect: [UInt8] = [0x84, 0x01, 0xff]
    /// Only attribute certificates.
    public static let onlyAttributes: [UInt8] = [0x85, 0x01, 0xff]

    /// The indicator of a delta list (RFC 5280 section 5.2.4).
    public static let delta = LabExtension(oid: [2, 5, 29, 27], isCritical: true, value: [0x02, 0x01, 0x01])
}

extension LabPKI {
    /// Returns the list as DER, in the name of a CA.
    public func encode(_ list: LabRevocationList, issuer: LabAuthority = .intermediate) throws -> [UInt8] {
        try encode(list, by: issuer.recipe)
    }

    /// Returns the list as DER, in the name of a CA that is a recipe itself.
    public func encode(_ list: LabRevocationList, by issuer: LabCertificateRecipe) throws -> [UInt8] {
        let signer = try key(list.signer ?? issuer.key)
        let scheme = signer.defaultSignature
        let body = try LabRevocationListEncoder(list: list, epoch: epoch).body(
            issuer: LabCertificateEncoder.subject(of: issuer), scheme)
        var signature = try signer.sign(body, scheme)
        if list.breaksSignature { signature[signature.count - 1] ^= 1 }
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(body)
            try scheme.serialize(into: &coder)
            try coder.serialize(ASN1BitString(bytes: signature[...]))
        }
        return coder.serializedBytes
    }

    /// Returns the serial number of a certificate.
    public static func serial(of certificate: [UInt8]) throws -> [UInt8] {
        Array(try Certificate(derEncoded: certificate).serialNumber.bytes)
    }

    /// Returns the subject of a certificate as a DER Name.
    public static func subject(of certificate: [UInt8]) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.serialize(Certificate(derEncoded: certificate).subject)
        return coder.serializedBytes
    }
}

/// Writes revocation lists as DER.
private struct LabRevocationListEncoder {
    let list: LabRevocationList
    let epoch: Date

    func body(issuer: [UInt8], _ scheme: LabSignature) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            if !list.isVersionOne { try coder.serialize(1) }
            try scheme.serialize(into: &coder)
            coder.serializeRawBytes(issuer)
            appendTime(list.updates.lowerBound, to: &coder)
            if list.hasNextUpdate { appendTime(list.updates.upperBound, to: &coder) }
            if !list.serials.isEmpty {
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    for serial in list.serials {
                        try coder.appendConstructedNode(identifier: .sequence) { coder in
                            coder.appendPrimitiveNode(identifier: .integer) { $0.append(contentsOf: serial) }
                            appendTime(-86_400, to: &coder)
                            if !list.entryExtensions.isEmpty { try append(list.entryExtensions, to: &coder) }
                        }
                    }
                }
            }
            guard !list.isVersionOne, !list.extensions.isEmpty else { return }
            try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { coder in
                try append(list.extensions, to: &coder)
            }
        }
        return coder.serializedBytes
    }

    private func append(_ extensions: [LabExtension], to coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            for ext in extensions {
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize(try ASN1ObjectIdentifier(elements: ext.oid))
                    if ext.isCritical { try coder.serialize(true) }
                    try coder.serialize(ASN1OctetString(contentBytes: ext.value[...]))
                }
            }
        }
    }

    private func appendTime(_ offset: Int, to coder: inout DER.Serializer) {
        let digits = RFC3339.format(epoch.addingTimeInterval(TimeInterval(offset))).filter(\.isNumber) + "Z"
        coder.appendPrimitiveNode(identifier: .utcTime) { $0.append(contentsOf: digits.dropFirst(2).utf8) }
    }
}
