import ProbeKit
package import ProbePlatform
import SwiftASN1
import Synchronization
import X509

/// A certificate revocation list (RFC 5280 section 5), read as far as a path needs.
package final class RevocationList: Sendable {
    /// The largest list that is read, in bytes; a list of 200 000 certificates fits.
    static let maximumBytes = 8 << 20

    let issuer: ComparableName
    let thisUpdate: Date
    let nextUpdate: Date?
    let scope: RevocationListScope
    /// An unknown critical extension, of the list or of an entry: then the list decides nothing.
    let unknownExtension: String?

    /// The kind of the list, if it is not a complete one of its issuer's own certificates.
    let unsupportedKind: String?

    /// The contents of the serial numbers, in no order.
    package var serials: some Collection<ArraySlice<UInt8>> { revoked.keys }

    private let signedBytes: ArraySlice<UInt8>
    private let algorithm: ASN1ObjectIdentifier
    private let signature: ArraySlice<UInt8>
    /// The date's bytes by the content of the serial number; only the requested entry's date is parsed.
    private let revoked: [ArraySlice<UInt8>: ArraySlice<UInt8>]
    /// The key that made the signature, once found: the list is met again on every path.
    private let signer = Mutex<PinDigest?>(nil)

    /// Reads a list.
    ///
    /// - Throws: an error of the DER parser.
    package init(_ der: [UInt8]) throws {
        guard der.count <= Self.maximumBytes else {
            throw ASN1Error.invalidASN1Object(reason: "it is larger than \(Self.maximumBytes) bytes")
        }
        let outer = try CertificateFrame.children(of: DER.parse(der))
        guard outer.count == 3 else { throw ASN1Error.invalidASN1Object(reason: "three fields make a list") }
        signedBytes = outer[0].encodedBytes
        signature = try CertificateFrame.octets(of: outer[2])
        var fields = try CertificateFrame.children(of: outer[0])[...]
        if fields.first?.identifier == .integer { fields = fields.dropFirst() }
        guard fields.count >= 3, let inner = fields.popFirst(), inner.encodedBytes == outer[1].encodedBytes,
            let identifier = try CertificateFrame.children(of: inner).first
        else { throw ASN1Error.invalidASN1Object(reason: "its two signature algorithms differ") }
        algorithm = try ASN1ObjectIdentifier(derEncoded: identifier)
        issuer = ComparableName(try DistinguishedName(derEncoded: fields.removeFirst()))
        thisUpdate = try Date(certificateTime: fields.removeFirst())
        nextUpdate = try fields.first.flatMap { Self.isTime($0) ? try Date(certificateTime: $0) : nil }
        if nextUpdate != nil { fields = fields.dropFirst() }
        var entries: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
        var unknown: String?
        if let list = fields.first, list.identifier == .sequence {
            fields = fields.dropFirst()
            for entry in try CertificateFrame.children(of: list) {
                let parts = try CertificateFrame.children(of: entry)
                guard parts.count >= 2, case .primitive(let serial) = parts[0].content else {
                    throw ASN1Error.invalidASN1Object(reason: "an entry has no serial number and date")
                }
                entries[serial] = parts[1].encodedBytes
                if parts.count > 2 { unknown = try unknown ?? Self.unknownCritical(in: parts[2], Self.entryExtensions) }
            }
        }
        revoked = entries
        let extensions = try fields.first.map { field in
            let tag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
            guard let list = try CertificateFrame.children(of: field, identifier: tag).first else {
                throw ASN1Error.invalidASN1Object(reason: "its extensions are empty")
            }
            unknown = try unknown ?? Self.unknownCritical(in: list, Self.listExtensions)
            return try CertificateFrame.children(of: list).map(RawExtension.init)
        }
        let scopeValue = extensions?.first { $0.oid == Self.issuingDistributionPoint }?.value
        scope = try scopeValue.map(RevocationListScope.init) ?? RevocationListScope()
        unknownExtension = unknown
        unsupportedKind =
            extensions?.contains { $0.oid == Self.deltaIndicator } == true
            ? "a delta list" : scope.isIndirect ? "an indirect list" : nil
    }

    /// Returns the time at which a certificate was revoked; nil if the list does not contain it.
    ///
    /// - Parameter serial: the content of the serial number's INTEGER.
    package func revocation(of serial: ArraySlice<UInt8>) -> Date? {
        revoked[serial].map { (try? Date(certificateTime: DER.parse($0))) ?? thisUpdate }
    }

    /// Returns true if the key of `issuer` made the signature; nil if it was made with an algorithm that no public CA
    /// may use.
    func isSigned(by issuer: ParsedCertificate, _ budget: inout SearchBudget) -> Bool? {
        guard let algorithm = OCSPResponse.signatureAlgorithms[algorithm] else { return nil }
        if signer.withLock({ $0 == issuer.key }) { return true }
        guard issuer.rsaBits ?? 0 <= ParsedCertificate.maximumRSABits,
            budget.spend(issuer.verificationCost + signedBytes.count / 300)
        else { return false }
        let isValid = issuer.certificate.publicKey.isValidSignature(
            signature, for: signedBytes, signatureAlgorithm: algorithm)
        if isValid { signer.withLock { $0 = issuer.key } }
        return isValid
    }

    private static func isTime(_ node: ASN1Node) -> Bool { [.utcTime, .generalizedTime].contains(node.identifier) }

    /// Returns the first critical extension that is not among the known ones.
    private static func unknownCritical(in list: ASN1Node, _ known: Set<ASN1ObjectIdentifier>) throws -> String? {
        for node in try CertificateFrame.children(of: list) {
            let found = try RawExtension(node)
            if found.isCritical, !known.contains(found.oid) { return "\(found.oid)" }
        }
        return nil
    }

    /// An extension of a list or an entry (RFC 5280 section 4.1).
    private struct RawExtension {
        let oid: ASN1ObjectIdentifier
        let isCritical: Bool
        let value: ArraySlice<UInt8>

        init(_ node: ASN1Node) throws {
            self = try DER.sequence(node, identifier: .sequence) { fields in
                RawExtension(
                    oid: try ASN1ObjectIdentifier(derEncoded: &fields),
                    isCritical: try DER.decodeDefault(&fields, defaultValue: false),
                    value: try ASN1OctetString(derEncoded: &fields).bytes)
            }
        }

        private init(oid: ASN1ObjectIdentifier, isCritical: Bool, value: ArraySlice<UInt8>) {
            self.oid = oid
            self.isCritical = isCritical
            self.value = value
        }
    }

    private static let issuingDistributionPoint: ASN1ObjectIdentifier = [2, 5, 29, 28]
    private static let deltaIndicator: ASN1ObjectIdentifier = [2, 5, 29, 27]
    /// The delta indicator is known so that such a list is rejected by name.
    private static let listExtensions: Set<ASN1ObjectIdentifier> = [issuingDistributionPoint, deltaIndicator]
    /// The reason, and the invalidity date; neither makes a listed certificate less revoked.
    private static let entryExtensions: Set<ASN1ObjectIdentifier> = [[2, 5, 29, 21], [2, 5, 29, 24]]
}
