import Dispatch
public import ProbeKit
import ProbePlatform

/// Bytes that must not outlive their use, like a client's key: they have memory of their own, are never copied by us,
/// and are wiped when the last owner releases them (requirement 66).
@safe public final class Secret: Sendable {
    // Safe to share: it is written in the initialiser, before the object is shared, and never after.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// Allocates space for bytes, filled by `fill`, which returns how many there are.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of bytes.
    ///   - fill: writes to the start of the buffer and returns the number of bytes; its error is rethrown after the
    ///     bytes it wrote are wiped.
    init<Failure: Error>(
        capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, capacity), alignment: 1)
        do throws(Failure) {
            let count = unsafe try fill(room)
            unsafe bytes = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        } catch {
            unsafe Self.wipe(room)
            throw error
        }
    }

    /// Creates a secret from a copy of bytes; the caller has to wipe the originals.
    public convenience init(copying bytes: Span<UInt8>) {
        unsafe self.init(capacity: bytes.count) { room in
            for index in bytes.indices { unsafe room[index] = bytes[index] }
            return bytes.count
        }
    }

    deinit {
        unsafe Self.wipe(bytes)
    }

    /// The number of bytes.
    public var count: Int { unsafe bytes.count }

    /// Runs `body` with the bytes, which must not leave it.
    public func withBytes<Value, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let span = unsafe bytes.bytes
        return try body(span)
    }

    /// Writes zeros that no optimiser removes, and frees the memory.
    private static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        if let start = bytes.baseAddress { unsafe explicit_bzero(start, bytes.count) }
        unsafe bytes.deallocate()
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text shown instead of the bytes.
    public var description: String { Redacted<Secret>.text }
    /// The text shown instead of the bytes.
    public var debugDescription: String { Redacted<Secret>.text }
    /// A mirror without the bytes.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Reads secrets from files that only their owner can access (requirements 67, 68).
public enum SecretFile: Sendable {
    /// The maximum size of a secret, in bytes.
    public static let maximumBytes = 64 * 1024

    /// Returns a file's content.
    ///
    /// - Throws: `InputError` if the file can't be read, is not a regular file, belongs to another user, is
    ///   accessible to group or others, is empty or too large. The opened file is checked, so it can't be replaced in
    ///   between.
    public static func read(_ path: String) throws(InputError) -> Secret {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw refuse("\(path) can't be read", "check that the file exists and you may read it")
        }
        defer { close(descriptor) }
        let size = try checkedSize(of: descriptor, path)
        // One byte more shows a file that grew.
        let secret = unsafe try Secret(capacity: size + 1) { room throws(InputError) in
            var count = 0
            while count < room.count {
                let got = unsafe ProbePlatform.read(
                    descriptor, room.baseAddress.map { unsafe $0 + count }, room.count - count)
                if got == 0 { break }
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { throw refuse("\(path) can't be read", "check the file") }
                count += got
            }
            return count
        }
        guard (1...size).contains(secret.count) else {
            throw refuse("\(path) changed while it was read", "write it once, then name it")
        }
        return secret
    }

    private static func checkedSize(of descriptor: CInt, _ path: String) throws(InputError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw refuse("\(path) is not a regular file", "keep the secret in a file")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw refuse("\(path) belongs to somebody else", "keep the secret in a file of your own")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw refuse("\(path) has mode \(mode): others may reach the secret in it", "chmod 600 \(path)")
        }
        guard status.st_size > 0 else { throw refuse("\(path) is empty", "write the secret to it") }
        guard status.st_size <= maximumBytes else {
            throw refuse("\(path) has \(status.st_size) bytes", "a secret has at most \(maximumBytes)")
        }
        return Int(status.st_size)
    }

    private static func refuse(_ message: String, _ remedy: String) -> InputError {
        InputError(message, remedy: remedy, source: .file)
    }
}

/// A value that no log, report or debugger shows by itself; it is not `Encodable`, whatever the value is.
public struct Redacted<Value> {
    /// The text shown instead.
    public static var text: String { "<redacted>" }

    /// The value itself.
    public let revealed: Value

    /// Hides a value.
    public init(_ value: Value) {
        revealed = value
    }
}

extension Redacted: Sendable where Value: Sendable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text shown instead.
    public var description: String { Self.text }
    /// The text shown instead.
    public var debugDescription: String { Self.text }
    /// A mirror without the value.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
