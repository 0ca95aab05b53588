public import FoundationEssentials
public import ProbeKit

/// Facts beside a profile; all are optional, and rules without their facts find nothing.
public struct LintFacts: Sendable {
    /// The evidence from each service, by its label like `production/api`.
    public var chains: [String: ConnectionEvidence]
    /// The published lists of each model rule's hosts, by the rule's index in the profile.
    public var lists: [Int: ModelReading]
    /// The expected date of the release after the one that carries the profile.
    public var nextRelease: Date?
    /// The domains under which anyone can register.
    public var publicSuffixes: PublicSuffixList?
    /// The CAA records of the domain.
    public var caa: [CAARecord]
    /// Certificates that pins may be of though no server presents them, such as a backup CA's.
    public var certificates: [CertificateEvidence]

    /// Creates facts.
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
