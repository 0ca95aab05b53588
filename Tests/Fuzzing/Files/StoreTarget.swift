import Foundation
import FuzzBytes
import ProbeKit
import ProbePins
import ProbeRun
import ProbeStore

extension FuzzTarget {
    /// The file that is kept between runs, with hostile content: what it remembers is read twice as the same, and a
    /// success can be remembered afterwards, or the reason why not is reported.
    static let storeFile = FuzzTarget(waiting: "store-file", upTo: 24_576) { bytes in
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-fuzz-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "probe.sqlite")
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        else { throw FuzzFinding("the file can't be written") }
        let told = Told()
        let store = try SuccessStore(StorePath(file.path)) { told.add($0) }
        let first = await store.contents()
        let second = await store.contents()
        try hold(
            first?.successes.count == second?.successes.count || told.count > 0, "two readings of the file differ")
        _ = await store.baseline(for: "a.test:443")
        let key = CacheKey(kind: .pins, digest: PinDigest.sha256(of: bytes))
        let instant = Date(timeIntervalSince1970: 1_790_000_000)
        await store.recordSuccess(of: key, at: instant, for: .pins)
        let remembered = await store.lastSuccess(of: key)
        try hold(remembered == instant || told.count > 0, "a success is not remembered, and no reason is reported")
    }
}

/// The reported reasons.
private final class Told: @unchecked Sendable {
    private let lock = NSLock()
    private var messages = 0

    var count: Int { lock.withLock { messages } }

    func add(_ message: String) { lock.withLock { messages += 1 } }
}
