import Foundation
public import ProbeKit
public import ProbePins
package import ProbePlatform
import ProbeSHA256

/// Finds, in any number of certificates, those that have one of a set of pins.
///
/// Inputs are files, folders and `-` for standard input, each PEM, DER, JSON or a tile of a certificate transparency log,
/// also packed by gzip or zstd. They are read in pieces, which all processors search; the memory depends on neither the inputs nor
/// the finds.
public struct PinSearch: Sendable {
    /// The finds and faults of a search, in the order of the inputs.
    public enum Event: Sendable {
        /// A certificate that has a pin.
        case found(FoundCertificate)
        /// Something that can't be read as the certificate that it should be.
        case unreadable(UnreadableInput)
        /// An input, or a file or folder below one, that can't be searched to its end; what came before was reported.
        case unfinished(InputError)
        /// All before this position was reported.
        case reached(SearchPosition)
    }

    private let index: PinIndex
    private let digester: BatchDigester
    private let width: Int

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - pins: the pins, of any kind and number; their positions do not matter.
    ///   - single: the digester for certificates of which this processor can't compute many at once.
    ///   - width: the number of pieces that are searched at once; nil for that of the processors.
    public init(
        _ pins: some Sequence<Pin>, single: any Digester = SwiftCryptoDigester(), width: Int? = nil
    ) {
        index = PinIndex(pins)
        digester = BatchDigester(single: single)
        self.width = max(1, width ?? ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Searches the inputs one after the other. One that can't be searched costs itself alone.
    ///
    /// - Parameters:
    ///   - inputs: paths of files and folders, and `-`.
    ///   - earlier: a search of the same inputs for the same pins, after which this one goes on.
    ///   - own: a file that the search is written to: where a folder has it, it is left out.
    ///   - report: is called with every event, in order; what it throws ends the search.
    /// - Returns: the counts, those of the earlier search included.
    /// - Throws: ``InputError`` for an input that is written to, before anything is searched.
    public func run(
        _ inputs: [String], after earlier: EarlierSearch = EarlierSearch(), writingTo own: String? = nil,
        report: (Event) async throws -> Void
    ) async throws -> SearchTally {
        try await run(inputs, after: earlier, leavingOut: own.flatMap(FileStatus.init(at:)), report: report)
    }

    /// Searches the inputs as the function above does.
    ///
    /// - Parameter own: the file, pipe or terminal that the search is written to.
    package func run(
        _ inputs: [String], after earlier: EarlierSearch, leavingOut own: FileStatus?,
        report: (Event) async throws -> Void
    ) async throws -> SearchTally {
        var tally = earlier.tally
        let found = try InputFiles(inputs, leavingOut: own)
        for fault in found.faults {
            tally.unfinished += 1
            try await report(.unfinished(fault))
        }
        for file in found.files {
            guard let start = earlier.position(in: file) else { continue }
            let (ending, end) = try await search(file, from: start, &tally, report)
            switch ending {
            case .done:
                tally.finish(end)
                try await report(.reached(end.ending(.done)))
            case .passedOver:
                tally.passedOver += 1
                try await report(.reached(end.ending(.passedOver)))
            case .unfinished(let fault):
                tally.leave(end)
                try await report(.unfinished(fault))
            }
        }
        return tally
    }

    /// The end of the search of one file.
    private enum Ending {
        case done, passedOver
        case unfinished(InputError)
    }

    /// Reads ahead of the search by as many pieces as there are processors, and reports what they have in order.
    private func search(
        _ file: InputFiles.File, from start: SearchPosition, _ tally: inout SearchTally,
        _ report: (Event) async throws -> Void
    ) async throws -> (Ending, end: SearchPosition) {
        var position = start
        var running: [Task<BlockSearch, Never>] = []
        func finish(_ task: Task<BlockSearch, Never>) async throws {
            let done = await task.value
            try Task.checkCancellation()
            for event in done.events(after: position.certificates) {
                if case .found(let found) = event { tally.add(found) }
                try await report(event)
            }
            position = done.end(after: position)
            try await report(.reached(position))
        }
        defer { for task in running { task.cancel() } }
        var ending = Ending.done
        var reader: InputReader?
        do {
            let opened = try InputReader(start)
            reader = opened
            let isKnown = try await opened.blocks { block in
                if running.count >= width { try await finish(running.removeFirst()) }
                var block = block
                block.isOfFolder = !file.isNamed
                running.append(Task { [block] in search(block) })
            }
            if !isKnown {
                let isDatabase = DatabaseHeader(of: file.path)?.application == DatabaseHeader.scan
                ending =
                    if isDatabase {
                        .unfinished(Self.database(file.path))
                    } else {
                        file.isNamed ? .unfinished(Self.formless(file.path)) : .passedOver
                    }
            }
        } catch let fault as InputFault {
            ending = !file.isNamed && reader?.isOfNoForm == true ? .passedOver : .unfinished(fault.error)
        }
        // Certificates before a fault are searched all the same.
        while !running.isEmpty { try await finish(running.removeFirst()) }
        switch ending {
        case .passedOver where position.unreadable > 0: ending = .unfinished(Self.formless(file.path))
        case .done
        where reader.map(Self.mayHaveOthersAlone) ?? false && position.certificates + position.unreadable == 0:
            ending = file.isNamed ? .unfinished(Self.formless(file.path)) : .passedOver
        default: break
        }
        return (ending, position)
    }

    /// Returns true for a form in which keys, requests and lists are kept as well: a file of them has no certificates.
    private static func mayHaveOthersAlone(_ reader: InputReader) -> Bool { reader.form == .pem || reader.form == .der }

    private static func database(_ path: String) -> InputError {
        InputError(
            "\(path) is the database of a scan, which is not searched as it is",
            remedy: "give its lines on standard input: sqlite3 \(path) 'SELECT json FROM lines'", source: .file)
    }

    private static func formless(_ path: String) -> InputError {
        InputError(
            "\(path == "-" ? "standard input" : path) has no certificates in a form that is known",
            remedy: "give PEM, DER, JSON or a tile of a log, packed by gzip or zstd or not", source: .file)
    }

    private func search(_ block: InputBlock) -> BlockSearch {
        let batch = block.certificates
        var search = BlockSearch(block, count: batch.certificates.count + batch.digested.count)
        search.unreadable = batch.undecoded.map { (batch.certificates.count, $0) }
        var matches = [PinMatch](repeating: .notPinned, count: batch.certificates.count)
        var answers = matches.mutableSpan
        index.match(certificates: batch.certificates.span, of: batch.bytes.span, digester: digester, into: &answers)
        for (position, match) in matches.enumerated() where match != .notPinned {
            let der = Array(batch.bytes[batch.certificates[position]])
            // Rare enough to be hashed again, for all the pins that it has.
            guard match != .unreadable,
                let digests = try? CertificateDigests(certificate: der.span, digester: SwiftCryptoDigester())
            else {
                search.unreadable.append((position, batch.places[position]))
                continue
            }
            let pins = [PinKind.spki, .rawkey, .cert].map { Pin(kind: $0, digest: digests[$0]) }.filter(index.contains)
            search.found.append((position, batch.places[position], pins, der))
        }
        for (position, record) in batch.digested.enumerated() {
            let pins = record.digests.filter(index.contains)
            if !pins.isEmpty { search.found.append((batch.certificates.count + position, record.place, pins, nil)) }
        }
        return search
    }
}

/// The certificates of one piece of an input that matter.
private struct BlockSearch: Sendable {
    let input: String
    /// The number of its certificates.
    let count: Int
    /// The place after it.
    let next: (line: Int, offset: Int)
    var found: [(position: Int, place: CertificateBatch.Place, pins: [Pin], certificate: [UInt8]?)] = []
    var unreadable: [(position: Int, place: CertificateBatch.Place)] = []

    init(_ block: InputBlock, count: Int) {
        input = block.input
        self.count = count
        next = (block.nextLine, block.offset + block.bytes.count)
    }

    /// Returns the position after this piece, given the one before it.
    func end(after start: SearchPosition) -> SearchPosition {
        SearchPosition(
            input: input, certificates: start.certificates + count, unreadable: start.unreadable + unreadable.count,
            line: next.line, offset: next.offset, state: .open)
    }

    /// Returns the events in the order of the certificates.
    func events(after number: Int) -> [PinSearch.Event] {
        let found = found.map { find in
            (
                find.position,
                PinSearch.Event.found(
                    FoundCertificate(
                        input: input, number: number + find.position + 1, line: find.place.line,
                        offset: find.place.offset, path: find.place.path, seen: find.place.seen, pins: find.pins,
                        certificate: find.certificate))
            )
        }
        let unreadable = unreadable.map { fault in
            (
                fault.position,
                PinSearch.Event.unreadable(
                    UnreadableInput(input: input, line: fault.place.line, offset: fault.place.offset))
            )
        }
        return (found + unreadable).sorted { $0.0 < $1.0 }.map(\.1)
    }
}
