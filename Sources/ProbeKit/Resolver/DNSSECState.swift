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
