import Foundation
import ProbeConformance
import ProbeExternal
import ProbeKit
import ProbeTestSupport
import Subprocess
import Testing

/// The backends in `Plugins` and `Plugins/clients`, as far as they are built.
enum Plugin {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Plugins")
    static let clients = folder.appending(path: "clients")

    /// Returns the path of a plugin, if its own folder declares that it can run here: a script may exist without the
    /// program that it starts.
    static func program(_ kind: ProgramKind, _ name: String) async throws -> String {
        let home = name == "dnspython" ? "python-ssl" : name
        let isRequired = ProcessInfo.processInfo.environment["PROBE_PLUGINS"] == "all"
        try await checkReady(folder.appending(path: home), name, isRequired: isRequired)
        let search = try ProgramSearch(folders: [folder.path])
        return try #require(search.program(kind, name), "\(kind.rawValue) \(name) is not built").path
    }

    /// Returns the path of a client as it was shipped, if `make clients` has unpacked it.
    ///
    /// - Parameter home: the folder of its program.
    static func client(_ name: String, of home: String) async throws -> String {
        try await checkReady(clients.appending(path: home), name, isRequired: false)
        let search = try ProgramSearch(folders: [clients.path])
        return try #require(search.program(.transport, name), "\(name) is not unpacked").path
    }

    private static func checkReady(_ home: URL, _ name: String, isRequired: Bool) async throws {
        let readiness = try await run(
            .name("make"), arguments: ["-s", "-C", home.path, "ready"], output: .string(limit: 1 << 16),
            error: .discarded)
        if !readiness.terminationStatus.isSuccess, !isRequired {
            try skip("\(name) can't run here: \(readiness.standardOutput)")
        }
    }

    /// Returns the plugins' declared exemptions.
    static func exemptions() throws -> ConformanceExemptions {
        let homes = try [folder, clients].flatMap {
            try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
        }
        return try ConformanceExemptions.read(
            homes.map { $0.appending(path: "exemptions.json").path }.filter(FileManager.default.fileExists).sorted())
    }
}
