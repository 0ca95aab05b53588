import ProbeKit
import ProbePlatform
import SwiftASN1
import X509

/// The rules that a verifier's habits leave out or add.
extension CertificateRules {
    /// Returns the reason why an extension that is judged can't be read; nil if all can be.
    static func readingError(
        of parsed: ParsedCertificate, depth: Int, isAnchor: Bool, _ habits: VerifierHabits
    ) -> String? {
        if isAnchor, depth > 0, !habits.readsAnchors { return nil }
        let extensions = parsed.extensions
        let isJudged = depth > 0 || habits.judgesRoles || extensions.constraintsError == nil
        if isJudged, let error = parsed.extensionError { return error }
        // An anchor's key usage restricts nothing: two roots of the public CA bundles have one with stray bits. Neither
        // do its policies.
        guard !isAnchor else { return nil }
        if depth > 0 || habits.leafUsage == .signature, let error = extensions.keyUsageError { return error }
        return habits.judgesPolicies ? extensions.policyError : nil
    }

    /// Returns true if a critical extension is processed.
    static func isKnown(_ oid: ASN1ObjectIdentifier, _ habits: VerifierHabits) -> Bool {
        known.contains(oid) && !habits.unknownExtensions.contains { $0.oid == oid }
    }

    /// Returns true if a leaf with a key usage may serve.
    static func allows(_ usage: KeyUsage, _ wanted: VerifierHabits.LeafUsage) -> Bool {
        switch wanted {
        case .any: true
        case .signature: usage.digitalSignature
        case .server: usage.digitalSignature || usage.keyEncipherment || usage.keyAgreement
        }
    }

    /// Checks the life of a leaf against the limit of its day of issue.
    static func lifetime(of leaf: Certificate, _ habits: VerifierHabits) -> [PathProblem] {
        let (begin, end) = (leaf.notValidBefore, leaf.notValidAfter)
        let issued = Int(begin.timeIntervalSince1970)
        guard let limit = habits.lifetimes.last(where: { issued >= $0.since }),
            !limit.allows(notBefore: begin, notAfter: end)
        else { return [] }
        let days = VerifierHabits.Lifetime.days(notBefore: begin, notAfter: end)
        return [
            .init(
                .constraintViolated,
                "'\(leaf.subject)' is valid for \(days) days, and at most \(limit.days) are accepted",
                depth: 0, fix: "issue the certificate for at most \(limit.days) days")
        ]
    }

    /// Checks that a leaf has an extended key usage, if it was issued since that has to name the server.
    static func unnamedPurpose(of parsed: ParsedCertificate, _ habits: VerifierHabits) -> [PathProblem] {
        let leaf = parsed.certificate
        guard let since = habits.serverPurposeSince, parsed.extensions.purposes == nil,
            Int(leaf.notValidBefore.timeIntervalSince1970) >= since
        else { return [] }
        let day = RFC3339.format(Date(timeIntervalSince1970: TimeInterval(since))).prefix(10)
        return [
            .init(
                .wrongPurpose,
                "'\(leaf.subject)', issued since \(day), has no extended key usage that names serverAuth",
                depth: 0, fix: "issue the certificate for TLS servers (extended key usage serverAuth)")
        ]
    }

    private static let known: Set<ASN1ObjectIdentifier> = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
        .X509ExtensionID.nameConstraints, .X509ExtensionID.subjectAlternativeName,
        ReadPolicies.certificatePolicies, ReadPolicies.policyMappings, ReadPolicies.policyConstraints,
        ReadPolicies.inhibitAnyPolicy, ReadExtensions.tlsFeature,
    ]
}

extension VerifierHabits.UnknownExtension {
    fileprivate var oid: ASN1ObjectIdentifier {
        switch self {
        case .nameConstraints: .X509ExtensionID.nameConstraints
        case .policyMappings: ReadPolicies.policyMappings
        case .policyConstraints: ReadPolicies.policyConstraints
        case .inhibitAnyPolicy: ReadPolicies.inhibitAnyPolicy
        case .tlsFeatures: ReadExtensions.tlsFeature
        }
    }
}
