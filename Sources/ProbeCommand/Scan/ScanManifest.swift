import ProbeKit

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
        let concurrency: Int
        let spacing: Double
        @Always var shard: String?
    }

    let schema = "probe-scan/1"
    /// The start and end of the run, RFC 3339.
    let began: String
    let ended: String
    /// True if the whole list was done: no signal came, and all of it could be read.
    let isComplete: Bool
    let transports: [BackendIdentity]
    let resolvers: [BackendIdentity]
    let anchors: Anchors
    let options: Options
    /// The counts of the whole file, including earlier runs.
    let counts: ScanTally

    private enum CodingKeys: String, CodingKey {
        case schema, began, ended, isComplete = "complete", transports, resolvers, anchors, options, counts
    }
}
