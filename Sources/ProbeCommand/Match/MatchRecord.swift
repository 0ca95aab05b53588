import ProbeKit
import ProbeMatch
import ProbePacking
import ProbePins
import ProbePlatform
import ProbeReport
import ProbeScan

/// The output of an earlier search, to be continued: what comes after its last position is removed and found anew.
///
/// A missing file counts as empty, so that the same command begins and continues a search.
final class MatchRecord {
    private struct Kind: Decodable {
        let schema: String
        let kind: String
    }

    /// The fields of a find that the counts need.
    private struct Found: Decodable {
        let input: String
        let number: Int
        let seen: String?
        let pins: [String]
    }

    private let file: ContinuedFile

    /// Opens a file, and creates it if it does not exist.
    init(_ path: String) throws(InputError) {
        file = try ContinuedFile(resuming: path, of: "search")
    }

    /// Reads what earlier runs of a search did, and begins the file if there was none.
    ///
    /// - Throws: `InputError` for a file of something else, which is left unchanged.
    func earlier(_ search: MatchSearchLine) async throws(InputError) -> EarlierSearch {
        var earlier = EarlierSearch()
        var begun: MatchSearchLine?
        var found: [FoundCertificate] = []
        var (number, offset, whole) = (0, 0, 0)
        let size = try file.size()
        let lines = try file.lines()
        while let read = try await lines.next() {
            number += 1
            guard case .text(let bytes) = read else { throw foreign(number) }
            offset += bytes.count + 1 + (number == 1 ? lines.markLength : 0)
            guard offset <= size else {
                // A process that was killed leaves a line without an end; it comes after the last position. A file of zeros
                // alone never had one.
                let begun = bytes.withoutFinalZeros
                guard number > 1 || !begun.isEmpty && JSONText.line(search).utf8.starts(with: begun) else {
                    throw foreign(number)
                }
                break
            }
            let data = Data(bytes)
            guard let line = try? JSONDecoder().decode(Kind.self, from: data), line.schema == search.schema,
                (line.kind == search.kind) == (number == 1)
            else { throw foreign(number) }
            switch line.kind {
            case search.kind:
                begun = try? JSONDecoder().decode(MatchSearchLine.self, from: data)
                guard begun != nil else { throw foreign(1) }
            case "certificate":
                guard let find = Self.find(data) else { throw foreign(number) }
                found.append(find)
            case "position":
                guard let position = try? JSONDecoder().decode(MatchPositionLine.self, from: data) else {
                    throw foreign(number)
                }
                // A search that has no position yet has done nothing, and may be begun as another.
                if whole == 0, let begun { try check(begun, against: search) }
                earlier.add(found, upTo: SearchPosition(position))
                found = []
                whole = offset
            default: break
            }
        }
        try file.cutOrEnd(to: whole)
        if whole == 0 { write(JSONText.line(search)) }
        return earlier
    }

    /// Writes a line. The process ends if it can't be written, as with all output.
    func write(_ line: String) {
        file.appendOrEnd(file.packedOrEnd(Array((line + "\n").utf8)))
    }

    /// Ends the frame of a packed file.
    func finish() { file.appendOrEnd(file.frameEnd()) }

    private func check(_ begun: MatchSearchLine, against search: MatchSearchLine) throws(InputError) {
        // Names are compared by their bytes, as the system does.
        guard begun.searched.elementsEqual(search.searched, by: { $0.utf8.elementsEqual($1.utf8) }) else {
            throw InputError(
                "\(file.path) is of a search of \(begun.searched.joined(separator: ", "))",
                remedy: "name the same inputs, or another file after --resume")
        }
        guard begun.pinsSHA256 == search.pinsSHA256 else {
            throw InputError(
                "\(file.path) is of a search for other pins",
                remedy: "give the same pins, or another file after --resume")
        }
    }

    private static func find(_ line: Data) -> FoundCertificate? {
        guard let found = try? JSONDecoder().decode(Found.self, from: line),
            let pins = try? found.pins.flatMap({ try PinText.parse($0).map(\.pin) })
        else { return nil }
        return FoundCertificate(
            input: found.input, number: found.number, line: nil, offset: nil, path: nil,
            seen: found.seen.flatMap { try? RFC3339.parse($0) }, pins: pins, certificate: nil)
    }

    private func foreign(_ number: Int) -> InputError {
        InputError(
            "line \(number) of \(file.path) is not one that probe match wrote",
            remedy: "name the output of an earlier search, or a file that does not exist yet", source: .file)
    }
}
