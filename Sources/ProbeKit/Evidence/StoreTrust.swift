/// The reference verifier's decision on a chain with the certificates of one of several root stores.
package struct StoreTrust: Hashable, Sendable {
    /// The store and the day of its snapshot, like `mozilla@2021-05-30`.
    package let store: String
    /// The decision.
    package let trust: TrustReading

    /// Creates a decision.
    package init(store: String, trust: TrustReading) {
        self.store = store
        self.trust = trust
    }
}

extension ConnectionEvidence {
    /// Returns the path of a store's decision as indices into ``certificates``; nil if the store refuses the chain.
    package func path(of store: StoreTrust) -> [Int]? { Self.indices(of: store.trust.path, in: certificates) }
}
