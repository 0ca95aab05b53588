import ProbeKit
import ProbePlatform
import SwiftASN1
import X509

/// The rules of the reference verifier, one function for each place a certificate can have in a path.
enum CertificateRules {
    /// Rules for every certificate of a path, the anchor included: dates, readable extensions, strong algorithms below it.
    static func common(
        _ parsed: ParsedCertificate, at instant: Date, depth: Int, isAnchor: Bool,
        _ habits: VerifierHabits = VerifierHabits()
    ) -> [PathProblem] {
        let certificate = parsed.certificate
        var problems: [PathProblem] = []
        let second = instant.wholeSecond
        let isJudged = !isAnchor || depth == 0 || habits.judgesAnchorValidity
        if isJudged, parsed.isOver(at: second, habits) {
            problems.append(
                .init(
                    .expired, "'\(certificate.subject)' expired at \(RFC3339.format(certificate.notValidAfter))",
                    depth: depth, fix: place(depth, isAnchor: isAnchor).replacementWords))
        }
        if isJudged, second < certificate.notValidBefore {
            problems.append(
                .init(
                    .notYetValid,
                    "'\(certificate.subject)' is valid from \(RFC3339.format(certificate.notValidBefore))",
                    depth: depth))
        }
        if let error = readingError(of: parsed, depth: depth, isAnchor: isAnchor, habits) {
            problems.append(
                .init(.malformed, "'\(certificate.subject)' has an unreadable extension: \(error)", depth: depth))
        }
        // RFC 5280 section 4.1.2.9. An anchor is a name and a key, whose extensions the stacks take in version 2 too.
        let hasOldVersion = isAnchor ? certificate.version == .v1 : certificate.version < .v3
        if hasOldVersion, !certificate.extensions.isEmpty {
            let version = certificate.version == .v1 ? 1 : 2
            problems.append(
                .init(
                    .malformed, "'\(certificate.subject)' is of version \(version) and has extensions", depth: depth))
        }
        if certificate.version == .v1, parsed.hasUniqueIdentifiers {
            problems.append(
                .init(.malformed, "'\(certificate.subject)' is of version 1 and has unique identifiers", depth: depth))
        }
        problems += role(of: parsed, depth: depth, isAnchor: isAnchor, habits)
        for unknown in certificate.extensions where unknown.critical && !isKnown(unknown.oid, habits) {
            problems.append(
                .init(
                    .constraintViolated, "'\(certificate.subject)' has the unknown critical extension \(unknown.oid)",
                    depth: depth, fix: fix(ofUnknown: unknown.oid)))
        }
        if let bits = parsed.rsaBits, let cause = cause(ofRSABits: bits, minimum: habits.minimumRSABits),
            !isAnchor || depth == 0
        {
            problems.append(
                .init(
                    cause, "'\(certificate.subject)' has an RSA key of \(bits) bits", depth: depth,
                    fix: cause == .tooComplex ? shorterKey : nil))
        }
        if certificate.signatureAlgorithm == .sha1WithRSAEncryption, !isAnchor, !habits.acceptsSHA1 {
            problems.append(.init(.weakSignature, "'\(certificate.subject)' is signed with SHA-1", depth: depth))
        }
        return problems
    }

    /// Checks that a certificate's fields agree about its role: a CA has a name, and extensions for CAs are in no other
    /// certificate. An anchor is a name and a key, whatever else it contains.
    private static func role(
        of parsed: ParsedCertificate, depth: Int, isAnchor: Bool, _ habits: VerifierHabits
    ) -> [PathProblem] {
        let (certificate, extensions) = (parsed.certificate, parsed.extensions)
        if case .isCertificateAuthority? = extensions.basicConstraints {
            // RFC 5280 section 4.1.2.6.
            guard certificate.subject.isEmpty else { return [] }
            return [.init(.malformed, "a CA certificate has an empty subject", depth: depth)]
        }
        guard !isAnchor, habits.judgesRoles else { return [] }
        var problems: [PathProblem] = []
        if extensions.keyUsage?.keyCertSign == true {
            problems.append(
                .init(
                    .constraintViolated,
                    "the key usage of '\(certificate.subject)' allows signing certificates, and it is not a CA",
                    depth: depth, fix: "issue the certificate without the key usage keyCertSign"))
        }
        if extensions.constraints != nil {
            problems.append(
                .init(
                    .constraintViolated, "'\(certificate.subject)' has name constraints, and it is not a CA",
                    depth: depth, fix: "issue the certificate without name constraints"))
        }
        return problems
    }

