public import ProbeKit
public import ProbePins
import ProbePlatform
import ProbeTrust

/// The same check with something else in it.
extension Check {
    /// Returns the same demands on another target, and on no alternates.
    func aimed(at target: Target) -> Check {
        var check = self
        check.target = target
        check.alternates = []
        return check
    }

    /// Returns the same check within another time.
    ///
    /// - Parameter endpoint: dialled instead of the target's own; nil leaves that as it is.
    public func within(_ timeout: Duration, dialling endpoint: Endpoint? = nil) -> Check {
        var check = self
        check.timeout = timeout
        check.target = target.dialled(at: endpoint)
        return check
    }

    /// Returns the same check as another client makes it: with its roots and its offer, judged by the reference alone.
    ///
    /// - Parameters:
    ///   - minimumTLS: the oldest version that it offers, which it accepts.
    ///   - policies: those of the client's platform.
    public func made(
        withAnchors anchors: TrustAnchors, offer: ClientOffer? = nil, minimumTLS: TLSVersion? = nil,
        policies: [any Policy] = []
    ) -> Check {
        var check = self
        check.anchors = anchors
        check.offer = offer
        check.trust = .reference
        // A demand above the usual one is the app's own.
        if let minimumTLS, self.minimumTLS <= .tls12 { check.minimumTLS = minimumTLS }
        check.demands += policies
        return check
    }

    /// The same check of a client that sends no server name in its ClientHello; what the certificate has to prove is then not
    /// known. The names of other protocols, like XMPP's (RFC 6120 section 4.7.2) and HTTP's `Host`, are not of TLS and stay.
    public var withoutServerName: Check {
        var check = self
        check.sendsName = false
        return check
    }

    /// The identity that stacks are given: in place of a name that is not to be sent an address, since none is sent for one (RFC
    /// 6066 section 3), from those that nobody has (RFC 5737).
    var nameInHello: ServerName {
        guard !sendsName, target.name.sni != nil, let unnamed = IPAddress("192.0.2.1") else { return target.name }
        return .ip(unnamed)
    }

    /// Returns the same check of these targets, each tried when those before it did not answer.
    public func trying(_ targets: [Target]) -> Check {
        guard let first = targets.first else { return self }
        var check = self
        check.target = first
        check.alternates = Array(targets.dropFirst())
        return check
    }

    /// Returns the same check, every verdict of which has this finding too.
    public func announcing(_ finding: Finding) -> Check {
        var check = self
        check.demands.append(Announced(finding))
        return check
    }

    /// Returns the same check, some of whose pins are only in files of platforms.
    public func withPlatformPins(_ pins: [String: [PinGroup]]) -> Check {
        var check = self
        check.platformPins = pins
        return check
    }

    /// Returns the same check by a client that does not read some platforms' own files of pins; nil if that changes
    /// nothing. Pins that are in a file that it reads too stay.
    public func withoutPins(ofPlatforms platforms: Set<String>) -> Check? {
        let files = Dictionary(grouping: platformPins) { platforms.contains($0.key) }
            .mapValues { $0.flatMap(\.value) }
        let read = files[false] ?? []
        let unread = (files[true] ?? []).filter { !read.contains($0) }
        guard !unread.isEmpty else { return nil }
        var check = self
        check.pins.removeAll(where: unread.contains)
        for platform in platforms { check.platformPins[platform] = nil }
        return check
    }

    /// Returns the same check with one more policy, judged before trust.
    public func demanding(_ policy: any Policy) -> Check {
        var check = self
        check.demands.append(policy)
        return check
    }

    /// Returns the same check, whose fixes for pins are worded as the file that they are from can hold them; nil leaves
    /// them to the program.
    public func wording(_ words: Fix.Step.Words?) -> Check {
        var check = self
        check.fileWords = words
        return check
    }

    /// Returns the same check, whose finding about another valid path says who takes that.
    public func naming(_ takers: @escaping PathTakers) -> Check {
        var check = self
        check.pathTakers = takers
        return check
    }

    /// Returns the same check by another way to the target.
    public func taking(_ route: HandshakeRequest.Route) -> Check {
        var check = self
        check.route = route
        return check
    }

    /// Returns the same check with another question about models.
    public func asking(_ model: ModelCheck?) -> Check {
        var check = self
        check.model = model
        return check
    }

    /// The same check, as far as it needs no connection.
    var withoutConnection: Check {
        var check = aimed(at: target)
        check.serverDate = .whenItDecides
        check.model = nil
        check.clientIdentity = nil
        check.route = .direct
        return check
    }

    /// Returns the same check with other lifetimes of its remembered successes.
    ///
    /// - Parameters:
    ///   - models: for how long a listed model counts; nil changes nothing.
    ///   - connections: for how long a connection counts; likewise.
    public func remembered(models: CacheLifetime? = nil, connections: CacheLifetime? = nil) -> Check {
        var check = self
        if let models { check.model = model?.remembered(for: models) }
        if let connections { check.cacheLifetime = connections }
        return check
    }
}
