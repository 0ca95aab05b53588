import Foundation

/// Files that users name, read whole up to a limit. Pipes are accepted, and `-` for standard input.
package enum InputFile: Sendable {
    /// Returns a file's text, without the byte order mark that some editors begin it with.
    ///
    /// - Parameters: those of ``bytes(of:limit:kind:)``.
    /// - Throws: ``InputError`` naming the file, if it can't be read, is too large or is not UTF-8.
    package static func text(of path: String, limit: Int, kind: String) throws(InputError) -> String {
        guard let text = text(of: try bytes(of: path, limit: limit, kind: kind)) else {
            throw InputError("\(path) is not text in UTF-8", remedy: "name a \(kind), saved as UTF-8", source: .file)
        }
        return text
    }

    /// Returns the text that a file's bytes are, without a byte order mark; nil if they are not UTF-8.
    package static func text(of bytes: [UInt8]) -> String? {
        let mark: [UInt8] = [0xef, 0xbb, 0xbf]
        return String(validating: bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...], as: UTF8.self)
    }

    /// Returns a file's bytes.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - limit: the maximum size in bytes.
    ///   - kind: the kind of file in errors, like `certificate file`.
    /// - Throws: ``InputError`` naming the file, if it can't be read or is too large.
    package static func bytes(of path: String, limit: Int, kind: String) throws(InputError) -> [UInt8] {
        guard !path.isEmpty else {
            throw InputError(
                "the name of a \(kind) is empty", remedy: "check the variable that it comes from", source: .file)
        }
        let attributes = path == "-" ? nil : try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType != .typeDirectory else {
            throw InputError("\(path) is a folder", remedy: "name a \(kind)", source: .file)
        }
        let size = attributes?[.size] as? Int ?? 0
        guard size <= limit else { throw tooLarge(path, "\(size) bytes", limit, kind) }
        let isInput = path == "-"
        guard let file = isInput ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            throw unreadable(path)
        }
        defer { if !isInput { try? file.close() } }
        var bytes: [UInt8] = []
        do {
            while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
                bytes += chunk
                guard bytes.count <= limit else { throw tooLarge(path, "no end in sight", limit, kind) }
            }
        } catch let error as InputError {
            throw error
        } catch {
            throw unreadable(path)
        }
        observer?.didRead(bytes)
        return bytes
    }

    @TaskLocal private static var observer: (any FileObserver)?

    /// Returns the result of a reading, and shows each file that it reads to an observer.
    package static func observed<Value>(
        by observer: any FileObserver, _ read: () throws(InputError) -> Value
    ) throws(InputError) -> Value {
        try $observer.withValue(observer) { Result { () throws(InputError) in try read() } }.get()
    }

    private static func tooLarge(_ path: String, _ size: String, _ limit: Int, _ kind: String) -> InputError {
        InputError("\(path) has \(size)", remedy: "a \(kind) has at most \(limit) bytes", source: .file)
    }

    private static func unreadable(_ path: String) -> InputError {
        if path == "-" {
            return InputError("standard input can't be read", remedy: "pipe the file in, or name it", source: .file)
        }
        let manager = FileManager.default
        let reason =
            if !manager.fileExists(atPath: path) {
                ": No such file"
            } else {
                manager.isReadableFile(atPath: path) ? "" : ": Permission denied"
            }
        return InputError(
            "\(path) can't be read\(reason)", remedy: "check that the file exists and you may read it", source: .file)
    }
}

/// An observer of the files that are read for one purpose.
package protocol FileObserver: Sendable {
    /// Takes the content of a file.
    func didRead(_ bytes: [UInt8])
}
