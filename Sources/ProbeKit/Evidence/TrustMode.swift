/// The verifier whose trust decision counts.
public enum TrustMode: String, Hashable, Sendable, Codable, CaseIterable {
    /// The stack and the reference verifier must both accept.
    case both
    /// The stack's decision alone.
    case native
    /// The reference verifier's decision alone.
    case reference
}
