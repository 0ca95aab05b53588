import FoundationEssentials

extension CacheKey {
    /// The key of one connection's verdict: host, port and SNI, where it was dialled, the stack, all that the check asks,
    /// and the leaf the server showed. A new leaf is a miss (decision K9).
    ///
    /// Demands of the caller's own go in by their kind alone: they are judged anew on every connection, and a success
    /// stands in for none of them.
    public init(_ check: Check, through transport: BackendIdentity, leaf: [UInt8]) {
        self.init(
            kind: .pins,
            [
                [check.target.description, check.target.name.sni ?? "", check.target.endpoint.description],
                [check.service ?? ""], [transport.description], [check.anchors.digest.hex, check.trust.rawValue],
                [check.minimumTLS.rawValue], check.alpn, check.demands.map { String(reflecting: type(of: $0)) },
                [check.serverDate.rawValue], check.pins.map(Self.text), [PinDigest.sha256(of: leaf).hex],
            ])
    }

    /// The key of what a target shows through one stack.
    public init(baselineOf target: Target, service: String?, through transport: BackendIdentity) {
        // Not the library's version: a new one is to be held to what the old one saw.
        self.init(
            kind: .baseline,
            [[target.description, target.endpoint.description], [service ?? ""], [transport.name]])
    }

    private static func text(_ group: PinGroup) -> String {
        func text(_ date: Date?) -> String { date.map { "\($0.timeIntervalSince1970)" } ?? "" }
        let pins = group.pins.map { "\($0)<\(text(group.pinExpiries[$0]))" }.sorted().joined(separator: ",")
        let window = group.window.map { window in
            [
                text(window.start), text(window.end), window.fallback.rawValue, "\(window.maximumSkew)",
                window.onMissingDate.rawValue,
            ].joined(separator: ",")
        }
        let expiry = group.expiry.map { "\(text($0.last)),\($0.afterwards.rawValue)" }
        return [
            "\(group.position)", group.chain.rawValue, pins, window ?? "", expiry ?? "", "\(group.isEnforced)",
        ].joined(separator: ";")
    }
}
