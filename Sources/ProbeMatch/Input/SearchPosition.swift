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
