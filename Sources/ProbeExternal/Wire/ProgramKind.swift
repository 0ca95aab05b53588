/// The kind of backend that a program implements.
public enum ProgramKind: String, Sendable, Codable, CaseIterable {
    /// A TLS stack.
    case transport
    /// A DNS stack.
    case resolver

    /// The prefix of such programs' names.
    var prefix: String { "probe-\(rawValue)-" }
}
