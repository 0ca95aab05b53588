import ProbeKit

/// The targets of an earlier run, with the number of times each occurs: 16 bytes and a count of 4 for each, sorted.
public struct DoneTargets: Sendable {
    private var ids: ContiguousArray<ScanID>
    private var counts: ContiguousArray<UInt32>
    /// The outcomes of those that failed, if they are to be done again.
    private var failed: [ScanID: [[Outcome]]]
    private var renewable: RenewableTargets

    /// Creates the targets that are not to be done again.
    ///
    /// - Parameter ids: in any order, repeated ones as often as they were done.
    public init(_ ids: ContiguousArray<ScanID> = []) { self.init(ids, failed: [:]) }

    /// - Parameters:
    ///   - failed: the outcomes of those that are to be done again nevertheless.
    ///   - renewable: those that are to be done again where their client certificate is another one.
    init(
        _ ids: ContiguousArray<ScanID>, failed: [ScanID: [[Outcome]]], renewable: RenewableTargets = RenewableTargets()
    ) {
        self.failed = failed
        self.renewable = renewable
        var sorted = ids
        sorted.sort()
        var counts: ContiguousArray<UInt32> = []
        var last = 0
        for index in sorted.indices {
            if !counts.isEmpty, sorted[last] == sorted[index] {
                counts[last] += 1
            } else {
                if !counts.isEmpty { last += 1 }
                sorted[last] = sorted[index]
                counts.append(1)
            }
        }
        sorted.removeLast(sorted.count - counts.count)
        self.ids = sorted
        self.counts = counts
    }

    /// Returns the number of those that were not taken, in all or one part of the list.
    func count(of shard: Shard?) -> Int {
        zip(ids, counts).reduce(0) { $0 + (shard?.contains($1.0) ?? true ? Int($1.1) : 0) }
    }

    /// Returns the outcomes of a target that failed, and removes it once: it is to be done again.
    mutating func takeFailed(_ id: ScanID) -> [Outcome]? {
        guard var groups = failed[id], !groups.isEmpty, take(id) else { return nil }
        let outcomes = groups.removeFirst()
        failed[id] = groups.isEmpty ? nil : groups
        return outcomes
    }

    /// Returns the outcomes of a target with another client certificate, and removes it once: it is to be done again.
    mutating func takeRenewed(_ id: ScanID) -> [Outcome]? {
        guard let earlier = renewable.take(unlike: id), take(earlier.id) else { return nil }
        return earlier.outcomes
    }

    /// Returns true if a target was done, and removes one occurrence: a list may name it twice.
    mutating func take(_ id: ScanID) -> Bool {
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        guard low < ids.count, ids[low] == id, counts[low] > 0 else { return false }
        counts[low] -= 1
        return true
    }
}
