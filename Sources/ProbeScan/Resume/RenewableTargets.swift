import ProbeKit

/// The results of targets with client certificates of their own. Those of a renewed certificate replace them.
struct RenewableTargets {
    private var entries: [UInt64: [(id: ScanID, outcomes: [Outcome])]] = [:]

    mutating func add(_ id: ScanID, _ outcomes: [Outcome]) { entries[id.line, default: []].append((id, outcomes)) }

    /// Forgets results that others with the same certificate replaced.
    mutating func remove(_ id: ScanID, _ outcomes: [Outcome]) {
        guard let index = entries[id.line]?.firstIndex(where: { $0.id == id && $0.outcomes == outcomes }) else {
            return
        }
        entries[id.line]?.remove(at: index)
    }

    /// Returns the first results of the same line with other certificates, and forgets them.
    mutating func take(unlike id: ScanID) -> (id: ScanID, outcomes: [Outcome])? {
        guard let index = entries[id.line]?.firstIndex(where: { $0.id != id }) else { return nil }
        return entries[id.line]?.remove(at: index)
    }
}
