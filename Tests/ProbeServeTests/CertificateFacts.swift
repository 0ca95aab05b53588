import ProbeKit
import ProbePins
import ProbePlatform
import SwiftASN1
import X509

/// Facts about a certificate of the lab.
enum CertificateFacts {
    /// Returns the pin of its key.
    static func spki(of der: [UInt8]) throws -> String {
        try CertificateDigests(certificate: der.span, digester: SwiftCryptoDigester()).spki.hex
    }

    /// Returns the start of its validity.
    static func start(of der: [UInt8]) throws -> Date { try Certificate(derEncoded: der).notValidBefore }

    /// Returns the end of its validity.
    static func end(of der: [UInt8]) throws -> Date { try Certificate(derEncoded: der).notValidAfter }
}
