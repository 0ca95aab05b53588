public import ProbeKit
public import ProbePlatform

/// Certificates that a hostile server could send to keep a verifier busy: a family, and a seed for their number, length
/// and depth. The same family and seed give certificates of the same shape, with keys of their own.
public struct HostileChain: Sendable {
    /// The kind of work.
    public enum Family: String, CaseIterable, Sendable {
        /// Certificates with subjects of kilobytes, expired.
        case longSubjects = "long-subjects"
        /// Subjects outside ASCII, which are slower to compare.
        case unicodeSubjects = "unicode-subjects"
        /// A leaf with thousands of attributes in its name.
        case manyAttributes = "many-attributes"
        /// Names of thousands of attributes in the alternative names and constraints.
        case directoryNames = "directory-names"
        /// The maximum number of unknown extensions that are read, in each certificate.
        case manyExtensions = "many-extensions"
        /// Name constraints of every type against names of every type.
        case constraints
        /// Alternative names by the thousand.
        case alternativeNames = "alternative-names"
        /// Issuers of one name and key.
        case sameKey = "same-key"
        /// Issuers of one name, with keys on P-256.
        case namesakesP256 = "namesakes-p256"
        /// The same with keys on P-384.
        case namesakesP384 = "namesakes-p384"
        /// The same with keys on P-521.
        case namesakesP521 = "namesakes-p521"
        /// The same with keys of Ed25519.
        case namesakesEd25519 = "namesakes-ed25519"
        /// The same with RSA keys of 4096 bits.
        case namesakesRSA4096 = "namesakes-rsa-4096"
        /// The same with RSA keys of 8192 bits.
        case namesakesRSA8192 = "namesakes-rsa-8192"
        /// The same with RSA keys of 8192 bits and the longest exponent that is computed with.
        case namesakesSlowRSA = "namesakes-rsa-8192-exponent"
        /// Several certificates for each step of a path, with long names, expired: thousands of complete paths to refuse.
        case ladders
        /// CAs that each certify each other.
        case mesh
        /// Meshes without an anchor.
        case meshWithoutAnchor = "mesh-without-anchor"
        /// Paths as long as they may be, and longer.
        case longPaths = "long-paths"
        /// Staples with as many entries and responders as the verifier reads.
        case staples
        /// Thousands of small certificates, and malformed ones.
        case crowds
        /// Random bytes changed in certificates of the other families.
        case damaged
    }

    /// The kind of work.
    public let family: Family
    /// The seed it was made from.
    public let seed: UInt64
    /// The leaf first.
    public var chain: [[UInt8]]
    /// The trusted certificates.
    public var anchors: [[UInt8]]
    /// The leaf's staple.
    public var staple: TrustQuestion.Staple = .notAsked

    /// The instant they are to be judged at.
    public static let instant = Date(timeIntervalSince1970: 1_790_000_000)

    /// Returns a chain of a family.
    public static func make(_ family: Family, seed: UInt64) -> HostileChain {
        var maker = HostileChainMaker(family: family, seed: seed)
        return maker.make()
    }

    /// Returns the question whether it is trusted for the name its leaf has.
    public func question(anchors: TrustAnchors? = nil) throws(InputError) -> TrustQuestion {
        TrustQuestion(
            chain: chain, anchors: anchors ?? TrustAnchors(name: "hostile", certificates: self.anchors),
            name: try ServerName("good.test"), instant: Self.instant, staple: staple)
    }

    /// The size in bytes.
    public var byteCount: Int { chain.reduce(0) { $0 + $1.count } }
}
