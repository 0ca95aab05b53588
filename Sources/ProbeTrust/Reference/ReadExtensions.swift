import SwiftASN1
package import X509

/// The extensions the rules rely on, read once a certificate.
package struct ReadExtensions: Sendable {
    package var basicConstraints: BasicConstraints?
    package var keyUsage: KeyUsage?
    /// The reason why the key usage can't be read, if the rest can.
    package var keyUsageError: String?
    var isKeyUsagePadded = false
    var policies = ReadPolicies()
    /// The reason why the policy extensions can't be read; an anchor's are ignored.
    var policyError: String?
    package var purposes: ExtendedKeyUsage?
    var names: SubjectAlternativeNames?
    var constraints: ReadConstraints?
    /// The reason why the name constraints can't be read; a leaf's do not concern all verifiers.
    var constraintsError: String?
    /// The names that issuers' constraints are about.
    var constrained: [ConstrainedName] = []
    /// The number of bytes that comparing them with one constraint may read.
    var constrainedBytes = 0
    package var authorityKey: ArraySlice<UInt8>?
    /// The issuer's own issuer and serial number, as the authority key identifier has them.
    var authorityIssuer: ComparableName?
    var authoritySerial: Certificate.SerialNumber?
    package var subjectKey: ArraySlice<UInt8>?
    /// True if a TLS feature demands a staple, for the certificate itself or those it issues (RFC 7633).
    var demandsStaple = false

    /// Far more than any purpose list needs; the library compares each purpose with each other one.
    private static let maximumPurposesBytes = 4096

    /// Creates the result for no extensions.
    init() {}

    /// Reads them all: one that we rely on and can't read must not count as absent.
    init(_ certificate: Certificate) throws {
        let extensions = certificate.extensions
        basicConstraints = try extensions.basicConstraints
        do {
            let read = try extensions[oid: .X509ExtensionID.keyUsage].map(ReadKeyUsage.init)
            keyUsage = read?.usage
            isKeyUsagePadded = read?.isPadded ?? false
        } catch {
            keyUsageError = UnreadableCertificate.words(of: error)
        }
        do {
            policies = try ReadPolicies(extensions)
        } catch {
            policyError = UnreadableCertificate.words(of: error)
        }
        if let purposes = extensions[oid: .X509ExtensionID.extendedKeyUsage] {
            guard purposes.value.count <= Self.maximumPurposesBytes else {
                throw ASN1Error.invalidASN1Object(reason: "too many purposes")
            }
            self.purposes = try ExtendedKeyUsage(purposes)
        }
        names = try extensions.subjectAlternativeNames
        constrained = ConstrainedName.names(of: certificate, alternatives: names)
        constrainedBytes = constrained.reduce(0) { $0 + $1.size }
        do {
            constraints = try extensions[oid: .X509ExtensionID.nameConstraints].map(ReadConstraints.init)
        } catch {
            constraintsError = UnreadableCertificate.words(of: error)
        }
        let authority = try extensions.authorityKeyIdentifier
        authorityKey = authority?.keyIdentifier
        authoritySerial = authority?.authorityCertSerialNumber
        authorityIssuer = authority?.authorityCertIssuer.flatMap(Self.directoryName)
        subjectKey = try extensions.subjectKeyIdentifier?.keyIdentifier
        demandsStaple = try Self.demandsStaple(extensions[oid: Self.tlsFeature])
    }

    private static func directoryName(_ names: [GeneralName]) -> ComparableName? {
        for case .directoryName(let name) in names { return ComparableName(name) }
        return nil
    }

    /// TLS features, of which the staple is one (RFC 7633).
    static let tlsFeature: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 24]

    /// Returns true for the TLS feature extension with status_request.
    private static func demandsStaple(_ feature: Certificate.Extension?) throws -> Bool {
        guard let feature else { return false }
        let features = try DER.sequence(of: Int.self, identifier: .sequence, rootNode: DER.parse(feature.value))
        return features.contains(5)
    }
}

/// A certificate's key usage (RFC 5280 section 4.2.1.3), with the zero bits at its end that DER leaves out and some
/// authorities write.
struct ReadKeyUsage: Sendable {
    let usage: KeyUsage
    /// True if zero bits follow the last one that is set.
    let isPadded: Bool

    init(_ ext: Certificate.Extension) throws {
        let bits = try ASN1BitString(derEncoded: DER.parse(ext.value))
        let last = bits.bytes.last.map { (1 << bits.paddingBits) & Int($0) } ?? 1
        isPadded = last == 0
        let digits = Array(bits.bytes.prefix(2)) + [0, 0]
        // Nine bits have names.
        guard bits.bytes.dropFirst(2).allSatisfy({ $0 == 0 }), digits[1] & 0x7f == 0 else {
            throw ASN1Error.invalidASN1Object(reason: "the key usage has bits without a meaning")
        }
        func isSet(_ bit: UInt8) -> Bool { digits[0] & (0x80 >> bit) != 0 }
        usage = KeyUsage(
            digitalSignature: isSet(0), nonRepudiation: isSet(1), keyEncipherment: isSet(2), dataEncipherment: isSet(3),
            keyAgreement: isSet(4), keyCertSign: isSet(5), cRLSign: isSet(6), encipherOnly: isSet(7),
            decipherOnly: digits[1] & 0x80 != 0)
    }
}

/// A certificate's name constraints in the form in which they are compared.
struct ReadConstraints: Sendable {
    let permitted: [ConstrainedName]
    let excluded: [ConstrainedName]
    /// True if a DNS subtree begins with a period, and so covers only the names below it.
    let hasLeadingPeriod: Bool

    init(_ ext: Certificate.Extension) throws {
        // At least one of the two lists, and at least one subtree in each (RFC 5280 section 4.2.1.10).
        let lists = try CertificateFrame.children(of: DER.parse(ext.value))
        guard !lists.isEmpty,
            try lists.allSatisfy({ try !CertificateFrame.children(of: $0, identifier: $0.identifier).isEmpty })
        else { throw ASN1Error.invalidASN1Object(reason: "the name constraints are empty") }
        let constraints = try NameConstraints(ext)
        permitted = constraints.permittedSubtrees.map { ConstrainedName(subtree: $0) }
        excluded = constraints.excludedSubtrees.map { ConstrainedName(subtree: $0) }
        hasLeadingPeriod = (constraints.permittedDNSDomains.map(\.self) + constraints.excludedDNSDomains).contains {
            $0.hasPrefix(".")
        }
    }

    var count: Int { permitted.count + excluded.count }
}
