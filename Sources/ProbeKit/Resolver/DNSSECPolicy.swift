/// The DNSSEC validation that an answer needs before it counts.
public enum DNSSECPolicy: String, Sendable, Codable, CaseIterable {
    /// Signatures are ignored.
    case off
    /// A bogus answer does not count, an unsigned one does.
    case prefer
    /// Only a validated answer counts; the shipped app of requirement 17 asks for this.
    case require

    /// The place in the order of strictness.
    public var rank: Int {
        switch self {
        case .off: 0
        case .prefer: 1
        case .require: 2
        }
    }
}

/// The result of local DNSSEC validation of a reply (RFC 4033 section 5). A remote AD bit has no effect here.
public enum DNSSECState: Hashable, Sendable {
    /// A chain of signatures leads from a trust anchor to the reply.
    case secure
    /// No trust anchor covers the name, or a signed zone proves that this one is not signed.
    case insecure
    /// Signatures should be there and are missing, wrong or out of date; the validator's own words.
    case bogus(String)

    /// The stable name, in kebab case.
    public var name: String {
        switch self {
        case .secure: "secure"
        case .insecure: "insecure"
        case .bogus: "bogus"
        }
    }
}
