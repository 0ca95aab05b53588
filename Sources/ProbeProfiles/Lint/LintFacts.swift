public import FoundationEssentials
public import ProbeKit

/// What is known beside a profile; every part may be missing, and rules without their facts say nothing.
public struct LintFacts: Sendable {
    /// What each service serves, by its label like `production/api`.
    public var chains: [String: ConnectionEvidence]
    /// What each model rule's hosts publish, by the rule's place in the profile.
    public var lists: [Int: ModelReading]
    /// When the release after the one that carries the profile is expected.
    public var nextRelease: Date?
    /// The domains under which anyone can register.
    public var publicSuffixes: PublicSuffixList?
    /// The CAA records of the domain.
    public var caa: [CAARecord]
    /// Certificates that pins may be of though no server presents them, such as a backup CA's.
    public var certificates: [CertificateEvidence]

    /// Facts of their parts.
    public init(
        chains: [String: ConnectionEvidence] = [:], lists: [Int: ModelReading] = [:], nextRelease: Date? = nil,
        publicSuffixes: PublicSuffixList? = nil, caa: [CAARecord] = [], certificates: [CertificateEvidence] = []
    ) {
        self.chains = chains
        self.lists = lists
        self.nextRelease = nextRelease
        self.publicSuffixes = publicSuffixes
        self.caa = caa
        self.certificates = certificates
    }
}
