public import ProbeKit

/// One certificate as reports and `probe pins` show it.
public struct CertificateRecord: Encodable, Sendable {
    let index: Int
    let source: CertificateEvidence.Source
    @Always var certSHA256: String?
    @Always var spkiSHA256: String?
    @Always var rawKeySHA256: String?
    @Always var spkiSHA256Base64: String?
    @Always var stackSPKISHA256: String?
    @Always var subject: String?
    @Always var issuer: String?
    @Always var serial: String?
    @Always var notBefore: String?
    @Always var notAfter: String?
    @Always var key: String?
    @Always var signatureAlgorithm: String?
    let dnsNames: [String]
    let ipAddresses: [String]
    @Always var isCA: Bool?
    let bytes: Int
    @Always var error: String?

    /// Creates the record of a certificate at a position.
    public init(_ certificate: CertificateEvidence, index: Int) {
        self.index = index
        source = certificate.source
        bytes = certificate.der.count
        switch certificate.digests {
        case .success(let digests):
            certSHA256 = digests.cert.hex
            spkiSHA256 = digests.spki.hex
            rawKeySHA256 = digests.rawKey.hex
            spkiSHA256Base64 = digests.spki.base64
        case .failure(let failure):
            error = failure.description
        }
        stackSPKISHA256 = certificate.stackSPKI?.hex
        let details = certificate.details
        subject = details?.subject
        issuer = details?.issuer
        serial = details?.serial
        notBefore = details.map { RFC3339.format($0.notBefore) }
        notAfter = details.map { RFC3339.format($0.notAfter) }
        key = details?.key
        signatureAlgorithm = details?.signatureAlgorithm
        dnsNames = details?.dnsNames ?? []
        ipAddresses = details?.ipAddresses ?? []
        isCA = details?.isCA
    }
}
