public import ProbeDNS
public import ProbeKit
import ProbePins
public import ProbePlatform

/// A check whether a build's security model is on a list published in DNS (requirement 17), and the way to query it.
public struct ModelCheck: Sendable {
    /// The model the build carries (requirement 19); nil asks only whether there is a list.
    public let model: ModelName?
    /// The names that publish the list, in order: an answer ends the walk, a missing one continues with the next.
    public private(set) var hosts: [DNSName]
    /// The servers to ask over UDP and TCP, in order.
    public private(set) var servers: [Endpoint]
    /// The servers to ask over HTTPS, in order.
    public private(set) var httpsServers: [DoHServer]
    /// The servers to ask over TLS, in order.
    public private(set) var tlsServers: [DNSQuery.TLSServer]
    /// The SHA-256 of the keys that a server over TLS may have; empty if any key will do that its certificate vouches for.
    public private(set) var serverPins: Set<PinDigest>
    /// The EDNS0 size to advertise; nil sends no OPT record.
    public let ednsSize: UInt16?
    /// The number of queries to each server.
    public let tries: Int
    /// The DNSSEC validation that the answer needs.
    public let dnssec: DNSSECPolicy
    /// The trust anchors of DNSSEC validation.
    public let anchors: [DNSAnchor]
    /// The way the strings of one record are read (decided: record-strings).
    public let strings: TXTStrings
    /// The time for which a success counts, if the prober has a cache (requirement 23).
    public private(set) var cacheLifetime: CacheLifetime
    /// The result of an absent list in a watch (decided: dns-answers).
    public let absence: Absence
    /// Findings that every verdict includes, for example that resolvers were left out.
    public private(set) var announcements: [Finding] = []

    /// The result of an answer that there is no list in a watch (decided: dns-answers).
    public enum Absence: String, Hashable, Sendable, Codable, CaseIterable {
        /// It may come back.
        case transient
        /// It ends the watch.
        case terminal
    }

    /// Creates a check.
    public init(
        model: ModelName?, hosts: [DNSName], servers: [Endpoint], httpsServers: [DoHServer] = [],
        tlsServers: [DNSQuery.TLSServer] = [], serverPins: Set<PinDigest> = [],
        ednsSize: UInt16? = DNSQuery.defaultEDNSSize,
        tries: Int = 2, dnssec: DNSSECPolicy = .off, anchors: [DNSAnchor] = [], strings: TXTStrings = .joined,
        absence: Absence = .transient, cacheLifetime: CacheLifetime = .model
    ) {
        self.model = model
        self.hosts = hosts
        self.servers = servers
        self.httpsServers = httpsServers
        self.tlsServers = tlsServers
        self.serverPins = serverPins
        self.ednsSize = ednsSize
        self.tries = tries
        self.dnssec = dnssec
        self.anchors = anchors
        self.strings = strings
        self.cacheLifetime = cacheLifetime
        self.absence = absence
    }

    /// Returns the same check through other servers.
    public func asking(
        _ servers: [Endpoint], https: [DoHServer] = [], tls: [DNSQuery.TLSServer] = []
    ) -> ModelCheck {
        var check = self
        check.tlsServers = tls
        if tls.isEmpty { check.serverPins = [] }
        check.servers = servers
        check.httpsServers = https
        return check
    }

    /// Returns the same check of one other name.
    public func about(_ name: DNSName) -> ModelCheck {
        var check = self
        check.hosts = [name]
        return check
    }

    /// Returns the same check with another lifetime of its successes.
    public func remembered(for lifetime: CacheLifetime) -> ModelCheck {
        var check = self
        check.cacheLifetime = lifetime
        return check
    }

    /// Returns the same check, every verdict of which has this finding too.
    public func announcing(_ finding: Finding) -> ModelCheck {
        var check = self
        check.announcements.append(finding)
        return check
    }

    /// Returns the capabilities that a resolver lacks for the check's queries.
    public func missing(from capabilities: Set<ResolverCapability>) -> Set<ResolverCapability> {
        guard let host = hosts.first ?? DNSName(labels: []) else { return [] }
        let query = query(for: host, through: capabilities, at: .distantPast, deadline: .after(.zero))
        return query.requiredCapabilities.subtracting(capabilities)
    }

    /// The servers as they were given.
    public var serverTexts: [String] {
        servers.map(\.description) + tlsServers.map(\.description) + httpsServers.map(\.description)
    }

