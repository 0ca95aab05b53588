/// A store of baselines; one in a file lets a watch detect changes made while it did not run.
public protocol BaselineStore: Sendable {
    /// Returns the baseline of a subject; nil if there is none yet.
    func baseline(for subject: String) async -> Baseline?

    /// Replaces a subject's baseline. It is only called for connections that passed and had a chain (requirement 73).
    func replaceBaseline(_ baseline: Baseline, for subject: String) async
}

/// Keeps baselines in memory.
public actor MemoryBaselines: BaselineStore {
    private var baselines: [String: Baseline] = [:]

    /// Creates an empty store.
    public init() {}

    /// Returns the baseline of a subject.
    public func baseline(for subject: String) -> Baseline? { baselines[subject] }

    /// Replaces a subject's baseline.
    public func replaceBaseline(_ baseline: Baseline, for subject: String) {
        baselines[subject] = baseline
    }
}
