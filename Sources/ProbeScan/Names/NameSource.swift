public import ProbeKit
import ProbePacking

/// One name of a list.
package struct ListedName: Sendable {
    package let name: DNSName
    /// The number of its line, from 1 on; nil for an argument of the command.
    package let line: Int?

    /// Its identity: the same in every run and on every machine.
    package var id: ScanID { ScanID([name.description.lowercased()]) }
}

/// The names of the arguments, then those of a file, some at a time: a list is streamed, never held in memory.
public final class NameSource {
    private var names: [ListedName]
    private let lines: LineReader
    private var lineNumber = 0
    private var isAtEnd = false
    /// The fault of the file, until the names before it were taken.
    private var failure: InputError?

    /// The longest line, in bytes: no name is as long.
    private static let maximumLine = 4096

    /// Opens a list.
    ///
    /// - Parameters:
    ///   - names: those that come before the file's.
    ///   - path: a file with a name on each line, packed by gzip or zstd or not; `-` for standard input.
    /// - Throws: `InputError` for a file that can't be opened.
    public init(arguments names: [DNSName], file path: String) throws(InputError) {
        self.names = names.map { ListedName(name: $0, line: nil) }
        lines = try LineReader(path, maximumLine: Self.maximumLine, unpacks: true)
    }

    /// Some names, and the lines between them that can't be read.
    package struct Batch: Sendable {
        package var names: [ListedName] = []
        package var malformed: [MalformedTarget] = []

        package var isEmpty: Bool { names.isEmpty && malformed.isEmpty }
    }

    /// Returns the next names, as many as `count` if there are; an empty batch at the end.
    ///
    /// - Throws: `InputError` for a file that can't be read any further, after all names before that.
    package func next(_ count: Int) async throws(InputError) -> Batch {
        if let failure { throw failure }
        var batch = Batch(names: Array(names.prefix(count)))
        names.removeFirst(batch.names.count)
        while batch.names.count + batch.malformed.count < count, !isAtEnd {
            do throws(InputError) {
                guard let line = try await lines.next() else {
                    isAtEnd = true
                    break
                }
                lineNumber += 1
                read(line, into: &batch)
            } catch {
                failure = error
                guard !batch.isEmpty else { throw error }
                break
            }
        }
        return batch
    }

    /// Takes a line in; blank ones and those that begin with `#` name nothing.
    private func read(_ line: LineReader.Line, into batch: inout Batch) {
        guard case .text(let bytes) = line else {
            batch.malformed.append(
                MalformedTarget(
                    line: lineNumber, bytes: Array("line \(lineNumber)".utf8),
                    error: InputError(
                        "line \(lineNumber) is longer than \(Self.maximumLine) bytes", remedy: "write one name a line",
                        source: .file)))
            return
        }
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0d].contains(byte) }
        let start = bytes.drop(while: isBlank)
        guard let first = start.first, first != UInt8(ascii: "#") else { return }
        let end = start.lastIndex { !isBlank($0) } ?? start.startIndex
        do throws(InputError) {
            guard let text = String(validating: start[...end], as: UTF8.self) else {
                throw InputError("the line is not UTF-8", remedy: "write names in their A-label form", source: .file)
            }
            batch.names.append(ListedName(name: try DNSName(text), line: lineNumber))
        } catch {
            batch.malformed.append(MalformedTarget(line: lineNumber, bytes: Array(start[...end]), error: error))
        }
    }
}

/// A list is read by one task.
@available(*, unavailable) extension NameSource: Sendable {}
