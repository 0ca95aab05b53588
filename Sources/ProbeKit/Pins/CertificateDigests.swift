/// The three digests of one certificate that pins are compared with.
public struct CertificateDigests: Hashable, Sendable {
    /// SHA-256 of the whole certificate.
    public let cert: PinDigest
    /// SHA-256 of its SubjectPublicKeyInfo.
    public let spki: PinDigest
    /// SHA-256 of the key inside that.
    public let rawKey: PinDigest

    /// Creates digests of a certificate that need not exist, for forecasts.
    public init(cert: PinDigest, spki: PinDigest, rawKey: PinDigest) {
        self.cert = cert
        self.spki = spki
        self.rawKey = rawKey
    }

    /// The digest that a pin of a kind is compared with.
    public subscript(kind: PinKind) -> PinDigest {
        switch kind {
        case .cert: cert
        case .spki: spki
        case .rawkey: rawKey
        }
    }
}
