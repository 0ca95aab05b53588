import Foundation

/// The sources of the checkout.
enum SourceTree {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let sources = root.appending(path: "Sources")

    /// Our modules in Swift.
    static func modules() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { !$0.hasPrefix("CProbe") && !$0.hasPrefix(".") }.sorted()
    }

    static func files(of module: String) throws -> [URL] {
        try files(in: sources.appending(path: module))
    }

    /// The files of Swift in a folder and below it.
    static func files(in folder: URL) throws -> [URL] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0) }
    }

    /// The module's folder that a file is in; `.` for the module's own.
    static func room(of file: URL, in module: String) -> String {
        let below = file.path.dropFirst(sources.appending(path: module).path.count + 1).split(separator: "/")
        return below.count > 1 ? String(below[0]) : "."
    }

    /// True if a text has one of the words. Most texts have none, and a regular expression takes far longer to find that out.
    static func contains(_ text: some StringProtocol, anyOf words: [String]) -> Bool {
        words.contains { text.range(of: $0, options: .literal) != nil }
    }

    static func imports(of file: URL) throws -> [String] {
        let line =
            #/^\s*(?:@\S+ )*(?:public |internal |private |package )?import (?:struct |class |enum |func |protocol )?(\w+)/#
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { text in
            text.prefixMatch(of: line).map { String($0.1) }
        }
    }
}
