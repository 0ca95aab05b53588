import Foundation
import Testing

/// A reader who follows a guide to the letter, with a folder of their own for a guide's `/tmp`: two readers on one
/// machine, or one that was killed, do not affect each other.
struct Reader {
    /// The folder of ProbeKit.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().standardizedFileURL

    private var folder = Reader.root
    private var output = ""
    private let temporary: URL

    /// Takes every step.
    static func follow(_ guide: Guide) throws {
        let temporary = FileManager.default.temporaryDirectory.appending(path: "probe-guide-\(UUID())")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: temporary) }
        var reader = Reader(temporary: temporary)
        for step in guide.steps { try reader.take(step) }
    }

    private init(temporary: URL) {
        self.temporary = temporary
    }

    /// Returns a guide's text with the places of this reader in it.
    private func here(_ text: String) -> String {
        text.replacing("/tmp/", with: temporary.path + "/").replacing("/path/to/ProbeKit", with: Self.root.path)
    }

    private mutating func take(_ step: Guide.Step) throws {
        switch step {
        case .commands(let lines):
            for line in lines { try run(here(line)) }
        case .file(let path, let text):
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(here(text).utf8).write(to: file)
        case .output(let lines):
            for line in lines.map(here) {
                #expect(output.contains(line), "'\(line)' is not in what was printed:\n\(output)")
            }
        }
    }

    private mutating func run(_ line: String) throws {
        if line.hasPrefix("cd ") {
            folder = URL(filePath: String(line.dropFirst(3)))
            return
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "-s", "KILL", "1800", "bash", "-o", "pipefail", "-euc", line]
        process.currentDirectoryURL = folder
        var environment = ProcessInfo.processInfo.environment
        let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
        environment["PATH"] = "\(Self.sharingSwift.path):\(programs):\(environment["PATH"] ?? "")"
        process.environment = environment
        let pipe = Pipe()
        (process.standardOutput, process.standardError, process.standardInput) = (pipe, pipe, FileHandle.nullDevice)
        try process.run()
        output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        try #require(
            process.terminationStatus == 0, "'\(line)' ended with \(process.terminationStatus):\n\(output.suffix(4000))"
        )
    }

    /// A `swift` that builds into a folder for guides wherever it is called, as `swift test` keeps its own locked:
    /// ProbeKit's dependencies are built once, not once for each package.
    private static let sharingSwift: URL = {
        let folder = root.appending(path: ".build-guides/bin")
        let script = """
            #!/bin/sh
            command=$1
            shift
            exec \(swift) "$command" --scratch-path "\(root.path)/.build-guides" "$@"
            """
        let file = folder.appending(path: "swift")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(script.utf8).write(to: file)
        try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return folder
    }()

    private static let swift: String = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/swift" }.first(where: FileManager.default.isExecutableFile)
            ?? "/usr/bin/swift"
    }()
}
