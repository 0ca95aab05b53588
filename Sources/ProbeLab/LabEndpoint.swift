public import ProbeKit

/// One endpoint of a running ``Lab``: where it is, and what a probe of it should find.
public struct LabEndpoint: Hashable, Sendable, Identifiable {
    /// A short name, like `expired`.
    public let id: String
    /// One sentence on what is there.
    public let sentence: String
    /// The identity to ask the server for.
    public let name: ServerName
    /// The endpoint it listens on.
    public let endpoint: Endpoint
    /// The SPKI pin to probe it with: of its leaf, or, where a mismatch is to be seen, of another key. Nil where no
    /// certificate is presented.
    public let pin: PinDigest?
    /// The security model to look for on the list that ``Lab/modelHost`` publishes; nil asks for none.
    public let model: String?
    /// The outcome a probe should have.
    public let expected: Outcome
    /// The trust cause or handshake failure a probe should name; nil if it passes or the pin decides.
    public let reason: String?
    /// The outcome through transports that are known to judge otherwise, by their name.
    public let deviations: [String: Outcome]
}
