/// A shipped client whose looser check is reported beside ours, on request.
public enum Emulation: String, Hashable, Sendable, Codable, CaseIterable {
    /// Any certificate of the chain may carry the name, which is compared without wildcards (decided: leaf-name).
    case minvws
    /// Pins of all services on one host are one set (decided: services-apart).
    case ecall
}
