/// Keeps what targets showed when they were good (requirement 73).
///
/// As with ``SuccessCache``, one that can't be read or written remembers nothing.
public protocol BaselineStore: Sendable {
    /// What was kept under a key of the kind ``CacheKey/Kind/baseline``.
    func baseline(for key: CacheKey) async -> Baseline?

    /// Keeps a baseline in place of an earlier one. There is no way to put nothing there: see ``Baseline``.
    func replaceBaseline(for key: CacheKey, with baseline: Baseline) async
}
