/// What a program stands for.
public enum ProgramKind: String, Sendable, Codable, CaseIterable {
    /// A TLS stack.
    case transport
    /// A DNS stack.
    case resolver

    /// What the names of such programs begin with.
    var prefix: String { "probe-\(rawValue)-" }
}
