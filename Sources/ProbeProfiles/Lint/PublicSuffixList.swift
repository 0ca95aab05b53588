import FoundationEssentials
public import ProbeKit

/// The domains under which anyone can register names, as publicsuffix.org lists them.
public struct PublicSuffixList: Sendable {
    /// Where Debian's package `publicsuffix` puts the list.
    public static let systemPath = "/usr/share/publicsuffix/public_suffix_list.dat"
    /// The largest list that is read, in bytes; today's has a third of a million.
    public static let maximumBytes = 8 << 20

    private let rules: Set<String>

    /// A list of its text: one rule a line, up to the first blank; `//` begins a comment.
    ///
    /// Rules in letters outside ASCII are passed over: host rules are written as A-labels.
    public init(_ text: String) {
        rules = Set(
            text.split(whereSeparator: \.isNewline).compactMap { line in
                let rule = line.prefix { !$0.isWhitespace }
                return rule.isEmpty || rule.hasPrefix("//") ? nil : rule.lowercased()
            })
    }

    /// The list of a file.
    ///
    /// - Throws: ``InputError`` where it can't be read.
    public static func read(_ path: String) throws(InputError) -> PublicSuffixList {
        let bytes = try InputFile.bytes(of: path, limit: maximumBytes, kind: "list of public suffixes")
        return PublicSuffixList(String(decoding: bytes, as: UTF8.self))
    }

    /// The system's list; nil where it has none.
    public static func system() -> PublicSuffixList? { try? read(systemPath) }

    /// Whether a domain is a public suffix itself: listed, below a wildcard without being its exception, or one label.
    public func contains(_ domain: String) -> Bool {
        let domain = domain.lowercased()
        guard !rules.contains("!" + domain) else { return false }
        guard let dot = domain.firstIndex(of: ".") else { return true }
        return rules.contains(domain) || rules.contains("*" + domain[dot...])
    }
}
