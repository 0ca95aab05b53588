/// The work of a search that did not come to its end, after which another goes on.
public struct EarlierSearch: Sendable {
    private(set) var tally = SearchTally()
    private var done: Set<String> = []
    private var open: SearchPosition?

    /// Creates a search that has done nothing.
    public init() {}

    /// Adds what was found up to a position after all that was added before.
    ///
    /// - Parameter found: the certificates found since the position before, in order.
    public mutating func add(_ found: [FoundCertificate], upTo position: SearchPosition) {
        for certificate in found { tally.add(certificate) }
        switch position.state {
        case .open:
            open = position
        case .done:
            tally.finish(position)
            done.insert(position.input)
            open = nil
        case .passedOver:
            tally.passedOver += 1
            done.insert(position.input)
            open = nil
        }
    }

    /// Returns the position at which the search of an input goes on; nil if it was searched to its end.
    func position(in input: String) -> SearchPosition? {
        if done.contains(input) { return nil }
        return open?.input == input ? open : .start(of: input)
    }
}
