/// The work of a search that did not come to its end, after which another goes on.
public struct EarlierSearch: Sendable {
    /// A path as the system compares it. Two that are one text by Unicode's canonical equivalence, as strings are compared,
    /// may be two files.
    private typealias Path = [UInt8]

    private(set) var tally = SearchTally()
    private var done: Set<Path> = []
    private var passedOver: Set<Path> = []
    /// Of the inputs that were begun and not searched to their end; a search goes on after one with a fault.
    private var open: [Path: SearchPosition] = [:]

    /// Creates a search that has done nothing.
    public init() {}

    /// Adds what was found up to a position after all that was added before.
    ///
    /// - Parameter found: the certificates found since the position before, in order.
    public mutating func add(_ found: [FoundCertificate], upTo position: SearchPosition) {
        for certificate in found { tally.add(certificate) }
        let path = Path(position.input.utf8)
        switch position.state {
        case .open:
            open[path] = position
        case .done:
            tally.finish(position)
            done.insert(path)
            open[path] = nil
        case .passedOver:
            tally.passedOver += 1
            passedOver.insert(path)
            open[path] = nil
        }
    }

    /// Returns the position at which the search of a file goes on; nil if it was searched to its end. One that was
    /// passed over in a folder has to have certificates where it is named itself.
    func position(in file: InputFiles.File) -> SearchPosition? {
        let path = Path(file.path.utf8)
        if done.contains(path) || !file.isNamed && passedOver.contains(path) { return nil }
        return open[path] ?? .start(of: file.path)
    }
}
