import FoundationEssentials
import GRDB
import ProbeKit

// How values stand in the file. What comes out of it is never taken for granted.

extension Date {
    /// Whole milliseconds since 1970, rounded down: what is read back is never in the future of what was written.
    var milliseconds: Int64? { Int64(exactly: (timeIntervalSince1970 * 1000).rounded(.down)) }

    init?(milliseconds value: DatabaseValue) {
        guard let milliseconds = Int64.fromDatabaseValue(value) else { return nil }
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension CacheKey {
    var arguments: StatementArguments { [kind.rawValue, Data(digest.bytes)] }
}

extension Baseline {
    /// The digests one after another, each certificate's before its key's.
    var stored: [UInt8] { chain.flatMap { $0.cert.bytes + $0.spki.bytes } }

    init?(stored bytes: [UInt8], instant: Date) {
        guard bytes.count.isMultiple(of: 64) else { return nil }
        let chain = stride(from: 0, to: bytes.count, by: 64).compactMap { start -> Certificate? in
            guard let cert = PinDigest(bytes[start..<start + 32]), let spki = PinDigest(bytes[start + 32..<start + 64])
            else { return nil }
            return Certificate(cert: cert, spki: spki)
        }
        self.init(chain: chain, instant: instant)
    }
}
