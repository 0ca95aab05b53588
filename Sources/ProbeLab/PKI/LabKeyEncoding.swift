/// How a certificate writes its public key. The odd ones are those that stacks are known to read differently.
public enum LabKeyEncoding: String, Hashable, Sendable, CaseIterable {
    /// As RFC 3279, 5480 and 8410 ask.
    case standard
    /// An RSA AlgorithmIdentifier without its NULL (RFC 3279 section 2.3.1 demands it).
    case rsaWithoutNull = "rsa-without-null"
    /// An EC point in compressed form (RFC 5480 section 2.2 allows it).
    case compressedPoint = "compressed-point"
    /// An RSA key of 8200 bits, which nobody has, in the place of the real one.
    case giantModulus = "giant-modulus"
    /// An EC point under an algorithm nobody knows: its identifier is from the arc of examples (2.999).
    case unknownAlgorithm = "unknown-algorithm"
}
