package import ProbeKit
import ProbePlatform

/// The output of an earlier scan, to be continued: finished targets are not done again, and an incomplete end is
/// removed.
///
/// Only one scan at a time can use it. A missing file counts as empty, so that the same command begins and continues a
/// scan.
package final class ResumeFile: Sendable {
    /// The fields that locate a line.
    private struct Line: Decodable {
        struct Place: Decodable {
            let id: String
            let result: Int
            let results: Int
            var retry: Bool?
            var terms: String?
        }

        let schema: String
        var id: String?
        var outcome: String?
        var scan: Place?
    }

    /// The possible beginnings of our lines, by the order of their keys.
    private static let beginnings = [#"{"evidence":{"#, #"{"fix":""#, #"{"anchors":{"#]
    /// The outcomes of which a target is done again on request: nothing was learned about the server, or not enough.
    private static let failures: Set<Outcome> = [
        .unreachable, .handshakeFailed, .dnsIndeterminate, .localOverload, .internalError,
    ]
    private static let maximumLine = 64 << 20

    private let file: ContinuedFile

    /// Opens a file, and creates it if it does not exist.
    package init(_ path: String) throws(InputError) {
        file = try ContinuedFile(path, of: "scan", replacing: Set(Self.failures.map(\.rawValue)))
    }

    /// Reads the results of earlier runs, and removes an incomplete line at the end.
    ///
    /// - Returns: the finished targets, the terms of the last run with a manifest, and those of the last whole result as its
    ///   line has them; nil if there is none.
    /// - Throws: ``InputError`` for a file that is not the output of a scan, whose lines are left unchanged.
    ///
    /// - Parameter retriesFailed: whether the targets that failed are to be done again.
    package func done(
        retryingFailed retriesFailed: Bool = false
    ) async throws(InputError) -> (targets: DoneTargets, tally: ScanTally, terms: ScanTerms?, termsID: String?) {
        var terms: ScanTerms?
        var termsID: String?
        var ids: ContiguousArray<ScanID> = []
        var tally = ScanTally()
        var failed: [ScanID: [[Outcome]]] = [:]
        var group: [Outcome] = []
        var groupID: String?
        var (number, offset, whole) = (0, 0, 0)
        let size = try file.size()
        let lines = try file.lines(maximumLine: Self.maximumLine)
        while let read = try await lines.next() {
            number += 1
            guard case .text(let bytes) = read else { throw foreign(number) }
            offset += bytes.count + 1 + (number == 1 ? lines.markLength : 0)
            guard offset <= size, let line = try? JSONDecoder().decode(Line.self, from: Data(bytes)) else {
                // An incomplete line, left by a killed process, is the last one, and begins like our lines.
                guard offset >= size, Self.isTorn(bytes) else { throw foreign(number) }
                break
            }
            if let place = line.scan, line.schema == "probe/1" {
                guard let outcome = line.outcome.flatMap(Outcome.init), let id = ScanID(place.id),
                    place.result == group.count + 1, place.result <= place.results,
                    groupID == nil || groupID == place.id
                else { throw foreign(number) }
                groupID = place.id
                group.append(outcome)
                guard place.result == place.results else { continue }
                // A list may name a target twice: those that failed first are done again first.
                if place.retry == true, failed[id]?.isEmpty == false, let replaced = failed[id]?.removeFirst() {
                    tally.remove(replaced)
                } else {
                    ids.append(id)
                }
                tally.add(group)
                termsID = place.terms
                if group.contains(where: Self.failures.contains) { failed[id, default: []].append(group) }
                (group, groupID) = ([], nil)
            } else {
                guard groupID == nil else { throw foreign(number) }
                switch line.schema {
                // An older version's manifest may lack fields that are needed here.
                case "probe-scan/1": terms = try? JSONDecoder().decode(ScanTerms.self, from: Data(bytes))
                case "probe-scan-error/1":
                    guard let id = line.id.flatMap(ScanID.init) else { throw foreign(number) }
                    ids.append(id)
                    tally.addMalformed()
                default: throw foreign(number)
                }
            }
            whole = offset
        }
        guard groupID == nil || !file.keepsGroups else { throw foreign(number) }
        try file.cut(to: whole)
        return (DoneTargets(ids, failed: retriesFailed ? failed : [:]), tally, terms, termsID)
    }

    /// Returns the output that goes on after what was done.
    func output() -> LineOutput { LineOutput(file) }

    private static func isTorn(_ bytes: [UInt8]) -> Bool {
        beginnings.contains { beginning in
            let beginning = Array(beginning.utf8)
            return bytes.starts(with: beginning) || beginning.starts(with: bytes)
        }
    }

    private func foreign(_ number: Int) -> InputError {
        InputError(
            "line \(number) of \(file.path) is not one that probe scan wrote",
            remedy: "name the output of an earlier scan, or a file that does not exist yet", source: .file)
    }
}

/// The targets of an earlier run, with the number of times each occurs: 16 bytes and a count of 4 for each, sorted.
package struct DoneTargets: Sendable {
    private var ids: ContiguousArray<ScanID>
    private var counts: ContiguousArray<UInt32>
    /// The outcomes of those that failed, if they are to be done again.
    private var failed: [ScanID: [[Outcome]]]

    /// - Parameter ids: in any order, repeated ones as often as they were done.
    init(_ ids: ContiguousArray<ScanID>, failed: [ScanID: [[Outcome]]] = [:]) {
        self.failed = failed
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

    /// Returns the outcomes of a target that failed, and removes it once: it is to be done again.
    mutating func takeFailed(_ id: ScanID) -> [Outcome]? {
        guard var groups = failed[id], !groups.isEmpty, take(id) else { return nil }
        let outcomes = groups.removeFirst()
        failed[id] = groups.isEmpty ? nil : groups
        return outcomes
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
