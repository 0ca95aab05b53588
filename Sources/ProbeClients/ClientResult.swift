import ProbeKit
public import ProbeRun

/// A client's verdict on a target.
public struct ClientResult: Sendable {
    /// The client.
    public let client: Client
    /// False if the client itself judged.
    public let isEmulated: Bool
    /// The verdict, in the name of the client instead of a backend.
    public let result: ProbeResult

    /// True if the client connects.
    public var connects: Bool { result.verdict.outcome.isPass }

    /// True if nothing is known of the client: it could not be emulated, or the server was not reached.
    public var isUndecided: Bool {
        switch result.verdict.outcome {
        case .unsupported, .unreachable, .localOverload, .internalError, .readingsDisagree, .dnsIndeterminate: true
        case .handshakeFailed: result.verdict.outcomeClass == .transient
        default: false
        }
    }
}
