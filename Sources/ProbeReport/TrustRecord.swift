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

    let mode: TrustMode
    @Always var at: String?
    @Always var anchors: Anchors?
    @Always var native: Reading?
    @Always var reference: Reading?
    /// The validated path as indices into the chain.
    @Always var path: [Int]?
    /// The valid paths beside those two; searched for if pins depend on them.
    let furtherPaths: [[Int]]

    init(_ connection: ConnectionEvidence?, mode: TrustMode) {
        self.mode = mode
        at = connection.map { RFC3339.format($0.instant) }
        anchors = connection.map {
            Anchors(name: $0.anchors.name, count: $0.anchors.certificates.count, sha256: $0.anchors.digest.hex)
        }
        native = connection?.report.nativeTrust.map { Reading($0, path: connection?.nativePath) }
        reference = connection?.referenceTrust.map { Reading($0, path: connection?.referencePath) }
        path = connection?.validated
        furtherPaths = connection?.others(than: .both).map(\.indices) ?? []
    }
}
