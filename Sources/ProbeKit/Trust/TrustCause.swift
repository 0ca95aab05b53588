/// The reason why a chain is not trusted: the closed set that every stack's native codes map to.
///
/// The order of the cases is the order of precedence: if a chain fails for several causes, the first one is reported as
/// the cause, and all are listed.
@nonexhaustive public enum TrustCause: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    case malformed
    case tooComplex = "too-complex"
    case badSignature = "bad-signature"
    case revoked
    case selfSigned = "self-signed"
    case unknownIssuer = "unknown-issuer"
    case constraintViolated = "constraint-violated"
    case wrongPurpose = "wrong-purpose"
    case weakSignature = "weak-signature"
    case weakKey = "weak-key"
    case expired
    case notYetValid = "not-yet-valid"
    case hostnameMismatch = "hostname-mismatch"
    case other

    /// Returns true if the left cause takes precedence.
    public static func < (left: TrustCause, right: TrustCause) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
