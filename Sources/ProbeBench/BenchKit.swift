public import ProbeKit

/// What a build brings for measuring: `main` lists it beside the backends.
public struct BenchKit: Sendable {
    /// Each TLS stack's digest function and certificate parser from C.
    public let floors: [any DigestFloor]
    /// Counts allocations; nil where the program can't.
    public let allocations: AllocationCounter?

    /// A kit of its parts; without any there is nothing to measure.
    public init(floors: [any DigestFloor] = [], allocations: AllocationCounter? = nil) {
        self.floors = floors
        self.allocations = allocations
    }
}
