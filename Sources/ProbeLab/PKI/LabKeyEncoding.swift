/// The encoding of a certificate's public key. The odd ones are those that stacks are known to decode differently.
public enum LabKeyEncoding: String, Hashable, Sendable, CaseIterable {
    /// The encoding of RFC 3279, 5480 and 8410.
    case standard
    /// An RSA AlgorithmIdentifier without its NULL (RFC 3279 section 2.3.1 demands it).
    case rsaWithoutNull = "rsa-without-null"
    /// An EC point in compressed form (RFC 5480 section 2.2 allows it).
    case compressedPoint = "compressed-point"
    /// An RSA key of 8200 bits without a private key, in the place of the real one.
    case giantModulus = "giant-modulus"
    /// An EC point under an unknown algorithm: its identifier is from the arc of examples (2.999).
    case unknownAlgorithm = "unknown-algorithm"
}
