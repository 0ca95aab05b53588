import ProbeExternal

/// Backends of which some are running programs: the caller that loads them ends them.
final class LoadedBackends {
    var all = Backends.current
    var transports: [ExternalTransport] = []
    var resolvers: [ExternalResolver] = []

    /// True if it has no programs.
    var isEmpty: Bool { transports.isEmpty && resolvers.isEmpty }

    /// Lets the programs end, all at the same time.
    func stop() async {
        await withTaskGroup { group in
            for transport in transports { group.addTask { await transport.stop() } }
            for resolver in resolvers { group.addTask { await resolver.stop() } }
        }
    }
}
