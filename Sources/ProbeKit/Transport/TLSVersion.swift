/// A version of TLS, ordered by age.
@nonexhaustive public enum TLSVersion: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// RFC 2246.
    case tls10 = "TLS 1.0"
    /// RFC 4346.
    case tls11 = "TLS 1.1"
    /// RFC 5246.
    case tls12 = "TLS 1.2"
    /// RFC 8446.
    case tls13 = "TLS 1.3"

    /// The version as `1.2`, the way command lines and profiles write it.
    public var number: String { String(rawValue.dropFirst(4)) }

    /// Creates the version of a number like `1.2`.
    public init?(number: String) {
        self.init(rawValue: "TLS \(number)")
    }

    /// The protocol version on the wire, like 0x0303.
    public var wireValue: UInt16 {
        switch self {
        case .tls10: 0x0301
        case .tls11: 0x0302
        case .tls12: 0x0303
        case .tls13: 0x0304
        }
    }

    /// Creates the version of a value from the wire; nil if unknown.
    public init?(wireValue: UInt16) {
        guard let version = Self.allCases.first(where: { $0.wireValue == wireValue }) else { return nil }
        self = version
    }

    /// Returns true if the left version is older.
    public static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.wireValue < right.wireValue }
}
