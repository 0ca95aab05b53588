/// The point that a search has reached in one of its inputs.
public struct SearchPosition: Sendable {
    /// The input as it was named, or the file below a folder.
    public let input: String
    /// The certificates of this input up to here.
    public let certificates: Int
    /// Those of this input up to here that can't be read.
    public let unreadable: Int
    /// The number of the line at which the search goes on, from 1.
    public let line: Int
    /// The offset at which it goes on, in the unpacked input.
    public let offset: Int
    /// The state of the input.
    public let state: State

    /// The state of an input that was begun.
    public enum State: String, Sendable, Codable {
        /// More of it may follow.
        case open
        /// It was searched to its end.
        case done
        /// It is a folder's file without certificates.
        case passedOver
    }

    /// Creates a position, as an earlier search reported it.
    public init(input: String, certificates: Int, unreadable: Int, line: Int, offset: Int, state: State) {
        self.input = input
        self.certificates = certificates
        self.unreadable = unreadable
        self.line = line
        self.offset = offset
        self.state = state
    }

    /// The same position, of an input in another state.
    func ending(_ state: State) -> Self {
        Self(
            input: input, certificates: certificates, unreadable: unreadable, line: line, offset: offset, state: state)
    }

    /// The beginning of an input.
    static func start(of input: String) -> Self {
        Self(input: input, certificates: 0, unreadable: 0, line: 1, offset: 0, state: .open)
    }
}

/// What a search that did not come to its end has done, so that another goes on from there.
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
