import Dispatch
package import ProbeKit
import ProbePlatform

/// The lines of a file or of standard input, one at a time; reading never blocks a task's thread.
package final class LineReader {
    /// A line, or a sign that one exceeded the limit.
    package enum Line: Sendable {
        case text([UInt8])
        case tooLong(length: Int)

        /// In bytes, without the line break.
        package var length: Int {
            switch self {
            case .text(let bytes): bytes.count
            case .tooLong(let length): length
            }
        }
    }

    private let name: String
    private let descriptor: CInt
    /// Returns the next bytes of what is not in a file as it is; nil if the descriptor is read.
    private let pieces: (() throws(InputError) -> [UInt8]?)?
    /// True if what gzip or zstd packed is unpacked.
    private let unpacks: Bool
    private var hasBegun = false
    private var unpacking: (packing: Packing, unpacker: Unpacker, rest: ArraySlice<UInt8>)?
    private let maximum: Int
    private let queue = DispatchQueue(label: "probe.lines")
    private var buffer: [UInt8] = []
    /// The start of the current line in the buffer, and the end of the part searched for a line break.
    private var (start, searched) = (0, 0)
    /// The number of dropped bytes of the current line: for one that is too long only the length is kept.
    private var skipped = 0
    private var isAtEnd = false
    private var isAtStart = true
    /// The length of the mark at the beginning, which the first line leaves out; known once that line was read.
    package private(set) var markLength = 0
    /// The mark that some editors begin a file of UTF-8 with.
    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Opens a path, or standard input for `-`.
    ///
    /// - Parameter unpacks: whether what gzip or zstd packed is unpacked, by its first bytes.
    package init(_ path: String, maximumLine: Int, unpacks: Bool = false) throws(InputError) {
        guard !path.isEmpty else {
            throw InputError(
                "the name of a list is empty", remedy: "check the variable that it comes from", source: .file)
        }
        guard path == "-" || FileStatus(at: path)?.isFolder != true else {
            throw InputError("\(path) is a folder", remedy: "name a file with a line for each", source: .file)
        }
        name = path == "-" ? "standard input" : path
        maximum = maximumLine
        pieces = nil
        self.unpacks = unpacks
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw InputError(
                "\(path) can't be read: \(unsafe String(cString: strerror(errno)))",
                remedy: "check that the file exists and you may read it", source: .file)
        }
    }

    /// Reads what comes in pieces: the content of a packed file or of a database.
    ///
    /// - Parameter pieces: returns the next bytes; nil at the end.
    package init(of path: String, maximumLine: Int, pieces: @escaping () throws(InputError) -> [UInt8]?) {
        name = path
        maximum = maximumLine
        self.pieces = pieces
        unpacks = false
        descriptor = STDIN_FILENO
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// True if the file's bytes are fewer than those of its lines; known once the first line was read.
    package var isPacked: Bool { unpacking != nil }

    /// Returns the next line without its line break; nil at the end.
    package func next() async throws(InputError) -> Line? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { (start, searched) = (end + 1, end + 1) }
                return line(to: end)
            }
            guard !isAtEnd else {
                defer { start = buffer.count }
                return skipped == 0 && start == buffer.count ? nil : line(to: buffer.count)
            }
            if buffer.count - start > maximum {
                skipped += buffer.count - start
                start = buffer.count
            }
            // Consumed lines are removed once a chunk: removing each would move a whole chunk every time.
            buffer.removeSubrange(..<start)
            (start, searched) = (0, buffer.count)
            let bytes = try await content()
            isAtEnd = bytes.isEmpty
            buffer += bytes
        }
    }

    /// Returns the current line, which ends here.
    private func line(to end: Int) -> Line {
        if isAtStart, skipped == 0, buffer[start..<end].starts(with: Self.byteOrderMark) {
            markLength = Self.byteOrderMark.count
            start += markLength
        }
        isAtStart = false
        let length = skipped + end - start
        skipped = 0
        return length > maximum ? .tooLong(length: length) : .text(Array(buffer[start..<end]))
    }

    /// Returns the next bytes of the lines; none at the end.
    private func content() async throws(InputError) -> [UInt8] {
        // A file does not let wait.
        if let pieces { return try pieces() ?? [] }
        if unpacks, !hasBegun {
            hasBegun = true
            var first = try await chunk()
            // A pipe may give a byte at a time.
            while !first.isEmpty, Packing.isUndecided(first), case let more = try await chunk(), !more.isEmpty {
                first += more
            }
            guard let packing = Packing(of: first) else { return first }
            do throws(Unpacker.Failure) {
                unpacking = (packing, try Unpacker(packing, piece: 1 << 16), first[...])
            } catch {
                throw broken("is a \(packing) file \(error)")
            }
        }
        return unpacking == nil ? try await chunk() : try await unpacked()
    }

    /// Returns the next bytes that a packed file holds.
    private func unpacked() async throws(InputError) -> [UInt8] {
        while let (packing, unpacker, bytes) = unpacking {
            var rest = bytes
            do throws(Unpacker.Failure) {
                let piece = try unpacker.next(&rest)
                unpacking?.rest = rest
                if let piece { return piece }
            } catch {
                throw broken("is a \(packing) file \(error)")
            }
            let bytes = try await chunk()
            guard !bytes.isEmpty || unpacker.isAtEnd else { throw broken("is a \(packing) file that is cut short") }
            if bytes.isEmpty { break }
            unpacking?.rest = bytes[...]
        }
        return []
    }

    private func broken(_ what: String) -> InputError {
        InputError("\(name) \(what)", remedy: "pack it again, or unpack it first", source: .file)
    }

    /// Returns the next bytes of the file; none at the end.
    private func chunk() async throws(InputError) -> [UInt8] {
        let descriptor = descriptor
        let bytes: [UInt8]? = await withCheckedContinuation { continuation in
            queue.async {
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                var count: Int
                repeat {
                    count = unsafe read(descriptor, &bytes, bytes.count)
                } while count < 0 && errno == EINTR
                continuation.resume(returning: count < 0 ? nil : Array(bytes.prefix(count)))
            }
        }
        guard let bytes else {
            throw InputError(
                "\(name) can't be read any further", remedy: "check that it is a file, and its disk", source: .file)
        }
        return bytes
    }
}
