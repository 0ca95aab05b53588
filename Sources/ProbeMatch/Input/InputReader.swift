import Dispatch
import ProbeKit
import ProbePacking
import ProbePlatform

/// The reason why an input can't be read to its end.
struct InputFault: Error {
    let error: InputError

    init(_ message: String, remedy: String) {
        error = InputError(message, remedy: remedy, source: .file)
    }
}

/// Reads one input in blocks of a few megabytes, unpacked. A value that is larger is held whole, up to
/// ``InputForm/maximumUnit``. Reading blocks no task's thread.
final class InputReader {
    private let name: String
    private let path: String
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "probe.match.input")
    private var unpacking: (packing: Packing, unpacker: Unpacker)?
    /// The form of what was unpacked; nil as long as it is not recognised.
    private(set) var form: InputForm?
    /// The end of the text before the buffer.
    private var trail = PEMTrail()
    /// True for a text in which no block has begun yet.
    private var isPlainText = false
    /// The last bytes that were skipped of such a text: they may begin a block's first mark.
    private var lastSkipped: [UInt8] = []
    /// True if what was read is in no form that has certificates: of such a file nothing else is of interest.
    var isOfNoForm: Bool {
        isPlainText || form == nil && !buffer.isEmpty && InputForm(of: buffer) == nil && ForeignForm(of: buffer) == nil
    }
    private(set) var buffer: [UInt8] = []
    private var (line, offset): (Int, Int)
    /// The number of bytes before the place where the search begins that are still to come.
    private var skipped: Int
    private var isAtStart = true
    /// True if it goes on with a search.
    private let goesOn: Bool
    /// True if it is known how the texts of JSON are divided.
    private var isDivided = false

    /// The size from which a block is handed over.
    private static let blockBytes = 4 << 20
    private static let chunkBytes = 1 << 20

    /// Opens a path, or standard input for `-`, to be read from a position.
    init(_ position: SearchPosition) throws(InputFault) {
        path = position.input
        (line, offset, skipped) = (position.line, position.offset, position.offset)
        goesOn = position.offset > 0
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw InputFault(
                "\(path) can't be read: \(unsafe String(cString: strerror(errno)))",
                remedy: "check that the file exists and you may read it")
        }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// Hands over the input block by block.
    ///
    /// - Returns: false if the input is in no form that has certificates.
    /// - Throws: `InputFault` if it can't be read to its end, after what came before was handed over; any error of `take`.
    func blocks(_ take: (InputBlock) async throws -> Void) async throws -> Bool {
        while true {
            var chunk = try await chunk()
            // A pipe may give less than tells how it is packed.
            while isAtStart, Packing.isUndecided(chunk), case let more = try await self.chunk(), !more.isEmpty {
                chunk += more
            }
            if isAtStart, let packing = Packing(of: chunk) {
                do throws(Unpacker.Failure) {
                    unpacking = (packing, try Unpacker(packing))
                } catch {
                    throw broken("is a \(packing) file \(error)")
                }
            }
            isAtStart = false
            if chunk.isEmpty {
                if let unpacking, !unpacking.unpacker.isAtEnd {
                    try await fail("is a \(unpacking.packing) file that is cut short", take)
                }
                return try await handOver(isAtEnd: true, take)
            }
            guard try await unpack(chunk, take) else { return false }
        }
    }

    /// Adds what a chunk of the file holds.
    ///
    /// - Returns: false if the input is in no form that has certificates.
    private func unpack(_ chunk: [UInt8], _ take: (InputBlock) async throws -> Void) async throws -> Bool {
        guard let unpacking else { return try await add(chunk, take) }
        var rest = chunk[...]
        while true {
            let piece: [UInt8]?
            do throws(Unpacker.Failure) {
                piece = try unpacking.unpacker.next(&rest)
            } catch {
                try await fail("is a \(unpacking.packing) file \(error)", take)
            }
            guard let piece else { return true }
            guard try await add(piece, take) else { return false }
        }
    }

    /// Adds bytes to those that are handed over next. A form that the first ones do not have is not looked for again,
    /// but for blocks of PEM in a text: a small file may unpack to one without end.
    private func add(_ bytes: [UInt8], _ take: (InputBlock) async throws -> Void) async throws -> Bool {
        buffer += bytes
        if form == nil, buffer.count >= InputForm.telling {
            try recognise()
            if form == nil, InputForm.isText(buffer) { (form, isPlainText) = (.pem, true) }
            if form == nil { return false }
        }
        if form != nil { skip() }
        if buffer.count >= Self.blockBytes { _ = try await handOver(isAtEnd: false, take) }
        return true
    }

    /// Recognises the form of the input by its beginning.
    ///
    /// - Throws: `InputFault` for an archive. One of PEM files looks like a text with blocks, and is not read as that: its
    /// other files would not be searched.
    private func recognise() throws(InputFault) {
        if let foreign = ForeignForm(of: buffer) { throw foreign.fault(of: path, name: name) }
        form = InputForm(of: buffer)
    }

    /// Ends with a fault of the file, after what can be told of what came before it.
    private func fail(_ fault: String, _ take: (InputBlock) async throws -> Void) async throws -> Never {
        _ = try await handOver(isAtEnd: false, take)
        throw broken(fault)
    }

    private func handOver(isAtEnd: Bool, _ take: (InputBlock) async throws -> Void) async throws -> Bool {
        if form == nil { try recognise() }
        guard var form else {
            guard skipped <= buffer.count else { throw shorter }
            return false
        }
        skip()
        guard skipped == 0 else { throw shorter }
        if form == .jsonLines, !isDivided, isAtEnd || buffer.contains(UInt8(ascii: "\n")) {
            // A search that goes on behind the beginning goes on with lines.
            if !goesOn, JSONCertificates.isOneText(buffer) { form = .json }
            (self.form, isDivided) = (form, true)
        }
        if isPlainText, buffer.firstRange(of: PEMCertificates.begin, in: buffer.indices) != nil { isPlainText = false }
        let cut = form.cut(buffer, isAtEnd: isAtEnd)
        if cut.count > 0 {
            let bytes = Array(buffer[..<cut.count])
            let nextLine = form.hasLines ? line + bytes.count { $0 == UInt8(ascii: "\n") } : line
            var block = InputBlock(
                input: path, form: form, bytes: bytes, line: line, offset: offset, nextLine: nextLine)
            if form == .pem {
                block.isAfterBlock = trail.isAfterBlock
                trail.append(bytes[...])
            }
            try await take(block)
            line = nextLine
            offset += cut.count
            buffer.removeSubrange(..<cut.count)
        }
        if let fault = cut.fault { throw broken("has \(fault) at byte \(offset)") }
        guard buffer.count <= InputForm.maximumUnit else {
            let unit = form == .json ? "text" : form.hasLines ? "line" : "value"
            throw broken("has a \(unit) of more than \(InputForm.maximumUnit) bytes")
        }
        return !(isAtEnd && isPlainText)
    }

    /// Removes what an earlier search has done, from which only the form is read, and whether a text has blocks: a search that
    /// goes on ends as one that did all at once.
    private func skip() {
        let count = min(skipped, buffer.count)
        guard count > 0 else { return }
        if form == .pem { trail.append(buffer[..<count]) }
        if isPlainText {
            let seen = lastSkipped + buffer[..<count]
            isPlainText = seen.firstRange(of: PEMCertificates.begin, in: seen.indices) == nil
            lastSkipped = Array(seen.suffix(PEMCertificates.begin.count - 1))
        }
        buffer.removeSubrange(..<count)
        skipped -= count
    }

    private var shorter: InputFault {
        InputFault("\(name) is shorter than when it was searched", remedy: "begin a new search")
    }

    private func broken(_ what: String) -> InputFault {
        InputFault(
            "\(name) \(what)",
            remedy: "look where it was made" + (offset > 0 ? "; what came before was searched" : ""))
    }

    private func chunk() async throws(InputFault) -> [UInt8] {
        let descriptor = descriptor
        let bytes: [UInt8]? = await withCheckedContinuation { continuation in
            queue.async {
                var bytes = [UInt8](repeating: 0, count: Self.chunkBytes)
                var count: Int
                repeat {
                    count = unsafe read(descriptor, &bytes, bytes.count)
                } while count < 0 && errno == EINTR
                if count >= 0 { bytes.removeSubrange(count...) }
                continuation.resume(returning: count < 0 ? nil : bytes)
            }
        }
        guard let bytes else {
            throw InputFault(
                "\(name) can't be read any further", remedy: "check that it is a file, and its disk")
        }
        return bytes
    }
}