    /// Checks the rules for the certificate a server presents: its name, and its permission to identify a server.
    static func leaf(
        _ parsed: ParsedCertificate, question: TrustQuestion, isAnchor: Bool, _ habits: VerifierHabits
    ) -> [PathProblem] {
        let (leaf, extensions) = (parsed.certificate, parsed.extensions)
        var problems: [PathProblem] = []
        if let name = question.name, !ServerIdentity.matches(extensions.names, name: name, habits),
            !(habits.acceptsCommonName && ServerIdentity.matches(commonNameOf: parsed, name: name))
        {
            problems.append(
                .init(
                    .hostnameMismatch, ServerIdentity.mismatch(of: extensions.names, name: name), depth: 0,
                    fix: ServerIdentity.fix(of: extensions.names, name: name)))
        }
        if habits.judgesRoles, !isAnchor, question.purpose != .any,
            case .isCertificateAuthority? = extensions.basicConstraints
        {
            problems.append(
                .init(
                    .wrongPurpose, "the leaf '\(leaf.subject)' is a CA certificate", depth: 0,
                    fix: "issue the server a certificate that is not a CA's (basic constraints CA:FALSE)"))
        }
        problems += lifetime(of: leaf, habits)
        if question.purpose == .server { problems += unnamedPurpose(of: parsed, habits) }
        problems += extendedKeyUsage(of: parsed, purpose: question.purpose, depth: 0, isAnchor: isAnchor, habits)
        if question.purpose != .any, let usage = extensions.keyUsage, !allows(usage, habits.leafUsage) {
            problems.append(
                .init(
                    .wrongPurpose, "the key usage of '\(leaf.subject)' does not allow a signature", depth: 0,
                    fix: "issue the certificate with the key usage digitalSignature"))
        }
        return problems
    }

    /// Rules for the certificates above the leaf (RFC 5280 section 6.1.4).
    ///
    /// - Parameter below: the intermediates between this certificate and the leaf.
    static func issuer(
        _ parsed: ParsedCertificate, below: ArraySlice<ParsedCertificate>, question: TrustQuestion, depth: Int,
        isAnchor: Bool, _ habits: VerifierHabits
    ) -> [PathProblem] {
        let (issuer, extensions) = (parsed.certificate, parsed.extensions)
        var problems: [PathProblem] = []
        switch extensions.basicConstraints {
        case .isCertificateAuthority(let limit)?:
            // Self-issued certificates are not counted.
            let counted = below.count { !$0.isSelfIssued }
            if let limit, counted > limit {
                problems.append(
                    .init(
                        .constraintViolated, "'\(issuer.subject)' allows \(limit) CAs below it, there are \(counted)",
                        depth: depth))
            }
        // An anchor need not be marked as a CA.
        case nil where isAnchor: break
        default:
            problems.append(.init(.constraintViolated, "the issuer '\(issuer.subject)' is not a CA", depth: depth))
        }
        if let usage = extensions.keyUsage, !usage.keyCertSign {
            problems.append(
                .init(
                    .constraintViolated, "the key usage of '\(issuer.subject)' does not allow signing certificates",
                    depth: depth))
        }
        guard habits.purposePlaces == .path || habits.purposePlaces == .belowAnchor && !isAnchor else {
            return problems
        }
        return problems
            + extendedKeyUsage(of: parsed, purpose: question.purpose, depth: depth, isAnchor: isAnchor, habits)
    }

    /// A present extended key usage has to name the purpose itself, in intermediates and anchors too; `any` is not enough,
    /// and not allowed beside it below the anchor (CA/B baseline requirements 7.1.2.7.10).
    private static func extendedKeyUsage(
        of parsed: ParsedCertificate, purpose: TrustQuestion.Purpose, depth: Int, isAnchor: Bool,
        _ habits: VerifierHabits
    ) -> [PathProblem] {
        let wanted: ExtendedKeyUsage.Usage
        switch purpose {
        case .server: wanted = .serverAuth
        case .client: wanted = .clientAuth
        case .any: return []
        }
        guard let usages = parsed.extensions.purposes else { return [] }
        let subject = parsed.certificate.subject
        if !usages.contains(wanted), !(habits.purposes == .any && usages.contains(.any)) {
            return [
                .init(
                    .wrongPurpose, "the extended key usage of '\(subject)' does not name \(wanted)", depth: depth,
                    fix: fix(ofUnnamed: purpose, depth: depth))
            ]
        }
        guard !isAnchor, habits.purposes == .alone, usages.contains(.any) else { return [] }
        return [
            .init(
                .wrongPurpose, "the extended key usage of '\(subject)' names any purpose beside \(wanted)",
                depth: depth,
                fix: "have that certificate issued without any purpose beside it (anyExtendedKeyUsage)")
        ]
    }

    /// Returns the cause for rejecting an RSA key: below 2048 bits (CA/B baseline requirements 6.1.5) or what a client
    /// wants, or above our maximum. Keys of other kinds are refused when they are read.
    private static func cause(ofRSABits bits: Int, minimum: Int) -> TrustCause? {
        bits < max(2048, minimum) ? .weakKey : bits > ParsedCertificate.maximumRSABits ? .tooComplex : nil
    }
}
