import Dispatch
import Glibc
import ProbeKit

/// The lines of a file or of standard input, one at a time; reading never blocks a task's thread.
final class LineReader {
    /// A line, or a sign that one was longer than may be held.
    enum Line {
        case text([UInt8])
        case tooLong
    }

    private let descriptor: CInt
    private let maximum: Int
    private let queue = DispatchQueue(label: "probe.lines")
    private var buffer: [UInt8] = []
    private var searched = 0
    private var isAtEnd = false
    private var isSkipping = false

    /// Opens a path, or standard input for `-`.
    init(_ path: String, maximumLine: Int) throws(InputError) {
        maximum = maximumLine
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw InputError(
                "\(path) can't be read", remedy: "check that the file exists and you may read it", source: .file)
        }
    }

    deinit {
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// The next line without its line break; nil at the end.
    func next() async throws(InputError) -> Line? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                searched = 0
                if isSkipping {
                    isSkipping = false
                    return .tooLong
                }
                return .text(line)
            }
            searched = buffer.count
            if buffer.count > maximum {
                isSkipping = true
                buffer.removeAll(keepingCapacity: true)
                searched = 0
            }
            guard !isAtEnd else { return lastLine() }
            let bytes = try await chunk()
            isAtEnd = bytes.isEmpty
            buffer += bytes
        }
    }

    /// What stands after the last line break.
    private func lastLine() -> Line? {
        defer {
            buffer = []
            searched = 0
            isSkipping = false
        }
        if isSkipping { return .tooLong }
        return buffer.isEmpty ? nil : .text(buffer)
    }

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
            throw InputError("the input can't be read any further", remedy: "check the file", source: .file)
        }
        return bytes
    }
}
