public import ProbeKit

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
                "'\(text)' is no CAA record", remedy: "write it as a zone file does, like 0 issue \"letsencrypt.org\"")
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
