import Crypto
import ProbeKit
import Synchronization

/// A digest of the contents of files, in the order in which they are read. Their paths do not count: a configuration that is
/// moved is the same one.
final class FileDigest: FileObserver {
    private let hash = Mutex(SHA256())

    func didRead(_ bytes: [UInt8]) {
        hash.withLock { hash in
            hash.update(data: Array("\(bytes.count):".utf8))
            hash.update(data: bytes)
        }
    }

    var hex: String { hash.withLock { Hex.encode(Array($0.finalize())) } }
}
