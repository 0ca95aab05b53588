import Foundation
import ProbeKit

/// The file that results are shown in: what says what is checked, or the workflow that runs the check.
public struct SARIFSource: Sendable {
    /// A reference relative to the repository, or an absolute `file:` URL.
    public let uri: String
    /// True if the file is part of the repository.
    public let isInRepository: Bool
    private let lines: [Substring]

    /// Creates the source of a file that was named; nil where nobody could look it up again, like a pipe.
    ///
    /// The file is read for its lines, of at most 4 MiB.
    ///
    /// - Parameters:
    ///   - path: the file, relative to the current folder or absolute.
    ///   - environment: the variables of the process, for the workspace of a runner of GitHub's or GitLab's.
    public init?(file path: String, environment: [String: String]) {
        let file = URL(filePath: path).standardizedFileURL
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
        let within = Self.path(of: file, below: Self.repository(of: file, environment))
        isInRepository = within != nil
        let shown = within ?? "file://" + file.path
        uri = shown.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.union([":"])) ?? shown
        let bytes = (try? InputFile.bytes(of: file.path, limit: 4 << 20, kind: "profile")) ?? []
        lines = String(decoding: bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// Creates the source of the workflow that runs the check, as GitHub and GitLab name it; nil elsewhere.
    ///
    /// - Parameter environment: the variables of the process.
    public init?(workflowOf environment: [String: String]) {
        // OWNER/REPOSITORY/PATH@REF
        let workflow = environment["GITHUB_WORKFLOW_REF"].flatMap { reference in
            reference.prefix { $0 != "@" }.split(separator: "/", maxSplits: 2).dropFirst(2).first.map(String.init)
        }
        guard let path = workflow ?? environment["CI_CONFIG_PATH"], !path.isEmpty, !path.contains("@") else {
            return nil
        }
        uri = path
        isInRepository = true
        lines = []
    }

    /// The line that names a service or its host, else the nearest name above, whose rule may reach the host; the first of the
    /// file where none does.
    func line(naming subject: String, service: String?) -> Int {
        let host = try? Endpoint(subject, defaultPort: 443).host
        let name = host.map { "\($0)" } ?? subject
        if let start = service.flatMap({ index(of: $0) }) {
            return (index(naming: name, from: start) ?? start) + 1
        }
        let above = host?.sni == nil ? [] : Self.parents(of: name)
        for names in [[name]] + above.map({ ["\($0)", ".\($0)", "*.\($0)"] }) {
            if let line = lines.firstIndex(where: { line in names.contains { Self.has($0, in: line) } }) {
                return line + 1
            }
        }
        return 1
    }

    /// Returns the index of the line that names a service, whose label may begin with its environment's name and `/`: no line has
    /// such a label as a whole, and other environments have services of the same name.
    private func index(of service: String) -> Int? {
        if let line = index(naming: service) { return line }
        for slash in service.indices where service[slash] == "/" {
            let (environment, name) = (service[..<slash], service[service.index(after: slash)...])
            guard let outer = index(naming: String(environment)) else { continue }
            if let inner = index(naming: String(name), from: outer) { return inner }
        }
        return nil
    }

    private func index(naming name: String, from start: Int = 0) -> Int? {
        lines.indices.dropFirst(start).first { Self.has(name, in: lines[$0]) }
    }

    /// Returns the names above a name that have two labels at least, the nearest first.
    private static func parents(of name: String) -> [String] {
        let labels = name.split(separator: ".")
        guard labels.count > 2 else { return [] }
        return (1...labels.count - 2).map { labels.dropFirst($0).joined(separator: ".") }
    }

    /// Returns true if a line has a name as a whole, and not as a part of another.
    private static func has(_ name: String, in line: Substring) -> Bool {
        var rest = line
        while let found = rest.range(of: name, options: .caseInsensitive) {
            let before = found.lowerBound == line.startIndex ? nil : line[line.index(before: found.lowerBound)]
            let after = found.upperBound == line.endIndex ? nil : line[found.upperBound]
            if ![before, after].contains(where: { $0.map(isOfName) ?? false }) { return true }
            rest = line[found.upperBound...]
        }
        return false
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "-._".contains(character)
    }

    /// The folder that references are relative to: the runner's workspace, else the repository around the file, else the
    /// current folder.
    private static func repository(of file: URL, _ environment: [String: String]) -> URL {
        if let workspace = environment["GITHUB_WORKSPACE"] ?? environment["CI_PROJECT_DIR"], !workspace.isEmpty {
            return URL(filePath: workspace).standardizedFileURL
        }
        var folder = file.deletingLastPathComponent()
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appending(path: ".git").path) { return folder }
            folder = folder.deletingLastPathComponent()
        }
        return URL(filePath: FileManager.default.currentDirectoryPath).standardizedFileURL
    }

    /// Returns a file's path below a folder; nil outside. A runner may name its workspace by a link, while the current folder is
    /// known by its path behind all links (getcwd(3)), so that paths count too as they are without links. The file keeps its own name.
    private static func path(of file: URL, below folder: URL) -> String? {
        let behind = file.deletingLastPathComponent().resolvingSymlinksInPath().appending(path: file.lastPathComponent)
        for (file, folder) in [(file.path, folder.path), (behind.path, folder.resolvingSymlinksInPath().path)] {
            let start = folder.hasSuffix("/") ? folder : folder + "/"
            if file.hasPrefix(start) { return String(file.dropFirst(start.count)) }
        }
        return nil
    }
}
