/// Everything a store's file holds.
public struct StoredContents: Hashable, Sendable {
    /// The successes, the latest first.
    public let successes: [StoredSuccess]
    /// How many baselines there are.
    public let baselines: Int
}
