/// A shipped client that checks otherwise than we do, by the name that profiles have for it.
@nonexhaustive public enum Emulation: String, Hashable, Sendable, Codable, CaseIterable {
    /// Reads names more loosely, which is reported beside our own check.
    case minvws
    /// Looks pins up by host: its pins replace the service's own.
    case ecall

    /// Reads another name of a client: `nl` is that of the Dutch one in earlier profiles (requirement K6).
    public init?(alias text: String) {
        guard text == "nl" else { return nil }
        self = .minvws
    }

    /// True if any certificate of the chain may carry the name, which is compared without wildcards (decided: leaf-name).
    public var readsNamesExactly: Bool { self == .minvws }

    /// True if a service accepts the pins of every service on its host (decided: services-apart).
    var unitesPins: Bool { self == .ecall }
}
