import Glibc

/// Why a name has no addresses, in getaddrinfo's words (RFC 3493 section 6.1).
public struct LookupFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code, `EAI_…`; nil if the deadline passed before there was an answer.
    public let code: Int32?
    /// What it means, for a person.
    public let description: String

    /// What a code means.
    public init(code: Int32) {
        self.code = code
        description = "getaddrinfo \(code): \(unsafe String(cString: gai_strerror(code)))"
    }

    private init() {
        code = nil
        description = "no answer before the deadline"
    }

    /// The deadline passed.
    public static let late = LookupFailure()

    /// Whether it is said that the name has no address; everything else says nothing about the name.
    public var isAboutName: Bool { code == EAI_NONAME || code == Self.noData }

    /// EAI_NODATA, which only GNU programs see.
    private static let noData: Int32 = -5
}
