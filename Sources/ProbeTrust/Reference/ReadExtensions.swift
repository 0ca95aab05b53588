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
    /// The names that issuers' constraints are about.
    var constrained: [ConstrainedName] = []
    /// The number of bytes that comparing them with one constraint may read.
    var constrainedBytes = 0
    package var authorityKey: ArraySlice<UInt8>?
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
            keyUsageError = "\(error)"
        }
        do { policies = try ReadPolicies(extensions) } catch { policyError = "\(error)" }
        if let purposes = extensions[oid: .X509ExtensionID.extendedKeyUsage] {
            guard purposes.value.count <= Self.maximumPurposesBytes else {
                throw ASN1Error.invalidASN1Object(reason: "too many purposes")
            }
            self.purposes = try ExtendedKeyUsage(purposes)
        }
        names = try extensions.subjectAlternativeNames
        constrained = ConstrainedName.names(of: certificate, alternatives: names)
        constrainedBytes = constrained.reduce(0) { $0 + $1.size }
        constraints = try extensions[oid: .X509ExtensionID.nameConstraints].map(ReadConstraints.init)
        authorityKey = try extensions.authorityKeyIdentifier?.keyIdentifier
        subjectKey = try extensions.subjectKeyIdentifier?.keyIdentifier
        demandsStaple = Self.demandsStaple(extensions[oid: Self.tlsFeature])
    }

    private static let tlsFeature: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 24]

    /// Returns true for the TLS feature extension with status_request.
    private static func demandsStaple(_ feature: Certificate.Extension?) -> Bool {
        guard let feature, let node = try? DER.parse(feature.value), case .constructed(let features) = node.content
        else { return false }
        return features.contains { feature in
            guard case .primitive(let bytes) = feature.content else { return false }
            return bytes.elementsEqual([5])
        }
    }
}
