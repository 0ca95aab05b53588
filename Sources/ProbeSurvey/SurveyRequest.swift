public import ProbeKit
public import ProbePlatform

/// A server to survey, and the limits of the survey.
public struct SurveyRequest: Sendable {
    /// The default of ``maximum``.
    public static let usualMaximum = 60

    /// The server.
    public let target: Target
    /// The identity for a server that asks for a client certificate.
    public let clientIdentity: ClientIdentity?
    /// The maximum number of handshakes.
    public let maximum: Int
    /// The time that all of them may take together.
    public let timeout: Duration
    /// The instant of the survey, for stacks that judge trust on the way.
    public let instant: Date

    /// The reason why there is nothing to dial; nil dials.
    public var absence: HandshakeFailure?

    /// Creates a request.
    public init(
        target: Target, clientIdentity: ClientIdentity? = nil, maximum: Int = Self.usualMaximum, timeout: Duration,
        instant: Date
    ) {
        self.target = target
        self.clientIdentity = clientIdentity
        self.maximum = maximum
        self.timeout = timeout
        self.instant = instant
    }
}
