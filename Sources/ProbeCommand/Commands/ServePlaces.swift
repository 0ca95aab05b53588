import ProbeKit

/// The numbers of probes and of scrapers' connections for which a server has descriptors: without one, a probe fails for a
/// reason that is not its target's.
struct ServePlaces {
    /// The number of probes at once.
    let probes: Int
    /// The number of connections to each address.
    let connections: Int
    /// The limit of open files with which as many probes run as are wanted.
    let limit: Int

    /// The descriptors of a connection to a target: happy eyeballs has two at once.
    private static let perTransport = 2
    /// Those of a context of libunbound's, with its pipes and its event loop, and of the socket of any other resolver. Without
    /// them libevent ends the process.
    private static func descriptors(of resolver: any Resolver) -> Int { resolver.name == "unbound" ? 8 : 1 }

    /// Returns the number of descriptors that one probe may take.
    static func each(_ transports: [any Transport], _ resolvers: [any Resolver]) -> Int {
        max(1, perTransport * transports.count + resolvers.reduce(0) { $0 + descriptors(of: $1) })
    }

    /// - Parameters:
    ///   - probes: the number that is wanted, each of `each` descriptors.
    ///   - connections: the number that is wanted to each of the addresses.
    ///   - room: returns the number of descriptors that there are, given that of those that are wanted.
    init(
        probes: Int, each: Int, connections: Int, addresses: Int,
        room available: (Int) -> Int = DescriptorLimit.raise(forConnections:)
    ) {
        let (wanted, others) = (probes * each, addresses * connections)
        let room = available(wanted + others)
        limit = DescriptorLimit.limit(forConnections: wanted + min(wanted, others))
        let share = min(wanted, max(room / 2, room - others))
        self.probes = max(1, min(probes, share / each))
        self.connections = max(1, min(connections, (room - share) / addresses))
    }
}
