import Foundation
import ProbeStore
import Synchronization

/// A test's own folder, removed with it, and the messages of stores in it.
final class Scratch: Sendable {
    let folder: String
    private let told = Mutex<[String]>([])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "probe-store-\(UUID())").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: StorePath { StorePath("\(folder)/cache.sqlite") }
    var messages: [String] { told.withLock(\.self) }

    func store(_ path: StorePath? = nil, pause: Duration = .zero) throws -> SuccessStore {
        try SuccessStore(path ?? self.path, pause: pause) { message in self.told.withLock { $0.append(message) } }
    }

    func bytes(_ name: String = "cache.sqlite") throws -> Data {
        try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    }

    func write(_ bytes: Data) throws {
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path.description + suffix) }
        try bytes.write(to: URL(filePath: path.description))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.description)
    }

    func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
