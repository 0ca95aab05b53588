import ProbeKit

/// A chain as BoringSSL reads it: each certificate, or the reason why it is malformed.
struct NIOSSLCertificates: Sendable {
    /// The certificates in the order they were presented.
    let readings: [Result<BoringSSLCertificate, BoringSSLError>]

    init(_ chain: [[UInt8]]) {
        readings = chain.map(Self.read)
    }

    /// Each key as BoringSSL encodes it.
    var keys: [KeyReading] { readings.map(Self.key) }

    /// Returns the key of a certificate as BoringSSL encodes it.
    static func readKey(of certificate: [UInt8]) -> KeyReading { key(read(certificate)) }

    private static func read(_ der: [UInt8]) -> Result<BoringSSLCertificate, BoringSSLError> {
        Result { () throws(BoringSSLError) in try BoringSSLCertificate(der: der) }
    }

    private static func key(_ reading: Result<BoringSSLCertificate, BoringSSLError>) -> KeyReading {
        do throws(BoringSSLError) {
            return .spki(try reading.get().spki())
        } catch {
            return .unreadable(error.message)
        }
    }
}
