public import FoundationEssentials
public import ProbeKit

/// One model of a registry: names are never used twice, periods may overlap (requirements 35, 36).
public struct ModelRegistryRow: Hashable, Sendable {
    /// The name.
    public var name: ModelName
    /// The first instant at which it is valid.
    public var from: Date
    /// The last instant at which it is valid; nil while it is.
    public var until: Date?
    /// The version of the app that brought it.
    public var version: String?

    /// Creates a row.
    public init(name: ModelName, from: Date, until: Date? = nil, version: String? = nil) {
        self.name = name
        self.from = from
        self.until = until
        self.version = version
    }
}
