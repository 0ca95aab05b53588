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
        /// The rest stands there only where it was given. Files are told by what they hold.
        let certificateDigests: [PinDigest]?
        /// The place in a chain of each `--expect-certificate`, and the number of its alternatives among the digests.
        let certificatePlaces: [String]?
        let clientCertificate: PinDigest?
        let proxyAnchors: PinDigest?
        let dnsConnect: String?
        let dnsAnchors: PinDigest?
        let dnsPins: [String]?
        let dnssecAnchors: [String]?
        let ednsSize: String?
        let systemSettings: Bool?
        let txtStrings: String?
    }

    let schema = "probe-scan/1"
    /// The version of the command.
    let version = ProbeVersion.current
    /// The start and end of the run, RFC 3339.
    let began: String
    let ended: String
    /// True if the whole list was done: all of it could be read, and every target, or every one of its shard, has its lines.
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

    /// The options by which targets are judged, and their values; speed is not one of them.
    static let decisive: [(options: [String], values: @Sendable (ScanTerms) -> [String])] = [
        (["--backend"], { $0.transports.map(\.name) }), (["--resolver"], { $0.resolvers.map(\.name) }),
        (["--ca", "--roots", "--crl"], { [$0.anchors.digest.hex] }), (["--at"], { one($0.options.at) }),
        (["--connect"], { one($0.options.connect) }), (["--starttls"], { one($0.options.startTLS) }),
        (["--proxy"], { one($0.options.proxy) }), (["--proxy-ca"], { one($0.options.proxyAnchors?.hex) }),
        (["--client-cert"], { one($0.options.clientCertificate?.hex) }), (["--pin"], { $0.options.pins }),
        (["--pin-chain"], { [$0.options.pinChain] }),
        (
            ["--expect-certificate"],
            {
                ($0.options.certificateDigests?.map(\.hex) ?? $0.options.certificates)
                    + ($0.options.certificatePlaces ?? [])
            }
        ),
        (["--policy"], { $0.options.policies }), (["--emulate"], { one($0.options.emulate) }),
        (["--trust"], { [$0.options.trust] }), (["--min-tls"], { [$0.options.minTLS] }),
        (["--alpn"], { $0.options.alpn }), (["--server-date"], { [$0.options.serverDate] }),
        (["--expires-within"], { one($0.options.expiresWithin) }), (["--model"], { one($0.options.model) }),
        (["--model-host"], { $0.options.modelHosts }), (["--dns-server"], { $0.options.dnsServers }),
        (["--dns-connect"], { one($0.options.dnsConnect) }), (["--dns-ca"], { one($0.options.dnsAnchors?.hex) }),
        (["--dns-pin"], { $0.options.dnsPins ?? [] }), (["--dnssec"], { [$0.options.dnssec] }),
        (["--dnssec-anchor"], { $0.options.dnssecAnchors ?? [] }), (["--edns-size"], { one($0.options.ednsSize) }),
        (["--system-settings"], { one($0.options.systemSettings.map { String($0) }) }),
        (["--txt-strings"], { one($0.options.txtStrings) }),
        (["--all-addresses"], { [String($0.options.allAddresses)] }), (["--family"], { one($0.options.family) }),
        (["--follow"], { one($0.options.follow.map { String($0) }) }),
    ]

    private static func one(_ value: String?) -> [String] { value.map { [$0] } ?? [] }

    /// Tells these terms from others, in every line: the first 64 bits of SHA-256 over the options and their values.
    var id: String {
        let text = Self.decisive.map { ($0.options + $0.values(self)).joined(separator: "\u{0}") }
            .joined(separator: "\n")
        return String(PinDigest.sha256(of: Array(text.utf8)).hex.prefix(16))
    }

    /// Returns the options by which targets are judged differently from `earlier` ones.
    func changes(since earlier: ScanTerms) -> [String] {
        Self.decisive.filter { $0.values(self) != $0.values(earlier) }.map { $0.options.joined(separator: " or ") }
    }
}
