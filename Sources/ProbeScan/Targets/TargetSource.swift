public import ProbeKit
import ProbePacking
import ProbePlatform
public import ProbeRun

/// The targets of some texts, then those of a file, one at a time: lists and ranges are streamed, never held in memory.
///
/// A line of the file, like each text, is `HOST`, `HOST:PORT`, a URL, `ADDRESS,NAME`, `ADDRESS/LENGTH[:PORT]` with `,NAME` or
/// without, or a JSON object.
public final class TargetSource {
    /// Reads the files of a client identity that a target names.
    public typealias IdentityReader = (IdentityFiles) throws(InputError) -> ClientIdentity

    private let arguments: [ScanEntry]
    private let lines: LineReader?
    private let readIdentity: IdentityReader
    private let startTLS: StartTLS?
    private let size: Int?
    private var nextArgument = 0
    private var lineNumber = 0
    private var bytesRead = 0
    private var current: (entry: ScanEntry, line: Int?, next: UInt64, start: Int)?

    /// Creates the source of targets that are at hand; their client identities are those that were read already.
    public init(_ targets: [ScanTarget]) {
        arguments = targets.map(ScanEntry.one)
        (lines, startTLS, size, readIdentity) = (nil, nil, nil, Self.readsNone)
    }

    /// Opens a list.
    ///
    /// - Parameters:
    ///   - texts: each a target or a range; an unreadable one is an error immediately.
    ///   - path: a file of such lines, packed by gzip or Zstandard or not, `-` for standard input; nil if there is none.
    ///   - startTLS: the protocol that starts TLS where a target has no scheme.
    ///   - readIdentity: reads the files of a client identity that a target names; it refuses them if left out.
    /// - Throws: `InputError` for a text that names no target, or a file that can't be opened.
    public convenience init(
        arguments texts: [String], file path: String? = nil, startTLS: StartTLS? = nil,
        readingIdentity readIdentity: @escaping IdentityReader = TargetSource.readsNone
    ) throws(InputError) {
        try self.init(
            entries: try TargetSource.entries(of: texts, startTLS: startTLS, readingIdentity: readIdentity), file: path,
            startTLS: startTLS, readingIdentity: readIdentity)
    }

    /// Reads texts, and the client identities that they name.
    ///
    /// - Parameters: those of ``init(arguments:file:startTLS:readingIdentity:)``.
    /// - Throws: `InputError` for a text that names no target.
    package static func entries(
        of texts: [String], startTLS: StartTLS?, readingIdentity readIdentity: IdentityReader
    ) throws(InputError) -> [ScanEntry] {
        var entries: [ScanEntry] = []
        for text in texts {
            entries.append(try ScanEntry(text, startTLS: startTLS).withIdentity(reading: readIdentity))
        }
        return entries
    }

    /// Opens a list behind entries that were read already: a pipe has an identity once, and a passphrase is asked for once.
    ///
    /// - Parameters: the others are those of ``init(arguments:file:startTLS:readingIdentity:)``.
    package init(
        entries: [ScanEntry], file path: String?, startTLS: StartTLS?,
        readingIdentity readIdentity: @escaping IdentityReader
    ) throws(InputError) {
        self.startTLS = startTLS
        self.readIdentity = readIdentity
        arguments = entries
        lines = try path.map { path throws(InputError) in
            try LineReader(path, maximumLine: ScanEntry.maximumLine, unpacks: true)
        }
        size = path.flatMap(Self.size)
    }

    /// Refuses the files of a client identity.
    public static func readsNone(_ files: IdentityFiles) throws(InputError) -> ClientIdentity {
        throw InputError("\(files.certificate) can't be read here", remedy: "give targets without client certificates")
    }

    /// The handed-out share of everything, from 0 to 1; nil if the end is not known.
    public var fraction: Double? {
        let within = current.map { Double($0.next) / Double($0.entry.count) } ?? 1
        guard let lines else {
            return arguments.isEmpty ? 1 : (Double(nextArgument) - 1 + within) / Double(arguments.count)
        }
        guard let size, size > 0, !lines.isPacked else { return nil }
        guard let current else { return min(1, Double(bytesRead) / Double(size)) }
        return min(1, (Double(current.start) + within * Double(bytesRead - current.start)) / Double(size))
    }

    /// Returns the next target or unreadable line; nil at the end.
    ///
    /// - Throws: `InputError` for a file that can't be read any further.
    public func next() async throws(InputError) -> ScanItem? {
        while true {
            if let (entry, line, index, start) = current {
                current = index + 1 < entry.count ? (entry, line, index + 1, start) : nil
                var target = entry[index]
                target.line = line
                return .target(target)
            }
            if nextArgument < arguments.count {
                current = (arguments[nextArgument], nil, 0, 0)
                nextArgument += 1
                continue
            }
            guard let line = try await lines?.next() else { return nil }
            if let malformed = read(line) { return .malformed(malformed) }
        }
    }

    /// Takes a line in; blank ones and those that begin with `#` name nothing.
    private func read(_ line: LineReader.Line) -> MalformedTarget? {
        lineNumber += 1
        let start = bytesRead
        bytesRead += line.length + 1 + (lineNumber == 1 ? lines?.markLength ?? 0 : 0)
        guard case .text(var bytes) = line else {
            return MalformedTarget(
                line: lineNumber, bytes: Array("line \(lineNumber)".utf8),
                error: InputError(
                    "line \(lineNumber) is longer than \(ScanEntry.maximumLine) bytes",
                    remedy: "write one target a line", source: .file))
        }
        while let last = bytes.last, [0x20, 0x09, 0x0d].contains(last) { bytes.removeLast() }
        bytes.removeFirst(bytes.prefix { $0 == 0x20 || $0 == 0x09 }.count)
        guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
        do throws(InputError) {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw InputError("the line is not UTF-8", remedy: "write names in their A-label form", source: .file)
            }
            current = (
                try ScanEntry(text, startTLS: startTLS).withIdentity(reading: readIdentity), lineNumber, 0, start
            )
            return nil
        } catch {
            return MalformedTarget(line: lineNumber, bytes: bytes, error: error)
        }
    }

    private static func size(of path: String) -> Int? {
        let status = path == "-" ? FileStatus(descriptor: STDIN_FILENO) : FileStatus(at: path)
        return status.flatMap { $0.isFile ? $0.size : nil }
    }
}

/// A list is read by one task.
@available(*, unavailable) extension TargetSource: Sendable {}
