package import ProbeKit

/// The settings that have a part in a scan's results, as they took effect, in its manifest's words.
package struct ScanSettings: Codable, Sendable {
    @Always package var at: String? = nil
    package var timeout: Double
    @Always package var connect: String? = nil
    /// Nothing is written where it was not given; earlier manifests do not have it.
    package var startTLS: String?
    /// As well.
    package var proxy: String?
    package var pins: [String] = []
    package var pinChain: String
    package var certificates: [String] = []
    package var policies: [String] = []
    @Always package var emulate: String? = nil
    package var trust: String
    package var minTLS: String
    package var alpn: [String] = []
    package var serverDate: String
    @Always package var expiresWithin: String? = nil
    @Always package var model: String? = nil
    package var modelHosts: [String] = []
    package var dnsServers: [String] = []
    package var dnssec: String
    package var allAddresses = false
    /// Only where it was given.
    package var family: String?
    /// Only where it was given.
    package var follow: Bool?
    package var concurrency: Int
    package var spacing: Double = 0
    @Always package var shard: String? = nil
    /// The rest stands there only where it was given. Files are named by their digests.
    package var certificateDigests: [PinDigest]?
    /// The place in a chain of each expected certificate, and the number of its alternatives among the digests.
    package var certificatePlaces: [String]?
    package var clientCertificate: PinDigest?
    package var proxyAnchors: PinDigest?
    package var dnsConnect: String?
    package var dnsAnchors: PinDigest?
    package var dnsPins: [String]?
    package var dnssecAnchors: [String]?
    package var ednsSize: String?
    package var systemSettings: Bool?
    package var txtStrings: String?

    /// Creates the settings that every scan has.
    package init(
        timeout: Duration, pinChain: String, trust: String, minTLS: String, serverDate: String, dnssec: String,
        concurrency: Int
    ) {
        self.timeout = timeout.inSeconds
        self.pinChain = pinChain
        self.trust = trust
        self.minTLS = minTLS
        self.serverDate = serverDate
        self.dnssec = dnssec
        self.concurrency = concurrency
    }
}