    /// The subject as displayed: the first name that publishes the list.
    public var subject: String { hosts.first?.description ?? "" }

    /// Returns true if there is a server that a resolver with these capabilities can query.
    private func hasServer(for capabilities: Set<ResolverCapability>) -> Bool {
        !servers.isEmpty && capabilities.contains(.chosenServers)
            || !httpsServers.isEmpty && capabilities.contains(.httpsServers)
            || !tlsServers.isEmpty && capabilities.contains(.tlsServers)
    }

    /// Returns the query about one of the hosts; signatures have to be valid at `instant`.
    ///
    /// If there are servers of both kinds, a resolver gets those it can ask. One that can ask none of them gets all of
    /// them, and has to refuse.
    ///
    /// - Parameter capabilities: the capabilities of the resolver.
    public func query(
        for host: DNSName, through capabilities: Set<ResolverCapability>, at instant: Date, deadline: Deadline
    ) -> DNSQuery {
        let isRefused = !hasServer(for: capabilities)
        return DNSQuery(
            name: host, servers: isRefused || capabilities.contains(.chosenServers) ? servers : [],
            httpsServers: isRefused || capabilities.contains(.httpsServers) ? httpsServers : [],
            tlsServers: isRefused || capabilities.contains(.tlsServers) ? tlsServers : [],
            wantsServerChain: !serverPins.isEmpty, ednsSize: ednsSize, tries: tries, dnssec: dnssec, anchors: anchors,
            instant: instant, deadline: deadline)
    }
}

extension ModelCheck {
    /// Returns the reading of a resolver's report about one of the names.
    func reading(of report: DNSReport, name: DNSName) -> ModelReading {
        if let failure = pinFailure(report) { return .indeterminate(.unanswered(failure)) }
        return ModelReading(report, name: name, model: model, strings: strings, dnssec: dnssec)
    }
}

extension ModelCheck {
    /// Returns the failure of an answer by a server whose key is not among the pinned ones; nil if there is nothing against
    /// its key.
    private func pinFailure(_ report: DNSReport) -> DNSFailure? {
        guard !serverPins.isEmpty, let attempt = report.attempts.last, attempt.reply != nil else { return nil }
        guard let leaf = attempt.serverChain.first else {
            return DNSFailure(.serverPin, "\(attempt.server) showed no certificate, and its key is pinned")
        }
        let digests = try? CertificateDigests(certificate: leaf.span, digester: SwiftCryptoDigester())
        guard let key = digests?.spki, serverPins.contains(key) else {
            return DNSFailure(
                .serverPin,
                "the key of \(attempt.server) is not among the pinned ones: it is \(digests?.spki.base64 ?? "unreadable")"
            )
        }
        return nil
    }
}

extension ModelListed {
    /// The policy that judges what a check finds.
    public init(_ check: ModelCheck) { self.init(check, asksNameServer: false) }

    /// The policy, for the answer of a zone's own name server or of any.
    init(_ check: ModelCheck, asksNameServer: Bool) {
        self.init(check.model, announcements: check.announcements, asksNameServer: asksNameServer)
    }
}

extension CacheKey {
    /// Creates the key of a model check through one resolver: the model, the names in order, the servers and their pins,
    /// the DNSSEC policy with its anchors, the way strings are read, the EDNS0 size, and the resolver. The number of tries
    /// does not affect the result, so it is left out.
    ///
    /// - Returns: nil if there is nothing to remember: without a model, since the list is shown then, or without a
    ///   lifetime.
    public init?(_ check: ModelCheck, through resolver: BackendIdentity) {
        guard let model = check.model, check.cacheLifetime != .never else { return nil }
        let https = check.httpsServers.map { server in
            "\(server) \(server.endpoint) \(server.anchors.digest)"
        }
        let tls = check.tlsServers.map { "\($0) \($0.endpoint) \($0.anchors.digest)" }
        self.init(
            kind: .model,
            [
                [model.description], check.hosts.map { $0.description.lowercased() }, check.servers.map(\.description),
                https, tls, check.serverPins.map(\.hex).sorted(), [check.dnssec.rawValue],
                check.anchors.map(\.description), [check.strings.rawValue],
                [check.ednsSize.map { "\($0)" } ?? ""], [resolver.description],
            ])
    }
}
