public import FoundationEssentials

/// What a target showed the last time it was good, to hold the next probe against (requirements 73 and 74).
///
/// There is none without certificates or of a check that failed, so neither can ever replace a good one.
public struct Baseline: Hashable, Sendable {
    /// One certificate, by its digests.
    public struct Certificate: Hashable, Sendable {
        /// SHA-256 of the whole certificate.
        public let cert: PinDigest
        /// SHA-256 of its SubjectPublicKeyInfo.
        public let spki: PinDigest

        /// A certificate of its digests.
        public init(cert: PinDigest, spki: PinDigest) {
            self.cert = cert
            self.spki = spki
        }
    }

    /// The chain as presented, the leaf first; never empty.
    public let chain: [Certificate]
    /// When it was seen.
    public let instant: Date

    /// A baseline of its parts; nil without certificates, or with more than a handshake may show.
    public init?(chain: [Certificate], instant: Date) {
        guard (1...HandshakeLimits.certificates).contains(chain.count) else { return nil }
        self.chain = chain
        self.instant = instant
    }

    /// What a probe showed; nil unless it passed and showed a chain of certificates that are all readable.
    public init?(_ result: ProbeResult) {
        guard result.verdict.outcome.isPass, let connection = result.evidence.connection,
            connection.report.failure == nil
        else { return nil }
        var chain: [Certificate] = []
        for index in connection.presented {
            guard case .success(let digests) = connection.certificates[index].digests else { return nil }
            chain.append(Certificate(cert: digests.cert, spki: digests.spki))
        }
        self.init(chain: chain, instant: connection.instant)
    }
}
