public import ProbeKit

/// One endpoint of a running ``Lab``: its address, and the expected result of a probe.
public struct LabEndpoint: Hashable, Sendable, Identifiable {
    /// A short name, like `expired`.
    public let id: String
    /// One sentence about the endpoint.
    public let sentence: String
    /// The identity to ask the server for.
    public let name: ServerName
    /// The endpoint it listens on.
    public let endpoint: Endpoint
    /// The SPKI pin to probe it with: of its leaf, or of another key to show a mismatch. Nil if no certificate is
    /// presented.
    public let pin: PinDigest?
    /// The security model to look for on the list that ``Lab/modelHost`` publishes; nil asks for none.
    public let model: String?
    /// The outcome a probe should have.
    public let expected: Outcome
    /// The trust cause or handshake failure a probe should name; nil if it passes or the pin decides.
    public let reason: String?
    /// The outcome through transports that are known to differ, by their name.
    public let deviations: [String: Outcome]
}
