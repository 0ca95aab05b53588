import Crypto
import ProbeKit
import Synchronization

/// A digest of the contents of files and of other parts, in the order in which they are read. The files' paths do not count:
/// a configuration that is moved is the same one.
final class FileDigest: FileObserver {
    private let hash = Mutex(SHA256())

    func didRead(_ bytes: [UInt8]) {
        hash.withLock { hash in
            hash.update(data: Array("\(bytes.count):".utf8))
            hash.update(data: bytes)
        }
    }

    func didRead(_ text: String) { didRead(Array(text.utf8)) }

    /// Takes in an identity, whose files have a secret and are not observed: by its certificates alone, for the key is that of
    /// the first one.
    func didRead(_ identity: ClientIdentity) {
        didRead("\(identity.chain.count) certificates")
        for certificate in identity.chain { didRead(certificate) }
    }

    var hex: String { hash.withLock { Hex.encode(Array($0.finalize())) } }
}
