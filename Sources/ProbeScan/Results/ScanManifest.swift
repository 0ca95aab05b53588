package import ProbeKit
import ProbePins

/// The last line of a scan: its inputs, and its counts.
package struct ScanManifest: Encodable, Sendable {
    /// The anchors, by their name and by a hash that does not depend on their order.
    package struct Anchors: Codable, Sendable {
        /// One of several root stores.
        struct Store: Codable, Sendable {
            let name: String
            let digest: PinDigest
        }

        let name: String
        let digest: PinDigest
        let count: Int
        /// The root stores each of which has to trust a chain; left out where the anchors are a single store.
        var stores: [Store]?

        /// Creates the anchors' part of a manifest.
        package init(_ anchors: TrustAnchors) {
            name = anchors.name
            digest = anchors.storeDigest
            count = anchors.certificates.count
            stores =
                anchors.stores.isEmpty
                ? nil : anchors.stores.map { Store(name: $0.name, digest: $0.storeDigest) }
        }
    }

    let schema = "probe-scan/1"
    /// The version of the program.
    let version: String
    /// The start and end of the run, RFC 3339.
    let began: String
    let ended: String
    /// True if the whole list was done: all of it could be read, and every target, or every one of its shard, has its lines.
    let isComplete: Bool
    let transports: [BackendIdentity]
    let resolvers: [BackendIdentity]
    let anchors: Anchors
    let options: ScanSettings
    /// The counts of the whole file, including earlier runs.
    let counts: ScanTally

    /// Creates the manifest of a run.
    ///
    /// - Parameters:
    ///   - terms: the inputs that its verdicts depend on.
    ///   - counts: those of the whole file.
    ///   - isComplete: whether the whole list was done.
    ///   - version: that of the program.
    ///   - began: its start, RFC 3339, as `ended` its end.
    package init(
        _ terms: ScanTerms, counts: ScanTally, isComplete: Bool, version: String, began: String, ended: String
    ) {
        self.version = version
        self.began = began
        self.ended = ended
        self.isComplete = isComplete
        transports = terms.transports
        resolvers = terms.resolvers
        anchors = terms.anchors
        options = terms.options
        self.counts = counts
    }

    /// The line's text, without the line break.
    package var json: String { JSONText.line(self) }

    private enum CodingKeys: String, CodingKey {
        case schema, version, began, ended, isComplete = "complete", transports, resolvers, anchors, options, counts
    }
}
