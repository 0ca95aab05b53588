/// A SHA-256 implementation on the hash path; interchangeable, so that stacks can be compared on one path.
public protocol Digester: Backend {
    /// Returns SHA-256 of `bytes`, without allocating.
    func sha256(_ bytes: Span<UInt8>) -> PinDigest
}
