/// One environment an app is built for, with its services (requirements 96 to 98).
public struct ProfileEnvironment: Hashable, Sendable {
    /// The use of pins in an environment.
    public enum Pinning: String, Hashable, Sendable, Codable, CaseIterable {
        /// A mismatch fails the check.
        case enforce
        /// A mismatch is a warning.
        case report
        /// Pins are not checked; the system's trust still decides (decided: trust-always).
        case off
    }

    /// Its name; nil for the services of a profile that has no environments.
    public var name: String?
    /// The use of pins in it.
    public var pinning: Pinning
    /// The default requirements of its services.
    public var demands: ConnectionDemands
    /// Its services, in the order of the file.
    public var services: [Service]

    /// Creates an environment.
    public init(
        name: String? = nil, pinning: Pinning = .enforce, demands: ConnectionDemands = ConnectionDemands(),
        services: [Service] = []
    ) {
        self.name = name
        self.pinning = pinning
        self.demands = demands
        self.services = services
    }

    /// Returns the name of one of its services in reports, like `production/api`.
    public func label(of service: Service) -> String {
        [name, service.name].compactMap(\.self).joined(separator: "/")
    }
}
