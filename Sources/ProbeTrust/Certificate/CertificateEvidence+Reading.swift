public import ProbeKit
public import ProbePins

extension CertificateEvidence {
    /// Reads a certificate and adds the key as the stack decodes it.
    public init(der: [UInt8], source: Source, stackKey: KeyReading, digester: any Digester = SwiftCryptoDigester()) {
        self.init(der: der, source: source, stackKey: stackKey, digester: digester, readsDetails: true)
    }

    /// Creates the same evidence, without the details if reading them would take too long.
    package init(
        der: [UInt8], source: Source, stackKey: KeyReading, digester: any Digester = SwiftCryptoDigester(),
        readsDetails: Bool
    ) {
        let digests = Result { () throws(CertificateFormatError) in
            try CertificateDigests(certificate: der.span, digester: digester)
        }
        let stackSPKI: PinDigest? =
            if case .spki(let bytes) = stackKey { digester.sha256(bytes.span) } else { nil }
        self.init(
            der: der, source: source, digests: digests, stackKey: stackKey, stackSPKI: stackSPKI,
            details: readsDetails ? try? CertificateDetails(certificate: der) : nil)
    }
}
