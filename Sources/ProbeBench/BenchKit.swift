public import ProbeKit

/// The parts of a build that are measured: `main` lists it beside the backends.
public struct BenchKit: Sendable {
    /// Each TLS stack's digest function and certificate parser from C.
    public let floors: [any DigestFloor]
    /// Each TLS stack's bare client from C.
    public let handshakes: [any HandshakeFloor.Type]
    /// The arguments with which this program runs the benchmark servers.
    public let servers: [String]
    /// Counts allocations; nil if the program can't.
    public let allocations: AllocationCounter?

    /// Creates a kit; the default one measures nothing.
    public init(
        floors: [any DigestFloor] = [], handshakes: [any HandshakeFloor.Type] = [],
        servers: [String] = ["bench", "serve"], allocations: AllocationCounter? = nil
    ) {
        self.floors = floors
        self.handshakes = handshakes
        self.servers = servers
        self.allocations = allocations
    }
}
