package import ProbeKit
import ProbePins

/// The inputs that a scan's verdicts depend on, as in its manifest.
package struct ScanTerms: Decodable, Sendable {
    let transports: [BackendIdentity]
    let resolvers: [BackendIdentity]
    private(set) var anchors: ScanManifest.Anchors
    let options: ScanSettings

    /// Creates the terms of a scan.
    package init(
        transports: [any Transport], resolvers: [any Resolver], anchors: TrustAnchors, options: ScanSettings
    ) {
        self.transports = transports.map(\.identity)
        self.resolvers = resolvers.map(\.identity)
        self.anchors = ScanManifest.Anchors(anchors)
        self.options = options
    }

    /// The settings by which targets are judged, as `probe scan` names its options without their hyphens, and their values;
    /// speed is not one of them.
    package static let decisive: [(names: [String], values: @Sendable (ScanTerms) -> [String])] = [
        (["backend"], { $0.transports.map(\.name) }), (["resolver"], { $0.resolvers.map(\.name) }),
        (["ca", "roots", "crl"], { content($0.anchors) }), (["at"], { one($0.options.at) }),
        (["connect"], { one($0.options.connect) }), (["starttls"], { one($0.options.startTLS) }),
        (["proxy"], { one($0.options.proxy) }), (["proxy-ca"], { one($0.options.proxyAnchors?.hex) }),
        (["client-cert"], { one($0.options.clientCertificate?.hex) }), (["pin"], { $0.options.pins }),
        (["pin-chain"], { [$0.options.pinChain] }),
        (
            ["expect-certificate"],
            {
                ($0.options.certificateDigests?.map(\.hex) ?? $0.options.certificates)
                    + ($0.options.certificatePlaces ?? [])
            }
        ),
        (["policy"], { $0.options.policies }), (["emulate"], { one($0.options.emulate) }),
        (["trust"], { [$0.options.trust] }), (["min-tls"], { [$0.options.minTLS] }),
        (["alpn"], { $0.options.alpn }), (["server-date"], { [$0.options.serverDate] }),
        (["expires-within"], { one($0.options.expiresWithin) }), (["model"], { one($0.options.model) }),
        (["model-host"], { $0.options.modelHosts }), (["dns-server"], { $0.options.dnsServers }),
        (["dns-connect"], { one($0.options.dnsConnect) }), (["dns-ca"], { one($0.options.dnsAnchors?.hex) }),
        (["dns-pin"], { $0.options.dnsPins ?? [] }), (["dnssec"], { [$0.options.dnssec] }),
        (["dnssec-anchor"], { $0.options.dnssecAnchors ?? [] }), (["edns-size"], { one($0.options.ednsSize) }),
        (["system-settings"], { one($0.options.systemSettings.map { String($0) }) }),
        (["txt-strings"], { one($0.options.txtStrings) }),
        (["all-addresses"], { [String($0.options.allAddresses)] }), (["family"], { one($0.options.family) }),
        (["follow"], { one($0.options.follow.map { String($0) }) }),
    ]

    /// The digest of all anchors, then each store that has to trust a chain by itself: the same roots, spread otherwise over the
    /// stores, decide otherwise. A scan without such stores keeps the identifier that it had before they counted.
    private static func content(_ anchors: ScanManifest.Anchors) -> [String] {
        [anchors.digest.hex] + (anchors.stores ?? []).flatMap { [$0.name, $0.digest.hex] }
    }

    private static func one(_ value: String?) -> [String] { value.map { [$0] } ?? [] }

    /// Identifies these terms in every line: the first 64 bits of SHA-256 over the settings and their values.
    ///
    /// The hyphens of the options are part of what is hashed: files of results have such identifiers.
    package var id: String {
        let text = Self.decisive.map { ($0.names.map { "--\($0)" } + $0.values(self)).joined(separator: "\u{0}") }
            .joined(separator: "\n")
        return String(PinDigest.sha256(of: Array(text.utf8)).hex.prefix(16))
    }

    /// Returns true if earlier terms are of a version that did not keep which of several root stores has a root, and may be the
    /// same otherwise.
    package func hasStoresUnlike(_ earlier: ScanTerms) -> Bool {
        anchors.stores != nil && earlier.anchors.stores == nil && anchors.digest == earlier.anchors.digest
    }

    /// True where each of several root stores has to trust a chain.
    package var hasStores: Bool { anchors.stores != nil }

    /// The identifier that such a version gave the same terms; a scan that was killed leaves nothing else of them.
    package var idWithoutStores: String {
        var earlier = self
        earlier.anchors.stores = nil
        return earlier.id
    }

    /// Returns the names of each setting by which targets are judged differently from `earlier` ones.
    package func changes(since earlier: ScanTerms) -> [[String]] {
        Self.decisive.filter { $0.values(self) != $0.values(earlier) }.map(\.names)
    }
}
