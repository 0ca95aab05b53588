public import ProbeKit
public import ProbePins

extension CertificateEvidence {
    /// Reads a certificate and adds the key as the stack decodes it.
    public init(der: [UInt8], source: Source, stackKey: KeyReading, digester: any Digester = SwiftCryptoDigester()) {
        self.init(ReadCertificate(der), source: source, stackKey: stackKey, digester: digester)
    }

    /// Creates the same evidence, without the details if reading them would take too long.
    package init(
        _ certificate: ReadCertificate, source: Source, stackKey: KeyReading,
        digester: any Digester = SwiftCryptoDigester(), showsDetails: Bool = true
    ) {
        let der = certificate.der
        let digests = Result { () throws(CertificateFormatError) in
            try CertificateDigests(certificate: der.span, digester: digester)
        }
        let stackSPKI: PinDigest? =
            if case .spki(let bytes) = stackKey { digester.sha256(bytes.span) } else { nil }
        self.init(
            certificate, source: source, digests: digests, stackKey: stackKey, stackSPKI: stackSPKI,
            showsDetails: showsDetails)
    }
}
