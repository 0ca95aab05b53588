/// A shipped client whose looser checks are reported beside ours, by the name that profiles have for it.
@nonexhaustive public enum Emulation: String, Hashable, Sendable, Codable, CaseIterable {
    case minvws
    case ecall

    /// True if any certificate of the chain may carry the name, which is compared without wildcards (decided: leaf-name).
    public var readsNamesExactly: Bool { self == .minvws }

    /// True if the pins of all services on one host are one set (decided: services-apart).
    public var unitesPins: Bool { self == .ecall }
}
