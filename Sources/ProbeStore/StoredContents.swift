/// Everything a store's file holds.
public struct StoredContents: Hashable, Sendable {
    /// The successes, the latest first.
    public let successes: [StoredSuccess]
    /// The number of baselines.
    public let baselines: Int
}
