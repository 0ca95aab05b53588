import ProbePlatform

/// A page of memory between two that can't be read: a read before or behind it ends the process.
@safe public struct GuardedPage: ~Copyable {
    private let mapped: UnsafeMutableRawPointer
    private let size: Int

    /// Maps a page of zeros.
    public init() throws {
        let size = sysconf(Int32(_SC_PAGESIZE))
        let memory = unsafe mmap(nil, 3 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { throw Unmapped() }
        guard unsafe mprotect(memory + size, size, PROT_READ | PROT_WRITE) == 0 else {
            unsafe munmap(memory, 3 * size)
            throw Unmapped()
        }
        unsafe (mapped, self.size) = unsafe (memory, size)
    }

    deinit { unsafe munmap(mapped, 3 * size) }

    private struct Unmapped: Error {}

    private var page: UnsafeMutableBufferPointer<UInt8> {
        unsafe UnsafeMutableBufferPointer(start: (mapped + size).assumingMemoryBound(to: UInt8.self), count: size)
    }

    /// Lends the whole page.
    public func withBytes<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        try body(unsafe UnsafeBufferPointer(page).span)
    }

    /// Lends some bytes, of which there are no more than a page has, right before the end.
    public func withBytes<R>(ending bytes: [UInt8], _ body: (Span<UInt8>) throws -> R) rethrows -> R {
        let last = unsafe UnsafeMutableBufferPointer(rebasing: page.suffix(bytes.count))
        _ = unsafe last.update(fromContentsOf: bytes)
        return try body(unsafe UnsafeBufferPointer(last).span)
    }
}

// One thread at a time fills it.
@available(*, unavailable)
extension GuardedPage: Sendable {}
