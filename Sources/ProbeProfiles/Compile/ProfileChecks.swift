public import ProbeKit

/// Everything a profile asks for, ready to be probed.
public struct ProfileChecks: Sendable {
    /// A check for each service, in the order of the profile.
    public let services: [Check]
    /// The model lists.
    public let models: [ModelCheck]

    /// Creates checks.
    public init(services: [Check], models: [ModelCheck]) {
        self.services = services
        self.models = models
    }
}
