/// The valid paths that a verifier found beside its own. A client that prefers other certificates, or lacks an anchor,
/// uses one of them.
public struct FurtherPaths: Hashable, Sendable {
    /// Each from the leaf to an anchor, as DER, in the order of the search.
    public let paths: [[[UInt8]]]
    /// True if the search completed; else there may be more paths.
    public let isComplete: Bool

    /// Creates a result from the paths found.
    public init(_ paths: [[[UInt8]]], isComplete: Bool) {
        self.paths = paths
        self.isComplete = isComplete
    }

    /// The maximum number of paths considered if pins depend on them; a chain that has more is reported.
    public static let limit = 32

    /// No further paths.
    public static let none = FurtherPaths([], isComplete: true)
}
