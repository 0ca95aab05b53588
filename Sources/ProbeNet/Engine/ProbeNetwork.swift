public import NIOCore
import NIOPosix

/// The event loops on which a backend's connections live, and the lookup of the names they dial.
public struct ProbeNetwork: Sendable {
    /// The event loops; each connection lives on the next one. Those of SwiftNIO start when they are first asked for.
    public var group: any EventLoopGroup { given ?? MultiThreadedEventLoopGroup.singleton }
    /// The lookup of names.
    public let lookup: HostLookup

    /// SwiftNIO's own event loops and the system's lookup, which everything shares that was given no others.
    public static let shared = ProbeNetwork()

    private let given: (any EventLoopGroup)?

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - group: the event loops, which have to outlive every backend that they are given to; nil is SwiftNIO's own.
    ///   - lookup: the lookup of names.
    public init(group: (any EventLoopGroup)? = nil, lookup: HostLookup = .system) {
        given = group
        self.lookup = lookup
    }
}
