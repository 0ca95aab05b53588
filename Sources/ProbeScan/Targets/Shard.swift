public import ProbeKit

/// One of several equal parts of a list, by the targets' identifiers: the parts do not overlap, and cover the list.
public struct Shard: CustomStringConvertible, Sendable {
    /// The part, from 1 on.
    public let index: UInt64
    /// The number of parts.
    public let count: UInt64

    /// Reads `i/n`, from `1/n` to `n/n`.
    ///
    /// - Throws: `InputError` for anything else.
    public init(_ text: String) throws(InputError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt64(decimal: parts[0]), let count = UInt64(decimal: parts[1]), count > 0,
            (1...count).contains(index)
        else {
            throw InputError(
                "'\(text)' is not a part of a list", remedy: "write i/n, like 2/8, from 1/n to n/n")
        }
        self.index = index
        self.count = count
    }

    /// Returns true if a target is of this part.
    public func contains(_ id: ScanID) -> Bool {
        id.line % count == index - 1
    }

    /// The part as `i/n`.
    public var description: String { "\(index)/\(count)" }
}
