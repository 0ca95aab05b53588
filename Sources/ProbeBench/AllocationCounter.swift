/// Counts heap allocations, if the program has a counter.
public struct AllocationCounter: Sendable {
    private let allocations: @Sendable () -> Int

    /// - Parameter allocations: returns the number of the calling thread's allocations since it began.
    public init(_ allocations: @escaping @Sendable () -> Int) {
        self.allocations = allocations
    }

    /// Returns the number of allocations that `body` makes on this thread.
    public func count(_ body: () throws -> Void) rethrows -> Int {
        let before = allocations()
        try body()
        return allocations() - before
    }

    /// Tests the counter: makes a known number of allocations, and returns the number counted.
    public func countKnown(_ allocations: Int) -> Int {
        count {
            for size in 1...max(1, allocations) {
                // Hides the memory from the compiler, which would remove an unused allocation.
                unsafe Self.keep(UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1))
            }
        }
    }

    @inline(never)
    private static func keep(_ memory: UnsafeMutableRawPointer) { unsafe memory.deallocate() }
}
