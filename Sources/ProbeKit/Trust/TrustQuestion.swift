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
    public let policies: TrustQuestion.PolicyInputs

    /// Creates a question.
    public init(
        chain: [[UInt8]], anchors: TrustAnchors, name: ServerName?, instant: Date, purpose: Purpose = .server,
        staple: Staple = .notAsked,
        maxDepth: Int? = nil, policies: TrustQuestion.PolicyInputs = TrustQuestion.PolicyInputs()
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

extension TrustQuestion {
    /// The inputs of path validation that are about certificate policies (RFC 5280 section 6.1.1 (c) and (e) to (g)).
    public struct PolicyInputs: Hashable, Sendable {
        /// The policies that are acceptable; nil accepts any.
        public var acceptable: Set<PolicyIdentifier>?
        /// True if the path has to be valid for at least one of the acceptable policies.
        public var requiresExplicitPolicy: Bool
        /// True if `anyPolicy` in a certificate has no effect.
        public var inhibitsAnyPolicy: Bool
        /// True if policies may not be mapped to others.
        public var inhibitsMapping: Bool

        /// Creates inputs; the defaults are those of an ordinary client: any policy, and none is required.
        public init(
            acceptable: Set<PolicyIdentifier>? = nil, requiresExplicitPolicy: Bool = false,
            inhibitsAnyPolicy: Bool = false, inhibitsMapping: Bool = false
        ) {
            self.acceptable = acceptable
            self.requiresExplicitPolicy = requiresExplicitPolicy
            self.inhibitsAnyPolicy = inhibitsAnyPolicy
            self.inhibitsMapping = inhibitsMapping
        }

        /// True if they are the inputs of an ordinary client.
        public var isDefault: Bool { self == TrustQuestion.PolicyInputs() }
    }
}

/// A certificate policy's object identifier (RFC 5280 section 4.2.1.4).
///
/// It is kept as its encoding: an arc may be larger than any integer, as those made of UUIDs are.
public struct PolicyIdentifier: Hashable, Sendable {
    /// The content of the OBJECT IDENTIFIER, without tag and length.
    public let content: [UInt8]

    /// The policy anyPolicy, which includes every policy.
    public static let any = PolicyIdentifier(content: [0x55, 0x1d, 0x20, 0x00])

    /// An identifier with this content.
    package init(content: [UInt8]) {
        self.content = content
    }

    /// The identifier as a whole OBJECT IDENTIFIER in DER; nil if it is too long to be one that anybody uses.
    public var der: [UInt8]? { content.count < 128 ? [0x06, UInt8(content.count)] + content : nil }
}
