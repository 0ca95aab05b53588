public import ProbeKit
public import ProbePlatform
public import ProbeTrust

/// A chain without a connection, for example from a file, as evidence.
public enum SuppliedChain: Sendable {
    /// Returns the evidence that a server with these certificates would give, by the reference verifier.
    ///
    /// - Parameters:
    ///   - chain: DER, the leaf first.
    ///   - name: the name that the leaf has to prove; nil proves none.
    ///   - anchors: the trust anchors.
    ///   - instant: the instant of the judgement.
    public static func evidence(
        _ chain: [[UInt8]], for name: ServerName?, anchors: TrustAnchors, at instant: Date,
        by verifier: ReferenceVerifier = ReferenceVerifier()
    ) async -> ConnectionEvidence {
        let (trust, further) = await verifier.evaluate(
            TrustQuestion(chain: chain, anchors: anchors, name: name, instant: instant),
            furtherPaths: FurtherPaths.limit)
        var certificates = chain.map { certificate($0, .presented) }
        var known = Set(chain)
        for der in ([trust.path ?? []] + further.paths).joined() where known.insert(der).inserted {
            certificates.append(certificate(der, .anchor))
        }
        return ConnectionEvidence(
            transport: BackendIdentity(name: "file", library: "none", version: "1"), report: HandshakeReport(),
            missing: [], certificates: certificates, referenceTrust: trust, further: further,
            anchors: anchors, instant: instant)
    }

    /// Returns the evidence of a chain that is refused for its dates or its name alone as it would be for its own name, and on a day
    /// of its own: the path is the same. Nil for any other refusal, and for a chain that is valid.
    public static func otherwiseValid(_ connection: ConnectionEvidence) async -> ConnectionEvidence? {
        let causes = Set((connection.referenceTrust?.problems ?? []).map(\.cause))
        let details = connection.presented.map { connection.certificates[$0].details }
        guard connection.validated == nil, !causes.isEmpty,
            causes.isSubset(of: [.expired, .notYetValid, .hostnameMismatch]), let leaf = details.first ?? nil
        else { return nil }
        // Another certificate of the path may end before the leaf, and one that is sent for nothing before it began.
        let ends = details.compactMap { $0?.notAfter }.filter { $0 >= leaf.notBefore && $0 <= leaf.notAfter }
        let days = causes == [.hostnameMismatch] ? [connection.instant] : ends.sorted(by: >) + [leaf.notBefore]
        let chain = connection.presented.map { connection.certificates[$0].der }
        for day in days.prefix(mostDays) {
            let valid = await evidence(chain, for: nil, anchors: connection.anchors, at: day)
            if valid.validated != nil { return valid }
        }
        return nil
    }

    /// A hostile chain has as many ends as certificates.
    private static let mostDays = 8

    /// Returns a certificate that no stack has read.
    public static func certificate(
        _ der: [UInt8], _ source: CertificateEvidence.Source = .presented
    ) -> CertificateEvidence {
        CertificateEvidence(der: der, source: source, stackKey: .unreadable("it was not seen by a stack"))
    }
}
