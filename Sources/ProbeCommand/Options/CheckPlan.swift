import ProbeKit

/// What one run of `check` or `compare` probes.
struct CheckPlan {
    /// The targets.
    var checks: [Check]
    /// The model lists that no target goes with.
    var models: [ModelCheck] = []
}
