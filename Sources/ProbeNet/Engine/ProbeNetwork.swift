public import NIOCore
public import NIOPosix

/// The event loops on which a backend's connections live, and the lookup of the names they dial.
public struct ProbeNetwork: Sendable {
    /// The event loops; each connection lives on the next one.
    public let group: any EventLoopGroup
    /// The lookup of names.
    public let lookup: HostLookup

    /// SwiftNIO's own event loops and the system's lookup, which everything shares that was given no others.
    public static let shared = ProbeNetwork()

    /// Creates a network. The group has to outlive every backend that it is given to.
    public init(group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, lookup: HostLookup = .system) {
        self.group = group
        self.lookup = lookup
    }
}
