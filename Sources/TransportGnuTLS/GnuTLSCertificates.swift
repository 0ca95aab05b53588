import ProbeKit

/// A chain as GnuTLS reads it: each certificate, or the reason why it is malformed.
struct GnuTLSCertificates: Sendable {
    /// The certificates in the order they were presented.
    let readings: [Result<GnuTLSCertificate, GnuTLSErrorCode>]

    init(_ chain: [[UInt8]]) {
        readings = chain.map(Self.read)
    }

    /// Each key as GnuTLS encodes it.
    var keys: [KeyReading] { readings.map(Self.key) }

    /// Returns the key of a certificate as GnuTLS encodes it.
    static func readKey(of certificate: [UInt8]) -> KeyReading { key(read(certificate)) }

    private static func read(_ der: [UInt8]) -> Result<GnuTLSCertificate, GnuTLSErrorCode> {
        Result { () throws(GnuTLSErrorCode) in try GnuTLSCertificate(der: der) }
    }

    private static func key(_ reading: Result<GnuTLSCertificate, GnuTLSErrorCode>) -> KeyReading {
        do throws(GnuTLSErrorCode) {
            return .spki(try GnuTLSPublicKey(of: reading.get()).spki())
        } catch {
            return .unreadable("\(error.name): \(error.message)")
        }
    }
}
