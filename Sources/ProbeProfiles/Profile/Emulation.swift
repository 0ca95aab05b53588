/// A shipped client whose looser checks are reported beside ours, by the name that profiles have for it.
@nonexhaustive public enum Emulation: String, Hashable, Sendable, Codable, CaseIterable {
    case minvws
    case ecall

    /// Reads another name of a client: `nl` is that of the Dutch one in earlier profiles (requirement K6).
    public init?(alias text: String) {
        guard text == "nl" else { return nil }
        self = .minvws
    }

    /// True if any certificate of the chain may carry the name, which is compared without wildcards (decided: leaf-name).
    public var readsNamesExactly: Bool { self == .minvws }

    /// True if the pins of all services on one host are one set (decided: services-apart).
    var unitesPins: Bool { self == .ecall }
}
