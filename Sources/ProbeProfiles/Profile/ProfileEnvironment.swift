public import ProbeKit

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

/// One endpoint an app talks to, and its requirements (requirements 95, 98, 99).
public struct Service: Hashable, Sendable {
    /// Its name in the profile.
    public var name: String
    /// The target; name and port decide which host rules apply.
    public var target: Target
    /// The targets to try instead when the target can't be reached, in order; a failed check never goes on to them.
    public var alternates: [Target]
    /// Pins of this service alone; empty if the host rules have them (decided: services-apart).
    public var pins: [PinSet]
    /// The service whose pins this one uses.
    public var sharesWith: String?
    /// Files with the certificates the service may have, compared attribute by attribute (requirement 88).
    public var certificates: [String]
    /// The shipped client whose checks are emulated.
    public var emulation: Emulation?
    /// The requirements beside pins.
    public var demands: ConnectionDemands

    /// Creates a service.
    public init(
        name: String, target: Target, alternates: [Target] = [], pins: [PinSet] = [], sharesWith: String? = nil,
        certificates: [String] = [], emulation: Emulation? = nil, demands: ConnectionDemands = ConnectionDemands()
    ) {
        self.name = name
        self.target = target
        self.alternates = alternates
        self.pins = pins
        self.sharesWith = sharesWith
        self.certificates = certificates
        self.emulation = emulation
        self.demands = demands
    }
}
