import SwiftASN1
import X509

/// A certificate together with the bytes it was read from.
struct ParsedCertificate: Sendable {
    let der: [UInt8]
    let certificate: Certificate

    static func parse(_ der: [UInt8]) -> Result<ParsedCertificate, UnreadableCertificate> {
        guard der.count <= CertificateSlices.maximumBytes else {
            return .failure(UnreadableCertificate(cause: .malformed, message: "the certificate is larger than 1 MiB"))
        }
        do {
            return .success(ParsedCertificate(der: der, certificate: try Certificate(derEncoded: der)))
        } catch {
            return .failure(UnreadableCertificate(der: der, error: error))
        }
    }
}
