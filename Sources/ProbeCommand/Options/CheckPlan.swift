import ProbeKit

/// What one run of `check` or `compare` probes.
struct CheckPlan {
    /// The targets.
    var checks: [Check]
    /// The model lists that no target goes with.
    var models: [ModelCheck] = []

    /// The same plan with other lifetimes of what is remembered.
    func remembered(models: CacheLifetime, connections: CacheLifetime = .pins) -> CheckPlan {
        CheckPlan(
            checks: checks.map { $0.remembered(models: models, connections: connections) },
            models: self.models.map { $0.remembered(for: models) })
    }
}
