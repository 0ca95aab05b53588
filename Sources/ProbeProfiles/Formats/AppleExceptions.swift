import ProbeKit

/// The keys beside `NSPinnedDomains` that loosen App Transport Security (requirement 52).
enum AppleExceptions {
    static func notes(_ security: PropertyDictionary) throws(InputError) -> [FormatNote] {
        var notes: [FormatNote] = []
        for key in ["NSAllowsArbitraryLoads", "NSAllowsArbitraryLoadsInWebContent", "NSAllowsArbitraryLoadsForMedia"]
        where try security.flag(key) ?? false {
            notes.append(.warning("ats-exception", "\(key) switches App Transport Security off: take it out"))
        }
        guard let domains = try security.dictionary("NSExceptionDomains") else { return notes }
        for name in domains.keys {
            guard let domain = try domains.dictionary(name) else { continue }
            let keys = loosening(domain)
            notes.append(
                keys.isEmpty
                    ? .note(
                        "ats-domain", "NSExceptionDomains has \(name), and loosens nothing there",
                        fix: FormatNote.nothingToDo)
                    : .warning(
                        "ats-exception",
                        "NSExceptionDomains has an exception for \(name), \(keys.joined(separator: " and ")): take it out, or mean it"
                    ))
        }
        return notes
    }

    /// The beginnings of a key: an exception may be a third party's, or bound to go, which changes nothing of its effect.
    private static let beginnings = [
        "NSException", "NSTemporaryException", "NSThirdPartyException", "NSTemporaryThirdPartyException",
    ]

    /// The values of the oldest version that are no older than the usual one, which is 1.2.
    private static let strictVersions: Set = ["TLSv1.2", "TLSv1.3"]

    /// Returns the keys of a domain that ask for less than App Transport Security does. Others ask for more, as
    /// `NSRequiresCertificateTransparency`, or for the usual.
    private static func loosening(_ domain: PropertyDictionary) -> [String] {
        beginnings.flatMap { beginning in
            let insecure = "\(beginning)AllowsInsecureHTTPLoads"
            let version = "\(beginning)MinimumTLSVersion"
            let secrecy = "\(beginning)RequiresForwardSecrecy"
            return [
                keeps(false) { () throws(InputError) in try domain.boolValue(insecure) } ? nil : insecure,
                keeps(true) { () throws(InputError) in try domain.text(version).map(strictVersions.contains) }
                    ? nil : version,
                keeps(true) { () throws(InputError) in try domain.boolValue(secrecy) } ? nil : secrecy,
            ].compactMap(\.self)
        }
    }

    /// Returns true for a key that is not there, or has the strict value. One of another type may mean anything; pins don't
    /// depend on it.
    private static func keeps(_ strict: Bool, _ read: () throws(InputError) -> Bool?) -> Bool {
        do throws(InputError) { return try read().map { $0 == strict } ?? true } catch { return false }
    }
}
