import Crypto
import ProbeKit
import ProbePlatform
import SwiftASN1
import X509

/// Writes certificates as DER (RFC 5280 section 4.1).
///
/// Names and extensions come from swift-certificates; the rest is written here, because that library can't express the
/// faults of half of the lab's certificates.
struct LabCertificateEncoder {
    let recipe: LabCertificateRecipe
    let subjectKey: LabKey
    let issuer: LabCertificateRecipe
    let issuerKey: LabKey
    let epoch: Date

    /// Returns the signed certificate.
    func encode() throws -> [UInt8] {
        let scheme = recipe.signature ?? issuerKey.defaultSignature
        let body = try encodeBody(scheme)
        var signature = try issuerKey.sign(body, scheme)
        if recipe.breaksSignature { signature[signature.count - 1] ^= 1 }
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            coder.serializeRawBytes(body)
            try scheme.serialize(into: &coder)
            try coder.serialize(ASN1BitString(bytes: signature[...]))
        }
        return coder.serializedBytes
    }

    private func encodeBody(_ scheme: LabSignature) throws -> [UInt8] {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            if !recipe.isVersionOne {
                try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) {
                    try $0.serialize(2)
                }
            }
            coder.appendPrimitiveNode(identifier: .integer) {
                $0.append(contentsOf: recipe.serial ?? Self.randomSerial())
            }
            try scheme.serialize(into: &coder)
            coder.serializeRawBytes(try Self.subject(of: issuer))
            coder.appendConstructedNode(identifier: .sequence) { coder in
                appendTime(recipe.validity.lowerBound, to: &coder)
                appendTime(recipe.validity.upperBound, to: &coder)
            }
            coder.serializeRawBytes(try Self.subject(of: recipe))
            coder.serializeRawBytes(try subjectKey.spki(recipe.keyEncoding))
            if let bits = recipe.uniqueIdentifier {
                let tag = ASN1Identifier(tagWithNumber: 2, tagClass: .contextSpecific)
                coder.appendPrimitiveNode(identifier: tag) { $0.append(contentsOf: [0] + bits) }
            }
            if recipe.isVersionOne { return }
            let extensions = try extensions()
            try coder.serialize(explicitlyTaggedWithTagNumber: 3, tagClass: .contextSpecific) { coder in
                try coder.serializeSequenceOf(extensions)
            }
        }
        return coder.serializedBytes
    }

    private func extensions() throws -> [Certificate.Extension] {
        var all: [Certificate.Extension] = []
        switch recipe.leavesOutRole ? nil : recipe.role {
        case nil: break
        case .leaf: all.append(try Certificate.Extension(BasicConstraints.notCertificateAuthority, critical: true))
        case .authority(let length):
            all.append(
                try Certificate.Extension(
                    BasicConstraints.isCertificateAuthority(maxPathLength: length), critical: true))
        }
        if let usage = recipe.keyUsage { all.append(try Certificate.Extension(usage.usage, critical: true)) }
        if let purposes = recipe.purposes {
            all.append(try Certificate.Extension(ExtendedKeyUsage(purposes.map(\.usage)), critical: false))
        }
        let names =
            recipe.dnsNames.map { GeneralName.dnsName($0) }
            + recipe.addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) }
        if !names.isEmpty {
            all.append(try Certificate.Extension(SubjectAlternativeNames(names), critical: false))
        }
        if !recipe.permittedNames.isEmpty || !recipe.excludedNames.isEmpty {
            let constraints = NameConstraints(
                permittedDNSDomains: NameConstraints.DNSNames(recipe.permittedNames),
                excludedDNSDomains: NameConstraints.DNSNames(recipe.excludedNames))
            all.append(try Certificate.Extension(constraints, critical: true))
        }
        let subject = SubjectKeyIdentifier(keyIdentifier: subjectKey.identifier[...])
        all.append(try Certificate.Extension(subject, critical: false))
        let authority = AuthorityKeyIdentifier(keyIdentifier: issuerKey.identifier[...])
        all.append(try Certificate.Extension(authority, critical: false))
        for other in recipe.extensions {
            let oid = try ASN1ObjectIdentifier(elements: other.oid)
            all.removeAll { $0.oid == oid }
            all.append(Certificate.Extension(oid: oid, critical: other.isCritical, value: other.value[...]))
        }
        let omitted = try recipe.omittedExtensions.map { try ASN1ObjectIdentifier(elements: $0) }
        return all.filter { !omitted.contains($0.oid) }
    }

    /// Appends UTCTime before 2050, GeneralizedTime from then on (RFC 5280 section 4.1.2.5).
    private func appendTime(_ offset: Int, to coder: inout DER.Serializer) {
        let digits = RFC3339.format(epoch.addingTimeInterval(TimeInterval(offset))).filter(\.isNumber) + "Z"
        let isShort = digits < "2050"
        coder.appendPrimitiveNode(identifier: isShort ? .utcTime : .generalizedTime) {
            $0.append(contentsOf: digits.dropFirst(isShort ? 2 : 0).utf8)
        }
    }

    /// Returns 16 random bytes that are a positive number in its shortest form.
    private static func randomSerial() -> [UInt8] {
        [UInt8.random(in: 0x40...0x7f)] + (1..<16).map { _ in UInt8.random(in: .min ... .max) }
    }

    static func subject(of recipe: LabCertificateRecipe) throws -> [UInt8] {
        if let encoded = recipe.encodedSubject { return encoded }
        let name = try DistinguishedName {
            CommonName(recipe.commonName)
        }
        var coder = DER.Serializer()
        try coder.serialize(name)
        return coder.serializedBytes
    }
}
