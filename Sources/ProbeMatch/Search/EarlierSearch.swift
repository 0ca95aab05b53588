/// The work of a search that did not come to its end, after which another goes on.
public struct EarlierSearch: Sendable {
    private(set) var tally = SearchTally()
    private var done: Set<String> = []
    /// Of the inputs that were begun and not searched to their end; a search goes on after one with a fault.
    private var open: [String: SearchPosition] = [:]

    /// Creates a search that has done nothing.
    public init() {}

    /// Adds what was found up to a position after all that was added before.
    ///
    /// - Parameter found: the certificates found since the position before, in order.
    public mutating func add(_ found: [FoundCertificate], upTo position: SearchPosition) {
        for certificate in found { tally.add(certificate) }
        switch position.state {
        case .open:
            open[position.input] = position
        case .done:
            tally.finish(position)
            close(position.input)
        case .passedOver:
            tally.passedOver += 1
            close(position.input)
        }
    }

    /// Returns the position at which the search of an input goes on; nil if it was searched to its end.
    func position(in input: String) -> SearchPosition? {
        if done.contains(input) { return nil }
        return open[input] ?? .start(of: input)
    }

    private mutating func close(_ input: String) {
        done.insert(input)
        open[input] = nil
    }
}
