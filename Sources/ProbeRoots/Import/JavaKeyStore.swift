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
        var reader = OctetReader(bytes.dropFirst(magic.count))
        guard let version = reader.number(4), version == 1 || version == 2, let count = reader.number(4) else {
            throw broken(path)
        }
        var certificates: [[UInt8]] = []
        for _ in 0..<count {
            guard let kind = reader.number(4), reader.vector(2) != nil, reader.take(8) != nil else {
                throw broken(path)
            }
            switch kind {
            case 1:
                // A private key and its chain, which nobody trusts for being here.
                guard reader.vector(4) != nil, let length = reader.number(4) else { throw broken(path) }
                for _ in 0..<length {
                    guard certificate(version, &reader) != nil else { throw broken(path) }
                }
            case 2:
                guard let certificate = certificate(version, &reader) else { throw broken(path) }
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

    /// Reads a certificate, before which version 2 has its type.
    private static func certificate(_ version: UInt64, _ reader: inout OctetReader) -> ArraySlice<UInt8>? {
        if version == 2, reader.vector(2) == nil { return nil }
        return reader.vector(4)
    }
}
