import ProbeKit

/// Certificates as GnuTLS reads them.
enum GnuTLSCertificates {
    /// A chain that GnuTLS could parse, or the first certificate it could not.
    enum Import {
        case readable([GnuTLSCertificate])
        case unreadable(depth: Int, GnuTLSErrorCode)
    }

    /// Parses every certificate of a chain.
    static func read(_ chain: [[UInt8]]) -> Import {
        var certificates: [GnuTLSCertificate] = []
        for der in chain {
            do throws(GnuTLSErrorCode) {
                certificates.append(try GnuTLSCertificate(der: der))
            } catch {
                return .unreadable(depth: certificates.count, error)
            }
        }
        return .readable(certificates)
    }

    /// The key of a certificate as GnuTLS encodes it.
    static func readKey(of certificate: [UInt8]) -> KeyReading {
        do throws(GnuTLSErrorCode) {
            let key = try GnuTLSPublicKey(of: GnuTLSCertificate(der: certificate))
            return .spki(try key.spki())
        } catch {
            return .unreadable("\(error.name): \(error.message)")
        }
    }
}
