import FoundationEssentials
import SwiftASN1
import X509

/// The rules of the reference verifier, one function for each place a certificate can have in a path.
enum CertificateRules {
    /// Rules for every certificate of a path, the anchor included: dates, readable extensions, strong algorithms below it.
    static func common(
        _ parsed: ParsedCertificate, at instant: Date, depth: Int, isAnchor: Bool
    ) -> [PathProblem] {
        let certificate = parsed.certificate
        var problems: [PathProblem] = []
        // Certificates count whole seconds, and both ends are inclusive (RFC 5280 section 4.1.2.5).
        let second = Date(timeIntervalSinceReferenceDate: instant.timeIntervalSinceReferenceDate.rounded(.down))
        if second > certificate.notValidAfter {
            problems.append(
                .init(
                    .expired, "'\(certificate.subject)' expired at \(RFC3339.format(certificate.notValidAfter))",
                    depth: depth))
        }
        if second < certificate.notValidBefore {
            problems.append(
                .init(
                    .notYetValid,
                    "'\(certificate.subject)' is valid from \(RFC3339.format(certificate.notValidBefore))",
                    depth: depth))
        }
        // Of an anchor its key usage limits nobody: two roots of the public CA bundles have one with stray bits.
        if let error = parsed.extensionError ?? (isAnchor ? nil : parsed.extensions.keyUsageError) {
            problems.append(
                .init(.malformed, "'\(certificate.subject)' has an unreadable extension: \(error)", depth: depth))
        }
        if certificate.version == .v1, !certificate.extensions.isEmpty {
            problems.append(
                .init(.malformed, "'\(certificate.subject)' is of version 1 and has extensions", depth: depth))
        }
        for unknown in certificate.extensions where unknown.critical && !known.contains(unknown.oid) {
            problems.append(
                .init(
                    .constraintViolated, "'\(certificate.subject)' has the unknown critical extension \(unknown.oid)",
                    depth: depth))
        }
        if let bits = parsed.rsaBits, let cause = cause(ofRSABits: bits), !isAnchor || depth == 0 {
            problems.append(.init(cause, "'\(certificate.subject)' has an RSA key of \(bits) bits", depth: depth))
        }
        if certificate.signatureAlgorithm == .sha1WithRSAEncryption, !isAnchor {
            problems.append(.init(.weakSignature, "'\(certificate.subject)' is signed with SHA-1", depth: depth))
        }
        return problems
    }

    /// Rules for the certificate a server presents: its name, and that it may speak for one.
    static func leaf(
        _ parsed: ParsedCertificate, question: TrustQuestion, isAnchor: Bool
    ) -> [PathProblem] {
        let (leaf, extensions) = (parsed.certificate, parsed.extensions)
        var problems: [PathProblem] = []
        if let name = question.name, !ServerIdentity.matches(extensions.names, name: name) {
            problems.append(
                .init(.hostnameMismatch, ServerIdentity.mismatch(of: extensions.names, name: name), depth: 0))
        }
        if !isAnchor, question.purpose != .any, case .isCertificateAuthority? = extensions.basicConstraints {
            problems.append(.init(.wrongPurpose, "the leaf '\(leaf.subject)' is a CA certificate", depth: 0))
        }
        problems += extendedKeyUsage(of: parsed, purpose: question.purpose, depth: 0)
        if question.purpose != .any, let usage = extensions.keyUsage, !usage.digitalSignature {
            problems.append(
                .init(.wrongPurpose, "the key usage of '\(leaf.subject)' does not allow a signature", depth: 0))
        }
        return problems
    }

    /// Rules for the certificates above the leaf (RFC 5280 section 6.1.4).
    ///
    /// - Parameter below: the intermediates between this certificate and the leaf.
    static func issuer(
        _ parsed: ParsedCertificate, below: ArraySlice<ParsedCertificate>, question: TrustQuestion, depth: Int,
        isAnchor: Bool
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
        default:
            problems.append(.init(.constraintViolated, "the issuer '\(issuer.subject)' is not a CA", depth: depth))
        }
        if let usage = extensions.keyUsage, !usage.keyCertSign {
            problems.append(
                .init(
                    .constraintViolated, "the key usage of '\(issuer.subject)' does not allow signing certificates",
                    depth: depth))
        }
        if !isAnchor { problems += extendedKeyUsage(of: parsed, purpose: question.purpose, depth: depth) }
        return problems
    }

    /// A present extended key usage has to name the purpose itself, in intermediates too; `any` is not enough.
    private static func extendedKeyUsage(
        of parsed: ParsedCertificate, purpose: TrustQuestion.Purpose, depth: Int
    ) -> [PathProblem] {
        let wanted: ExtendedKeyUsage.Usage
        switch purpose {
        case .server: wanted = .serverAuth
        case .client: wanted = .clientAuth
        case .any: return []
        }
        guard let usages = parsed.extensions.purposes, !usages.contains(wanted) else { return [] }
        return [
            .init(
                .wrongPurpose, "the extended key usage of '\(parsed.certificate.subject)' does not name \(wanted)",
                depth: depth)
        ]
    }

    /// CA/B baseline requirements 6.1.5: RSA from 2048 bits. Other keys than those are refused when they are read.
    private static func cause(ofRSABits bits: Int) -> TrustCause? {
        bits < 2048 ? .weakKey : bits > ParsedCertificate.maximumRSABits ? .tooComplex : nil
    }

    private static let known: Set<ASN1ObjectIdentifier> = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage, .X509ExtensionID.extendedKeyUsage,
        .X509ExtensionID.nameConstraints, .X509ExtensionID.subjectAlternativeName,
        // Policies are read and not evaluated, also where a CA marks them critical.
        [2, 5, 29, 32], [2, 5, 29, 33], [2, 5, 29, 36], [2, 5, 29, 54],
        // TLS features, of which the staple is one (RFC 7633).
        [1, 3, 6, 1, 5, 5, 7, 1, 24],
    ]
}
