public import ProbePlatform

/// A question about a chain that any verifier can answer offline.
public struct TrustQuestion: Sendable {
    /// The intended use of the leaf.
    public enum Purpose: String, Sendable, Codable, CaseIterable {
        /// A TLS server (id-kp-serverAuth).
        case server
        /// A TLS client (id-kp-clientAuth).
        case client
        /// Any use: extended key usage is ignored.
        case any
    }

    /// The state of a stapled OCSP response (RFC 6066 section 8).
    public enum Staple: Sendable, Hashable {
        /// There was no handshake that could have carried one.
        case notAsked
        /// It was requested, and none came.
        case absent
        /// It came, as DER.
        case present([UInt8])
    }

    /// DER certificates: the leaf first, then whatever else was presented, in any order.
    public let chain: [[UInt8]]
    /// The trust anchors.
    public let anchors: TrustAnchors
    /// The identity the leaf has to prove; nil asks about the chain alone.
    public let name: ServerName?
    /// The instant at which validity is judged.
    public let instant: Date
    /// The intended use of the leaf.
    public let purpose: Purpose
    /// The leaf's stapled OCSP response.
    public let staple: Staple
    /// The most intermediates between leaf and anchor; nil leaves it to the verifier.
    public let maxDepth: Int?
    /// The inputs about certificate policies.
    public let policies: PolicyInputs

    /// Creates a question.
    public init(
        chain: [[UInt8]], anchors: TrustAnchors, name: ServerName?, instant: Date, purpose: Purpose = .server,
        staple: Staple = .notAsked,
        maxDepth: Int? = nil, policies: PolicyInputs = PolicyInputs()
    ) {
        self.chain = chain
        self.anchors = anchors
        self.name = name
        self.instant = instant
        self.purpose = purpose
        self.staple = staple
        self.maxDepth = maxDepth
        self.policies = policies
    }

}
