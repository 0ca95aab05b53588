import ProbeKit
import ProbePlatform
import ProbeTrust

/// Java's own key store format (JKS), as `cacerts` was in up to Java 17: the trusted certificates of one.
///
/// The digest at its end needs the store's password and is not checked.
enum JavaKeyStore {
    private static let magic: [UInt8] = [0xfe, 0xed, 0xfe, 0xed]

    static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    static func certificates(in bytes: [UInt8], from path: String) throws(InputError) -> [[UInt8]] {
        var reader = Reader(rest: bytes[...].dropFirst(magic.count))
        guard let version = reader.integer(4), version == 1 || version == 2, let count = reader.integer(4) else {
            throw broken(path)
        }
        var certificates: [[UInt8]] = []
        for _ in 0..<count {
            guard let kind = reader.integer(4), reader.block(2) != nil, reader.take(8) != nil else {
                throw broken(path)
            }
            switch kind {
            case 1:
                // A private key and its chain, which nobody trusts for being here.
                guard reader.block(4) != nil, let length = reader.integer(4) else { throw broken(path) }
                for _ in 0..<length {
                    guard reader.certificate(version) != nil else { throw broken(path) }
                }
            case 2:
                guard let certificate = reader.certificate(version) else { throw broken(path) }
                certificates.append(Array(certificate))
            default: throw broken(path)
            }
        }
        guard !certificates.isEmpty else {
            throw InputError(
                "\(path) has no trusted certificate", remedy: "give a trust store like Java's cacerts", source: .file)
        }
        return try CertificateFile.read(Array(certificates.map(CertificateFile.pem).joined().utf8), from: path)
    }

    private static func broken(_ path: String) -> InputError {
        InputError("\(path) is a broken Java key store", remedy: "check it with keytool -list", source: .file)
    }

    /// Big-endian numbers, and what they are the length of.
    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func integer(_ bytes: Int) -> Int? { take(bytes).map { $0.reduce(0) { $0 << 8 | Int($1) } } }

        mutating func block(_ lengthBytes: Int) -> ArraySlice<UInt8>? { integer(lengthBytes).flatMap { take($0) } }

        /// A certificate, before which version 2 has its type.
        mutating func certificate(_ version: Int) -> ArraySlice<UInt8>? {
            if version == 2, block(2) == nil { return nil }
            return block(4)
        }
    }
}
