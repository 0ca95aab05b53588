public import ProbeKit

/// The days on which one store had any of some certificates.
public struct RootStoreDays: Sendable {
    /// A run of snapshots, from the first to the last day that has one of them.
    public struct Run: Hashable, Sendable {
        /// The first day.
        public let first: String
        /// The last day.
        public let last: String
        /// True if the last day is the newest that is known of the store.
        public let isOpen: Bool
    }

    /// The store, like `mozilla`.
    public let store: String
    /// The runs, in order; empty if the store never had one.
    public let runs: [Run]
}

extension RootDatabase {
    /// Every certificate of every snapshot, each once.
    public func everyCertificate() throws(InputError) -> [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return try contents().flatMap(\.certificates).filter { seen.insert($0).inserted }
    }

    /// Returns the days on which each store had any of these certificates, and none of some others.
    public func days(
        having certificates: Set<[UInt8]>, without others: Set<[UInt8]> = []
    ) throws(InputError) -> [RootStoreDays] {
        let stores = Dictionary(grouping: try contents(), by: \.heading.store)
        return stores.keys.sorted().map { store in
            let snapshots = stores[store] ?? []
            var runs: [RootStoreDays.Run] = []
            var first: String?
            for (index, snapshot) in snapshots.enumerated() {
                let has =
                    snapshot.certificates.contains(where: certificates.contains)
                    && !snapshot.certificates.contains(where: others.contains)
                if has, first == nil { first = snapshot.heading.day }
                let isLast = index + 1 == snapshots.count
                if let begin = first, !has || isLast {
                    let end = has ? snapshot.heading.day : snapshots[index - 1].heading.day
                    runs.append(.init(first: begin, last: end, isOpen: has))
                    first = nil
                }
            }
            return RootStoreDays(store: store, runs: runs)
        }
    }
}
