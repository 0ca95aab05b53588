import ProbeKit

/// The inputs that a scan's verdicts depend on, as in its manifest.
struct ScanTerms: Decodable {
    let transports: [BackendIdentity]
    let resolvers: [BackendIdentity]
    let anchors: ScanManifest.Anchors
    let options: ScanManifest.Options

    init(
        transports: [any Transport], resolvers: [any Resolver], anchors: TrustAnchors, options: ScanManifest.Options
    ) {
        self.transports = transports.map(\.identity)
        self.resolvers = resolvers.map(\.identity)
        self.anchors = ScanManifest.Anchors(anchors)
        self.options = options
    }

    /// Returns the options by which targets are judged differently from `earlier` ones; speed is not one of them.
    func changes(since earlier: ScanTerms) -> [String] {
        let (new, old) = (options, earlier.options)
        let changes = [
            ("--backend", transports.map(\.name) != earlier.transports.map(\.name)),
            ("--resolver", resolvers.map(\.name) != earlier.resolvers.map(\.name)),
            ("--ca or --crl", anchors.digest != earlier.anchors.digest), ("--at", new.at != old.at),
            ("--connect", new.connect != old.connect), ("--pin", new.pins != old.pins),
            ("--pin-chain", new.pinChain != old.pinChain),
            ("--expect-certificate", new.certificates != old.certificates),
            ("--policy", new.policies != old.policies), ("--emulate", new.emulate != old.emulate),
            ("--trust", new.trust != old.trust), ("--min-tls", new.minTLS != old.minTLS),
            ("--alpn", new.alpn != old.alpn),
            ("--server-date", new.serverDate != old.serverDate),
            ("--expires-within", new.expiresWithin != old.expiresWithin), ("--model", new.model != old.model),
            ("--model-host", new.modelHosts != old.modelHosts), ("--dns-server", new.dnsServers != old.dnsServers),
            ("--dnssec", new.dnssec != old.dnssec), ("--all-addresses", new.allAddresses != old.allAddresses),
        ]
        return changes.filter(\.1).map(\.0)
    }
}
