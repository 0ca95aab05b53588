/// Pins of which any one has to match, at one position of one chain. Several groups must all match (requirement 3).
public struct PinGroup: Hashable, Sendable, CustomStringConvertible {
    /// The alternatives; backups are simply further members (requirement 104).
    public let pins: [Pin]
    /// Which certificates may match.
    public let position: PinPosition
    /// Which chain is searched.
    public let chain: PinChain

    /// A group of its parts.
    public init(_ pins: [Pin], position: PinPosition, chain: PinChain = .validated) {
        self.pins = pins
        self.position = position
        self.chain = chain
    }

    /// The kinds in the group and the position, like `spki@any`.
    public var description: String {
        let kinds = PinKind.allCases.filter { kind in pins.contains { $0.kind == kind } }
        return kinds.map(\.rawValue).joined(separator: "+") + "@\(position)"
    }
}
