import ProbeKit
import ProbePins

/// The identity of a target in a list: the first 128 bits of SHA-256 over all fields of its line. It is the same in
/// every run and on every machine, so that a list can be split among machines and resumed.
///
/// The second half of one with a client certificate of its own is that of the certificates.
public struct ScanID: Hashable, Comparable, Sendable {
    let value: UInt128

    /// Creates the identifier of a target.
    ///
    /// - Parameter fields: the line's fields, in a fixed order; they are joined by line feeds, which none can contain.
    package init(_ fields: [String]) {
        self.init(hashing: Array(fields.joined(separator: "\n").utf8))
    }

    /// Creates the identifier of a target that depends on more than its line.
    ///
    /// - Parameters:
    ///   - line: the identifier by the line alone, which gives the first half.
    ///   - more: the rest, which gives the second.
    init(_ line: ScanID, with more: [String]) {
        value = UInt128(line.line) << 64 | UInt128(ScanID(more).line)
    }

    /// Creates the identifier of bytes that are not a target.
    init(hashing bytes: [UInt8]) {
        value = PinDigest.sha256(of: bytes).bytes.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// Reads 32 hexadecimal digits, as ``hex`` has them; nil for anything else.
    public init?(_ text: String) {
        guard let bytes = Hex.decode(text), bytes.count == 16 else { return nil }
        value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The half that depends on the line alone.
    var line: UInt64 { UInt64(truncatingIfNeeded: value >> 64) }

    /// 32 lowercase hexadecimal digits.
    public var hex: String {
        Hex.encode((0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128(120 - 8 * $0)) })
    }

    /// Orders identifiers as their digits.
    public static func < (left: ScanID, right: ScanID) -> Bool { left.value < right.value }
}
