/// The content of a ClientHello as a client sends it, by the names of IANA's registries (``ClientOffer/Registry``), each list in the
/// order of the wire. A list that is nil is the stack's own.
///
/// A stack sends exactly this, or refuses by name before a byte is sent (decided: no-fallback). GREASE (RFC 8701) and
/// signalling values in place of cipher suites are the stack's own affair.
public struct ClientOffer: Hashable, Sendable {
    /// The protocol versions, like `TLS 1.2`, in any order and without a gap.
    public var versions: [String]?
    /// The cipher suites, like `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`.
    public var cipherSuites: [String]?
    /// The key exchange groups, like `x25519`; an empty list leaves the extension out, as the next one does.
    public var groups: [String]?
    /// The signature algorithms, like `ecdsa_secp256r1_sha256`.
    public var signatureAlgorithms: [String]?
    /// The application protocols, like `h2`; an empty list offers none.
    public var alpn: [String]?
    /// True to ask for a session ticket (RFC 5077, RFC 8446 section 4.6.1) and to wait a moment for it.
    public var sessionTicket: Bool

    /// Creates an offer.
    public init(
        versions: [String]? = nil, cipherSuites: [String]? = nil, groups: [String]? = nil,
        signatureAlgorithms: [String]? = nil, alpn: [String]? = nil, sessionTicket: Bool = false
    ) {
        self.versions = versions
        self.cipherSuites = cipherSuites
        self.groups = groups
        self.signatureAlgorithms = signatureAlgorithms
        self.alpn = alpn
        self.sessionTicket = sessionTicket
    }

    /// The range of the versions that are known; nil if the stack's own are offered or none is known.
    public var versionRange: ClosedRange<TLSVersion>? {
        let known = versions?.compactMap { TLSVersion(rawValue: $0) } ?? []
        guard let oldest = known.min(), let newest = known.max() else { return nil }
        return oldest...newest
    }
}

extension HandshakeFailure {
    /// The failure of a request whose offer a stack can't send as it is.
    ///
    /// - Parameters:
    ///   - names: the entries that it can't offer.
    ///   - what: the kind of the entries, in the plural.
    public static func cannotOffer(_ names: [String], _ what: String) -> HandshakeFailure {
        HandshakeFailure(
            .unsupported, "\(what) that the stack can't offer: \(names.joined(separator: ", "))", refusedEntries: names)
    }

    /// The failure of a request whose list a stack would send with other entries or in another order.
    ///
    /// - Parameters:
    ///   - wanted: the names to offer.
    ///   - sent: the names that it would send instead.
    ///   - what: the kind of the entries, in the plural.
    public static func wouldOffer(_ sent: [String], insteadOf wanted: [String], _ what: String) -> HandshakeFailure {
        let missing = wanted.filter { !sent.contains($0) }
        if !missing.isEmpty { return cannotOffer(missing, what) }
        let extra = sent.filter { !wanted.contains($0) }
        if !extra.isEmpty {
            return HandshakeFailure(
                .unsupported,
                "the stack can't offer these \(what) without others: it would add \(extra.joined(separator: ", "))")
        }
        return HandshakeFailure(
            .unsupported,
            "the stack can't offer these \(what) in this order: it would send \(sent.joined(separator: ", "))")
    }
}

extension HandshakeRequest {
    /// Checks the part of an offer that every stack reads alike: that its versions are known and have no gap, and that its
    /// names are registered.
    ///
    /// - Throws: ``HandshakeFailure`` with the code `unsupported`.
    public func checkOffer() throws(HandshakeFailure) {
        guard let offer else { return }
        if let names = offer.versions {
            let unknown = names.filter { TLSVersion(rawValue: $0) == nil }
            if !unknown.isEmpty { throw .cannotOffer(unknown, "protocol versions") }
            let gaps = TLSVersion.allCases.filter { versions.contains($0) && !names.contains($0.rawValue) }
            if names.isEmpty || !gaps.isEmpty {
                throw HandshakeFailure(
                    .unsupported,
                    names.isEmpty
                        ? "an offer without protocol versions can't be sent"
                        : "the stack can't offer \(names.joined(separator: ", ")) without \(gaps[0].rawValue)")
            }
        }
        if offer.cipherSuites?.isEmpty == true {
            throw HandshakeFailure(.unsupported, "an offer without cipher suites can't be sent")
        }
        try Self.check(offer.cipherSuites, .cipherSuites, "cipher suites")
        try Self.check(offer.groups, .groups, "groups")
        try Self.check(offer.signatureAlgorithms, .signatureSchemes, "signature algorithms")
    }

    private static func check(
        _ names: [String]?, _ registry: ClientOffer.Registry, _ what: String
    ) throws(HandshakeFailure) {
        guard let names else { return }
        let unknown = names.filter { registry.number(of: $0) == nil }
        if !unknown.isEmpty { throw .cannotOffer(unknown, what) }
    }
}
