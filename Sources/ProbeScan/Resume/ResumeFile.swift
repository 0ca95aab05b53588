package import ProbeKit
import ProbePacking
import ProbePlatform

/// The output of an earlier scan, to be continued: finished targets are not done again, and an incomplete end is
/// removed.
///
/// Only one scan at a time can use it. A missing file counts as empty, so that the same command begins and continues a
/// scan.
package final class ResumeFile: Sendable {
    /// The fields that locate a line.
    fileprivate struct Line: Decodable {
        struct Place: Decodable {
            let id: String
            let result: Int
            let results: Int
            var retry: Bool?
            var terms: String?
            var clientCertificate: String?
        }

        let schema: String
        var id: String?
        var outcome: String?
        var scan: Place?
    }

    /// The possible beginnings of our lines, by the order of their keys.
    private static let beginnings = [#"{"evidence":{"#, #"{"fix":""#, #"{"anchors":{"#]
    /// The outcomes of which a target is done again on request: nothing was learned about the server, or not enough.
    fileprivate static let failures: Set<Outcome> = [
        .unreachable, .handshakeFailed, .dnsIndeterminate, .localOverload, .internalError,
    ]

    /// The content of the file.
    package struct Earlier: Sendable {
        /// The finished targets.
        package var targets = DoneTargets()
        /// The counts of all of its lines.
        package var tally = ScanTally()
        /// The terms of the runs with a manifest; of different ones the first two.
        package private(set) var terms: [ScanTerms] = []
        /// The identifiers of the terms of all whole results, as their lines have them.
        package fileprivate(set) var termsIDs: Set<String> = []

        /// Creates the content of an empty file.
        package init() {}

        /// True if its results came from different options: files of several scans were joined, and nothing goes on with all.
        package var isMixed: Bool { terms.count > 1 || termsIDs.count > 1 }

        /// Adds the terms of a run, unless they decide as others do.
        fileprivate mutating func add(_ terms: ScanTerms) {
            if !isMixed, self.terms.first.map({ $0.id != terms.id }) ?? true { self.terms.append(terms) }
        }
    }

    /// The file, to be written on.
    package let file: ContinuedFile

    /// Opens a file, and creates it if it does not exist.
    ///
    /// - Parameter label: the words that messages name it by while it is opened.
    /// - Throws: `InputError` for a path that can't be such a file, or that another process writes to.
    package init(_ path: String, named label: String) throws(InputError) {
        file = try ContinuedFile(path, named: label, of: "scan", replacing: Set(Self.failures.map(\.rawValue)))
    }

    /// Reads the results of earlier runs, and removes an incomplete line at the end.
    ///
    /// - Parameter retriesFailed: whether the targets that failed are to be done again.
    /// - Throws: ``ContinuedFile/Failure`` for a file that is not the output of a scan, whose lines are left unchanged.
    package func done(retryingFailed retriesFailed: Bool = false) async throws(ContinuedFile.Failure) -> Earlier {
        let reading: Reading
        do throws(InputError) {
            reading = try await read()
        } catch {
            throw .refused(error)
        }
        try file.cut(to: reading.whole)
        var earlier = reading.earlier
        earlier.targets = DoneTargets(
            reading.ids, failed: retriesFailed ? reading.failed : [:], renewable: reading.renewable)
        for id in reading.renewed { _ = earlier.targets.take(id) }
        return earlier
    }

    /// The state of reading the lines.
    fileprivate struct Reading {
        var earlier = Earlier()
        var ids: ContiguousArray<ScanID> = []
        var failed: [ScanID: [[Outcome]]] = [:]
        /// The targets with client certificates of their own.
        var renewable = RenewableTargets()
        /// Those among ``ids`` whose results count no more: they have other certificates now.
        var renewed: [ScanID] = []
        /// The results of a target whose last one was not read yet, and its identifier.
        var group: [Outcome] = []
        var groupID: String?
        /// The number of bytes of whole groups of lines.
        var whole = 0
    }

    private func read() async throws(InputError) -> Reading {
        var reading = Reading()
        var (number, offset) = (0, 0)
        let size = try file.size()
        let lines = try file.lines()
        while let read = try await lines.next() {
            number += 1
            guard case .text(let bytes) = read else { throw foreign(number) }
            offset += bytes.count + 1 + (number == 1 ? lines.markLength : 0)
            guard offset <= size, let line = try? JSONDecoder().decode(Line.self, from: Data(bytes)) else {
                // An incomplete line, left by a killed process, is the last one, and begins like our lines. A file of zeros
                // alone never had one.
                let begun = bytes.withoutFinalZeros
                guard offset >= size, number > 1 || !begun.isEmpty, Self.isTorn(begun) else { throw foreign(number) }
                break
            }
            if let place = line.scan, line.schema == "probe/1" {
                guard reading.take(line, at: place) else { throw foreign(number) }
            } else {
                guard reading.groupID == nil else { throw foreign(number) }
                switch line.schema {
                // An older version's manifest may lack fields that are needed here.
                case "probe-scan/1":
                    if let terms = try? JSONDecoder().decode(ScanTerms.self, from: Data(bytes)) {
                        reading.earlier.add(terms)
                    }
                case "probe-scan-error/1":
                    guard let id = line.id.flatMap(ScanID.init) else { throw foreign(number) }
                    reading.ids.append(id)
                    reading.earlier.tally.addMalformed()
                default: throw foreign(number)
                }
            }
            if reading.groupID == nil { reading.whole = offset }
        }
        guard reading.groupID == nil || !file.keepsGroups else { throw foreign(number) }
        return reading
    }

    private static func isTorn(_ bytes: ArraySlice<UInt8>) -> Bool {
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

extension ResumeFile.Reading {
    /// Takes a result in.
    ///
    /// - Returns: false if it is not the next of a target's.
    fileprivate mutating func take(_ line: ResumeFile.Line, at place: ResumeFile.Line.Place) -> Bool {
        guard let outcome = line.outcome.flatMap(Outcome.init), let id = ScanID(place.id),
            place.result == group.count + 1, place.result <= place.results, groupID == nil || groupID == place.id
        else { return false }
        groupID = place.id
        group.append(outcome)
        guard place.result == place.results else { return true }
        if place.retry == true, let replaced = replaced(by: id) {
            earlier.tally.remove(replaced)
        } else {
            ids.append(id)
        }
        earlier.tally.add(group)
        if place.clientCertificate != nil { renewable.add(id, group) }
        if let terms = place.terms { earlier.termsIDs.insert(terms) }
        if group.contains(where: ResumeFile.failures.contains) { failed[id, default: []].append(group) }
        (group, groupID) = ([], nil)
        return true
    }

    /// Returns the outcomes in whose place those of a retry are, and forgets them.
    private mutating func replaced(by id: ScanID) -> [Outcome]? {
        // A list may name a target twice: the results of another certificate are replaced first, then those that failed first.
        if let earlier = renewable.take(unlike: id) {
            ids.append(id)
            renewed.append(earlier.id)
            if let index = failed[earlier.id]?.firstIndex(of: earlier.outcomes) {
                failed[earlier.id]?.remove(at: index)
            }
            return earlier.outcomes
        }
        guard failed[id]?.isEmpty == false, let outcomes = failed[id]?.removeFirst() else { return nil }
        renewable.remove(id, outcomes)
        return outcomes
    }
}
