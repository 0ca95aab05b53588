/// What a stack's own library costs from C, with nothing of ours around it: what the hash path is measured against.
public protocol DigestFloor: Sendable {
    /// The digester of the same library.
    associatedtype Stack: Digester

    /// What is measured.
    var digester: Stack { get }

    /// SHA-256 of `bytes`, `rounds` times over in C, by the library's own functions for a message.
    func sha256(_ bytes: Span<UInt8>, rounds: Int) -> PinDigest

    /// SHA-256 of a certificate's SubjectPublicKeyInfo by way of the library's own certificate parser, `rounds` times over
    /// in C. Nil when the library can't read the certificate.
    func keySHA256(certificate der: Span<UInt8>, rounds: Int) -> PinDigest?
}
