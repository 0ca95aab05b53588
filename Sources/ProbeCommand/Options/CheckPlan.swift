import ProbeKit

/// The checks of one run of `check` or `compare`.
struct CheckPlan {
    /// The targets.
    var checks: [Check]
    /// The model lists that no target goes with.
    var models: [ModelCheck] = []

    /// Returns the same plan with other cache lifetimes, if they are given.
    func remembered(models: CacheLifetime?, connections: CacheLifetime? = nil) -> CheckPlan {
        CheckPlan(
            checks: checks.map { $0.remembered(models: models, connections: connections) },
            models: self.models.map { model in models.map(model.remembered) ?? model })
    }
}
