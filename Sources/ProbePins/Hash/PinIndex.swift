public import ProbeKit

/// Pins of any kind and number, prepared for the one question of the hash path: does this certificate have one of them?
///
/// It costs one walk over the certificate and one digest for each kind that is pinned, however many pins there are.
public struct PinIndex: Sendable {
    /// The pinned SubjectPublicKeyInfos, if there are any.
    public let spki: PinDigestSet?
    /// The pinned raw keys, if there are any.
    public let rawKey: PinDigestSet?
    /// The pinned certificates, if there are any.
    public let cert: PinDigestSet?

    /// Creates an index of `pins`, each of its own kind.
    public init(_ pins: some Sequence<Pin>) {
        let kinds = Dictionary(grouping: pins, by: \.kind)
        func set(_ kind: PinKind) -> PinDigestSet? { kinds[kind].map { PinDigestSet($0.map(\.digest)) } }
        (spki, rawKey, cert) = (set(.spki), set(.rawkey), set(.cert))
    }

    /// The digests of one kind, if there are any.
    public subscript(kind: PinKind) -> PinDigestSet? {
        switch kind {
        case .cert: cert
        case .spki: spki
        case .rawkey: rawKey
        }
    }

    /// Returns true if a pin is in the index.
    public func contains(_ pin: Pin) -> Bool { self[pin.kind]?.contains(pin.digest) ?? false }

    /// Returns the pin that a certificate's digests match, or nil: the question of every verdict.
    ///
    /// - Parameter counts: returns true if a pin of the index counts; the others are skipped.
    public func match(_ digests: CertificateDigests, where counts: (Pin) -> Bool = { _ in true }) -> Pin? {
        func found(_ kind: PinKind, in set: PinDigestSet?, _ digest: PinDigest) -> Pin? {
            guard let set, set.contains(digest) else { return nil }
            let pin = Pin(kind: kind, digest: digest)
            return counts(pin) ? pin : nil
        }
        return found(.spki, in: spki, digests.spki) ?? found(.rawkey, in: rawKey, digests.rawKey)
            ?? found(.cert, in: cert, digests.cert)
    }

    /// Returns the kind of the pin that matches a certificate's DER, or nil; allocates nothing.
    ///
    /// - Throws: `CertificateFormatError` if the bytes are not a certificate.
    public func match(
        certificate der: Span<UInt8>, digester: some Digester
    ) throws(CertificateFormatError) -> PinKind? {
        let slices = try CertificateSlices(certificate: der)
        if let spki, spki.contains(digester.sha256(der.extracting(slices.spki))) { return .spki }
        if let rawKey, rawKey.contains(digester.sha256(der.extracting(slices.rawKey))) { return .rawkey }
        if let cert, cert.contains(digester.sha256(der)) { return .cert }
        return nil
    }
}
