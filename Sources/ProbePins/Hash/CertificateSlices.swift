public import ProbeKit

/// The positions of a certificate's pinnable parts in its DER: the first half of the hash path.
///
/// The walk reads tags and lengths only, allocates nothing, and never leaves the bytes it is given. It is strict: DER
/// lengths in their shortest form, the exact structure of RFC 5280 section 4.1 down to the key, no bytes left over. It
/// does not look at the values of the fields: the verifier does.
public struct CertificateSlices: Hashable, Sendable {
    /// The whole SubjectPublicKeyInfo element.
    public let spki: Range<Int>
    /// The content of its BIT STRING without the count of unused bits: the key as Apple's frameworks export it.
    public let rawKey: Range<Int>

    /// The largest accepted certificate, in bytes; real ones have one to four thousand.
    public static let maximumBytes = 1 << 20

    /// Finds the slices in a certificate's DER.
    ///
    /// - Throws: `CertificateFormatError` naming the field and the offset.
    public init(certificate der: Span<UInt8>) throws(CertificateFormatError) {
        if let usual = CommonLayout(der) {
            (spki, rawKey) = (usual.spki, usual.rawKey)
        } else {
            self = try Self.walk(der)
        }
    }

    /// The authoritative strict walk; ``CommonLayout`` recognizes a subset of what it accepts.
    @inline(never)
    package static func walk(_ der: Span<UInt8>) throws(CertificateFormatError) -> CertificateSlices {
        guard der.count <= Self.maximumBytes else { throw .init(.tooLarge, at: "Certificate", offset: 0) }
        var outer = DERCursor(der)
        var certificate = try outer.enter(.sequence, "Certificate", der)
        try outer.end("Certificate")

        var tbs = try certificate.enter(.sequence, "TBSCertificate", der)
        try tbs.skipIfPresent(.contextConstructed0, "version", der)
        try tbs.skip(.integer, "serialNumber", der)
        try tbs.skip(.sequence, "signature", der)
        try tbs.skip(.sequence, "issuer", der)
        try tbs.skip(.sequence, "validity", der)
        try tbs.skip(.sequence, "subject", der)
        let spkiStart = tbs.offset
        var info = try tbs.enter(.sequence, "subjectPublicKeyInfo", der)
        let spki = unsafe Range(uncheckedBounds: (spkiStart, tbs.offset))
        let rawKey = try Self.key(in: &info, der)

        // The fields after the key in the TBSCertificate are optional; they only have to be whole elements.
        while !tbs.isAtEnd { try tbs.skipAny("TBSCertificate", der) }
        try certificate.skip(.sequence, "signatureAlgorithm", der)
        try certificate.skip(.bitString, "signatureValue", der)
        try certificate.end("Certificate")
        return CertificateSlices(spki: spki, rawKey: rawKey)
    }

    private init(spki: Range<Int>, rawKey: Range<Int>) {
        (self.spki, self.rawKey) = (spki, rawKey)
    }

    /// Finds the raw key in a separate SubjectPublicKeyInfo, as in a public key file.
    ///
    /// - Throws: `CertificateFormatError` naming the field and the offset.
    public init(spki der: Span<UInt8>) throws(CertificateFormatError) {
        guard der.count <= Self.maximumBytes else { throw .init(.tooLarge, at: "SubjectPublicKeyInfo", offset: 0) }
        var outer = DERCursor(der)
        var info = try outer.enter(.sequence, "SubjectPublicKeyInfo", der)
        try outer.end("SubjectPublicKeyInfo")
        spki = 0..<der.count
        rawKey = try Self.key(in: &info, der)
    }

    @inline(__always)
    private static func key(in info: inout DERCursor, _ der: Span<UInt8>) throws(CertificateFormatError) -> Range<Int> {
        try info.skip(.sequence, "algorithm", der)
        let bits = try info.read(.bitString, "subjectPublicKey", der)
        try info.end("subjectPublicKeyInfo")
        // A range that was read is within the bytes.
        guard !bits.isEmpty, unsafe der[unchecked: bits.lowerBound] == 0 else {
            throw .init(.unusedBits, at: "subjectPublicKey", offset: bits.lowerBound)
        }
        return unsafe Range(uncheckedBounds: (bits.lowerBound &+ 1, bits.upperBound))
    }
}

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
