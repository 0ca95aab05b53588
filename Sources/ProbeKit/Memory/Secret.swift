import ProbePlatform

/// Bytes that must not outlive their use, like a client's key: they have memory of their own, are never copied by us,
/// and are wiped when the last owner releases them (requirement 66).
@safe public final class Secret: Sendable {
    // Safe to share: it is written in the initialiser, before the object is shared, and never after.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
    /// Takes the memory back once it is wiped.
    private let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    /// Allocates space for bytes, filled by `fill`, which returns how many there are.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of bytes.
    ///   - fill: writes to the start of the buffer and returns the number of bytes; its error is rethrown after the
    ///     bytes it wrote are wiped.
    package convenience init<Failure: Error>(
        capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        unsafe try self.init(capacity: capacity, releasedBy: { unsafe $0.deallocate() }, filledBy: fill)
    }

    /// Allocates space for bytes that `release` deallocates: it sees what is left of them, as whoever gets the memory next
    /// would.
    package init<Failure: Error>(
        capacity: Int, releasedBy release: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void,
        filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        unsafe self.release = release
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, capacity), alignment: 1)
        do throws(Failure) {
            let count = unsafe try fill(room)
            unsafe bytes = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        } catch {
            unsafe Self.wipe(room, then: release)
            throw error
        }
    }

    /// Creates a secret from a copy of bytes; the caller has to wipe the originals.
    public convenience init(copying bytes: Span<UInt8>) {
        unsafe self.init(capacity: bytes.count) { room in
            for index in bytes.indices { unsafe room[index] = bytes[index] }
            return bytes.count
        }
    }

    deinit {
        unsafe Self.wipe(bytes, then: release)
    }

    /// The number of bytes.
    public var count: Int { unsafe bytes.count }

    /// Runs `body` with the bytes, which must not leave it.
    public func withBytes<Value, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let span = unsafe bytes.bytes
        return try body(span)
    }

    /// Writes zeros that no optimiser removes, and releases the memory.
    private static func wipe(
        _ bytes: UnsafeMutableRawBufferPointer, then release: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
        unsafe release(bytes)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text shown instead of the bytes.
    public var description: String { Redacted<Secret>.text }
    /// The text shown instead of the bytes.
    public var debugDescription: String { Redacted<Secret>.text }
    /// A mirror without the bytes.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
