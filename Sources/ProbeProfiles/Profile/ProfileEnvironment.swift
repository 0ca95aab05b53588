/// One environment an app is built for, with its services (requirements 96 to 98).
public struct ProfileEnvironment: Hashable, Sendable {
    /// How pins are used in an environment.
    public enum Pinning: String, Hashable, Sendable, Codable, CaseIterable {
        /// A mismatch fails the check.
        case enforce
        /// A mismatch is a warning.
        case report
        /// Pins are not looked at; the system's trust still decides (decided: trust-always).
        case off
    }

    /// Its name; nil for the services of a profile that has no environments.
    public var name: String?
    /// How pins are used in it.
    public var pinning: Pinning
    /// What its services are held to, where they say nothing of their own.
    public var demands: ConnectionDemands
    /// Its services, in the order of the file.
    public var services: [Service]

    /// An environment of its parts.
    public init(
        name: String? = nil, pinning: Pinning = .enforce, demands: ConnectionDemands = ConnectionDemands(),
        services: [Service] = []
    ) {
        self.name = name
        self.pinning = pinning
        self.demands = demands
        self.services = services
    }

    /// What reports call one of its services, like `production/api`.
    public func label(of service: Service) -> String {
        [name, service.name].compactMap(\.self).joined(separator: "/")
    }
}
