import ProbePlatform
import Testing

/// A page of zeros between two that can't be read.
enum GuardedPage {
    /// Lends the page to `body`; a read before or behind it ends the process.
    static func with(_ body: (Span<UInt8>) throws -> Void) throws {
        let page = sysconf(Int32(_SC_PAGESIZE))
        let mapped = unsafe mmap(nil, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let memory = unsafe try #require(mapped)
        try #require(unsafe memory != MAP_FAILED)
        defer { unsafe munmap(memory, 3 * page) }
        try #require(unsafe mprotect(memory + page, page, PROT_READ | PROT_WRITE) == 0)
        let start = unsafe (memory + page).assumingMemoryBound(to: UInt8.self)
        try body(unsafe UnsafeBufferPointer(start: start, count: page).span)
    }
}
