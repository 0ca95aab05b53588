public import ProbeKit
public import ProbePlatform

/// Facts beside a profile; all are optional, and rules without their facts find nothing.
public struct LintFacts: Sendable {
    /// The evidence from each service, by its label like `production/api`.
    public var chains: [String: ConnectionEvidence]
    /// The reason why a chain is refused though its path is known, by the service's label: its dates, or its name.
    public var refusals: [String: TrustReading.Problem] = [:]
    /// True if the chains are from files, and servers may present others.
    public var areSupplied = false
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
    /// The certificates that services are compared with, by the service's label; of a service without an entry only the
    /// number of its files is known.
    package var compared: [String: [CertificateEvidence]] = [:]

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

/// A CAA record (RFC 8659): the CAs that may issue for a domain. Clients must not read it; an operator who plans to
/// fail over to another CA has to.
public struct CAARecord: Hashable, Sendable {
    /// The property, like `issue`, in lowercase.
    public let tag: String
    /// The authority's domain in lowercase; empty forbids issuance.
    public let issuer: String

    /// Reads a record's data as zone files write it: `0 issue "letsencrypt.org; account=1"`.
    ///
    /// - Throws: ``InputError`` naming the text.
    public init(_ text: String) throws(InputError) {
        let shape = #/\s*(?<flags>\d{1,3})\s+(?<tag>[A-Za-z0-9]+)\s+(?:"(?<quoted>[^"]*)"|(?<bare>[^\s"]+))\s*/#
        guard let match = text.wholeMatch(of: shape), UInt8(match.flags) != nil else {
            throw InputError(
                "'\(text)' is not a CAA record",
                remedy: "write it as a zone file does, like 0 issue \"letsencrypt.org\"")
        }
        tag = match.tag.lowercased()
        let value = match.quoted ?? match.bare ?? ""
        issuer = (value.split(separator: ";", omittingEmptySubsequences: false).first ?? "")
            .trimming(while: \.isWhitespace).lowercased()
    }
}

extension Substring {
    fileprivate func trimming(while isBlank: (Character) -> Bool) -> Substring {
        let start = drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? ""
    }
}
