/// Reads numbers with their highest byte first, and vectors behind their lengths, as TLS (RFC 8446 section 3) and Java's
/// streams have them.
package struct OctetReader: Sendable {
    private var rest: ArraySlice<UInt8>
    /// True if something was to be read that goes beyond the bytes; nothing is read after that.
    package private(set) var isShort = false

    /// Creates a reader from the beginning of `bytes`.
    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// True if all bytes have been read.
    package var isEmpty: Bool { rest.isEmpty }

    /// The index of the next byte.
    package var position: Int { rest.startIndex }

    /// Reads so many bytes; nil if there are fewer.
    package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard !isShort, rest.count >= count else {
            isShort = true
            return nil
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads a number of so many bytes, eight at most; nil if there are fewer.
    package mutating func number(_ size: Int) -> UInt64? { take(size).map { $0.reduce(0) { $0 << 8 | UInt64($1) } } }

    /// Reads a vector behind its length, which is a number of so many bytes, four at most; nil if it is not whole.
    package mutating func vector(_ size: Int) -> ArraySlice<UInt8>? { number(size).flatMap { take(Int($0)) } }
}
