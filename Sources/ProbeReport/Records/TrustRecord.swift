import ProbeKit
import ProbePins

/// Both trust decisions and their basis, as shown in reports.
struct TrustRecord: Encodable, Sendable {
    struct Anchors: Encodable, Sendable {
        let name: String
        let count: Int
        let sha256: String
    }

    struct Reading: Encodable, Sendable {
        struct Problem: Encodable, Sendable {
            let cause: TrustCause
            @Always var nativeCode: String?
            let message: String
            @Always var depth: Int?
        }

        let accepted: Bool
        @Always var cause: TrustCause?
        let problems: [Problem]
        /// The path it verified, as indices into the chain.
        @Always var path: [Int]?
        let judgesRevocation: Bool

        init(_ reading: TrustReading, path: [Int]?) {
            self.path = path
            accepted = reading.isAccepted
            cause = reading.cause
            judgesRevocation = reading.judgesRevocation
            problems = reading.problems.map {
                Problem(cause: $0.cause, nativeCode: $0.nativeCode, message: $0.message, depth: $0.depth)
            }
        }
    }

    /// One of several root stores, each of which has to trust the chain.
    struct Store: Encodable, Sendable {
        let name: String
        let accepted: Bool
        @Always var cause: TrustCause?
        /// The subject of the anchor; null if the store refuses the chain.
        @Always var anchor: String?
        /// The path to it, as indices into the chain.
        @Always var path: [Int]?

        init(_ store: StoreTrust, in connection: ConnectionEvidence) {
            name = store.store
            accepted = store.trust.isAccepted
            cause = store.trust.cause
            path = connection.path(of: store)
            anchor = path?.last.flatMap { connection.certificates[$0].details?.subject }
        }
    }

    let mode: TrustMode
    @Always var at: String?
    @Always var anchors: Anchors?
    @Always var native: Reading?
    @Always var reference: Reading?
    /// The validated path as indices into the chain.
    @Always var path: [Int]?
    /// The valid paths beside those two; searched for if pins depend on them.
    let furtherPaths: [[Int]]
    /// The decision for each root store, if each of several has to trust the chain.
    let stores: [Store]

    init(_ connection: ConnectionEvidence?, mode: TrustMode) {
        self.mode = mode
        at = connection.map { RFC3339.format($0.instant) }
        anchors = connection.map {
            Anchors(name: $0.anchors.name, count: $0.anchors.certificates.count, sha256: $0.anchors.digest.hex)
        }
        native = connection?.report.nativeTrust?.answered.map { Reading($0, path: connection?.nativePath) }
        reference = connection?.referenceTrust.map { Reading($0, path: connection?.referencePath) }
        path = connection?.validated
        furtherPaths = connection?.others(than: .both).map(\.indices) ?? []
        stores = connection.map { connection in connection.stores.map { Store($0, in: connection) } } ?? []
    }
}
