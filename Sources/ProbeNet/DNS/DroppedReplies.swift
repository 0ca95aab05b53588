/// The reasons for which messages that are not the reply to a query were dropped, in order.
package struct DroppedReplies: Sendable {
    /// The maximum number of recorded drops, so that a flood takes no memory. A forger who guesses ids sends thousands, and
    /// the first ones show what came.
    private static let limit = 32

    /// The reasons that were recorded.
    package private(set) var reasons: [String] = []

    /// Creates a record without drops.
    package init() {}

    /// Records one more drop.
    ///
    /// - Parameter reason: evaluated only where there is room for it, since a flood is to take no time either.
    package mutating func append(_ reason: @autoclosure () -> String) {
        if reasons.count < Self.limit { reasons.append(reason()) }
    }
}
