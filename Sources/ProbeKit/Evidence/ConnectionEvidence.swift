public import ProbePlatform

/// All facts that one transport reports about one target, with the common readings of the same bytes.
public struct ConnectionEvidence: Sendable {
    /// The transport.
    public let transport: BackendIdentity
    /// The transport's report.
    public let report: HandshakeReport
    /// The capabilities that the request needed and the transport does not declare; if there are any, nothing was sent.
    public let missing: Set<TransportCapability>
    /// The presented certificates in order, then those that only a valid path has.
    public let certificates: [CertificateEvidence]
    /// The result of the library's own pin check of the leaf's key; nil if it has none or nothing depends on it.
    public let keyConfirmation: KeyConfirmation?
    /// The reference verifier's decision on the presented chain; nil if there was none.
    public let referenceTrust: TrustReading?
    /// The valid paths that the reference verifier found beside its own, if they were asked for.
    public let further: FurtherPaths
    /// The path that the stack itself verified, as indices into ``certificates``, if it accepts the chain and shows its
    /// path. A path that does not lead from the leaf to an anchor, or has a certificate from elsewhere, counts as not
    /// shown.
    public let nativePath: [Int]?
    /// The path that the reference verifier found, likewise, if it accepts the chain.
    public let referencePath: [Int]?
    /// The further valid paths that the reference verifier knows, likewise.
    public let furtherPaths: [[Int]]
    /// The anchors both decisions rest on.
    public let anchors: TrustAnchors
    /// The instant of both decisions.
    public let instant: Date
    /// The server's time; nil if it was not asked.
    public let serverTime: ServerTime?
    /// The time at which the cache remembers the same check passing with the same chain; then neither the server's time
    /// nor the key's confirmation was requested again.
    public let remembered: Date?
    /// Every target that was tried, in order, if the check has alternates; this is the evidence of the last one.
    public package(set) var attempts: [ConnectionAttempt] = []
    /// The reference verifier's decision for each root store, if each of several has to trust the chain.
    package var stores: [StoreTrust] = []
    /// True if ``instant`` was chosen, so that the server's clock shows another.
    package var isInstantChosen = false

    /// Creates evidence.
    public init(
        transport: BackendIdentity, report: HandshakeReport, missing: Set<TransportCapability>,
        certificates: [CertificateEvidence], keyConfirmation: KeyConfirmation? = nil, referenceTrust: TrustReading?,
        further: FurtherPaths = .none, anchors: TrustAnchors, instant: Date, serverTime: ServerTime? = nil,
        remembered: Date? = nil
    ) {
        self.transport = transport
        self.report = report
        self.missing = missing
        self.certificates = certificates
        self.keyConfirmation = keyConfirmation
        self.referenceTrust = referenceTrust
        self.further = further
        nativePath = Self.indices(of: report.nativeTrust?.path(of: report.chain, to: anchors), in: certificates)
        referencePath = Self.indices(of: referenceTrust?.path, in: certificates)
        furtherPaths = further.paths.compactMap { Self.indices(of: $0, in: certificates) }
        self.anchors = anchors
        self.instant = instant
        self.serverTime = serverTime
        self.remembered = remembered
    }

    /// Indices into ``certificates``: the chain as presented.
    public var presented: [Int] { certificates.indices.filter { certificates[$0].source == .presented } }

    /// The validated path as indices into ``certificates``, the leaf first: the reference verifier's, else the stack's
    /// own if it accepts the chain and shows its path; nil if there is none.
    public var validated: [Int]? { referencePath ?? nativePath }

    /// Returns the indices of the chain to search for pins. Without a validated path only the leaf is known to belong
    /// there: anyone can add a pinned certificate to a chain (decided: presented-chain).
    public func indices(of chain: PinChain) -> [Int] {
        switch chain {
        case .presented: presented
        case .validated: validated ?? Array(presented.prefix(1))
        }
    }
}

/// One of several targets that a check may try, with its result (requirement 49).
public struct ConnectionAttempt: Hashable, Sendable {
    /// The target of the attempt.
    public let target: Target
    /// The reason why there was no answer; nil for the target that answered, successfully or not.
    public let failure: HandshakeFailure?

    /// Creates an attempt.
    public init(target: Target, failure: HandshakeFailure?) {
        self.target = target
        self.failure = failure
    }
}

/// The server's time, from its HTTP response (requirement 13), and its difference from our clock.
public enum ServerTime: Hashable, Sendable {
    /// The server's time when the response arrived, and the seconds our clock is ahead of it.
    case known(Date, skew: Int)
    /// The time is missing or ambiguous, with the reason.
    case unknown(String)
    /// The server has no time to report, or the backend can't ask for it, in words: servers of SMTP have no `Date`.
    case notOffered(String)

    /// Reads a response: its `Date`, to which `Age` is added if a cache answered (RFC 9111 section 5.1).
    ///
    /// - Parameter instant: our clock when the response arrived.
    public init(_ report: HTTPReport, at instant: Date) {
        switch report.outcome {
        case .unavailable(let reason): self = .unknown("there was no HTTP response: \(reason)")
        case .response(let response): self.init(response, at: instant)
        }
    }

    private init(_ response: HTTPReport.Response, at instant: Date) {
        guard let text = response.date.first else {
            self = .unknown("the HTTP response has no Date")
            return
        }
        guard response.date.count == 1, let date = HTTPDate.parse(text, now: instant) else {
            self = .unknown("the HTTP response has the Date '\(response.date.joined(separator: "', '"))'")
            return
        }
        var age = 0
        if let text = response.age.first {
            guard response.age.count == 1, let value = Int(decimal: text), value <= 1 << 31
            else {
                self = .unknown("the HTTP response has the Age '\(response.age.joined(separator: "', '"))'")
                return
            }
            age = value
        }
        let corrected = date.addingTimeInterval(TimeInterval(age))
        let skew = instant.timeIntervalSince1970.rounded(.down) - corrected.timeIntervalSince1970
        self = .known(corrected, skew: Int(skew))
    }
}
