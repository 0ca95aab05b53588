/// The chain that pins are looked for in; the two can differ (decided: presented-chain).
public enum PinChain: String, Hashable, Sendable, Codable, CaseIterable {
    /// The certificates as the server sent them.
    case presented
    /// The path from the leaf to an anchor that the reference verifier found, the anchor included.
    case validated
}
