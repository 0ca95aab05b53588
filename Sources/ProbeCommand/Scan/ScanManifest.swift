import ProbeKit
import ProbePins

/// The last line of a scan: its inputs, and its counts.
struct ScanManifest: Encodable {
    /// The anchors, by their name and by a hash that does not depend on their order.
    struct Anchors: Codable {
        let name: String
        let digest: PinDigest
        let count: Int

        init(_ anchors: TrustAnchors) {
            name = anchors.name
            digest = anchors.storeDigest
            count = anchors.certificates.count
        }
    }

    /// The options that have a part in the results, as they took effect.
    struct Options: Codable {
        @Always var at: String?
        let timeout: Double
        @Always var connect: String?
        /// Nothing is written where it was not given; earlier manifests do not have it.
        let startTLS: String?
        /// As well.
        let proxy: String?
        let pins: [String]
        let pinChain: String
        let certificates: [String]
        let policies: [String]
        @Always var emulate: String?
        let trust: String
        let minTLS: String
        let alpn: [String]
        let serverDate: String
        @Always var expiresWithin: String?
        @Always var model: String?
        let modelHosts: [String]
        let dnsServers: [String]
        let dnssec: String
        let allAddresses: Bool
        /// Only where it was given.
        let family: String?
        /// Only where it was given.
        let follow: Bool?
        let concurrency: Int
        let spacing: Double
        @Always var shard: String?
    }

    let schema = "probe-scan/1"
    /// The version of the command.
    let version = ProbeVersion.current
    /// The start and end of the run, RFC 3339.
    let began: String
    let ended: String
    /// True if the whole list was done: all of it could be read, and every target has its lines.
    let isComplete: Bool
    let transports: [BackendIdentity]
    let resolvers: [BackendIdentity]
    let anchors: Anchors
    let options: Options
    /// The counts of the whole file, including earlier runs.
    let counts: ScanTally

    private enum CodingKeys: String, CodingKey {
        case schema, version, began, ended, isComplete = "complete", transports, resolvers, anchors, options, counts
    }
}

/// The inputs that a scan's verdicts depend on, as in its manifest.
package struct ScanTerms: Decodable {
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
            ("--ca, --roots or --crl", anchors.digest != earlier.anchors.digest), ("--at", new.at != old.at),
            ("--connect", new.connect != old.connect), ("--starttls", new.startTLS != old.startTLS),
            ("--proxy", new.proxy != old.proxy),
            ("--pin", new.pins != old.pins),
            ("--pin-chain", new.pinChain != old.pinChain),
            ("--expect-certificate", new.certificates != old.certificates),
            ("--policy", new.policies != old.policies), ("--emulate", new.emulate != old.emulate),
            ("--trust", new.trust != old.trust), ("--min-tls", new.minTLS != old.minTLS),
            ("--alpn", new.alpn != old.alpn),
            ("--server-date", new.serverDate != old.serverDate),
            ("--expires-within", new.expiresWithin != old.expiresWithin), ("--model", new.model != old.model),
            ("--model-host", new.modelHosts != old.modelHosts), ("--dns-server", new.dnsServers != old.dnsServers),
            ("--dnssec", new.dnssec != old.dnssec), ("--all-addresses", new.allAddresses != old.allAddresses),
            ("--family", new.family != old.family), ("--follow", new.follow != old.follow),
        ]
        return changes.filter(\.1).map(\.0)
    }
}
