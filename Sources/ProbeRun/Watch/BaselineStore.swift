/// Where baselines are kept; what keeps them in a file lets a watch see what changed while it did not run.
public protocol BaselineStore: Sendable {
    /// The baseline of a subject; nil where there is none yet.
    func baseline(for subject: String) async -> Baseline?

    /// Replaces a subject's baseline. It is called for connections that passed and had a chain, for no others
    /// (requirement 73).
    func replaceBaseline(_ baseline: Baseline, for subject: String) async
}

/// Keeps baselines as long as it lives.
public actor MemoryBaselines: BaselineStore {
    private var baselines: [String: Baseline] = [:]

    /// Nothing is kept yet.
    public init() {}

    /// The baseline of a subject.
    public func baseline(for subject: String) -> Baseline? { baselines[subject] }

    /// Replaces a subject's baseline.
    public func replaceBaseline(_ baseline: Baseline, for subject: String) {
        baselines[subject] = baseline
    }
}
