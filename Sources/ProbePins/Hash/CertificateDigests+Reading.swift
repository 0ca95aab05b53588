public import ProbeKit

extension CertificateDigests {
    /// Creates the digests of a certificate's DER; the key's two come from slices of the same bytes.
    ///
    /// - Throws: `CertificateFormatError` if the bytes are not a certificate.
    public init(certificate der: Span<UInt8>, digester: some Digester) throws(CertificateFormatError) {
        let slices = try CertificateSlices(certificate: der)
        self.init(
            cert: digester.sha256(der), spki: digester.sha256(der.extracting(slices.spki)),
            rawKey: digester.sha256(der.extracting(slices.rawKey)))
    }
}
