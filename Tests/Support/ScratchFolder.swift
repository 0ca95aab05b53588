public import Foundation

/// A folder for one test's files, removed when the closure ends.
public enum ScratchFolder: Sendable {
    /// Calls a closure with the path of a new folder.
    public static func with<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        try await withURL { try await body($0.path) }
    }

    /// Calls a closure with the URL of a new folder.
    public static func withURL<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = try make()
        defer { remove(folder) }
        return try await body(folder)
    }

    /// Calls a closure that does not wait with the URL of a new folder.
    public static func withURL<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = try make()
        defer { remove(folder) }
        return try body(folder)
    }

    /// Writes a file of text.
    public static func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func make() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-test-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func remove(_ folder: URL) { try? FileManager.default.removeItem(at: folder) }
}
