/// All contents of a store's file.
public struct StoredContents: Hashable, Sendable {
    /// The successes, the latest first.
    public let successes: [StoredSuccess]
    /// The number of baselines.
    public let baselines: Int
}
