import ProbePlatform

/// The reason why a name has no addresses, by getaddrinfo's codes (RFC 3493 section 6.1).
public struct LookupFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code, `EAI_…`; nil if the deadline passed before there was an answer.
    public let code: Int32?
    /// A sentence for the code.
    public let description: String

    /// Creates the failure for a code.
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

    /// True if the name is known to have no address; other codes mean nothing for the name.
    public var isAboutName: Bool { code == EAI_NONAME || code == Platform.noData }
}
