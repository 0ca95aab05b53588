import Foundation
import ProbePlatform

/// A folder for a partner's files, removed with it.
final class PartnerFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "probekit-partner-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Waits until no process works in the folder or was started with a file of it: one that left the partner's process
    /// group would stay for good.
    ///
    /// - Throws: ``PartnerProcess/StartError`` with the command lines of those that stay, which are killed.
    func waitUntilLeft() async throws {
        let end = ContinuousClock.now + .seconds(1500)
        while ContinuousClock.now < end {
            if inhabitants.isEmpty { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        let stayed = inhabitants
        for process in stayed { kill(process.number, SIGKILL) }
        throw PartnerProcess.StartError(description: "left behind: \(stayed.map(\.command))")
    }

    private var inhabitants: [(number: pid_t, command: String)] {
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name in
            guard let number = pid_t(name) else { return nil }
            // `String(contentsOfFile:)` ends with the first page of a file of procfs.
            let words = FileHandle(forReadingAtPath: "/proc/\(name)/cmdline")
            let command = String(decoding: (try? words?.readToEnd()) ?? Data(), as: UTF8.self)
            let place = (try? files.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd")) ?? ""
            guard command.contains(path) || place.hasPrefix(path) else { return nil }
            return (number, command.replacing("\0", with: " "))
        }
    }

    /// Writes a file and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Writes a file of bytes and returns its path.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }
}
