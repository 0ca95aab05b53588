public import ProbeKit

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
    /// The client whose looser check is reported beside ours.
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
