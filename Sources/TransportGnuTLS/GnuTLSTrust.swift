import CProbeGnuTLS
import ProbeKit
import ProbeNet
import ProbePins

/// GnuTLS' trust decision, for handshakes and for other chains alike.
enum GnuTLSTrust {
    /// The profile asks for 112 bits of security: RSA of 2048 bits, no SHA-1.
    private static let flags = cprobe_gnutls_profile_flags(GNUTLS_PROFILE_MEDIUM)

    /// Evaluates a question at its instant.
    ///
    /// `gnutls_x509_trust_list_verify_crt2` decides whether the chain is accepted. It stops at the first certificate
    /// with a problem, so if it rejects the chain, every certificate is checked once more on its own.
    static func evaluate(
        _ question: TrustQuestion, chain certificates: GnuTLSCertificates, anchors: GnuTLSAnchors
    ) -> TrustReading {
        ReadableChain.judge(
            certificates.readings, absence: problem(.malformed, .noCertificateFound)
        ) { chain throws(GnuTLSErrorCode) in
            if let depth = chain.certificates.firstIndex(where: \.hasOversizedKey) {
                return .refused([
                    .init(.tooComplex, "the key is larger than any signature is verified under", depth: depth)
                ])
            }
            let list = try anchors.trustList(of: question.anchors)
            return try evaluate(question, chain, list).judgingRevocation
        }
    }

    private static func evaluate(
        _ question: TrustQuestion, _ presented: ReadableChain<GnuTLSCertificate>, _ list: GnuTLSTrustList
    ) throws(GnuTLSErrorCode) -> TrustReading {
        // GnuTLS searches for anchors from the far end, and does not notice that the leaf, being one, needs no others.
        let leaf = presented.leaf
        let chain = list.contains(leaf) ? [leaf] : presented.certificates
        let purpose = keyPurpose(question.purpose)
        let verification = GnuTLSVerification(at: question.instant)
        let status = try list.verify(chain, name: question.name, purpose: purpose, flags: flags, in: verification)
        let staple = GnuTLSVerification(at: question.instant).run {
            GnuTLSStaple(question, presented.certificates, list, flags: flags).status
        }
        let revocation = staple.each.map { $0.problem(at: 0) }
        if status.isEmpty, revocation.isEmpty {
            let path = acceptedPath(from: leaf, verification.steps)
            if let limit = question.maxDepth, path.count - 2 > limit {
                return .refused([problem(.constraintViolated, .constraintError)])
            }
            return .accepted(path: path)
        }
        guard !status.isEmpty else { return .refused(revocation) }
        let inspection = GnuTLSInspection(
            chain: chain, list: list, purpose: purpose, flags: flags, at: question.instant)
        return .refused(inspection.problems(explaining: status, verification.steps) + revocation)
    }

    /// Returns the path GnuTLS took: from certificate to issuer over the steps that it found good, the last of which
    /// may be an anchor found to be itself.
    private static func acceptedPath(
        from leaf: GnuTLSCertificate, _ steps: [GnuTLSVerification.Step]
    ) -> [[UInt8]] {
        var path = [leaf.der]
        var remaining = steps.filter { $0.status.isEmpty }
        while let last = path.last, let index = remaining.lastIndex(where: { $0.certificate == last }),
            let issuer = remaining.remove(at: index).issuer, issuer != last
        {
            path.append(issuer)
        }
        return path
    }

    private static func keyPurpose(_ purpose: TrustQuestion.Purpose) -> String? {
        switch purpose {
        case .server: GNUTLS_KP_TLS_WWW_SERVER
        case .client: GNUTLS_KP_TLS_WWW_CLIENT
        case .any: nil
        }
    }

    private static func problem(_ cause: TrustCause, _ error: GnuTLSErrorCode) -> TrustReading.Problem {
        TrustReading.Problem(cause, error.message, nativeCode: error.name)
    }
}

/// Loaded trust lists, one for each list of anchors: loading the system's takes longer than a handshake, so it happens once
/// per run and not once per target.
final class GnuTLSAnchors: Sendable {
    private let loaded = BoundedMemory<OrderedStore, GnuTLSTrustList>(limit: 8)

    func trustList(of anchors: TrustAnchors) throws(GnuTLSErrorCode) -> GnuTLSTrustList {
        try loaded.value(for: OrderedStore(anchors)) { () throws(GnuTLSErrorCode) in
            try GnuTLSTrustList(anchors.certificates, revocationLists: anchors.revocationLists)
        }
    }
}
