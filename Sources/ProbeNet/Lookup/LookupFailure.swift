import ProbePlatform

/// The reason why a name has no addresses, by getaddrinfo's codes (RFC 3493 section 6.1).
public struct LookupFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code, `EAI_…`; nil if there was no answer before the deadline, or nobody could be asked.
    public let code: Int32?
    /// A sentence for the code.
    public let description: String

    /// Creates the failure for a code.
    public init(code: Int32) {
        self.code = code
        description = "getaddrinfo \(code): \(unsafe String(cString: gai_strerror(code)))"
    }

    private init(_ description: String) {
        code = nil
        self.description = description
    }

    /// The deadline passed.
    public static let late = LookupFailure("no answer before the deadline")
    /// This process can open no file to look anything up, so that getaddrinfo knows no server and no name.
    public static let outOfFiles = LookupFailure("this process can open no further file")

    /// True if the name is known to have no address; other codes mean nothing for the name.
    var isAboutName: Bool { code == EAI_NONAME || code == Platform.noData }
}
