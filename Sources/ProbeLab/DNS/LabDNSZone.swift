public import ProbeKit

/// The behaviours of a server by name.
public struct LabDNSZone: Sendable {
    private let lookup: @Sendable (DNSName) -> LabDNSBehaviour

    /// Creates a zone of names; a name whose first label is `*` answers for all names in its place.
    ///
    /// - Parameters:
    ///   - behaviours: the behaviour for each name.
    ///   - otherwise: the behaviour for all others; by default they are refused.
    public init(
        _ behaviours: [DNSName: LabDNSBehaviour],
        otherwise: LabDNSBehaviour = .reply(LabDNSMessage(responseCode: .refused))
    ) {
        lookup = { name in
            if let own = behaviours[name] { return own }
            let wildcard = DNSName(labels: [[UInt8(ascii: "*")]] + name.labels.dropFirst())
            return wildcard.flatMap { behaviours[$0] } ?? otherwise
        }
    }

    /// Creates a zone whose names are looked up anew for each query.
    ///
    /// - Parameter lookup: returns the behaviour for a name.
    public init(_ lookup: @escaping @Sendable (DNSName) -> LabDNSBehaviour) {
        self.lookup = lookup
    }

    /// Creates a zone that answers every query in the same way.
    public init(_ behaviour: LabDNSBehaviour) {
        self.init([:], otherwise: behaviour)
    }

    func behaviour(for name: DNSName) -> LabDNSBehaviour { lookup(name) }
}
