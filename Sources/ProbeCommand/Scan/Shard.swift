import ProbeKit

/// One of several equal parts of a list, by the targets' identifiers: the parts do not overlap, and cover the list.
struct Shard: Sendable, CustomStringConvertible {
    /// The part, from 1 on.
    let index: UInt64
    /// The number of parts.
    let count: UInt64

    /// Reads `i/n`.
    init(_ text: String) throws(InputError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt64(parts[0]), let count = UInt64(parts[1]), count > 0,
            (1...count).contains(index)
        else {
            throw InputError("--shard '\(text)' is no part of a list", remedy: "write i/n, like 2/8, from 1/n to n/n")
        }
        self.index = index
        self.count = count
    }

    func contains(_ id: ScanID) -> Bool {
        UInt64(truncatingIfNeeded: id.value >> 64) % count == index - 1
    }

    var description: String { "\(index)/\(count)" }
}
