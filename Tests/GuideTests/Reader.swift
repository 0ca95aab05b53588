import Foundation
import Testing

/// Somebody who follows a guide to the letter.
///
struct Reader {
    /// The folder of ProbeKit.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().standardizedFileURL

    private var folder = Reader.root
    private var output = ""
    /// The folders the guide makes.
    private var made: Set<URL> = []

    /// Takes every step.
    static func follow(_ guide: Guide) throws {
        var reader = Reader()
        defer { for folder in reader.made { try? FileManager.default.removeItem(at: folder) } }
        for step in guide.steps { try reader.take(step) }
    }

    private mutating func take(_ step: Guide.Step) throws {
        switch step {
        case .commands(let lines):
            for line in lines { try run(line) }
        case .file(let path, let text):
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            // A reader knows where ProbeKit is.
            try Data(text.replacing("/path/to/ProbeKit", with: Self.root.path).utf8).write(to: file)
        case .output(let lines):
            for line in lines { #expect(output.contains(line), "'\(line)' is not in what was printed:\n\(output)") }
        }
    }

    private mutating func run(_ line: String) throws {
        if line.hasPrefix("cd ") {
            folder = URL(filePath: String(line.dropFirst(3)))
            return
        }
        // What a guide makes, nobody else's may be in the place of.
        for name in line.split(separator: " ") where name.hasPrefix("/tmp/") {
            let place = URL(filePath: String(name))
            try #require(
                made.contains(place) || !FileManager.default.fileExists(atPath: place.path),
                "\(place.path) is there already: move it away, the guide makes it")
            made.insert(place)
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

    /// A `swift` that builds into a folder for guides wherever it is called, as `swift test` keeps its own locked: what
    /// ProbeKit depends on is built once, not once for each package.
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
