import Crypto
import CryptoExtras
import FoundationEssentials
import SwiftASN1
import X509

/// The rules of the reference verifier, one function for each place a certificate can have in a path.
enum CertificateRules {
    /// Rules for every certificate of a path, the anchor included: dates, readable extensions, strong algorithms below it.
    static func common(
        _ certificate: Certificate, at instant: Date, depth: Int, isAnchor: Bool
    ) -> [TrustReading.Problem] {
        var problems: [TrustReading.Problem] = []
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
        if let error = unreadableExtension(of: certificate, isAnchor: isAnchor) {
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
        if let weakness = weakness(of: certificate.publicKey), !isAnchor || depth == 0 {
            problems.append(.init(.weakKey, "'\(certificate.subject)' has \(weakness)", depth: depth))
        }
        if certificate.signatureAlgorithm == .sha1WithRSAEncryption, !isAnchor {
            problems.append(.init(.weakSignature, "'\(certificate.subject)' is signed with SHA-1", depth: depth))
        }
        return problems
    }

    /// Rules for the certificate a server presents: its name, and that it may speak for one.
    static func leaf(_ leaf: Certificate, question: TrustQuestion, isAnchor: Bool) -> [TrustReading.Problem] {
        var problems: [TrustReading.Problem] = []
        if let name = question.name, let mismatch = ServerIdentity.mismatch(of: leaf, name: name) {
            problems.append(.init(.hostnameMismatch, mismatch, depth: 0))
        }
        if !isAnchor, question.purpose != .any, case .isCertificateAuthority? = try? leaf.extensions.basicConstraints {
            problems.append(.init(.wrongPurpose, "the leaf '\(leaf.subject)' is a CA certificate", depth: 0))
        }
        problems += extendedKeyUsage(of: leaf, purpose: question.purpose, depth: 0)
        if question.purpose != .any, let usage = try? leaf.extensions.keyUsage, !usage.digitalSignature {
            problems.append(
                .init(.wrongPurpose, "the key usage of '\(leaf.subject)' does not allow a signature", depth: 0))
        }
        return problems
    }

    /// Rules for the certificates above the leaf (RFC 5280 section 6.1.4).
    ///
    /// - Parameter below: the intermediates between this certificate and the leaf.
    static func issuer(
        _ issuer: Certificate, below: ArraySlice<Certificate>, question: TrustQuestion, depth: Int, isAnchor: Bool
    ) -> [TrustReading.Problem] {
        var problems: [TrustReading.Problem] = []
        switch try? issuer.extensions.basicConstraints {
        case .isCertificateAuthority(let limit)?:
            // Self-issued certificates are not counted.
            let counted = below.filter { $0.issuer != $0.subject }.count
            if let limit, counted > limit {
                problems.append(
                    .init(
                        .constraintViolated, "'\(issuer.subject)' allows \(limit) CAs below it, there are \(counted)",
                        depth: depth))
            }
        default:
            problems.append(.init(.constraintViolated, "the issuer '\(issuer.subject)' is not a CA", depth: depth))
        }
        if let usage = try? issuer.extensions.keyUsage, !usage.keyCertSign {
            problems.append(
                .init(
                    .constraintViolated, "the key usage of '\(issuer.subject)' does not allow signing certificates",
                    depth: depth))
        }
        if !isAnchor { problems += extendedKeyUsage(of: issuer, purpose: question.purpose, depth: depth) }
        return problems
    }

    /// An extension that we rely on and can't read must not count as absent. Of an anchor only what limits the names and
    /// paths below it counts: two roots of the public CA bundles have a key usage with stray bits.
    private static func unreadableExtension(of certificate: Certificate, isAnchor: Bool) -> (any Error)? {
        do {
            _ = try certificate.extensions.basicConstraints
            _ = try certificate.extensions.nameConstraints
            guard !isAnchor else { return nil }
            _ = try certificate.extensions.keyUsage
            _ = try certificate.extensions.extendedKeyUsage
            _ = try certificate.extensions.subjectAlternativeNames
            _ = try certificate.extensions.authorityKeyIdentifier
            _ = try certificate.extensions.subjectKeyIdentifier
            return nil
        } catch {
            return error
        }
    }

    /// A present extended key usage has to name the purpose itself, in intermediates too; `any` is not enough.
    private static func extendedKeyUsage(
        of certificate: Certificate, purpose: TrustQuestion.Purpose, depth: Int
    ) -> [TrustReading.Problem] {
        let wanted: ExtendedKeyUsage.Usage
        switch purpose {
        case .server: wanted = .serverAuth
        case .client: wanted = .clientAuth
        case .any: return []
        }
        guard let usages = try? certificate.extensions.extendedKeyUsage, !usages.contains(wanted) else { return [] }
        return [
            .init(
                .wrongPurpose, "the extended key usage of '\(certificate.subject)' does not name \(wanted)",
                depth: depth)
        ]
    }

    /// CA/B baseline requirements 6.1.5: RSA from 2048 bits, P-256, P-384, P-521; Ed25519 is taken too.
    private static func weakness(of key: Certificate.PublicKey) -> String? {
        guard let rsa = _RSA.Signing.PublicKey(key), rsa.keySizeInBits < 2048 else { return nil }
        return "an RSA key of \(rsa.keySizeInBits) bits"
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
