/// The cost of a stack's own library called directly from C: the baseline for the hash path.
public protocol DigestFloor: Sendable {
    /// The digester of the same library.
    associatedtype Stack: Digester

    /// The stack being measured.
    var digester: Stack { get }

    /// Returns SHA-256 of `bytes`, `rounds` times over in C, by the library's own functions for a message.
    func sha256(_ bytes: Span<UInt8>, rounds: Int) -> PinDigest

    /// SHA-256 of a certificate's SubjectPublicKeyInfo by way of the library's own certificate parser, `rounds` times over
    /// in C. Nil when the library can't read the certificate.
    func keySHA256(certificate der: Span<UInt8>, rounds: Int) -> PinDigest?
}
